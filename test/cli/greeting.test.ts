import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { VERSION } from '../../src/base/version.js';
import { greetingOf } from '../../src/cli/server/greeting.js';
import { childServer } from '../helpers/child-server.js';
import { configWith, EXAMPLES, ROOT, temporaryFolder, testServer } from '../helpers/server.js';
import { projectOf } from '../helpers/project.js';

t.test('names the console first, then the API page, and a curl that works when pasted', async (t) => {
  const server = await testServer(t, { config: EXAMPLES });
  const [first, console, api, tryIt, ...more] = greetingOf(server).split('\n');
  t.equal(first, `Threadmill at ${server.url} hosts echo, agent, research (version ${VERSION})`);
  t.equal(console, `  Console  ${server.url}/console`);
  t.equal(api, `  API      ${server.url}/docs`);
  t.same(more, []);
  t.match(tryIt, /^ {2}Try it {3}curl -N /);
  const { stdout } = await promisify(execFile)('sh', ['-c', `${tryIt!.slice('  Try it   '.length)} -s`]);
  t.match(stdout, /event: values\n/);
  t.match(stdout, /You said: hello/);
});

t.test('shows only what is served', async (t) => {
  const server = await testServer(t, {
    config: projectOf(t, ['echo'], { http: { disable_console: true, disable_meta: true, disable_runs: true } }),
  });
  t.equal(greetingOf(server), `Threadmill at ${server.url} hosts echo (version ${VERSION})`);
});

t.test('the curl has a place for the key, and is absent when a handler decides', async (t) => {
  const server = await testServer(t, {
    config: configWith(t, 'echo'),
    env: { THREADMILL_API_KEYS: 'ci=0123456789abcdef0123456789abcdef' },
  });
  t.match(greetingOf(server), /Try it .* -H "x-api-key: \$KEY" --json/);
  t.notMatch(greetingOf({ ...server, credential: 'handler' }), /Try it/);
});

t.test('a long list of graphs is shortened', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const graphIds = Array.from({ length: 11 }, (_, at) => `g${at}`);
  t.match(greetingOf({ ...server, graphIds }), /hosts g0, g1, g2, g3, g4, g5, g6, g7 and 3 more \(/);
});

t.test('says why HTTP runs over node:http, and what that costs', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const transport = { name: 'node' as const, problem: 'uWebSockets.js has no binary for Node v21.0.0 on this machine' };
  t.equal(
    greetingOf({ ...server, transport })
      .split('\n')
      .at(-1),
    '  Note     HTTP runs over node:http, which takes more CPU per request: uWebSockets.js has no binary for Node v21.0.0 on this machine.',
  );
});

const GRAPH = `
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
const State = Annotation.Root({ ms: Annotation<number> });
export const graph = new StateGraph(State)
  .addNode('wait', async ({ ms }) => { await new Promise((resolve) => setTimeout(resolve, ms ?? 0)); return {}; })
  .addEdge(START, 'wait').addEdge('wait', END).compile();
`;

t.test('stderr has only log lines when the log is JSON, also about reloads and recovered runs', async (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, 'graph.ts'), GRAPH);
  writeFileSync(join(folder, 'langgraph.json'), JSON.stringify({ graphs: { agent: './graph.ts:graph' } }));
  const open = (): ReturnType<typeof childServer> =>
    childServer(t, {
      dataFolder: join(folder, 'data'),
      config: join(folder, 'langgraph.json'),
      command: 'dev',
      env: { LOG_LEVEL: 'info', BG_JOB_SHUTDOWN_GRACE_PERIOD_SECS: '0.1' },
    });
  const killed = await open();
  const { thread_id: thread } = await killed.client.threads.create();
  await killed.client.runs.create(thread, 'agent', { input: { ms: 60_000 } });
  await killed.kill();

  const server = await open();
  const until = async (text: string): Promise<void> => {
    while (!server.stderr().includes(text)) await once(server.process.stderr!, 'data');
  };
  await until('Recovered 1 unfinished run.');
  writeFileSync(join(folder, 'graph.ts'), `${GRAPH}\n`);
  await until('Reloaded the graphs.');
  writeFileSync(join(folder, 'graph.ts'), 'export const graph = {;\n');
  await until('The previous graphs stay in use.');
  await server.kill('SIGTERM');
  const lines = server.stderr().trim().split('\n');
  for (const line of lines) t.doesNotThrow(() => JSON.parse(line) as unknown, line);
  const levels = new Map(
    lines.map((line) => JSON.parse(line) as { level: number; msg: string }).map(({ level, msg }) => [msg, level]),
  );
  t.equal(levels.get('Recovered 1 unfinished run.'), 30);
  t.equal(levels.get('Reloaded the graphs.'), 30);
  t.equal([...levels].find(([msg]) => msg.includes('The previous graphs stay in use.'))![1], 50);
});

t.test('demo serves sample threads and experiments, and prints few lines', async (t) => {
  const child = spawn(process.execPath, [join(ROOT, 'dist/src/main.js'), 'demo', '--port', '0'], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  let stdout = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  while (!stdout.includes('Ctrl-C')) await once(child.stdout, 'data');
  t.ok(stdout.trim().split('\n').length <= 10, stdout);
  const url = /^Threadmill at (\S+)/.exec(stdout)![1]!;
  const threads = (await (
    await fetch(`${url}/threads/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
  ).json()) as { status: string }[];
  t.same(threads.map(({ status }) => status).toSorted(), ['idle', 'idle', 'interrupted']);
  const sessions = (await (await fetch(`${url}/api/v1/sessions`)).json()) as { name: string }[];
  t.ok(['sample-prompt-1', 'sample-prompt-2'].every((name) => sessions.some((one) => one.name === name)));
  const folder = /Data +(\S+), removed at the end/.exec(stdout)![1]!;
  child.kill('SIGTERM');
  await once(child, 'exit');
  t.notOk(existsSync(folder));
});
