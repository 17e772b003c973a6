import { randomUUID } from 'node:crypto';
import * as zlib from 'node:zlib';
import type { Client, Example, Run } from 'langsmith';
import type { KVMap } from 'langsmith/schemas';
import t from 'tap';
import { Empty } from '../helpers/empty.js';
import { all, langsmithOf, settled, until, type Call, type Session } from '../helpers/langsmith.js';
import { configWith, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo', 'plain');

const server = await testServer(t, { config });
const { evaluate, clientOf } = await langsmithOf(server);
const { traceable } = await import('langsmith/traceable');
const printed = t.capture(console, 'log');
// A target or evaluator that fails is told there, with its stack.
const complaints = t.capture(console, 'error');
t.capture(console, 'warn');

type Rows = {
  run: Run;
  example: Example;
  evaluationResults: { results: { key: string; score?: unknown; value?: unknown }[] };
}[];

/** What the client chooses if the server can decompress it. */
const COMPRESSION = 'zstdDecompressSync' in zlib ? 'zstd' : 'gzip';

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (sorted.length - 1) * q;
  const low = sorted[Math.floor(rank)]!;
  return low + (sorted[Math.ceil(rank)]! - low) * (rank - Math.floor(rank));
}
const close = (
  t: { ok(value: unknown, name: string): boolean },
  found: number | null | undefined,
  wanted: number,
  name: string,
): boolean => t.ok(Math.abs(found! - wanted) < 1e-6, `${name}: ${found} is ${wanted}`);

async function squares(
  client: Client,
  count = 4,
): Promise<{ datasetId: string; datasetName: string; exampleIds: string[] }> {
  const datasetName = `squares-${randomUUID()}`;
  const { id: datasetId } = await client.createDataset(datasetName);
  const numbers = Array.from({ length: count }, (_, at) => at + 1);
  const examples = await client.createExamples({
    datasetId,
    inputs: numbers.map((q) => ({ q })),
    outputs: numbers.map((q) => ({ a: q * q })),
  });
  return { datasetId, datasetName, exampleIds: examples.map(({ id }) => id) };
}

/** Right but for 3, and fails on 4. */
const square = traceable(
  async ({ q }: { q: number }): Promise<{ a: number }> => {
    const right = await traceable(async (n: number) => n * n, { name: 'multiply', run_type: 'tool' })(q);
    if (q === 4) throw new Error('Boo!');
    return { a: right + (q === 3 ? 1 : 0) };
  },
  { name: 'square' },
);

type Args = { inputs: KVMap; outputs: KVMap; referenceOutputs?: KVMap };
const exact = ({ outputs, referenceOutputs }: Args) => ({
  key: 'exact',
  score: outputs?.['a'] === referenceOutputs?.['a'],
});
const size = ({ inputs }: Args) => ({
  key: 'size',
  value: inputs['q'] > 2 ? 'big' : 'small',
  comment: `it is ${inputs['q']}`,
});
const several = ({ inputs }: Args) => ({
  results: [
    { key: 'quarter', score: inputs['q'] / 4 },
    { key: 'third', score: inputs['q'] / 3 },
  ],
});
interface Summary {
  runs: Run[];
  outputs: KVMap[];
  referenceOutputs?: KVMap[];
}
const share = ({ outputs, referenceOutputs }: Summary) => ({
  key: 'share',
  score: mean(outputs.map((one, at) => (one['a'] === referenceOutputs![at]!['a'] ? 1 : 0))),
});
const broken = (): never => {
  throw new Error('no verdict');
};

