import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readConfig } from '../../src/config/config.js';
import { Gate } from '../helpers/gate.js';
import { ROOT, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const KEEP = 4;
/** A quarter more may be there. */
const MOST = 5;

function configFile(t: Test, checkpointer: unknown): string {
  const file = join(temporaryFolder(t), 'langgraph.json');
  const graphs = Object.fromEntries(
    ['chat', 'deltas', 'nested', 'gate'].map((name) => [name, `${join(ROOT, 'test/graphs', name)}.ts:graph`]),
  );
  writeFileSync(file, JSON.stringify({ graphs, checkpointer }));
  return file;
}

const sweeping = (more: object = {}) => ({ keep_last: KEEP, ttl: { sweep_interval_minutes: 0.001, ...more } });
const say = (content: string) => ({ messages: [{ type: 'human', content, id: content }] });

const states = async (server: TestServer, id: string): Promise<number> =>
  (await server.client.threads.getHistory(id, { limit: 1_000 })).length;

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition()))
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
}

t.test('keeps the newest states of every thread and what they depend on', async (t) => {
  const dataFolder = temporaryFolder(t);
  const first = await testServer(t, { dataFolder, config: configFile(t, undefined) });
  const ids: Record<string, string> = {};
  for (const graphId of ['chat', 'deltas']) {
    const { thread_id: id } = await first.client.threads.create();
    ids[graphId] = id;
    for (let turn = 0; turn < 6; turn += 1) await first.client.runs.wait(id, graphId, { input: say(`said ${turn}`) });
  }
  const { thread_id: waits } = await first.client.threads.create();
  await first.client.runs.wait(waits, 'nested', { input: { question: 'why' } });
  const before = await Promise.all(
    Object.values(ids).map((id) => first.client.threads.getHistory(id, { limit: KEEP })),
  );
  const all = await states(first, ids['chat']!);
  t.ok(all > 3 * KEEP, `${all} states`);
  await first.close();

  // Threads of before the setting are taken down too.
  const second = await testServer(t, { dataFolder, config: configFile(t, sweeping()) });
  await until(async () => (await states(second, ids['chat']!)) === KEEP);
  await until(async () => (await states(second, ids['deltas']!)) === KEEP);
  const after = await Promise.all(
    Object.values(ids).map((id) => second.client.threads.getHistory(id, { limit: KEEP })),
  );
  const values = (histories: typeof before): unknown =>
    histories.map((history) => history.map((state) => [state.checkpoint.checkpoint_id, state.values, state.next]));
  t.strictSame(values(after), values(before));
  t.match(
    await second.client.runs.wait(waits, 'nested', { command: { resume: 'because' } }),
    { words: ['prepared', 'answer because', 'closed'] },
    'a question in a subgraph is kept',
  );

  // And again, when they have grown.
  for (let turn = 6; turn < 9; turn += 1)
    for (const [graphId, id] of Object.entries(ids))
      await second.client.runs.wait(id, graphId, { input: say(`said ${turn}`) });
  await until(async () => (await states(second, ids['chat']!)) <= MOST);
  const { messages } = (await second.client.threads.getState(ids['deltas']!)).values as {
    messages: { content: string }[];
  };
  t.strictSame(
    messages.map(({ content }) => content).filter((text) => text.startsWith('said')),
    Array.from({ length: 9 }, (_, turn) => `said ${turn}`),
  );
});

t.test('queues a run that starts while old states are removed', async (t) => {
  const server = await testServer(t, { dataFolder: temporaryFolder(t), config: configFile(t, undefined) });
  const { thread_id: id } = await server.client.threads.create();
  for (let turn = 0; turn < 12; turn += 1) await server.client.runs.wait(id, 'chat', { input: say(`said ${turn}`) });
  for (let round = 0; round < 10; round += 1) {
    const [oldest] = (await server.client.threads.getHistory(id, { limit: 1_000 })).slice(-1);
    const pruned = server.client.threads.prune([id], { strategy: 'keep_latest' });
    const [, early] = await Promise.all([
      server.client.runs.wait(id, 'chat', { input: say(`round ${round}`) }),
      server.client.runs
        .wait(id, 'chat', { input: say('from an older state'), checkpointId: oldest!.checkpoint.checkpoint_id! })
        .catch((error: { status: number }) => error.status),
      pruned,
    ]);
    // Whether it was there in time is chance; what came too late is told so, and does not begin in vain.
    t.ok(typeof early === 'object' || early === 404 || early === 409, JSON.stringify(early).slice(0, 200));
  }
  const runs = await server.client.runs.list(id, { limit: 100 });
  t.same(
    runs.filter(({ status }) => status !== 'success'),
    [],
  );
});

