import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import type { JudgedPair } from '../../src/cli/replay/gate.js';
import { NewestPairs } from '../../src/cli/replay/newest-pairs.js';
import { isInShare } from '../../src/cli/replay/shadow.js';
import { cli, cliProcess, type Said } from '../helpers/cli.js';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { projectFolder } from '../helpers/project-folder.js';
import { temporaryFolder, testServer, WITHOUT_TYPES, type TestServer } from '../helpers/server.js';

process.env['LANGSMITH_TRACING'] = 'false';
const folder = projectFolder(t, ['sums']);
const both = projectFolder(t, ['sums', 'outside']);
const server = await testServer(t, { config: join(both, 'langgraph.json'), env: WITHOUT_TYPES });
const { clientOf } = await langsmithOf(server);

async function ask(question: string, { client }: TestServer = server): Promise<{ runId: string; threadId: string }> {
  const { thread_id: threadId } = await client.threads.create();
  const { run_id: runId } = await client.runs.create(threadId, 'sums', { input: { question } });
  await client.runs.join(threadId, runId);
  return { runId, threadId };
}

/** A shadow in a process of its own. */
interface Shadow {
  /** Waits for a line on stdout. */
  line(pattern: RegExp): Promise<unknown>;
  /** Waits for a text on stderr. */
  warning(pattern: RegExp): Promise<unknown>;
  /** Presses Ctrl-C, and waits for the end. */
  stop(): Promise<Said>;
}

async function shadow(...args: string[]): Promise<Shadow> {
  let child: ChildProcess | null = null;
  const output = { stdout: '', stderr: '' };
  const said = cliProcess(['shadow', ...args], { ...WITHOUT_TYPES }, (started) => {
    child = started;
    for (const name of ['stdout', 'stderr'] as const)
      started[name]!.on('data', (chunk: Buffer) => (output[name] += chunk.toString()));
  });
  let isOver = false;
  void said.then(() => (isOver = true));
  const seen = (name: 'stdout' | 'stderr', pattern: RegExp): Promise<unknown> =>
    until(
      () => Promise.resolve(isOver || pattern.test(output[name])),
      (found) => found,
    );
  await seen('stderr', /^Waiting for runs/m);
  return {
    line: (pattern) => seen('stdout', pattern),
    warning: (pattern) => seen('stderr', pattern),
    stop() {
      child!.kill('SIGINT');
      return said;
    },
  };
}

const changed = (change: (code: string) => string): string => projectFolder(t, ['sums'], change);
const wrong = changed((code) => code.replace('sum + Number(one)', 'sum - Number(one)'));

t.test('replays runs as they end, and says how much they prove', async (t) => {
  const { runId: earlier } = await ask('9 + 9');
  await until(
    () => all(clientOf().listRuns({ traceId: earlier, isRoot: true })),
    ([root]) => root?.end_time != null,
  );
  const one = await shadow(folder, '--url', server.url);
  const runs = [await ask('1 + 2'), await ask('3 + 4'), await ask('no'), await ask('5 + 6')];
  for (const { runId } of runs) await one.line(new RegExp(`^${runId} sums: equal \\(2 steps\\)$`, 'm'));
  const { code, stdout, stderr } = await one.stop();
  t.match(stdout, /^4 runs replayed: 4 equal, 0 different\.$/m, 'the run that had ended before is not among them');
  t.match(stdout, /sums live 20\S+/);
  t.match(stdout, /sums shadow 20\S+/);
  t.match(
    stdout,
    /^None of 4 runs changed, so the new code passes\. At most 53 % of all runs get worse, at a confidence of 95 %\.$/m,
  );
  t.equal(code, 0, stdout + stderr);
});

t.test('names what differs under other code, most frequent first, and judges it worse', async (t) => {
  const one = await shadow(wrong, '--url', server.url, '--upload');
  const runs: string[] = [];
  for (let at = 0; at < 12; at += 1) runs.push((await ask(`${at} + 1`)).runId);
  const { runId: failed } = await ask('no');
  for (const runId of runs)
    await one.line(
      new RegExp(`^${runId} sums: sums > add \\(chain\\): other outputs; 1 more\n {2}http\\S+compare`, 'm'),
    );
  await one.line(new RegExp(`^${failed} sums: equal`, 'm'));
  const { code, stdout, stderr } = await one.stop();
  t.match(stdout, /^13 runs replayed: 1 equal, 12 different\.$/m);
  t.match(stdout, /^first difference +runs\nsums > add \(chain\): other outputs +12$/m);
  t.match(stdout, /same_outputs/);
  t.equal(code, 1, stdout + stderr);
  const replays = await all(clientOf().listRuns({ projectName: 'replays', isRoot: true }));
  t.strictSame(
    new Set(replays.map(({ extra }) => (extra as { metadata: Record<string, string> }).metadata['replay_of'])),
    new Set([...runs, failed]),
  );
});

