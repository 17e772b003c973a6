import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { cli } from '../helpers/cli.js';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { projectFolder } from '../helpers/project-folder.js';
import { temporaryFolder, testServer, WITHOUT_TYPES } from '../helpers/server.js';

process.env['LANGSMITH_TRACING'] = 'false';
const graphs = ['approval', 'decide', 'nested'];
const folder = projectFolder(t, graphs);
const server = await testServer(t, { config: join(folder, 'langgraph.json'), env: WITHOUT_TYPES });

async function park(graphId: string, more: object = {}): Promise<string> {
  const { thread_id: threadId } = await server.client.threads.create();
  await server.client.runs.wait(threadId, graphId, { input: {}, ...more });
  return threadId;
}

const check = (place: string, ...flags: string[]): ReturnType<typeof cli> =>
  cli(['check', place, '--url', server.url, ...flags]);

/** Threads of the tests below. */
const waiting: string[] = [];

t.test('says that nothing waits', async (t) => {
  t.match(await check(folder), { code: 0, stdout: 'No thread waits for an answer or for its time.\n' });
  waiting.push(await park('approval'), await park('approval'), await park('decide'));
  await park('approval', { interrupt_after: ['before'] });
});

t.test('threads resume under the same code, and stay as they are', async (t) => {
  const before = await server.client.threads.getState(waiting[0]!);
  const { code, stdout, stderr } = await check(folder);
  t.equal(stdout, '4 of 4 resume; 0 fail.\n', stderr);
  t.equal(code, 0);
  t.same(await server.client.threads.getState(waiting[0]!), before);
  const { runs } = await until(
    async () => ({ runs: await server.client.runs.list(waiting[0]!) }),
    ({ runs: found }) => found.length > 0,
  );
  t.equal(runs.length, 1, 'no run was added');
});

t.test('says which threads a renamed node breaks, why, and what to do', async (t) => {
  const renamed = projectFolder(t, graphs, (code, graphId) =>
    graphId === 'approval' ? code.replaceAll(/'ask'/g, "'review'") : code,
  );
  const [markdown, html] = ['report.md', 'report.html'].map((name) => join(renamed, name));
  const { code, stdout } = await check(renamed, '--markdown', markdown!, '--html', html!);
  t.equal(code, 1);
  t.match(stdout, /^1 of 4 resume; 3 fail\.$/m);
  t.match(stdout, /^3 of graph "approval": node "ask" does not exist any more$/m);
  t.match(stdout, /Keep a node named "ask" in the graph/);
  t.match(stdout, /"code_versions": \{"parked_threads": "same"\}/);
  for (const file of [markdown!, html!]) t.match(readFileSync(file, 'utf8'), /does not exist any more/);
  const { stdout: json } = await check(renamed, '--json', '--graph', 'approval');
  t.match(JSON.parse(json), {
    total: 3,
    checked: 3,
    failed: 3,
    failures: [{ graphId: 'approval', threadIds: { length: 3 } }],
  });
});

t.test('an alias of the node lets them resume', async (t) => {
  const alias = projectFolder(t, graphs, (code, graphId) =>
    graphId === 'approval'
      ? code
          .replaceAll(/'ask'/g, "'review'")
          .replace(".addEdge('before', 'review')", ".addConditionalEdges('before', () => 'review', ['review', 'ask'])")
          .replace('.compile()', ".addEdge('ask', 'after').compile()")
          .replace(".addNode('after'", ".addNode('ask', () => ({ answers: ['alias'] })).addNode('after'")
      : code,
  );
  t.match(await check(alias), { code: 0, stdout: '4 of 4 resume; 0 fail.\n' });
});

t.test('names graphs that are gone, and errors of the new code', async (t) => {
  const broken = projectFolder(t, ['approval'], (code) =>
    code.replace(
      "const first = interrupt('first question')",
      "const first = (state as any).gone.name ?? interrupt('')",
    ),
  );
  const { code, stdout } = await check(broken);
  t.equal(code, 1);
  t.match(stdout, /^1 of graph "decide": graph "decide" does not exist any more$/m);
  t.match(stdout, /graph "approval": TypeError: Cannot read properties of undefined \(reading 'name'\)/);
});

t.test('a request that is not recorded is refused, and does not count as a failure', async (t) => {
  const calls = projectFolder(t, graphs, (code) =>
    code
      .replace('note(state, `first=${first}`);', "await fetch('http://127.0.0.1:9/never');")
      .replace("'ask', (state)", "'ask', async (state)"),
  );
  const { code, stdout } = await check(calls, '--graph', 'approval', '--answer', '"ja"');
  t.equal(code, 0);
  t.match(stdout, /3 of 3 resume; 0 fail\.\n3 of them resume and then make a request that is not recorded/);
});

t.test('a thread that never ends fails, and holds up nothing', async (t) => {
  const endless = projectFolder(t, graphs, (code) =>
    code
      .replace('note(state, `first=${first}`);', 'await new Promise(() => undefined);')
      .replace("'ask', (state)", "'ask', async (state)"),
  );
  const { code, stdout } = await check(endless, '--timeout', '1s');
  t.equal(code, 1);
  t.match(stdout, /^1 of 4 resume; 3 fail\.$/m);
  t.match(stdout, /graph "approval": .*timed? ?out|too long|timeout/i);
  t.match(await check(folder, '--timeout', 'soon'), { code: 3, stderr: /--timeout/ });
});

t.test('takes the last answer of a person to the same node', async (t) => {
  const picky = projectFolder(t, graphs, (code, graphId) =>
    graphId === 'approval' ? code.replace('note(state, `first=${first}`);', 'first.toUpperCase();') : code,
  );
  t.match(
    (await check(picky)).stdout,
    /TypeError: first\.toUpperCase is not a function \(after an answer that was made up\)/,
  );
  const answered = await park('approval');
  await server.client.runs.wait(answered, 'approval', { command: { resume: 'a word' } });
  const { clientOf } = await langsmithOf(server);
  await until(
    () => all(clientOf().listRuns({ projectName: 'approval', isRoot: true, filter: 'search("a word")' })),
    (found) => found.length > 0,
  );
  t.match(await check(picky), { code: 0 });
});

t.test('checks threads that wait for the time of a delayed run', async (t) => {
  const { thread_id: threadId } = await server.client.threads.create();
  const { run_id: runId } = await server.client.runs.create(threadId, 'nested', { input: {}, afterSeconds: 3_600 });
  const only = ['--graph', 'nested'];
  t.match(await check(folder, ...only), { code: 0, stdout: '1 of 1 resume; 0 fail.\n' });
  const { code, stdout } = await check(projectFolder(t, ['approval', 'decide']), ...only);
  t.equal(code, 1);
  t.match(stdout, /graph "nested" does not exist any more/);
  await server.client.runs.cancel(threadId, runId, true);
});

t.test('checks a sample if there are many, and refuses wrong flags', async (t) => {
  t.match(
    (await check(folder, '--limit', '2')).stdout,
    /^2 of 2 resume; 0 fail \(2 of \d waiting threads were checked\)\.$/m,
  );
  t.match(await check(folder, '--answer', 'yes'), { code: 3, stderr: /--answer: is not valid JSON/ });
  t.match(await check(folder, '--limit', '0'), { code: 3, stderr: /--limit: must be a whole number/ });
  t.match(await check(join(folder, 'none')), { code: 3, stderr: /the file does not exist/ });
  const bad = temporaryFolder(t);
  writeFileSync(join(bad, 'langgraph.json'), '{"graphs":{"a":"./a.ts:graph"}}');
  t.match(await check(bad), { code: 3, stderr: /a\.ts/ });
});
