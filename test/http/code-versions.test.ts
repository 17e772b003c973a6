import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t, { type Test } from 'tap';
import { readProject } from '../../src/config/config.js';
import { relocateBundle } from '../../src/pool/graphs/relocate-bundle.js';
import { versionFromJson, type VersionJson } from '../../src/store/code-version-json.js';
import { keys } from '../../src/store/keys.js';
import { Commit } from '../../src/store/store.js';
import { openStores } from '../../src/store/stores.js';
import { createKey } from '../../src/store/access/api-keys.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { until } from '../helpers/langsmith.js';
import { temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

/** Asks a question, then says which code has answered. */
const sourceOf = (word: string): string => `
import { Annotation, END, START, StateGraph, interrupt } from '@langchain/langgraph';
const State = Annotation.Root({ text: Annotation<string>, done: Annotation<string> });
export const graph = new StateGraph(State)
  .addNode('ask', (state) => {
    if (state.text === 'ask') interrupt('who?');
    return { done: '${word}' };
  })
  .addEdge(START, 'ask')
  .addEdge('ask', END)
  .compile();
export const twin = graph;
`;

interface Listed {
  version: string;
  hash: string;
  current: boolean;
  kept: boolean;
  file?: string;
  bytes?: number;
  packages?: string[];
  first_used_at?: string;
  last_used_at?: string;
}

interface Project {
  file: string;
  edit: (word: string) => void;
}

function projectOf(t: Test, more: Record<string, unknown> = {}, graphs = ['agent']): Project {
  const folder = temporaryFolder(t);
  const file = join(folder, 'langgraph.json');
  const edit = (word: string): void => {
    for (const name of graphs) writeFileSync(join(folder, `${name}.ts`), sourceOf(word));
  };
  edit('first');
  writeFileSync(
    file,
    JSON.stringify({ graphs: Object.fromEntries(graphs.map((name) => [name, `./${name}.ts:graph`])), ...more }),
  );
  return { file, edit };
}

async function versionsOf(server: TestServer, graphId = 'agent'): Promise<Listed[]> {
  const { graphs } = (await (await server.get('/server/code')).json()) as {
    graphs: { graph_id: string; versions: Listed[] }[];
  };
  return graphs.find((one) => one.graph_id === graphId)!.versions;
}

/** A thread that waits at its question. */
async function park({ client }: TestServer, assistantId = 'agent'): Promise<string> {
  const { thread_id: threadId } = await client.threads.create();
  await client.runs.wait(threadId, assistantId, { input: { text: 'ask' } });
  return threadId;
}

const answer = async ({ client }: TestServer, threadId: string): Promise<unknown> =>
  client.runs.wait(threadId, 'agent', { command: { resume: 'me' }, raiseError: false });

/** The code version of the newest run of a thread. */
async function newestVersion({ client }: TestServer, threadId: string): Promise<unknown> {
  const [run] = await client.runs.list(threadId, { limit: 1 });
  return (run as unknown as { code_version?: string }).code_version;
}

t.test('lists the versions of each graph, and returns one with its code', async (t) => {
  const { file, edit } = projectOf(t);
  const server = await testServer(t, { config: file });
  const [first, ...none] = await versionsOf(server);
  t.same(none, []);
  t.match(first, { current: true, kept: true, file: 'agent.ts', bytes: Number, first_used_at: /^20/ });
  t.match(first!.packages!.join(' '), /(^| )@langchain\/langgraph@\d/);
  t.equal(first!.version, first!.hash.slice(0, 12));
  edit('second');
  await server.reload(readProject(file));
  const [second, old] = await versionsOf(server);
  t.match(old, { hash: first!.hash, current: false });
  t.match(second, { current: true });
  t.not(second!.hash, first!.hash);

  const found = await server.get(`/server/code/${first!.hash.slice(0, 8)}`);
  t.equal(found.headers.get('cache-control'), 'no-store');
  const version = versionFromJson((await found.json()) as VersionJson);
  t.match(version, { hash: first!.hash, root: dirname(file), graphs: [{ graphId: 'agent', file: 'agent.ts' }] });
  t.match(Buffer.from(relocateBundle(version, dirname(file)).code).toString(), /done: "first"/);
  for (const [path, status] of [
    ['/server/code/ffffffffffff', 404],
    [`/server/code/${first!.hash.slice(0, 7)}`, 422],
  ] as const)
    t.equal((await server.get(path)).status, status, path);
});

t.test('shows which run used which version', async (t) => {
  const { file, edit } = projectOf(t, { traces: true });
  const server = await testServer(t, { config: file });
  const { client } = server;
  const run = async (): Promise<{ run_id: string; code_version: string }> => {
    const { thread_id: threadId } = await client.threads.create();
    const { run_id: runId } = await client.runs.create(threadId, 'agent', { input: { text: 'x' } });
    await client.runs.join(threadId, runId);
    return (await client.runs.get(threadId, runId)) as unknown as { run_id: string; code_version: string };
  };
  const before = await run();
  edit('second');
  await server.reload(readProject(file));
  const after = await run();
  const [second, first] = await versionsOf(server);
  t.same([before.code_version, after.code_version], [first!.version, second!.version]);
  const query = async (version: string): Promise<string[]> => {
    const filter = `and(eq(metadata_key, "code_version"), eq(metadata_value, "${version}"))`;
    const projects = (await (await server.get('/api/v1/sessions?reference_free=true')).json()) as { id: string }[];
    const session = projects.map(({ id }) => id);
    const answer = await server.post('/api/v1/runs/query', { session, filter, is_root: true });
    return ((await answer.json()) as { runs: { id: string }[] }).runs.map(({ id }) => id);
  };
  t.same(
    await until(
      () => query(first!.version),
      ({ length }) => length > 0,
    ),
    [before.run_id],
  );
  t.same(
    await until(
      () => query(second!.version),
      ({ length }) => length > 0,
    ),
    [after.run_id],
  );
});

t.test('continues a waiting thread with the newest code by default', async (t) => {
  const { file, edit } = projectOf(t);
  const server = await testServer(t, { config: file });
  const threadId = await park(server);
  edit('second');
  await server.reload(readProject(file));
  t.match(await answer(server, threadId), { done: 'second' });
});

t.test('continues a waiting thread with its own version, if that is configured', async (t) => {
  const { file, edit } = projectOf(t, { code_versions: { parked_threads: 'same' } });
  const dataFolder = temporaryFolder(t);
  const server = await testServer(t, { config: file, dataFolder });
  const threads = [await park(server), await park(server), await park(server), await park(server)];
  const copy = await server.client.threads.copy(threads[0]!);
  const first = (await versionsOf(server))[0]!.version;
  edit('second');
  await server.reload(readProject(file));
  t.match(await answer(server, threads[0]!), { done: 'first' });
  t.equal(await newestVersion(server, threads[0]!), first);
  t.match(await answer(server, copy.thread_id), { done: 'first' }, 'also a copy of the thread');
  const [second] = await versionsOf(server);
  t.match(await server.client.runs.wait(threads[0]!, 'agent', { input: { text: 'new' } }), { done: 'second' });
  t.match(
    await server.client.runs.wait(threads[1]!, 'agent', { input: { text: 'new' } }),
    { done: 'second' },
    'new input is for the newest code',
  );
  t.equal(await newestVersion(server, threads[1]!), second!.version);
  await server.close();

  // The folder of bundles is only a cache.
  rmSync(join(dataFolder, 'cache'), { recursive: true });
  const again = await testServer(t, { config: file, dataFolder });
  t.match(await answer(again, threads[2]!), { done: 'first' }, 'also after a restart');
  const thread = await park(again);
  t.match(await answer(again, thread), { done: 'second' });
  await again.close();

  writeFileSync(
    file,
    JSON.stringify({ graphs: { agent: './agent.ts:graph' }, code_versions: { keep: 1, parked_threads: 'same' } }),
  );
  const last = await testServer(t, { config: file, dataFolder });
  t.same(
    (await versionsOf(last)).map(({ version }) => version),
    [second!.version, first],
    'the version that a thread waits with stays, beyond the number',
  );
  await last.close();

  // As if there had been no room for it.
  const stores = openStores(dataFolder, undefined);
  const commit = new Commit();
  const { hash } = stores.codeVersions.list().find((one) => one.hash.startsWith(first))!;
  commit.remove(keys.codeVersion(hash));
  commit.remove(keys.codeBundle(hash));
  await stores.store.write(commit);
  await stores.store.close();
  const without = await testServer(t, { config: file, dataFolder });
  const refused = { __error__: { error: 'CODE_VERSION_UNAVAILABLE', message: new RegExp(`${first}.*no longer kept`) } };
  t.match(await answer(without, threads[3]!), refused);
  t.match(await answer(without, threads[3]!), refused, 'it still waits with that version');
  await without.close();

  writeFileSync(file, JSON.stringify({ graphs: { agent: './agent.ts:graph' } }));
  const newest = await testServer(t, { config: file, dataFolder });
  t.match(await answer(newest, threads[3]!), { done: 'second' });
});

t.test('fails a run whose version needs a package that is missing, and says which', async (t) => {
  const { file, edit } = projectOf(t, { code_versions: { parked_threads: 'same' }, traces: true });
  const folder = join(dirname(file), 'node_modules', 'words');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'words', version: '1.0.0', main: 'index.js' }));
  writeFileSync(join(folder, 'index.js'), 'module.exports = {};');
  writeFileSync(join(dirname(file), 'agent.ts'), `import 'words';\n${sourceOf('first')}`);
  const server = await testServer(t, { config: file });
  const threadId = await park(server);
  edit('second');
  await server.reload(readProject(file));
  rmSync(folder, { recursive: true });
  t.match(await answer(server, threadId), {
    __error__: { error: 'CODE_VERSION_UNAVAILABLE', message: /packages are missing: words@1\.0\.0/ },
  });
  const [failed] = await server.client.runs.list(threadId);
  const trace = await until(
    () => server.get(`/api/v1/runs/${failed!.run_id}`),
    ({ status }) => status === 200,
  );
  const version = (await versionsOf(server)).find(({ current }) => !current)!.version;
  t.match(await trace.json(), { extra: { metadata: { code_version: version } } }, 'its trace has the version as well');
});

