import type { Client, Run } from 'langsmith';
import t, { type Test } from 'tap';
import { childServer } from '../helpers/child-server.js';
import { all, langsmithOf, settled, until } from '../helpers/langsmith.js';
import { projectOf } from '../helpers/project.js';
import { ROOT, temporaryFolder, testServer, WITHOUT_TYPES, type TestServer } from '../helpers/server.js';

interface Job {
  experiment_id: string;
  status: string;
  error: string | null;
  total: number;
  done: number;
  failed: number;
}

const path = (name: string): string => `${ROOT}/test/graphs/evaluators.ts:${name}`;

const EVALUATORS: Record<string, unknown> = {
  ...Object.fromEntries(
    ['correct', 'length', 'failing', 'hanging', 'nonsense', 'noFunction'].map((name) => [name, path(name)]),
  ),
  allCorrect: { path: path('allCorrect'), summary: true },
  counted: { path: path('counted'), summary: true },
};

/** A server with a graph that adds numbers, and evaluators for it. */
async function evaluating(
  t: Test,
  more: Record<string, unknown> = {},
): Promise<{ server: TestServer; client: Client }> {
  const config = projectOf(t, ['sums'], { evaluators: EVALUATORS, ...more });
  const server = await testServer(t, { config, env: WITHOUT_TYPES });
  const { clientOf } = await langsmithOf(server);
  process.env['LANGSMITH_TRACING'] = 'false';
  return { server, client: clientOf() };
}

/** A dataset of questions with their answers. */
async function datasetOf(client: Client, name: string, sums: Record<string, string>): Promise<string> {
  const { id } = await client.createDataset(name);
  await client.createExamples(
    Object.entries(sums).map(([question, answer]) => ({ dataset_id: id, inputs: { question }, outputs: { answer } })),
  );
  return id;
}

async function start(server: TestServer, body: Record<string, unknown>): Promise<Job> {
  const response = await server.post('/experiments', { assistant_id: 'sums', ...body });
  const job = (await response.json()) as Job;
  if (response.status !== 200) throw new Error(JSON.stringify(job));
  return job;
}

const jobOf = async ({ get }: Pick<TestServer, 'get'>, id: string): Promise<Job> =>
  (await (await get(`/experiments/${id}`)).json()) as Job;

const ended = (server: Pick<TestServer, 'get'>, { experiment_id: id }: Job): Promise<Job> =>
  until(
    () => jobOf(server, id),
    ({ status }) => status !== 'running',
  );

async function runsOf(client: Client, projectId: string): Promise<Run[]> {
  const runs = await all(client.listRuns({ projectId, isRoot: true }));
  return runs.sort((a, b) => (String(a.inputs['question']) < String(b.inputs['question']) ? -1 : 1));
}

t.test('runs an assistant over a dataset, scores it, and stores an experiment', async (t) => {
  const { server, client } = await evaluating(t);
  const datasetId = await datasetOf(client, 'sums', { '1 + 2': '3', '2 + 2': '5', 'no sum': '0' });
  const job = await start(server, {
    dataset: 'sums',
    name: 'first',
    metadata: { commit: 'abc' },
    evaluators: ['correct', 'length', { name: 'exact_match', key: 'same', path: 'answer', reference_path: 'answer' }],
  });
  t.match(job, { total: 3, error: null });
  t.match(await ended(server, job), { status: 'success', total: 3, done: 3, failed: 1 });

  const project = await settled(client, { projectName: 'first' }, { runs: 3, feedback: 8 });
  t.equal(project.id, job.experiment_id);
  t.equal(project.reference_dataset_id, datasetId);
  t.equal(project.test_run_number, 1);
  t.match(project.extra?.metadata, { commit: 'abc', graph_id: 'sums', num_repetitions: 1 });
  t.equal(project.feedback_stats!['correct']!.avg, 0.5);
  t.equal(project.feedback_stats!['same']!.avg, 0.5);
  t.match(project.feedback_stats, { answer_length: { n: 2, avg: 1 }, question_length: { n: 2, avg: 5 } });

  const runs = await runsOf(client, job.experiment_id);
  t.match(
    runs.map(({ inputs, outputs, error }) => [inputs['question'], outputs?.['answer'] ?? null, error ?? null]),
    [
      ['1 + 2', '3', null],
      ['2 + 2', '4', null],
      ['no sum', null, 'Error: no numbers in "no sum"'],
    ],
  );
  const examples = await all(client.listExamples({ datasetId }));
  const exampleIds = new Map(examples.map(({ id, inputs }) => [inputs['question'], id]));
  for (const { inputs, reference_example_id: exampleId } of runs)
    t.equal(exampleId, exampleIds.get(inputs['question']));
  const feedback = await all(client.listFeedback({ runIds: [runs[1]!.id] }));
  t.match(
    feedback.find(({ key }) => key === 'correct'),
    { score: 0, comment: 'got 4', feedback_source: { type: 'model' } },
  );
  t.equal((await server.client.threads.search()).length, 0, 'no threads are left');
});