t.test('reports the same results as the evaluating client computed', async (t) => {
  const calls: Call[] = [];
  const client = clientOf({}, calls);
  const { datasetId, datasetName, exampleIds } = await squares(client);
  const results = await evaluate(square, {
    client,
    data: datasetName,
    numRepetitions: 2,
    maxConcurrency: 3,
    experimentPrefix: 'whole',
    metadata: { model: 'none' },
    evaluators: [exact, size, several, broken],
    summaryEvaluators: [
      share,
      ({ runs }: Summary) => [
        { key: 'rows', score: runs.length },
        { key: 'verdict', value: 'mixed', comment: 'not all of them' },
      ],
      broken,
    ],
  });
  const rows = results.results as Rows;
  t.equal(rows.length, 8);
  const project = await settled(
    client,
    { projectName: results.experimentName },
    { runs: 8, feedback: 32, summaries: 3 },
  );

  t.test('shows the record of the experiment', (t) => {
    t.match(results.experimentName, /^whole-[0-9a-f]{8}$/);
    t.matchStrict(project, {
      reference_dataset_id: datasetId,
      description: null,
      end_time: null,
      test_run_number: 1,
      trace_tier: 'longlived',
      extra: { metadata: { model: 'none', num_repetitions: 2, dataset_splits: ['base'] } },
      run_count: 8,
      error_rate: 0.25,
      last_run_start_time: String,
      total_tokens: null,
      total_cost: null,
    });
    t.match(project.experiment_progress, {
      expected_run_count: 8,
      evaluator_keys: ['exact', 'size', 'quarter', 'third', 'broken'],
    });
    t.ok(
      printed().some(({ args }) =>
        String(args[0]).endsWith(`/datasets/${datasetId}/compare?selectedSessions=${project.id}`),
      ),
      'the address is printed',
    );
    t.ok(
      complaints().some(({ args }) => String(args[0]).includes('no verdict')),
      'the failure is told',
    );
    t.end();
  });

  t.test('aggregates scores, labels and numbers', (t) => {
    const given = rows.flatMap(({ evaluationResults }) => evaluationResults.results);
    t.strictSame(Object.keys(project.feedback_stats!).sort(), ['exact', 'quarter', 'size', 'third']);
    for (const key of ['exact', 'quarter', 'third']) {
      // The client sends four decimals.
      const scores = given.filter((one) => one.key === key).map(({ score }) => Number(Number(score).toFixed(4)));
      t.match(project.feedback_stats![key], {
        n: scores.length,
        values: Empty,
        errors: 0,
        min: Math.min(...scores),
        max: Math.max(...scores),
        sources: ['model'],
      });
      close(t, project.feedback_stats![key]!.avg, mean(scores), key);
    }
    const labels = given.filter(({ key }) => key === 'size').map(({ value }) => value);
    t.matchStrict(project.feedback_stats!['size'], {
      n: 8,
      avg: null,
      values: {
        big: labels.filter((one) => one === 'big').length,
        small: labels.filter((one) => one === 'small').length,
      },
    });
    t.strictSame(project.feedback_stats!['exact']!.avg, 0.5);
    const summaries = Object.fromEntries(results.summaryResults.results.map((one) => [one.key, one]));
    t.strictSame(Object.keys(project.session_feedback_stats!).sort(), Object.keys(summaries).sort());
    t.matchStrict(project.session_feedback_stats, {
      share: { n: 1, avg: summaries['share']!.score },
      rows: { n: 1, avg: 8 },
      verdict: { n: 1, avg: null, values: { mixed: 1 }, comments: ['not all of them'] },
    });
    t.end();
  });

  t.test('computes latency from the times of the client', (t) => {
    const timed = rows.map(
      ({ run }) => run as unknown as { start_time: number; end_time: number; _serialized_start_time: string },
    );
    // The client sends the start with the order of execution in place of microseconds.
    const seconds = timed.map(
      ({ end_time: end, _serialized_start_time: start }) =>
        (end * 1_000 - Date.parse(start) * 1_000 - Number(start.slice(-4, -1))) / 1e6,
    );
    close(t, project.latency_p50, quantile(seconds, 0.5), 'p50');
    close(t, project.latency_p99, quantile(seconds, 0.99), 'p99');
    t.end();
  });

  t.test('shows runs with their child runs', async (t) => {
    const roots = await all(client.listRuns({ projectId: project.id, isRoot: true }));
    t.strictSame(roots.map(({ id }) => id).sort(), rows.map(({ run }) => run.id).sort());
    for (const { run, example } of rows) {
      const found = roots.find(({ id }) => id === run.id)!;
      t.match(found, {
        name: 'square',
        run_type: 'chain',
        reference_example_id: example.id,
        session_id: project.id,
        trace_id: run.id,
        inputs: example.inputs,
      });
      if (example.inputs['q'] === 4) t.match(found, { error: /Boo!/, status: 'error' });
      else t.matchStrict(found, { outputs: run.outputs, error: null, status: 'success' });
    }
    const [whole] = await all(client.listRuns({ id: [rows[0]!.run.id] }));
    t.match(await client.readRun(whole!.id, { loadChildRuns: true }), {
      child_runs: [{ name: 'multiply', run_type: 'tool', parent_run_id: whole!.id, trace_id: whole!.id }],
    });
    t.equal((await all(client.listRuns({ projectId: project.id }))).length, 16);
  });

  t.test('stores runs of evaluators in a project of their own', async (t) => {
    const judges = await all(client.listRuns({ projectName: 'evaluators', isRoot: true }));
    t.equal(judges.length, 8 * 4);
    // Those of summaries name no project, and are sent by a client that is made from the environment, in its own time.
    const summaries = await until(
      async () => all(client.listRuns({ projectName: 'default' })),
      (found) => found.length >= 3,
    );
    t.strictSame(summaries.map(({ name, status }) => `${name}: ${status}`).sort(), [
      'BatchEvaluator: success',
      'broken: error',
      'share: success',
    ]);
    t.equal(judges.filter(({ reference_example_id: id }) => id !== null && exampleIds.includes(id!)).length, 32);
    t.equal(judges.filter(({ status }) => status === 'error').length, 8);
    const answer = await server.post(`/datasets/${datasetId}/runs`, { session_ids: [project.id] });
    const examples = (await answer.json()) as {
      id: string;
      runs: { session_id: string; name: string; feedbacks: { key: string }[] }[];
    }[];
    t.strictSame(examples.map(({ id }) => id).sort(), exampleIds.toSorted());
    for (const { runs } of examples) {
      t.strictSame(
        runs.map(({ session_id: session, name, feedbacks }) => [session, name, feedbacks.map(({ key }) => key).sort()]),
        [0, 1].map(() => [project.id, 'square', ['exact', 'quarter', 'size', 'third']]),
      );
    }
    const feedback = await all(client.listFeedback({ runIds: rows.map(({ run }) => run.id), feedbackKeys: ['exact'] }));
    t.equal(feedback.length, 8);
    for (const one of feedback) {
      const judge = judges.find(
        ({ id }) => id === (one.feedback_source!.metadata as { __run: { run_id: string } }).__run.run_id,
      );
      t.match(judge, { name: 'evaluator' });
      t.match(one, { session_id: project.id, trace_id: one.run_id, feedback_source: { type: 'model' }, is_root: true });
    }
  });

  t.test('accepted compressed run bodies without a refusal', (t) => {
    const sent = calls.filter(({ path }) => path === '/runs/multipart');
    t.ok(sent.length > 0);
    t.ok(
      sent.every(
        ({ encoding, contentType }) => encoding === COMPRESSION && contentType.startsWith('multipart/form-data'),
      ),
    );
    t.strictSame(
      calls.filter(({ status }) => status >= 400),
      [],
    );
    t.end();
  });
});

