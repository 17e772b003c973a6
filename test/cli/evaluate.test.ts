import type { ChildProcess } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { cli, cliProcess, type Said } from '../helpers/cli.js';
import { until } from '../helpers/langsmith.js';
import { projectOf } from '../helpers/project.js';
import { ROOT, temporaryFolder, testServer, WITHOUT_TYPES } from '../helpers/server.js';

const config = projectOf(t, ['sums'], { evaluators: { correct: `${ROOT}/test/graphs/evaluators.ts:correct` } });
const server = await testServer(t, { config, env: WITHOUT_TYPES });
const { id: datasetId } = (await (await server.post('/datasets', { name: 'sums' })).json()) as { id: string };
await server.post(
  '/examples/bulk',
  Array.from({ length: 8 }, (_, at) => ({
    dataset_id: datasetId,
    inputs: { question: `${at} + 1` },
    outputs: { answer: String(at + 1) },
  })),
);

const evaluate = (...args: string[]): Promise<Said> =>
  cli(['evaluate', '--dataset', 'sums', '--assistant', 'sums', ...args, '--url', server.url]);

t.test('runs an experiment and prints its scores', async (t) => {
  const { code, stdout, stderr } = await evaluate(
    '--experiment',
    'main',
    '--evaluators',
    'correct',
    '--concurrency',
    '2',
  );
  t.equal(code, 0, stderr);
  t.match(stdout, /^dataset +sums\n/);
  t.match(stdout, /experiment +main \(number 1 of its dataset\)/);
  t.match(stdout, /errors +0 %/);
  t.match(stdout, /^score +n +average\ncorrect +8 +1$/m);
});

t.test('compares it with a baseline, and ends with the verdict', async (t) => {
  const [html, markdown] = ['report.html', 'summary.md'].map((name) => join(temporaryFolder(t), name)) as [
    string,
    string,
  ];
  const same = ['--baseline', 'main', '--fail-on-regression', 'correct'];
  const { code, stdout } = await evaluate('--evaluators', 'correct', ...same, '--html', html);
  t.equal(code, 2, 'the same answers are no evidence');
  t.match(stdout, /baseline +main \(8 runs\)/);
  t.match(stdout, /correct +8 .*not enough evidence/);
  t.ok(existsSync(html));

  const worse = JSON.stringify({ name: 'contains', key: 'correct', path: 'answer', text: 'nowhere' });
  writeFileSync(markdown, 'before\n\n');
  const judged = await evaluate('--evaluators', worse, ...same, '--markdown', markdown);
  t.equal(judged.code, 1, judged.stdout);
  t.match(judged.stdout, /Worse: correct\./);
  const summary = readFileSync(markdown, 'utf8');
  t.match(
    summary,
    /^before\n\n### ❌ sums-\w+, compared with main\n\nWorse: correct\.\n\n8 runs, 8 runs of the baseline/,
  );
  t.match(summary, /\| correct \| 8 \| 0 \/ 0 \| 1 \| 0 \| -1 \|/);
});

t.test('compares with an experiment that another server exported', async (t) => {
  const [{ id }] = (await (await server.get('/sessions?name=main')).json()) as [{ id: string }];
  const file = join(temporaryFolder(t), 'main.jsonl');
  writeFileSync(file, await (await server.get(`/sessions/${id}/export`)).text());
  const other = await testServer(t, { config, env: WITHOUT_TYPES });
  const uploaded = await cli(['upload', file, '--dataset', 'sums', '--experiment', 'main', '--url', other.url]);
  t.equal(uploaded.code, 0, uploaded.stderr);
  const args = ['--evaluators', 'correct', '--baseline', 'main', '--fail-on-regression', 'error_rate'];
  const { code, stdout } = await cli([
    'evaluate',
    '--dataset',
    'sums',
    '--assistant',
    'sums',
    ...args,
    '--url',
    other.url,
  ]);
  t.equal(code, 2);
  t.match(stdout, /correct +8 +0 \/ 0 +1 +1 +0/);
});

t.test('prints JSON', async (t) => {
  const { code, stdout } = await evaluate('--json', '--repetitions', '2', '--metadata', '{"commit":"abc"}');
  t.equal(code, 0);
  t.match(JSON.parse(stdout), { run_count: 16, extra: { metadata: { commit: 'abc', num_repetitions: 2 } } });
});

t.test('says what is wrong', async (t) => {
  for (const [args, said] of [
    [['--evaluators', 'corect'], /evaluators\.0: must be one of correct, .*it is "corect"/],
    [['--evaluators', '{"name"'], /--evaluators: is not valid JSON/],
    [['--repetitions', 'twice'], /--repetitions: must be a whole number above 0/],
    [['--fail-on-regression', 'correct'], /--fail-on-regression: needs a --baseline/],
    [['--baseline', 'none'], /No experiment "none"/],
    [['--experiment', 'main'], /Session already exists/],
    [['--dataset', 'none'], /Dataset not found/],
  ] as const) {
    const { code, stderr } = await evaluate(...args);
    t.equal(code, 3, args.join(' '));
    t.match(stderr, said);
  }
});

t.test('Ctrl-C cancels the experiment', async (t) => {
  await server.post('/examples/bulk', [{ dataset_id: datasetId, inputs: { question: 'slow 1' }, outputs: {} }]);
  const args = ['--experiment', 'cancelled', '--repetitions', '500', '--concurrency', '1', '--url', server.url];
  // By then the command has been told of the experiment for long.
  const RUNS = 50;
  const interrupt = async (child: ChildProcess): Promise<void> => {
    const [{ id }] = await until(
      async () => (await (await server.get('/sessions?name=cancelled')).json()) as [{ id: string }],
      ([found]) => found !== undefined,
    );
    await until(
      async () => (await (await server.get(`/experiments/${id}`)).json()) as { done: number },
      ({ done }) => done >= RUNS,
    );
    child.kill('SIGINT');
  };
  const { code, stderr } = await cliProcess(
    ['evaluate', '--dataset', 'sums', '--assistant', 'sums', ...args],
    {},
    (child) => void interrupt(child),
  );
  t.equal(code, 3, stderr);
  t.match(stderr, /The experiment was cancelled\. \d+ of its 4500 runs are stored\./);
});
