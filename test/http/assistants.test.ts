import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { SERVER_CALLER } from '../../src/domain/caller.js';
import { assistantIdOf } from '../../src/base/ids.js';
import { jsonBytes } from '../../src/base/json/json.js';
import { readConfig } from '../../src/config/config.js';
import type { AssistantRecord } from '../../src/store/assistants.js';
import { Commit } from '../../src/store/store.js';
import { openStores } from '../../src/store/stores.js';
import { keys } from '../../src/store/keys.js';
import { childServer } from '../helpers/child-server.js';
import { Empty } from '../helpers/empty.js';
import { configWith, ROOT, temporaryFolder, testServer, TEST_GRAPHS, type TestServer } from '../helpers/server.js';

const echo = configWith(t, 'echo');

/** A configuration of these test graphs. */
function configOf(t: Test, graphs: Record<string, unknown>): string {
  const file = join(temporaryFolder(t), 'langgraph.json');
  writeFileSync(file, JSON.stringify({ graphs }));
  return file;
}
const graph = (name: string): string => `${join(ROOT, 'test/graphs', `${name}.ts`)}:graph`;

const versionsOf = async ({ client }: Pick<TestServer, 'client'>, id: string): Promise<number[]> =>
  (await client.assistants.getVersions(id, { limit: 100 })).map(({ version }) => version);

function record(at: number, more: Partial<AssistantRecord> = {}): AssistantRecord {
  return {
    assistantId: `01a20000-0000-7000-8000-${String(at).padStart(12, '0')}`,
    graphId: 'echo',
    name: `assistant ${at % 100}`,
    description: null,
    createdAtMs: at,
    updatedAtMs: at,
    version: 1,
    lastVersion: 1,
    config: jsonBytes({ configurable: { at } }),
    context: jsonBytes({}),
    metadata: jsonBytes({ at, owner: at % 2 === 0 ? 'ada' : 'bob' }),
    system: false,
    configured: jsonBytes(null),
    ...more,
  };
}

t.test('keeps versions over any end of the process', async (t) => {
  const dataFolder = temporaryFolder(t);
  const first = await childServer(t, { dataFolder, config: echo });
  const { assistant_id: id } = await first.client.assistants.create({ graphId: 'echo', name: 'one' });
  await first.client.assistants.update(id, { name: 'two' });
  const changed = await first.client.assistants.setLatest(id, 1);
  await first.kill();

  const second = await childServer(t, { dataFolder, config: echo });
  t.strictSame(await second.client.assistants.get(id), changed);
  t.strictSame(await versionsOf(second, id), [2, 1]);
  t.equal((await second.client.assistants.update(id, {})).version, 3, 'no number comes twice');
  t.equal((await second.client.assistants.search({ graphId: 'echo', name: 'one' })).length, 1);
  await second.client.assistants.delete(id);
  await second.kill();

  const third = await childServer(t, { dataFolder, config: echo });
  await t.rejects(third.client.assistants.get(id), /HTTP 404/);
  await t.rejects(third.client.assistants.getVersions(id), /HTTP 404/);
});

t.test('leaves nothing behind when it crashes after the commit of a delete', async (t) => {
  const dataFolder = temporaryFolder(t);
  const first = await testServer(t, { dataFolder, config: echo });
  const { assistant_id: id } = await first.client.assistants.create({ graphId: 'echo' });
  const { thread_id: threadId } = await first.client.threads.create();
  await first.client.runs.wait(threadId, id, { input: { text: 'x' } });
  await first.close();

  const stores = openStores(dataFolder, undefined);
  const commit = new Commit();
  stores.assistants.remove(commit, stores.assistants.get(SERVER_CALLER, id)!);
  await stores.assistants.write(commit);
  t.equal(stores.assistants.get(SERVER_CALLER, id), undefined);
  t.ok(stores.assistants.exists(id), 'the id is not free while something of it is left');
  await stores.store.close();

  const second = await testServer(t, { dataFolder, config: echo });
  while ((await second.client.runs.list(threadId)).length > 0)
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  t.match((await second.client.threads.get(threadId)).values, { text: 'x' });
  await second.close();

  const after = openStores(dataFolder, undefined);
  t.teardown(() => after.store.close());
  for (const prefix of [keys.assistantVersions(id), keys.assistantRuns(id), keys.leftovers(), ['rk']])
    t.strictSame([...after.store.keys({ prefix })], []);
  t.strictSame(
    [...after.store.keys({ prefix: ['ai'] })].filter((key) => key.at(-1) === id),
    [],
  );
});