t.test('repeats examples, takes splits, and can be compared', async (t) => {
  const { server, client } = await evaluating(t);
  const { id: datasetId } = await client.createDataset('halves');
  await client.createExamples(
    ['1 + 1', '2 + 2'].map((question, at) => ({
      dataset_id: datasetId,
      inputs: { question },
      outputs: { answer: String(2 + at * 2) },
      split: at === 0 ? 'test' : 'train',
    })),
  );
  const whole = await start(server, {
    dataset: datasetId,
    evaluators: ['correct'],
    repetitions: 3,
    max_concurrency: 2,
  });
  t.match(await ended(server, whole), { status: 'success', total: 6, done: 6, failed: 0 });
  const runs = await runsOf(client, whole.experiment_id);
  const repetitions = runs.map(({ extra }) => String((extra!.metadata as { repetition: number }).repetition));
  t.strictSame(repetitions.toSorted(), ['0', '0', '1', '1', '2', '2']);

  const part = await start(server, { dataset: datasetId, evaluators: ['correct'], splits: ['test'] });
  t.match(await ended(server, part), { total: 1, done: 1 });
  const comparison = await server.post(`/datasets/${datasetId}/comparison`, {
    experiment_ids: [whole.experiment_id, part.experiment_id],
    baseline_id: whole.experiment_id,
  });
  t.match(await comparison.json(), { feedback_keys: ['correct'] });
});

t.test('an evaluator that fails leaves a score that says so', async (t) => {
  const { server, client } = await evaluating(t);
  await datasetOf(client, 'sums', { '1 + 2': '3' });
  const job = await start(server, { dataset: 'sums', evaluators: ['failing', 'nonsense', 'hanging', 'correct'] });
  t.match(await ended(server, job), { status: 'success', done: 1, failed: 0 });
  const [run] = await runsOf(client, job.experiment_id);
  const feedback = await all(client.listFeedback({ runIds: [run!.id] }));
  const comments = Object.fromEntries(feedback.map(({ key, score, comment }) => [key, [score ?? null, comment]]));
  t.strictSame(comments['failing'], [null, 'Evaluator failed: no judge today']);
  t.match(comments['nonsense'], [null, /its score is a value of type string, not a finite number/]);
  t.match(comments['hanging'], [null, /its event loop was blocked/]);
  t.strictSame(comments['correct'], [1, 'got 3']);
});

t.test('scores the experiment as a whole', async (t) => {
  const { server, client } = await evaluating(t);
  await datasetOf(client, 'sums', { '1 + 2': '3', '2 + 2': '5' });
  const job = await start(server, {
    dataset: 'sums',
    evaluators: ['correct', 'allCorrect', 'counted'],
    repetitions: 2,
  });
  t.match(await ended(server, job), { status: 'success', done: 4 });
  const project = await settled(client, { projectId: job.experiment_id }, { runs: 4, feedback: 4, summaries: 2 });
  t.match(project.session_feedback_stats, { share_correct: { n: 1, avg: 0.5 }, counted: { n: 1, avg: 8 } });
});

t.test('an experiment can be cancelled and deleted while it runs', async (t) => {
  const { server, client } = await evaluating(t);
  const datasetId = await datasetOf(client, 'slow', { 'slow 1': '1', 'slow 2': '2', 'slow 3': '3', 'slow 4': '4' });
  const job = await start(server, { dataset: datasetId, max_concurrency: 1 });
  await until(
    () => jobOf(server, job.experiment_id),
    ({ done }) => done > 0,
  );
  const cancelled = (await (await server.post(`/experiments/${job.experiment_id}/cancel`, {})).json()) as Job;
  t.equal(cancelled.status, 'cancelled');
  t.ok(cancelled.done >= 1 && cancelled.done < 4, `${cancelled.done} done`);
  t.equal((await runsOf(client, job.experiment_id)).length, cancelled.done);
  t.strictSame(await (await server.post(`/experiments/${job.experiment_id}/cancel`, {})).json(), cancelled);

  const deleted = await start(server, { dataset: datasetId, max_concurrency: 1 });
  await client.deleteProject({ projectId: deleted.experiment_id });
  t.equal((await server.get(`/experiments/${deleted.experiment_id}`)).status, 404);

  const orphaned = await start(server, { dataset: datasetId, max_concurrency: 1, repetitions: 100 });
  await client.deleteDataset({ datasetId });
  t.equal((await server.get(`/experiments/${orphaned.experiment_id}`)).status, 404, 'its experiments go with it');
});

