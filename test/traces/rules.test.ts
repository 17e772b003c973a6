import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { until } from '../helpers/langsmith.js';
import { projectOf } from '../helpers/project.js';
import { ROOT, temporaryFolder, testServer, WITHOUT_TYPES, type TestServer } from '../helpers/server.js';
import { addRun, createProject, send } from '../helpers/sent-runs.js';

interface ShownRule {
  id: string;
  display_name: string;
  is_enabled: boolean;
  read_only: boolean;
  source: string;
  matched_count: number;
  acted_count: number;
  last_acted_at: string | null;
  last_error: string | null;
}

interface ShownExample {
  inputs: unknown;
  outputs: unknown;
  source_run_id: string;
  metadata: Record<string, unknown>;
}

const evaluators = { correct: `${ROOT}/test/graphs/evaluators.ts:correct` };

async function serverOf(
  t: Test,
  { traces = true, dataFolder = temporaryFolder(t) }: { traces?: unknown; dataFolder?: string } = {},
): Promise<TestServer> {
  const config = projectOf(t, ['sums', 'echo'], { evaluators, traces });
  return testServer(t, { config, env: WITHOUT_TYPES, dataFolder });
}

async function ok<T>(server: TestServer, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send<T>(server, method, path, body);
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const createRule = (server: TestServer, body: Record<string, unknown>): Promise<ShownRule> =>
  ok(server, 'POST', '/runs/rules', { display_name: 'a rule', ...body });
const getRule = (server: TestServer, id: string): Promise<ShownRule> => ok(server, 'GET', `/runs/rules/${id}`);
const ruleWhen = (server: TestServer, id: string, ready: (rule: ShownRule) => boolean): Promise<ShownRule> =>
  until(() => getRule(server, id), ready);
const createDataset = async (server: TestServer): Promise<string> =>
  (await ok<{ id: string }>(server, 'POST', '/datasets', { name: `set ${randomUUID()}` })).id;
const createQueue = async (server: TestServer): Promise<string> =>
  (await ok<{ id: string }>(server, 'POST', '/annotation-queues', { name: 'to review' })).id;
const examplesOf = (server: TestServer, datasetId: string): Promise<ShownExample[]> =>
  ok(server, 'GET', `/examples?dataset=${datasetId}`);
const queuedIn = async (server: TestServer, queueId: string): Promise<string[]> =>
  (await ok<{ id: string }[]>(server, 'GET', `/annotation-queues/${queueId}/runs`)).map(({ id }) => id);
const giveFeedback = (server: TestServer, runId: string, body: Record<string, unknown>): Promise<unknown> =>
  ok(server, 'POST', '/feedback', { run_id: runId, ...body });

async function run({ client }: TestServer, graph: string, input: Record<string, unknown>): Promise<string> {
  const { thread_id: threadId } = await client.threads.create();
  const { run_id: runId } = await client.runs.create(threadId, graph, { input });
  await client.runs.join(threadId, runId);
  return runId;
}

t.test('adds runs of all assistants that match to a dataset and a queue, and scores them', async (t) => {
  const server = await serverOf(t);
  const [datasetId, queueId, projectId] = [
    await createDataset(server),
    await createQueue(server),
    await createProject(server),
  ];
  const rule = await createRule(server, {
    filter: 'eq(status, "success")',
    trace_filter: 'eq(name, "sums")',
    tree_filter: 'search("20")',
    add_to_dataset_id: datasetId,
    dataset_inputs_path: '',
    dataset_outputs_path: 'answer',
    dataset_split: 'from users',
    add_to_annotation_queue_id: queueId,
    evaluators: ['correct'],
  });
  t.match(rule, { is_enabled: true, read_only: false, source: 'api', matched_count: 0, last_error: null });
  await run(server, 'sums', { question: 'no sum' });
  await run(server, 'echo', { text: 'x' });
  await addRun(server, projectId, { startMs: Date.now(), more: { name: 'sums' } });
  const runId = await run(server, 'sums', { question: '1 + 20' });
  t.match(
    await ruleWhen(server, rule.id, ({ acted_count: acted }) => acted > 0),
    { matched_count: 1, acted_count: 1, last_acted_at: String, last_error: null },
    'not a run that failed, one of another graph, or one of another project',
  );
  t.match(await examplesOf(server, datasetId), [
    {
      source_run_id: runId,
      inputs: { question: '1 + 20' },
      outputs: { answer: '21' },
      metadata: { dataset_split: ['from users'] },
    },
  ]);
  t.strictSame(await queuedIn(server, queueId), [runId]);
  t.match(await ok(server, 'GET', `/feedback?run=${runId}`), [{ key: 'correct', score: 0 }]);
});

t.test('runs that clients send trigger the rules of their project once, when they have ended', async (t) => {
  const server = await serverOf(t, { traces: false });
  const [projectId, queueId] = [await createProject(server), await createQueue(server)];
  const rule = await createRule(server, { session_id: projectId, add_to_annotation_queue_id: queueId });
  await addRun(server, await createProject(server), { startMs: Date.now() });
  const runId = await addRun(server, projectId, { startMs: Date.now(), tookMs: null });
  const other = await addRun(server, projectId, { startMs: Date.now() });
  await ruleWhen(server, rule.id, ({ acted_count: acted }) => acted === 1);
  t.strictSame(await queuedIn(server, queueId), [other], 'not the run that has not ended');
  const end = { end_time: new Date().toISOString(), outputs: { text: 'done' } };
  await ok(server, 'PATCH', `/runs/${runId}`, end);
  await ruleWhen(server, rule.id, ({ acted_count: acted }) => acted === 2);
  await ok(server, 'PATCH', `/runs/${runId}`, { ...end, outputs: { text: 'again' } });
  await addRun(server, projectId, { startMs: Date.now() });
  t.match(await ruleWhen(server, rule.id, ({ acted_count: acted }) => acted === 3), { matched_count: 3 });
});

t.test('a thumbs-down puts a run into a dataset once, with the correction as expected outputs', async (t) => {
  const server = await serverOf(t);
  const datasetId = await createDataset(server);
  const rule = await createRule(server, {
    trigger: 'feedback',
    filter: 'and(eq(feedback_key, "thumb"), eq(feedback_score, 0))',
    add_to_dataset_id: datasetId,
    add_to_dataset_prefer_correction: true,
  });
  const [liked, disliked, corrected] = [
    await run(server, 'echo', { text: 'a' }),
    await run(server, 'echo', { text: 'b' }),
    await run(server, 'echo', { text: 'c' }),
  ];
  await until(
    () => send(server, 'GET', `/runs/${corrected}`),
    ({ status }) => status === 200,
  );
  await giveFeedback(server, liked, { key: 'thumb', score: 1 });
  await giveFeedback(server, disliked, { key: 'thumb', score: 0 });
  await ruleWhen(server, rule.id, ({ acted_count: acted }) => acted === 1);
  await giveFeedback(server, disliked, { key: 'thumb', score: 0, comment: 'still wrong' });
  await ruleWhen(server, rule.id, ({ matched_count: matched }) => matched === 2);
  await giveFeedback(server, corrected, { key: 'thumb', score: 0, correction: { text: 'better', n: 1 } });
  t.match(await ruleWhen(server, rule.id, ({ acted_count: acted }) => acted === 2), {
    matched_count: 3,
    last_error: null,
  });
  t.match(
    (await examplesOf(server, datasetId)).toSorted((a, b) => (a.source_run_id < b.source_run_id ? -1 : 1)),
    [
      { source_run_id: disliked, inputs: { text: 'b' }, outputs: { text: 'b' } },
      { source_run_id: corrected, inputs: { text: 'c' }, outputs: { text: 'better', n: 1 } },
    ].toSorted((a, b) => (a.source_run_id < b.source_run_id ? -1 : 1)),
  );
});

t.test('feedback that is there before the end of its run counts at the end', async (t) => {
  const server = await serverOf(t, { traces: false });
  const [projectId, queueId] = [await createProject(server), await createQueue(server)];
  const rule = await createRule(server, {
    session_id: projectId,
    trigger: 'feedback',
    add_to_annotation_queue_id: queueId,
  });
  const runId = await addRun(server, projectId, { startMs: Date.now(), tookMs: null });
  await giveFeedback(server, runId, { key: 'thumb', score: 0 });
  await addRun(server, projectId, { startMs: Date.now() });
  await ok(server, 'PATCH', `/runs/${runId}`, { end_time: new Date().toISOString() });
  t.match(await ruleWhen(server, rule.id, ({ acted_count: acted }) => acted === 1), { matched_count: 1 });
  t.strictSame(await queuedIn(server, queueId), [runId]);
});

t.test('a rule acts on a share of the runs, and on so many in an hour', async (t) => {
  const server = await serverOf(t, { traces: false });
  const [projectId, queueId] = [await createProject(server), await createQueue(server)];
  const common = { session_id: projectId, add_to_annotation_queue_id: queueId };
  const never = await createRule(server, { ...common, sampling_rate: 0 });
  const few = await createRule(server, { ...common, filter: 'eq(name, "wanted")', runs_per_hour: 2 });
  const all = await createRule(server, {
    session_id: projectId,
    add_to_annotation_queue_id: await createQueue(server),
  });
  for (const name of ['other', 'other', 'other', 'wanted', 'wanted', 'wanted'])
    await addRun(server, projectId, { startMs: Date.now(), more: { name } });
  await ruleWhen(server, all.id, ({ acted_count: acted }) => acted === 6);
  t.match(await getRule(server, never.id), { matched_count: 0 });
  t.match(
    await ruleWhen(server, few.id, ({ matched_count: matched }) => matched >= 2),
    { matched_count: 2, acted_count: 2 },
    'runs that do not match are not counted',
  );
});

t.test('rules are changed, disabled, deleted, and go on after a restart', async (t) => {
  const dataFolder = temporaryFolder(t);
  const first = await serverOf(t, { traces: false, dataFolder });
  const [projectId, queueId] = [await createProject(first), await createQueue(first)];
  const rule = await createRule(first, { session_id: projectId, add_to_annotation_queue_id: queueId });
  const gone = await createRule(first, { session_id: projectId, add_to_annotation_queue_id: queueId });
  await ok(first, 'DELETE', `/runs/rules/${gone.id}`);
  t.equal((await send(first, 'DELETE', `/runs/rules/${gone.id}`)).status, 404);
  await addRun(first, projectId, { startMs: Date.now() });
  await ruleWhen(first, rule.id, ({ acted_count: acted }) => acted === 1);
  await first.close();

  const server = await serverOf(t, { traces: false, dataFolder });
  t.match(await ok(server, 'GET', `/runs/rules?session_id=${projectId}`), [
    { id: rule.id, matched_count: 1, acted_count: 1, last_acted_at: String },
  ]);
  t.match(await ok(server, 'PATCH', `/runs/rules/${rule.id}`, { is_enabled: false, display_name: 'paused' }), {
    display_name: 'paused',
    is_enabled: false,
    add_to_annotation_queue_id: queueId,
  });
  await addRun(server, projectId, { startMs: Date.now() });
  await ok(server, 'PATCH', `/runs/rules/${rule.id}`, { is_enabled: true });
  const runId = await addRun(server, projectId, { startMs: Date.now() });
  t.match(await ruleWhen(server, rule.id, ({ acted_count: acted }) => acted === 2), { matched_count: 2 });
  t.ok((await queuedIn(server, queueId)).includes(runId));
});

t.test('shows why a rule cannot act, and goes with its project', async (t) => {
  const server = await serverOf(t, { traces: false });
  const [projectId, datasetId, queueId] = [
    await createProject(server),
    await createDataset(server),
    await createQueue(server),
  ];
  const rule = await createRule(server, {
    session_id: projectId,
    add_to_dataset_id: datasetId,
    add_to_annotation_queue_id: queueId,
  });
  await ok(server, 'DELETE', `/datasets/${datasetId}`);
  const runId = await addRun(server, projectId, { startMs: Date.now() });
  t.match(await ruleWhen(server, rule.id, ({ last_error: error }) => error !== null), {
    last_error: 'Dataset not found',
    matched_count: 1,
  });
  t.strictSame(await queuedIn(server, queueId), [runId], 'its other action goes on');
  t.match(await ok(server, 'PATCH', `/runs/rules/${rule.id}`, { add_to_dataset_id: null }), {
    last_error: null,
    add_to_dataset_id: null,
  });
  await ok(server, 'DELETE', `/sessions/${projectId}`);
  t.equal((await send(server, 'GET', `/runs/rules/${rule.id}`)).status, 404);
  t.strictSame(await ok(server, 'GET', '/runs/rules'), []);
});

t.test('lists the rules of langgraph.json, which the API does not change', async (t) => {
  const traces = { evaluate: [{ evaluators: ['correct'], assistants: ['sums'], sample_rate: 0.5 }] };
  const server = await serverOf(t, { traces });
  const [rule] = await ok<ShownRule[]>(server, 'GET', '/runs/rules');
  t.match(rule, {
    display_name: 'traces.evaluate.0',
    source: 'langgraph.json, traces.evaluate.0',
    read_only: true,
    assistants: ['sums'],
    sampling_rate: 0.5,
    evaluators: ['correct'],
  });
  const path = `/runs/rules/${rule!.id}`;
  for (const [method, body] of [
    ['PATCH', { is_enabled: false }],
    ['DELETE', undefined],
  ] as const)
    t.match(await send(server, method, path, body), {
      status: 409,
      body: { detail: 'This rule is traces.evaluate.0 of langgraph.json. Change it there, and restart the server.' },
    });
});

t.test('refuses rules that cannot work, with the place', async (t) => {
  const server = await serverOf(t, { traces: false });
  const queueId = await createQueue(server);
  const valid = { display_name: 'a rule', add_to_annotation_queue_id: queueId };
  const missing = randomUUID();
  const refused = async (body: unknown, status: number, text: RegExp): Promise<void> => {
    const answer = await send(server, 'POST', '/runs/rules', body);
    t.equal(answer.status, status, JSON.stringify(body));
    t.match(JSON.stringify(answer.body), text);
  };
  await refused({ ...valid, session_id: missing }, 404, /not found/);
  await refused({ ...valid, add_to_dataset_id: missing }, 404, /Dataset not found/);
  await refused({ ...valid, add_to_annotation_queue_id: missing }, 404, /queue not found/);
  await refused({ ...valid, filter: 'gt(latency' }, 422, /body.*filter/);
  await refused({ ...valid, trace_filter: 'nonsense(1)' }, 422, /body.*trace_filter/);
  await refused({ ...valid, tree_filter: ')' }, 422, /body.*tree_filter/);
  await refused({ ...valid, evaluators: ['none'] }, 422, /evaluators/);
  await refused({ ...valid, trigger: 'feedback', evaluators: ['correct'] }, 422, /trigger/);
  await refused({ ...valid, trigger: 'start' }, 422, /trigger/);
  await refused({ ...valid, sampling_rate: 2 }, 422, /sampling_rate/);
  await refused({ ...valid, alerts: [] }, 422, /alerts/);
  await refused({ display_name: 'does nothing' }, 422, /add_to_dataset_id/);
  await refused({ add_to_annotation_queue_id: queueId }, 422, /display_name/);
  t.strictSame(await ok(server, 'GET', '/runs/rules'), []);
  const rule = await createRule(server, { add_to_annotation_queue_id: queueId });
  t.match(await send(server, 'PATCH', `/runs/rules/${rule.id}`, { add_to_annotation_queue_id: null }), { status: 422 });
  t.match(await send(server, 'PATCH', `/runs/rules/${rule.id}`, { filter: 'eq(' }), { status: 422 });
  t.match(await getRule(server, rule.id), { filter: null, add_to_annotation_queue_id: queueId });
  for (let made = 1; made < 200; made += 1) await createRule(server, { add_to_annotation_queue_id: queueId });
  await refused(valid, 409, /200 rules/);
});