t.test('leaves nothing of a deleted thread or run with its assistant', async (t) => {
  const dataFolder = temporaryFolder(t);
  const server = await testServer(t, { dataFolder, config: echo });
  const { client } = server;
  const { assistant_id: id } = await client.assistants.create({ graphId: 'echo' });
  const [one, two] = [await client.threads.create(), await client.threads.create()];
  for (const { thread_id: threadId } of [one, two]) await client.runs.wait(threadId, id, { input: { text: 'x' } });
  await client.runs.wait(null, id, { input: { text: 'x' } });
  await client.threads.delete(one.thread_id);
  const [run] = await client.runs.list(two.thread_id);
  await client.runs.delete(two.thread_id, run!.run_id);
  await server.close();
  const stores = openStores(dataFolder, undefined);
  stores.remover.wake();
  await stores.remover.close();
  t.teardown(() => stores.store.close());
  t.strictSame([...stores.store.keys({ prefix: ['ar'] })], []);
});

t.test('configures the assistants of graphs by LANGGRAPH_CONFIG', async (t) => {
  const dataFolder = temporaryFolder(t);
  const start = async (value: unknown, config = TEST_GRAPHS): Promise<TestServer> =>
    testServer(t, { dataFolder, config, env: value === null ? {} : { LANGGRAPH_CONFIG: JSON.stringify(value) } });
  const defaults = { mirror: { context: { lang: 'de' }, recursion_limit: 9, configurable: { model: 'small' } } };

  const first = await start(defaults);
  t.match(await first.client.assistants.get('mirror'), {
    version: 1,
    config: { recursion_limit: 9, configurable: { model: 'small' } },
    context: { lang: 'de' },
  });
  t.match(await first.client.assistants.get('echo'), { version: 1, config: Empty, context: Empty });
  t.match(await first.client.runs.wait(null, 'mirror', { input: {} }), {
    seen: { configurable: { model: 'small' }, context: { lang: 'de' }, recursionLimit: 9 },
  });
  await first.client.assistants.update('mirror', { config: { configurable: { model: 'mine' } }, name: 'my mirror' });
  await first.close();

  const second = await start(defaults);
  t.match(
    await second.client.assistants.get('mirror'),
    { version: 2, name: 'my mirror', config: { configurable: { model: 'mine' } } },
    'what says nothing new changes nothing',
  );
  await second.close();

  const third = await start({ mirror: { configurable: { model: 'large' } } });
  t.match(await third.client.assistants.get('mirror'), {
    version: 3,
    name: 'mirror',
    config: { configurable: { model: 'large' } },
    context: Empty,
  });
  t.strictSame(await versionsOf(third, 'mirror'), [3, 2, 1]);
  await third.close();

  const fourth = await start(null, configOf(t, { mirror: { path: graph('mirror'), description: 'Shows itself' } }));
  t.match(await fourth.client.assistants.get('mirror'), { version: 4, description: 'Shows itself', config: Empty });
  t.equal(await fourth.client.assistants.count(), 1, 'graphs that are gone have none');
});

