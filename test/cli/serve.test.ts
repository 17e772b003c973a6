import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { readConfig } from '../../src/config/config.js';
import { openServer } from '../../src/server/server.js';
import { childServer } from '../helpers/child-server.js';
import { cli, cliProcess } from '../helpers/cli.js';
import { ROOT, temporaryFolder } from '../helpers/server.js';
import { GRAPH, project } from './own-project.js';

/** The message of the error with which a server does not start. The command prints it and exits with 1. */
async function startError(folder: string, flags: Record<string, string> = {}): Promise<string> {
  const file = join(folder, 'langgraph.json');
  try {
    const config = readConfig({ config: file, data: join(folder, 'data'), port: '0', workers: '1', ...flags }, {});
    await (await openServer(config)).close(0);
  } catch (error) {
    return (error as Error).message;
  }
  return 'it started';
}

const serve = (folder: string, ...more: string[]): string[] => [
  'serve',
  '--config',
  join(folder, 'langgraph.json'),
  '--data',
  join(folder, 'data'),
  '--port',
  '0',
  '--workers',
  '1',
  ...more,
];

t.test('reports a missing configuration', async (t) => {
  const { code, stderr } = await cliProcess(['serve', '--config', join(temporaryFolder(t), 'nowhere.json')]);
  t.equal(code, 1);
  t.match(stderr, /nowhere\.json: the file does not exist/);
});

t.test('reports a configuration that is not JSON', async (t) => {
  t.match(await startError(project(t, '{"graphs": ')), /langgraph\.json: not valid JSON/);
});

t.test('reports a configuration without graphs, with the place', async (t) => {
  for (const [config, message] of [
    [{}, /graphs: must be an object with at least one graph/],
    [{ graphs: { agent: 7 } }, /graphs\.agent: must be "path:export"/],
    [{ graphs: { agent: { path: './a.ts:g', description: 7 } } }, /graphs\.agent\.description: must be a string/],
    [{ graphs: { agent: './a.ts:g' }, env: 7 }, /env: must be the path of a file, or a map/],
    [{ graphs: { agent: './a.ts:g' }, env: '.missing' }, /env: the file .*\.missing does not exist/],
  ] as const)
    t.match(await startError(project(t, config)), message);
});