t.test('runs are traced into their experiment', async (t) => {
  const { server, client } = await evaluating(t, { traces: { sample_rate: 0 } });
  await datasetOf(client, 'sums', { '1 + 2': '3' });
  const job = await start(server, { dataset: 'sums', evaluators: ['correct'] });
  await ended(server, job);
  const [root] = await runsOf(client, job.experiment_id);
  t.match(root, { outputs: { answer: '3' }, extra: { metadata: { repetition: 0, graph_id: 'sums' } } });
  const steps = await all(client.listRuns({ traceId: root!.id }));
  t.strictSame(steps.map(({ name }) => name).toSorted(), ['add', 'sums']);
  for (const { name, session_id: id } of steps) t.equal(id, job.experiment_id, name);
});

t.test('scores the form of outputs, latency and cost', async (t) => {
  const config = projectOf(t, ['sums', 'librarian'], {
    evaluators: EVALUATORS,
    traces: { prices: { 'books-1': { input: 3, output: 15, cache_read: 0.3 } } },
  });
  const server = await testServer(t, { config, env: WITHOUT_TYPES });
  const client = (await langsmithOf(server)).clientOf();
  process.env['LANGSMITH_TRACING'] = 'false';
  const { id: books } = await client.createDataset('books');
  await client.createExamples([
    { dataset_id: books, inputs: { messages: [{ role: 'user', content: 'x' }], streams: false }, outputs: {} },
  ]);
  await datasetOf(client, 'sums', { 'slow 1': '1' });
  const scores = async (body: Record<string, unknown>): Promise<Record<string, [number | null, string]>> => {
    const job = await start(server, body);
    await ended(server, job);
    const [run] = await runsOf(client, job.experiment_id);
    const feedback = await all(client.listFeedback({ runIds: [run!.id] }));
    return Object.fromEntries(
      feedback.map(({ key, score, comment }) => [key, [score as number | null, comment ?? '']]),
    );
  };

  // One question costs $0.0001002.
  const cost = { assistant_id: 'librarian', dataset: 'books' };
  t.match(await scores({ ...cost, evaluators: [{ name: 'cost', max: 0.001 }] }), { cost: [1, /cost \$0\.0001002/] });
  t.match(await scores({ ...cost, evaluators: [{ name: 'cost', max: 0.0001 }] }), { cost: [0, String] });

  const answer = { type: 'object', properties: { answer: { type: 'string', pattern: '^\\d+$' } } };
  const found = await scores({
    dataset: 'sums',
    evaluators: [
      { name: 'latency', max: 60 },
      { name: 'latency', key: 'instant', max: 0.1 },
      { name: 'json_schema', schema: answer },
      { name: 'json_schema', key: 'number', path: 'answer', schema: { type: 'number' } },
      { name: 'cost', max: 1 },
    ],
  });
  t.match(found, {
    latency: [1, /^The run took \d+\.\d+ s\.$/],
    instant: [0, String],
    json_schema: [1, ''],
    number: [0, /^The value must be/],
    cost: [null, /^Evaluator failed: the run has no cost/],
  });
});

t.test('a run that is not stored leaves no steps', async (t) => {
  const { server, client } = await evaluating(t, { traces: true });
  await datasetOf(client, 'slow', { 'slow 1': '1', 'slow 2': '2', 'slow 3': '3' });
  const job = await start(server, { dataset: 'slow', max_concurrency: 1 });
  await until(
    () => jobOf(server, job.experiment_id),
    ({ done }) => done === 1,
  );
  await server.post(`/experiments/${job.experiment_id}/cancel`, {});
  const steps = await all(client.listRuns({ projectId: job.experiment_id }));
  t.equal(new Set(steps.map(({ trace_id: id }) => id)).size, 1);
  for (const { name, end_time: end } of steps) t.ok(end, name);
});