t.test('refuses to start with an invalid LANGGRAPH_CONFIG', (t) => {
  const cases: [value: string, problem: RegExp][] = [
    ['{"mirror": ', /^LANGGRAPH_CONFIG: not valid JSON: /],
    ['[]', /^LANGGRAPH_CONFIG: must be a JSON object/],
    ['{"mirror": "small"}', /^LANGGRAPH_CONFIG: mirror: must be an object\.$/],
    [
      '{"miror": {}}',
      /^LANGGRAPH_CONFIG: miror: the configuration has no graph with this name\. The graphs are: .*mirror/,
    ],
    ['{"mirror": {"recursion_limit": "many"}}', /^LANGGRAPH_CONFIG: mirror\.recursion_limit: must be integer/],
    ['{"mirror": {"context": 7}}', /^LANGGRAPH_CONFIG: mirror\.context: must be object/],
    ['{"mirror": {"tags": [1]}}', /^LANGGRAPH_CONFIG: mirror\.tags\.0: must be string/],
  ];
  for (const [value, message] of cases)
    t.throws(
      () => readConfig({ config: TEST_GRAPHS }, { LANGGRAPH_CONFIG: value }),
      { name: 'CONFIG_INVALID', message },
      value,
    );
  for (const value of ['', ' ', '{}'])
    t.equal(readConfig({ config: TEST_GRAPHS }, { LANGGRAPH_CONFIG: value }).assistantDefaults.size, 0);
  t.end();
});

t.test('keeps the assistant of a removed graph and refuses to run it', async (t) => {
  const dataFolder = temporaryFolder(t);
  const first = await testServer(t, {
    dataFolder,
    config: configOf(t, { echo: graph('echo'), mirror: graph('mirror') }),
  });
  const made = await first.client.assistants.create({ graphId: 'mirror', name: 'left' });
  await first.close();

  const { client } = await testServer(t, { dataFolder, config: configOf(t, { echo: graph('echo') }) });
  t.strictSame(await client.assistants.get(made.assistant_id), made);
  t.strictSame(await client.assistants.search({ graphId: 'mirror' }), [made]);
  await t.rejects(client.runs.wait(null, made.assistant_id, { input: {} }), /HTTP 404: .*No assistant found for/);
  await t.rejects(client.assistants.setLatest(made.assistant_id, 1), /HTTP 404: .*Graph \\"mirror\\" not found/);
  for (const gone of ['mirror', assistantIdOf('mirror')])
    await t.rejects(client.assistants.get(gone), /HTTP 404: .*Assistant not found/, "the graph's own is gone with it");
  await client.assistants.update(made.assistant_id, { graphId: 'echo' });
  t.match(await client.runs.wait(null, made.assistant_id, { input: { text: 'x' } }), { text: 'x' });
  await client.assistants.delete(made.assistant_id);
  await t.rejects(client.assistants.get(made.assistant_id), /HTTP 404/);
});

t.test('answers others while it reads thousands', async (t) => {
  const dataFolder = temporaryFolder(t);
  const stores = openStores(dataFolder, undefined);
  const commit = new Commit();
  for (let at = 0; at < 10_000; at += 1) stores.assistants.putVersion(commit, record(at), undefined);
  await stores.assistants.write(commit);
  await stores.store.close();
  const { client } = await testServer(t, { dataFolder, config: echo });
  const turnsDuring = async (work: () => Promise<unknown>): Promise<number> => {
    let [turns, done] = [0, false];
    const turn = (): void => {
      turns += 1;
      if (!done) setImmediate(turn);
    };
    setImmediate(turn);
    await work();
    done = true;
    return turns;
  };
  const own = { metadata: { owner: 'ada' } };
  t.equal(await client.assistants.count({ name: 'assistant' }), 10_000);
  t.equal(await client.assistants.count(own), 5_000);
  t.ok(
    (await turnsDuring(async () =>
      t.match(await client.assistants.search({ ...own, sortBy: 'name', sortOrder: 'asc', limit: 1 }), [
        { name: 'assistant 0' },
      ]),
    )) > 2,
  );
  t.strictSame(
    (await client.assistants.search({ ...own, sortBy: 'name', limit: 3, offset: 1 })).map(
      ({ metadata }) => (metadata as unknown as { at: number }).at,
    ),
    [9_898, 9_798, 9_698],
    'the last of many in order',
  );
  t.match(await client.assistants.search({ metadata: { at: 4_711 } }), [{ config: { configurable: { at: 4_711 } } }]);
  t.strictSame(
    (await client.assistants.search({ ...own, sortOrder: 'asc', limit: 3, offset: 2 })).map(
      ({ metadata }) => (metadata as unknown as { at: number }).at,
    ),
    [4, 6, 8],
  );
});