t.test('accepts an evaluation at every base URL, compressed or not', async (t) => {
  for (const prefix of ['', '/api/v1']) {
    for (const compressed of [true, false]) {
      const calls: Call[] = [];
      process.env['LANGSMITH_DISABLE_RUN_COMPRESSION'] = String(!compressed);
      const client = clientOf({ apiUrl: `${server.url}${prefix}` }, calls);
      delete process.env['LANGSMITH_DISABLE_RUN_COMPRESSION'];
      const { datasetName } = await squares(client, 3);
      const results = await evaluate(square, { client, data: datasetName, evaluators: [exact] });
      const project = await settled(client, { projectName: results.experimentName }, { runs: 3, feedback: 3 });
      t.match(project, { error_rate: 0, feedback_stats: { exact: { n: 3, avg: 2 / 3 } } });
      t.ok(calls.every(({ path, status }) => path.startsWith(prefix) && status < 400));
      const sent = calls.filter(({ path }) => path === `${prefix}/runs/multipart`);
      t.ok(
        sent.length > 0 && sent.every(({ encoding }) => encoding === (compressed ? COMPRESSION : null)),
        compressed ? `with ${COMPRESSION}` : 'plain',
      );
    }
  }
});

t.test('evaluates part of a dataset, and keeps unsent runs with the client', async (t) => {
  const client = clientOf();
  const { datasetId, exampleIds } = await squares(client, 3);
  const data = client.listExamples({ datasetId, exampleIds: exampleIds.slice(0, 2) });
  const some = await evaluate(square, { client, data, evaluators: [exact], disableEvaluatorTracing: true });
  const project = await settled(client, { projectName: some.experimentName }, { runs: 2, feedback: 2 });
  const [one] = await all(client.listFeedback({ runIds: [some.results[0]!.run.id] }));
  t.notOk('__run' in one!.feedback_source!.metadata!);
  t.equal(project.test_run_number, 1);
  const chosen = await evaluate(square, {
    client,
    data: await all(client.listExamples({ datasetId })),
    evaluators: [exact],
    uploadRuns: ({ id }) => id === exampleIds[0],
  });
  t.equal(chosen.results.length, 3);
  t.match(await settled(client, { projectName: chosen.experimentName }, { runs: 1, feedback: 1 }), {
    test_run_number: 2,
  });
});