t.test('answers requests from the live run, and names those that it did not make', async (t) => {
  let requests = 0;
  const model = createServer((request, response) => {
    requests += 1;
    request.resume().on('end', () => setTimeout(() => response.end('an answer'), 100));
  });
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    model.closeAllConnections();
    model.close();
  });
  const url = `http://127.0.0.1:${(model.address() as AddressInfo).port}`;
  const changedPrompt = projectFolder(t, ['sums', 'outside'], (code) =>
    code.replace('JSON.stringify({ prompt,', "JSON.stringify({ question: prompt === 'b', prompt,"),
  );
  const flags = ['--url', server.url, '--graph', 'outside'];
  const [same, other] = [await shadow(both, ...flags, '--score', 'latency'), await shadow(changedPrompt, ...flags)];
  const { thread_id: threadId } = await server.client.threads.create();
  const input = { url, prompts: ['a', 'b'], fails: false };
  const { run_id: runId } = await server.client.runs.create(threadId, 'outside', { input });
  await server.client.runs.join(threadId, runId);
  const { runId: sum } = await ask('1 + 1');
  await same.line(new RegExp(`^${runId} outside: equal \\(5 steps\\)$`, 'm'));
  await other.line(new RegExp(`^${runId} outside: outside > ask .*: other error; .*; 2 requests not recorded$`, 'm'));
  const [first, second] = [await same.stop(), await other.stop()];
  t.equal(requests, 3, 'those of the live run');
  t.match(second.stdout, new RegExp(`^request that was not recorded +times\nPOST ${url}/v1/chat +2$`, 'm'));
  t.notMatch(first.stdout + second.stdout, sum, 'other graphs are left out');
  const [, live, replayed] = /^latency in s +1 +0 \/ 0 +([\d.]+) +([\d.]+)/m.exec(first.stdout)!;
  t.ok(Number(live) > 0.2 && Number(replayed) > 0.2, 'with --score latency, answers arrive as slowly as recorded');
});