t.test("keeps as many states as the thread's own setting says", async (t) => {
  const server = await testServer(t, {
    dataFolder: temporaryFolder(t),
    config: configFile(t, { ttl: { sweep_interval_minutes: 0.001 } }),
  });
  const made = async (body: object): Promise<string> =>
    (
      (await (
        await fetch(`${server.url}/threads`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).json()) as { thread_id: string }
    ).thread_id;
  const change = async (id: string, body: object): Promise<void> => {
    t.equal(
      (
        await fetch(`${server.url}/threads/${id}`, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).status,
      200,
    );
  };
  const shown = async (id: string): Promise<unknown> =>
    ((await (await fetch(`${server.url}/threads/${id}?include=ttl`)).json()) as { keep_last?: number }).keep_last ??
    null;
  const [all, few] = [await made({}), await made({ keep_last: KEEP })];
  const chat = async (id: string): Promise<void> => {
    for (let turn = 0; turn < 4; turn += 1) await server.client.runs.wait(id, 'chat', { input: say(`said ${turn}`) });
  };
  await chat(all);
  await chat(few);
  t.strictSame([await shown(all), await shown(few)], [null, KEEP]);
  await until(async () => (await states(server, few)) <= MOST);
  const before = await states(server, all);
  t.ok(before > 2 * MOST, 'the other keeps all');
  await change(all, { keep_last: 2 });
  await until(async () => (await states(server, all)) === 2);
  await change(few, { keep_last: null });
  t.equal(await shown(few), null);
  await chat(few);
  await change(all, { metadata: { touched: true } });
  await until(async () => (await states(server, all)) === 2);
  t.ok((await states(server, few)) > 2 * MOST, 'from now on it keeps all');
  for (const keepLast of [0, -1, 1.5, '4', 2_000_000])
    t.equal(
      (
        await fetch(`${server.url}/threads`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ keep_last: keepLast }),
        })
      ).status,
      422,
    );
});

t.test('prunes a busy thread after its work, and applies its time to live as well', async (t) => {
  const folder = temporaryFolder(t);
  const server = await testServer(t, { config: configFile(t, sweeping()), workers: 1 });
  const { thread_id: id } = await server.client.threads.create();
  for (let turn = 0; turn < 4; turn += 1)
    await server.client.runs.wait(id, 'gate', { input: { label: `${turn}`, gate: null } });
  const gate = new Gate(folder);
  const run = await server.client.runs.create(id, 'gate', { input: { label: 'held', gate: gate.file } });
  await gate.reached();
  gate.open();
  await server.client.runs.join(id, run.run_id);
  await until(async () => (await states(server, id)) <= MOST);
  t.equal(((await server.client.threads.getState(id)).values as { steps: string[] }).steps.length, 15);
  const over = (await (await server.post('/threads', { ttl: { ttl: 0.000_01 } })).json()) as { thread_id: string };
  await until(async () => (await server.get(`/threads/${over.thread_id}`)).status === 404);
});

t.test('refuses invalid settings at the start', (t) => {
  for (const keepLast of [0, -1, 1.5, '4', 2_000_000]) {
    t.throws(
      () => readConfig({ config: configFile(t, { keep_last: keepLast }), data: temporaryFolder(t) }, {}),
      /checkpointer\.keep_last: must be a whole number from 1 to 1000000/,
      `${keepLast}`,
    );
  }
  t.equal(
    readConfig({ config: configFile(t, { keep_last: 7 }), data: temporaryFolder(t) }, {}).project.threadTtl.keepLast,
    7,
  );
  t.end();
});