t.test('refuses what cannot run, with the place', async (t) => {
  const { server, client } = await evaluating(t);
  await datasetOf(client, 'sums', { '1 + 2': '3' });
  const refusal = async (body: Record<string, unknown>): Promise<[number, string]> => {
    const response = await server.post('/experiments', { dataset: 'sums', assistant_id: 'sums', ...body });
    return [response.status, JSON.stringify(await response.json())];
  };
  t.match(await refusal({ dataset: 'none' }), [404, /Dataset not found/]);
  t.match(await refusal({ assistant_id: 'none' }), [404, /none/]);
  t.match(await refusal({ evaluators: ['corect'] }), [422, /evaluators.*must be one of correct, .*exact_match/]);
  t.match(await refusal({ evaluators: ['noFunction'] }), [
    422,
    /evaluator noFunction could not be loaded: the export \\"noFunction\\" is not a function/,
  ]);
  t.match(await refusal({ evaluators: [{ name: 'regex_match', pattern: '(' }] }), [422, /Invalid regular expression/]);
  t.match(await refusal({ evaluators: [{ name: 'regex_match' }] }), [422, /needs a/]);
  t.match(await refusal({ evaluators: [{ name: 'latency' }] }), [422, /needs a .*max.* in seconds/]);
  t.match(await refusal({ evaluators: [{ name: 'cost' }] }), [422, /needs a .*max.* in US dollars/]);
  t.match(await refusal({ evaluators: [{ name: 'json_schema' }] }), [422, /needs a .*schema/]);
  t.match(await refusal({ evaluators: [{ name: 'json_schema', schema: { type: 7 } }] }), [422, /schema\.type must be/]);
  t.match(await refusal({ repetitions: 0 }), [422, /repetitions/]);
  t.match(await refusal({ repetition: 2 }), [422, /"repetition"\],"msg":"is not a known field/]);
  const { experiment_id: id } = await start(server, { dataset: 'sums', name: 'taken' });
  t.match(await refusal({ name: 'taken' }), [409, /Session already exists/]);
  const other = await client.createProject({ projectName: 'sent by a client' });
  t.match(await (await server.get(`/experiments/${other.id}`)).json(), { detail: /sent by a client/ });
  t.match(await (await server.get('/evaluators')).json(), [{ name: 'correct', built_in: false }]);
  await ended(server, { experiment_id: id } as Job);
});

t.test('goes on after a crash, without repeating what is stored', async (t) => {
  const dataFolder = temporaryFolder(t);
  const config = projectOf(t, ['sums'], { evaluators: EVALUATORS });
  const questions = Array.from({ length: 12 }, (_, at) => [`slow ${at}`, String(at)]);
  const first = await childServer(t, { dataFolder, config, env: WITHOUT_TYPES });
  const get = (url: string) => (path: string) => fetch(`${url}${path}`);
  const { clientOf } = await langsmithOf(first);
  process.env['LANGSMITH_TRACING'] = 'false';
  const datasetId = await datasetOf(clientOf(), 'slow', Object.fromEntries(questions) as Record<string, string>);
  const response = await fetch(`${first.url}/experiments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ dataset: datasetId, assistant_id: 'sums', evaluators: ['correct'], max_concurrency: 2 }),
  });
  const job = (await response.json()) as Job;
  const before = await until(
    () => jobOf({ get: get(first.url) }, job.experiment_id),
    ({ done }) => done >= 3,
  );
  const stored = (await runsOf(clientOf(), job.experiment_id)).map(({ id }) => id);
  await first.kill('SIGKILL');

  const second = await childServer(t, { dataFolder, config, env: WITHOUT_TYPES });
  t.ok((await jobOf({ get: get(second.url) }, job.experiment_id)).done >= before.done);
  t.match(await ended({ get: get(second.url) }, job), { status: 'success', total: 12, done: 12, failed: 0 });
  const client = (await langsmithOf(second)).clientOf();
  process.env['LANGSMITH_TRACING'] = 'false';
  const runs = await runsOf(client, job.experiment_id);
  t.strictSame(
    runs.map(({ inputs }) => inputs['question'] as string),
    questions.map(([question]) => question!).toSorted(),
  );
  const after = new Set(runs.map(({ id }) => id));
  for (const id of stored) t.ok(after.has(id), 'a stored run did not run again');
  await settled(client, { projectId: job.experiment_id }, { runs: 12, feedback: 12 });
});
