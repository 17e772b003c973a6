import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { cli, type Said } from '../helpers/cli.js';
import { configWith, temporaryFolder, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo', 'questions');

const server = await testServer(t, { config });
const EXAMPLES = 12;

interface Answer {
  experiment: { id: string };
  dataset: { id: string };
}

/** An experiment whose scores follow from the number of the example. */
async function experiment(
  dataset: string,
  name: string,
  scores: Record<string, (at: number) => number>,
  {
    examples = EXAMPLES,
    ...more
  }: { examples?: number; error?: (at: number) => string | undefined; seconds?: number; outputs?: unknown } = {},
): Promise<Answer> {
  const time = '2026-01-01T00:00:00Z';
  const response = await server.post('/api/v1/datasets/upload-experiment', {
    experiment_name: name,
    dataset_name: dataset,
    experiment_start_time: time,
    experiment_end_time: '2026-01-01T00:01:00Z',
    results: Array.from({ length: examples }, (_, at) => ({
      row_id: `4a2b2d3c-0000-4000-8000-${String(at).padStart(12, '0')}`,
      inputs: { question: `number ${at}` },
      start_time: time,
      end_time: `2026-01-01T00:00:0${(at % 5) + (more.seconds ?? 0)}Z`,
      ...(more.outputs === undefined ? {} : { expected_outputs: more.outputs }),
      ...(more.error?.(at) === undefined
        ? { evaluation_scores: Object.entries(scores).map(([key, score]) => ({ key, score: score(at) })) }
        : { error: more.error(at) }),
    })),
  });
  return response.json() as Promise<Answer>;
}

const compare = (...args: string[]): Promise<Said> => cli(['compare', ...args, '--url', server.url]);

/** Half of the examples better by as much as the others are worse: nobody can say. */
const noise = (at: number): number => 0.5 + (at % 2 === 0 ? 0.2 : -0.2);
const first = await experiment('questions', 'first', { correct: () => 0.8, noisy: () => 0.5, 'a,b': () => 1 });
const worse = await experiment('questions', 'worse', { correct: (at) => 0.7 - at / 100, noisy: noise, 'a,b': () => 0 });
await experiment('questions', 'better', { correct: (at) => 0.9 + at / 1000, noisy: noise, 'a,b': () => 1 });
await experiment('questions', 'few', { correct: () => 0.1 }, { examples: 3 });
await experiment('others', 'elsewhere', { correct: () => 0.8 });

t.test('prints the change of every score, of latency and of errors', async (t) => {
  const { code, stdout, stderr } = await compare('first', 'worse');
  t.equal(stderr, '');
  t.equal(code, 0, 'without --fail-on-regression it is enough that it could compare');
  t.match(
    stdout,
    /^baseline +first \(12 runs\)\ncandidate +worse \(12 runs\)\nconsole +http:\/\/127.0.0.1:\d+\/console\/datasets\/[\w-]{36}\/compare\?experiments=([\w-]{36}),[\w-]{36}&baseline=\1\n\n +pairs +without pair +baseline +candidate +difference +95 % interval +improved +regressed +unchanged +verdict$/m,
  );
  t.match(stdout, /^correct +12 +0 \/ 0 +0\.8 +0\.645 +-0\.155 +-0\.17\d* to -0\.13\d* +0 +12 +0 +worse$/m);
  t.match(stdout, /^noisy +12 +0 \/ 0 +0\.5 +0\.5 +0 +-0\.\d+ to \+0\.\d+ +6 +6 +0 +not enough evidence$/m);
  t.match(stdout, /^latency in s +12 .* not enough evidence$/m);
  t.match(stdout, /^error rate +12 +0 \/ 0 +0 +0 +0 +0 to 0 .*$/m);
  const worst = /^Largest regressions of correct\nexample .*\n((?:.+\n)+)/m.exec(stdout)![1]!.trimEnd().split('\n');
  t.equal(worst.length, 5);
  t.match(worst[0], /^[\w-]{36} +0\.8 +0\.59 +-0\.21 +number 11$/);
});

t.test('exits with 0 when nothing that matters is worse', async (t) => {
  t.match(await compare('first', 'better', '--fail-on-regression', 'correct'), {
    code: 0,
    stdout: /^correct .* better$/m,
  });
});

t.test('exits with 1 when something that matters is worse, even beside inconclusive results', async (t) => {
  for (const flags of [['correct'], ['noisy,correct'], ['noisy', '--fail-on-regression', 'correct']]) {
    const { code, stdout } = await compare('first', 'worse', '--fail-on-regression', ...flags);
    t.equal(code, 1, flags.join(' '));
    t.match(stdout, /^Worse: correct\.$/m);
    if (flags[0] !== 'correct') t.match(stdout, /^Not enough evidence: noisy\.$/m);
  }
  t.match(
    await compare('first', 'worse', '--fail-on-regression', 'a,b'),
    { code: 1, stdout: /^Worse: a,b\.$/m },
    'a score may have a comma in its name',
  );
});

t.test('does not let a candidate pass that crashes or is slower', async (t) => {
  const crashes = (at: number): string | undefined => (at < 7 ? 'Timeout' : undefined);
  await experiment('gates', 'stable', { correct: () => 0.5 });
  await experiment('gates', 'crashing', { correct: (at) => 0.9 + at / 1000 }, { error: crashes });
  await experiment('gates', 'slow', { correct: (at) => 0.9 + at / 1000 }, { seconds: 3 });
  await experiment('gates', 'changed', { correct: (at) => 0.9 + at / 1000 }, { outputs: { answer: 'new' } });

  const crashing = await compare('stable', 'crashing', '--fail-on-regression', 'correct');
  t.match(crashing, { code: 1, stdout: /^Worse: error_rate\.$/m });
  t.match(
    crashing.stderr,
    /^Warning: correct is compared on 5 examples that both experiments have a value for\. 7 examples of "stable" and 7 of "crashing" are left out\.$/m,
  );
  t.match(crashing.stdout, /^Too few changes: a verdict at 95 % needs at least 6 examples .* correct has 5\.$/m);
  const allowed = await compare('stable', 'crashing', '--fail-on-regression', 'correct', '--allow-more-errors');
  t.match(allowed, { code: 2, stdout: /^Not enough evidence: correct\.$/m });
  t.match(await compare('stable', 'crashing', '--fail-on-regression', 'error_rate'), {
    code: 1,
    stdout: /^Worse: error_rate/m,
  });
  t.match(await compare('stable', 'crashing'), { code: 0 });

  t.match(await compare('stable', 'slow', '--fail-on-regression', 'correct'), { code: 0, stderr: '' });
  t.match(await compare('stable', 'slow', '--fail-on-regression', 'correct,latency'), {
    code: 1,
    stdout: /^Worse: latency\.$/m,
  });
  const changed = await compare('stable', 'changed', '--fail-on-regression', 'correct', '--json');
  t.match(changed, { code: 0, stderr: /^Warning: 12 examples changed between the two experiments/m });
  t.match(JSON.parse(changed.stdout), { examples_changed: 12, warnings: [/^12 examples changed/], exit_code: 0 });
});

t.test('applies the confidence to all verdicts with --correction holm', async (t) => {
  const tight = (by: number) => (): number => 0.8 - by;
  await experiment('corrections', 'before', { a: tight(0), b: tight(0), c: tight(0) }, { examples: 6 });
  await experiment('corrections', 'after', { a: tight(0.1), b: tight(0.1), c: tight(0.1) }, { examples: 6 });
  t.match(await compare('before', 'after', '--fail-on-regression', 'a'), { code: 1 });
  t.match(await compare('before', 'after', '--fail-on-regression', 'a', '--correction', 'holm'), { code: 2 });
});

t.test('exits with 2 when there is not enough evidence', async (t) => {
  t.match(await compare('first', 'better', '--fail-on-regression', 'correct,noisy'), {
    code: 2,
    stdout: /^Not enough evidence: noisy\.$/m,
  });
  t.match(
    await compare('first', 'few', '--fail-on-regression', 'correct'),
    { code: 2, stdout: /^correct +3 +9 \/ 0 +0\.8 +0\.1 /m },
    'three examples are too few',
  );
  t.match(
    await compare('first', 'few', '--fail-on-regression', 'noisy'),
    { code: 2, stdout: /^noisy +0 +12 \/ 3 +0 /m },
    'only one of them has the score',
  );
});

t.test('exits with 3 and the reason when it did not run', async (t) => {
  const cases: [string[], RegExp][] = [
    [['first', 'nobody'], /^No experiment "nobody" was found at http/],
    [['first', '4a2b2d3c-0000-4000-8000-000000000000'], /^No experiment "4a2b2d3c-/],
    [['first', 'first'], /^"first" cannot be compared with itself\.$/m],
    [['first', 'elsewhere'], /^"first" and "elsewhere" belong to different datasets \(/],
    [
      ['first', 'worse', '--dataset', 'others'],
      /^"first" and "worse" belong to the dataset "questions", not to "others"\.$/m,
    ],
    [
      ['first', 'worse', '--fail-on-regression', 'speed'],
      /^--fail-on-regression: neither experiment has a score "speed"\. Known names: .*\bnoisy\b.*\.$/m,
    ],
    [['first', 'worse', '--fail-on-regression', ','], /^--fail-on-regression: must be the name of a score/],
    [
      ['first', 'worse', '--confidence', 'much'],
      /^--confidence: must be a number above 0\.5 and below 1, such as 0\.95$/m,
    ],
    [['first', 'worse', '--correction', 'much'], /^--correction: must be "none" or "holm"$/m],
    [['first'], /missing required argument 'candidate'/],
    [['first', 'worse', '--wrong'], /unknown option '--wrong'/],
  ];
  // Two at once: most of the time goes to starting the program.
  const work = cases.values();
  const worker = async (): Promise<void> => {
    for (const [args, message] of work) {
      const { code, stdout, stderr } = await compare(...args);
      t.match(stderr, message);
      t.match({ code, stdout }, { code: 3, stdout: '' }, args.join(' '));
    }
  };
  await Promise.all([worker(), worker()]);
  t.match(await cli(['compare', 'first', 'worse', '--url', 'http://127.0.0.1:9']), {
    code: 3,
    stderr: /No server is listening at|failed/,
  });
  t.match(await cli(['compare', 'first', 'worse', '--fail-on-regression']), { code: 3, stderr: /argument missing/ });
});

t.test('accepts --json, ids, a dataset by name or id, and another confidence', async (t) => {
  const ids = [first.experiment.id, worse.experiment.id] as const;
  const { code, stdout } = await compare(
    ...ids,
    '--dataset',
    'questions',
    '--fail-on-regression',
    'correct,noisy',
    '--confidence',
    '0.99',
    '--json',
  );
  t.equal(code, 1);
  const said = JSON.parse(stdout) as { worst_regressions: Record<string, unknown[]> };
  t.match(said, {
    dataset_id: first.dataset.id,
    baseline: { id: ids[0], name: 'first' },
    candidate: { id: ids[1], name: 'worse' },
    confidence: 0.99,
    feedback: { correct: { verdict: 'worse', confidence: 0.99, regressed: 12 } },
    latency: { pairs: 12 },
    error_rate: { difference: 0 },
    warnings: [],
    worse: ['correct'],
    not_enough_evidence: ['noisy'],
    exit_code: 1,
  });
  t.equal(said.worst_regressions['correct']!.length, 5);
  t.match(said.worst_regressions['correct']![0], { baseline: 0.8, candidate: 0.59 });
  t.equal((await compare('first', 'worse', '--dataset', first.dataset.id)).code, 0);
});

t.test('explains the exit codes in its help', async (t) => {
  const { code, stdout } = await cli(['compare', '--help']);
  t.equal(code, 0);
  for (const exitCode of [0, 1, 2, 3]) t.match(stdout, new RegExp(`^  ${exitCode}  \\w`, 'm'));
});

t.test('finds an experiment whose name looks like an id', async (t) => {
  const name = '4a2b2d3c-1111-4000-8000-000000000000';
  const folder = temporaryFolder(t);
  writeFileSync(
    join(folder, 'rows.jsonl'),
    '{"inputs":{"question":"number 1"},"row_id":"4a2b2d3c-0000-4000-8000-000000000001"}',
  );
  t.equal(
    (
      await cli([
        'upload',
        join(folder, 'rows.jsonl'),
        '--dataset',
        'questions',
        '--experiment',
        name,
        '--url',
        server.url,
      ])
    ).code,
    0,
  );
  t.match(await compare('first', name), { code: 0, stdout: new RegExp(`^candidate +${name} \\(1 run\\)`, 'm') });
});