t.test('reports the graph, file, error and stack when a graph does not load', async (t) => {
  for (const [file, text, message] of [
    ['missing.ts', null, /Graph "agent" \(.*missing\.ts\) could not be loaded: the file does not exist/],
    ['number.ts', 'export const graph = 1;\n', /Graph "agent" .*the export is a number, not a graph/],
  ] as const)
    t.match(
      await startError(project(t, { graphs: { agent: `./${file}:graph` } }, text === null ? {} : { [file]: text })),
      message,
    );

  const syntax = await cliProcess(
    serve(project(t, { graphs: { agent: './broken.ts:graph' } }, { 'broken.ts': 'export const graph = {;\n' })),
  );
  t.equal(syntax.code, 1);
  t.match(syntax.stderr, /Graph "agent" \(.*broken\.ts\) could not be loaded: broken\.ts:1:23: /);
  t.match(syntax.stderr, /\n\n\/.*broken\.ts:1:23\n> 1 \| export const graph = \{;\n {4}\| {23}\^\n$/, 'a code frame');

  const throwing = await cliProcess(
    serve(
      project(
        t,
        { graphs: { agent: './throws.ts:graph' } },
        { 'throws.ts': 'function deep(): never {\n  throw new Error("no key");\n}\nexport const graph = deep();\n' },
      ),
    ),
  );
  t.equal(throwing.code, 1);
  t.match(throwing.stderr, /Graph "agent" \(.*throws\.ts\) could not be loaded: no key/);
  t.match(throwing.stderr, /at deep \(.*throws\.ts:2:\d+\)/, 'the stack names the line of the source');
  t.match(
    throwing.stderr,
    /\n\n\/.*throws\.ts:2:9\n {2}1 \| function deep\(\): never \{\n> 2 \| {3}throw new Error\("no key"\);\n {4}\| {9}\^\n {2}3 \| \}\n/,
  );
  for (const { stderr } of [syntax, throwing])
    t.notMatch(stderr, /node:internal|piscina|\/dist\//, 'no stack lines of the server');

  const nothing = await cliProcess(
    serve(project(t, { graphs: { agent: './other.ts:graph' } }, { 'other.ts': 'export const other = 1;\n' })),
  );
  t.equal(nothing.code, 1);
  t.match(nothing.stderr, /Graph "agent" \(.*other\.ts\) could not be loaded: .*no export "graph" \(it has: other\)/);
  t.match(nothing.stderr, /langgraph\.json:1:12\n> 1 \| \{"graphs":\{"agent":"\.\/other\.ts:graph"\}\}\n/);
  t.notMatch(nothing.stderr, /\n +at /);
});

t.test('reports a port that is in use', async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const folder = project(
    t,
    { graphs: { agent: './graph.ts:graph' } },
    { 'graph.ts': GRAPH('one'), 'word.ts': 'export const word = "says";\n' },
  );
  t.match(
    await startError(folder, { port: String(port) }),
    new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is already in use`),
  );
  taken.close();
});

t.test('refuses a flag that is not a number and an unknown flag', async (t) => {
  t.match(await startError(temporaryFolder(t), { port: 'eighty' }), /--port: must be a whole number/);
  const unknown = await cli(['serve', '--prot', '80']);
  t.equal(unknown.code, 1);
  t.match(unknown.stderr, /unknown option '--prot'/);
});

t.test('serves a folder without node_modules with the bundled LangGraph, and no folder twice', async (t) => {
  const folder = project(
    t,
    { graphs: { agent: './graph.ts:graph' } },
    { 'graph.ts': GRAPH('one'), 'word.ts': 'export const word = "says";\n' },
  );
  const first = await childServer(t, { dataFolder: join(folder, 'data'), config: join(folder, 'langgraph.json') });
  t.match(await first.client.runs.wait(null, 'agent', { input: {} }), { said: 'says one' });
  t.match(
    await startError(folder),
    new RegExp(`is in use by another threadmill process: process ${first.process.pid} \\(.*main\\.js serve --config`),
  );
  await first.kill();
  const again = await childServer(t, { dataFolder: join(folder, 'data'), config: join(folder, 'langgraph.json') });
  t.equal((await fetch(`${again.url}/ok`)).status, 200, 'the lock of a killed server holds nobody up');
});

t.test('dev: loads changed files for new runs and lets running ones finish', async (t) => {
  const folder = project(
    t,
    { graphs: { agent: './graph.ts:graph' } },
    { 'graph.ts': GRAPH('one'), 'word.ts': 'export const word = "version";\n' },
  );
  // As in a user's project: packages lie beside the file.
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(ROOT, 'node_modules', '@langchain'), join(folder, 'node_modules', '@langchain'));
  const server = await childServer(t, {
    dataFolder: join(folder, 'data'),
    config: join(folder, 'langgraph.json'),
    command: 'dev',
    env: { LOG_LEVEL: 'info' },
  });
  const reloaded = (): number => server.stderr().split('Reloaded the graphs.').length - 1;
  const untilReloaded = async (times: number): Promise<void> => {
    while (reloaded() < times)
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
  };
  const { thread_id: threadId } = await server.client.threads.create();
  const running = server.client.runs.wait(threadId, 'agent', { input: { ms: 1_500 } });
  t.match(await server.client.runs.wait(null, 'agent', { input: {} }), { said: 'version one' });

  writeFileSync(join(folder, 'graph.ts'), GRAPH('two'));
  await untilReloaded(1);
  t.match(await server.client.runs.wait(null, 'agent', { input: {} }), { said: 'version two' });

  writeFileSync(join(folder, 'word.ts'), 'export const word = "edition";\n');
  await untilReloaded(2);
  t.match(
    await server.client.runs.wait(null, 'agent', { input: {} }),
    { said: 'edition two' },
    'files that the graph imports count too',
  );

  t.notMatch(server.stderr(), /after a restart only/);
  const changed = { graphs: { agent: './graph.ts:graph' }, traces: true, http: { cors: { allow_origins: ['*'] } } };
  writeFileSync(join(folder, 'langgraph.json'), JSON.stringify(changed));
  await untilReloaded(3);
  while (!server.stderr().includes('applied after a restart only: http.cors, traces.'))
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });

  writeFileSync(join(folder, 'graph.ts'), 'export const graph = {;\n');
  while (!server.stderr().includes('The previous graphs stay in use.'))
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  t.match(
    await server.client.runs.wait(null, 'agent', { input: {} }),
    { said: 'edition two' },
    'what does not load changes nothing',
  );

  t.match(await running, { said: 'version one' }, 'the run that was under way was not dropped');
});

t.test('SIGTERM: lets runs finish and queues the rest again with the same attempt', async (t) => {
  const folder = project(
    t,
    { graphs: { agent: './graph.ts:graph' } },
    { 'graph.ts': GRAPH('done'), 'word.ts': 'export const word = "was";\n' },
  );
  const open = (): ReturnType<typeof childServer> =>
    childServer(t, {
      dataFolder: join(folder, 'data'),
      config: join(folder, 'langgraph.json'),
      env: { BG_JOB_SHUTDOWN_GRACE_PERIOD_SECS: '1' },
    });
  const first = await open();
  const short = await first.client.threads.create();
  const long = await first.client.threads.create();
  const quick = await first.client.runs.create(short.thread_id, 'agent', { input: { ms: 300 } });
  const slow = await first.client.runs.create(long.thread_id, 'agent', { input: { ms: 3_000 } });
  while ((await first.client.runs.get(long.thread_id, slow.run_id)).status !== 'running')
    await new Promise(setImmediate);
  t.equal(await first.kill('SIGTERM'), '0');
  const second = await open();
  t.equal((await second.client.runs.get(short.thread_id, quick.run_id)).status, 'success');
  const attempts: unknown[] = [];
  for await (const { event, data } of second.client.runs.joinStream(long.thread_id, slow.run_id))
    if (event === 'metadata') attempts.push((data as { attempt: number }).attempt);
  t.equal((await second.client.runs.get(long.thread_id, slow.run_id)).status, 'success');
  t.ok(
    attempts.every((attempt) => attempt === 1),
    'the attempt was not used up',
  );
});