t.test('evaluates an existing experiment again', async (t) => {
  const client = clientOf();
  const { datasetId, datasetName } = await squares(client, 3);
  const first = await evaluate(square, { client, data: datasetName, evaluators: [exact] });
  const project = await settled(client, { projectName: first.experimentName }, { runs: 3, feedback: 3 });

  // More runs into the same experiment.
  await evaluate(square, { client, data: datasetName, evaluators: [exact], experiment: project } as never);
  t.match(await settled(client, { projectId: project.id }, { runs: 6, feedback: 6 }), {
    name: first.experimentName,
    feedback_stats: { exact: { n: 6 } },
  });

  // New scores for its runs.
  const runs = (await all(client.listRuns({ projectId: project.id, isRoot: true }))).slice(0, 3);
  const examples = await all(client.listExamples({ datasetId }));
  async function* given(): AsyncGenerator<Run> {
    yield* runs;
  }
  const inOrder = runs.map((run) => examples.find(({ id }) => id === run.reference_example_id)!);
  await evaluate(given() as never, { client, data: inOrder, evaluators: [size] });
  const after = await settled(client, { projectId: project.id }, { runs: 6, feedback: 9 });
  t.match(after, { id: project.id, feedback_stats: { size: { n: 3, values: { big: 1, small: 2 } }, exact: { n: 6 } } });
});