t.test('stores when a version was last used, at the start and at most once an hour', async (t) => {
  const { file } = projectOf(t);
  const dataFolder = temporaryFolder(t);
  const clock = new FakeClock('2026-01-31T10:00:00Z');
  const server = await testServer(t, { config: file, dataFolder, clock });
  const used = async (at: TestServer): Promise<string | undefined> => (await versionsOf(at))[0]!.last_used_at;
  for (const [time, shown] of [
    ['2026-01-31T10:59:00Z', '10:00'],
    ['2026-01-31T11:30:00Z', '11:30'],
    ['2026-01-31T11:40:00Z', '11:30'],
  ] as const) {
    clock.set(time);
    await server.client.runs.wait(null, 'agent', { input: { text: 'x' } });
    t.match(await used(server), shown, time);
  }
  await server.close();
  const again = await testServer(t, { config: file, dataFolder, clock: new FakeClock('2026-01-31T11:45:00Z') });
  const [version] = await versionsOf(again);
  t.match(version, { first_used_at: /T10:00/, last_used_at: /T11:45/ });
});

t.test('keeps one version for two graphs of one file', async (t) => {
  const { file } = projectOf(t);
  writeFileSync(
    file,
    JSON.stringify({ graphs: { agent: './agent.ts:graph', twin: './agent.ts:twin' }, code_versions: { keep: 1 } }),
  );
  const server = await testServer(t, { config: file });
  const [agent] = await versionsOf(server);
  const [twin] = await versionsOf(server, 'twin');
  t.equal(agent!.hash, twin!.hash);
  const version = (await (await server.get(`/server/code/${agent!.hash}`)).json()) as VersionJson;
  t.same(version.graphs, [
    { graph_id: 'agent', file: 'agent.ts', export: 'graph' },
    { graph_id: 'twin', file: 'agent.ts', export: 'twin' },
  ]);
});

t.test('gives the code only to keys with a scope for it', async (t) => {
  const { file } = projectOf(t);
  const dataFolder = temporaryFolder(t);
  const make = (scopes: string[]): { 'x-api-key': string } => ({
    'x-api-key': createKey(dataFolder, { name: scopes.join(' '), scopes }).text,
  });
  const [reader, coder] = [make(['read']), make(['server:code'])];
  const server = await testServer(t, { config: file, dataFolder });
  const list = await server.get('/server/code', { headers: reader });
  t.equal(list.status, 200);
  const { graphs } = (await list.json()) as { graphs: { versions: Listed[] }[] };
  const path = `/server/code/${graphs[0]!.versions[0]!.hash}`;
  t.equal((await server.get(path, { headers: reader })).status, 403);
  t.equal((await server.get(path, { headers: coder })).status, 200);
});