t.test('prints a line of JSON for each run, the summary and the comparison', async (t) => {
  const one = await shadow(folder, '--url', server.url, '--json', '--score', 'same_outputs,error_rate');
  await Promise.all(Array.from({ length: 20 }, (_, at) => ask(`${at} + 1`)));
  await one.line(/^(\{"run_id":.*\n){20}/);
  const { code, stdout, stderr } = await one.stop();
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  t.equal(lines.length, 22, 'a line for each run, one for the summary, one for the comparison');
  t.match(lines[0], { graph_id: 'sums', status: 'success', equal_steps: 2, first_difference: null, unrecorded: [] });
  t.strictSame(lines[20], {
    summary: {
      ...{ replayed: 20, equal: 20, different: 0, first_differences: [], unrecorded: [] },
      skipped: { not_recorded: 0, not_readable: 0, fell_behind: 0, still_waiting: 0 },
      incomplete: false,
    },
  });
  t.match(lines[21], { baseline: { name: /^sums live / }, candidate: { name: /^sums shadow / } });
  t.match(stderr, /None of 20 runs changed, so the new code passes\. At most 14 % of all runs get worse/);
  t.equal(code, 0, stderr);
});

t.test('leaves out runs when it falls behind, and counts those that it cannot replay', async (t) => {
  const release = join(temporaryFolder(t), 'release');
  const held = changed((code) =>
    code
      .replace('import { setTimeout }', "import { existsSync } from 'node:fs';\nimport { setTimeout }")
      .replace(
        "if (question.startsWith('slow'))",
        `while (question === '1 + 1' && !existsSync(${JSON.stringify(release)})) await setTimeout(50);\n    $&`,
      ),
  );
  const one = await shadow(held, '--url', server.url, '--json');
  const first = await ask('1 + 1');
  const second = await ask('2 + 2');
  const others = await Promise.all(Array.from({ length: 110 }, (_, at) => ask(`${at} + 3`)));
  await one.line(/"skipped":"fell_behind"/);
  await server.client.threads.delete(second.threadId);
  writeFileSync(release, '');
  await one.line(new RegExp(`"run_id":"${second.runId}","skipped":"not_readable"`));
  const { stdout } = await one.stop();
  t.match(stdout, new RegExp(`^\\{"run_id":"${first.runId}","graph_id":"sums","status":"success"`, 'm'));
  const { summary } = JSON.parse(/^\{"summary".*$/m.exec(stdout)![0]) as {
    summary: { replayed: number; skipped: Record<string, number> };
  };
  t.equal(summary.skipped['not_readable'], 1);
  t.ok(summary.skipped['fell_behind']! >= 1);
  t.ok(summary.skipped['still_waiting']! >= 1);
  const seen = Object.values(summary.skipped).reduce((sum, count) => sum + count, summary.replayed);
  t.ok(seen <= others.length + 2, 'no run is counted twice');
});

t.test('cancels a replay that takes too long', async (t) => {
  const slow = changed((code) =>
    code.replace("if (question.startsWith('slow'))", 'await setTimeout(600_000);\n    $&'),
  );
  const one = await shadow(slow, '--url', server.url, '--timeout', '2s');
  const { runId } = await ask('1 + 2');
  await one.line(new RegExp(`^${runId} sums: .*; cancelled by --timeout$`, 'm'));
  const { code, stdout } = await one.stop();
  t.match(stdout, /^1 run replayed: 0 equal, 1 different\.$/m);
  t.equal(code, 2, 'one run is not enough evidence');
});

t.test('scores both sides with evaluators of the new project', async (t) => {
  const scored = projectFolder(t, ['sums'], (code) => code.replace('String(numbers', "'about ' + String(numbers"), {
    evaluators: { short: './evaluators.ts:short' },
  });
  writeFileSync(
    join(scored, 'evaluators.ts'),
    `export const short = ({ outputs }: { outputs: { answer?: string } }) =>
      ({ key: 'short', score: (outputs.answer ?? '').length < 4 ? 1 : 0 });\n`,
  );
  const one = await shadow(scored, '--url', server.url, '--score', 'short');
  const runs = await Promise.all(Array.from({ length: 8 }, (_, at) => ask(`${at} + 1`)));
  for (const { runId } of runs) await one.line(new RegExp(`^${runId} sums: `, 'm'));
  const { code, stdout, stderr } = await one.stop();
  t.match(stdout, /^short +8 +0 \/ 0 +1 +0 .*worse$/m);
  t.equal(code, 1, stdout + stderr);
});

t.test('says that nothing was replayed', async (t) => {
  const none = await cli(['shadow', folder, '--url', server.url, '--minutes', '0.01']);
  t.match(none, { code: 2, stdout: /^0 runs replayed/m, stderr: /No run was replayed, so there is nothing to judge/ });
  const plain = projectFolder(t, ['sums'], (code) => code, { traces: true });
  const other = await testServer(t, { config: join(plain, 'langgraph.json'), env: WITHOUT_TYPES });
  const one = await shadow(folder, '--url', other.url, '--json');
  const { runId } = await ask('1 + 2', other);
  await one.line(new RegExp(`"run_id":"${runId}","skipped":"not_recorded"`));
  await other.close();
  await one.warning(/Trying again/);
  t.match(await one.stop(), { code: 2, stdout: /"skipped":\{"not_recorded":1,/ }, 'it waits for a server that is gone');
});

t.test('replays a share of the runs, always the same ones', (t) => {
  const ids = Array.from({ length: 10_000 }, (_, at) => `01a21c52-0000-7000-8000-${String(at).padStart(12, '0')}`);
  const chosen = ids.filter((id) => isInShare(id, 0.05));
  t.ok(chosen.length > 400 && chosen.length < 600, String(chosen.length));
  t.ok(chosen.every((id) => isInShare(id, 0.1)));
  t.equal(ids.filter((id) => isInShare(id, 1)).length, ids.length);
  t.end();
});

t.test('keeps only as many pairs as fit into an upload', (t) => {
  const pairOf = (runId: string, outputs: unknown): JudgedPair => {
    const root = { name: 'a', inputs: {}, outputs, error: null, start_time: '', end_time: '' };
    const side = { root, feedback: [] };
    return { runId, recorded: root, before: side, after: side };
  };
  const many = new NewestPairs();
  for (let at = 0; at < 1_500; at += 1) many.add(at % 2 === 0 ? 'even' : 'odd', pairOf(String(at), {}));
  t.strictSame(
    [...many.byGraph].map(([graphId, pairs]) => [graphId, pairs.length, pairs[0]!.runId]),
    [
      ['even', 500, '500'],
      ['odd', 500, '501'],
    ],
  );
  const large = new NewestPairs();
  for (const runId of ['1', '2', '3']) large.add('a', pairOf(runId, 'x'.repeat(8 * 1_024 * 1_024)));
  t.strictSame(
    large.byGraph.get('a')!.map(({ runId }) => runId),
    ['2', '3'],
    'each pair has its outputs three times',
  );
  t.end();
});

t.test('says which flag is wrong', async (t) => {
  for (const [flags, problem] of [
    [['--share', '0'], /--share: must be above 0/],
    [['--share', 'five'], /--share: must be above 0/],
    [['--minutes', '-1'], /--minutes: must be a number above 0/],
    [['--score', 'a,'], /--score: must be the name of a score/],
    [['--graph', 'other'], /--graph: \S+ does not have the graph "other" \(it has: sums\)/],
    [['--timeout', '5'], /--timeout: must be a time with its unit/],
    [['--unrecorded', 'stub'], /--stubs: is needed/],
  ] as const)
    t.match(await cli(['shadow', folder, '--url', server.url, ...flags]), { code: 3, stderr: problem });
});