t.test('compares experiments with each other', async (t) => {
  const client = clientOf();
  const { datasetId, datasetName, exampleIds } = await squares(client, 3);
  const better = async ({ q }: { q: number }): Promise<{ a: number }> => ({ a: q * q });
  const a = await evaluate(square, { client, data: datasetName, experimentPrefix: 'a' });
  const b = await evaluate(better, { client, data: datasetName, experimentPrefix: 'b' });
  const prefers = ({ runs, referenceOutputs }: { runs: Run[]; referenceOutputs?: KVMap }) => ({
    key: 'preferred',
    scores: Object.fromEntries(runs.map((run) => [run.id, run.outputs!['a'] === referenceOutputs!['a'] ? 1 : 0])),
  });
  const byName = await evaluate([a.experimentName, b.experimentName], {
    client,
    evaluators: [prefers],
    experimentPrefix: 'pair',
    description: 'which?',
    metadata: { judge: 1 },
  });
  // In memory: the client first waits until the server has all of the runs.
  const byResults = await evaluate([a, b], { client, evaluators: [prefers], randomizeOrder: true });
  t.equal(byName.results.length, 3);

  type Comparative = {
    id: string;
    name: string;
    experiments_info: { id: string; name: string }[];
    feedback_stats: Session['feedback_stats'];
  };
  const list = async (query = ''): Promise<Comparative[]> =>
    (await (await server.get(`/datasets/${datasetId}/comparative${query}`)).json()) as Comparative[];
  const [projectA, projectB] = await Promise.all(
    [a, b].map(async ({ experimentName }) => client.readProject({ projectName: experimentName })),
  );
  const found = await until(list, (all) => all.every(({ feedback_stats: stats }) => stats?.['preferred']?.n === 6));
  t.match(found, [
    { id: byResults.comparativeExperiment.id },
    {
      id: byName.comparativeExperiment.id,
      name: byName.experimentName,
      description: 'which?',
      reference_dataset_id: datasetId,
      extra: { metadata: { judge: 1 } },
      experiments_info: [
        { id: projectA!.id, name: a.experimentName },
        { id: projectB!.id, name: b.experimentName },
      ],
      feedback_stats: { preferred: { n: 6, avg: 5 / 6 } },
      created_at: String,
      modified_at: String,
    },
  ]);
  t.match(byName.experimentName, /^pair-[0-9a-f]{4}$/);
  t.equal(new URL(byName.url!).searchParams.get('comparativeExperiment'), byName.comparativeExperiment.id);
  t.strictSame(
    (await list(`?name_contains=PAIR&limit=1`)).map(({ id }) => id),
    [byName.comparativeExperiment.id],
  );
  t.strictSame(
    (await list(`?id=${byResults.comparativeExperiment.id}`)).map(({ id }) => id),
    [byResults.comparativeExperiment.id],
  );
  t.strictSame(await list('?offset=2'), []);

  const ofRuns = await all(client.listFeedback({ runIds: a.results.map(({ run }) => run.id) }));
  t.equal(
    ofRuns.filter(
      (one) =>
        (one as { comparative_experiment_id?: string }).comparative_experiment_id === byName.comparativeExperiment.id,
    ).length,
    3,
  );
  t.match(
    await settled(client, { projectId: projectA!.id }, { runs: 3, feedback: 0 }),
    { feedback_stats: Empty },
    'they are no scores of the experiment',
  );
  t.equal(exampleIds.length, 3);

  t.test('creates, refuses and deletes a comparison', async (t) => {
    const id = randomUUID();
    const experimentIds = [projectA!.id, projectB!.id];
    t.matchStrict(await client.createComparativeExperiment({ id, name: 'mine', experimentIds }), {
      id,
      name: 'mine',
      reference_dataset_id: datasetId,
      description: null,
      extra: Empty,
    });
    t.match(await client.createComparativeExperiment({ id, name: 'again', experimentIds, createdAt: new Date(1e12) }), {
      id,
      name: 'again',
      created_at: '2001-09-09T01:46:40.000000+00:00',
    });
    t.equal((await list()).filter((one) => one.id === id).length, 1);
    const other = await squares(client, 1);
    await t.rejects(
      client.createComparativeExperiment({ name: 'x', experimentIds, referenceDatasetId: other.datasetId }),
      /Session not found/,
    );
    await t.rejects(
      client.createComparativeExperiment({
        name: 'x',
        experimentIds: [randomUUID()],
        referenceDatasetId: other.datasetId,
      }),
      /Session not found/,
    );
    await t.rejects(
      client.createComparativeExperiment({ name: 'x', experimentIds, referenceDatasetId: randomUUID() }),
      /Dataset not found/,
    );
    const single = await evaluate(better, { client, data: other.datasetId });
    const { id: elsewhere } = await client.readProject({ projectName: single.experimentName });
    await t.rejects(
      client.createComparativeExperiment({ id, name: 'x', experimentIds: [elsewhere] }),
      /already exists/,
    );
    t.equal((await fetch(`${server.url}/datasets/comparative/${id}`, { method: 'DELETE' })).status, 200);
    t.equal((await fetch(`${server.url}/datasets/comparative/${id}`, { method: 'DELETE' })).status, 404);
    await client.deleteProject({ projectId: projectB!.id });
    t.strictSame(
      (await list()).map(({ experiments_info: info }) => info.map(({ name }) => name)),
      [[a.experimentName], [a.experimentName]],
      'a deleted experiment is no part of it',
    );
    await client.deleteDataset({ datasetId });
    t.equal((await server.get(`/datasets/${datasetId}/comparative`)).status, 404);
  });
});
