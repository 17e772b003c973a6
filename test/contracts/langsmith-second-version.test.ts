import { randomUUID } from 'node:crypto';
import t from 'tap';
import { all, langsmithOf, settled } from '../helpers/langsmith.js';
import { configWith, testServer, withoutAddress } from '../helpers/server.js';
import { row, sent, upload, type Json } from '../helpers/uploads.js';

const server = await testServer(t, { config: configWith(t, 'echo') });
const { clientOf } = await langsmithOf(server);
const client = clientOf({ apiUrl: `${server.url}/api/v1` });
t.capture(console, 'warn');

const SELECTS = [
  'NAME',
  'RUN_TYPE',
  'STATUS',
  'INPUTS',
  'ERROR',
  'LATENCY_SECONDS',
  'METADATA',
  'IS_ROOT',
  'PROJECT_ID',
];

const rowIds = [randomUUID(), randomUUID(), randomUUID()];
const { experiment, dataset } = await sent(
  server,
  upload({
    dataset_name: `second version ${randomUUID()}`,
    results: rowIds.map((id, n) =>
      row({
        row_id: id,
        inputs: { n },
        run_name: `run ${n}`,
        run_metadata: { session_id: n < 2 ? 'chat 1' : 'chat 2' },
        evaluation_scores: [{ key: 'right', score: n / 2 }],
        ...(n === 2 ? { error: 'Boo!' } : { actual_outputs: { twice: n * 2 } }),
        start_time: `2024-05-01T10:1${n}:00Z`,
        end_time: `2024-05-01T10:1${n}:01.5Z`,
      }),
    ),
  }),
);
await settled(client, { projectId: experiment.id }, { runs: 3, feedback: 3 });

const post = async (path: string, body: unknown): Promise<{ status: number; body: Json }> => {
  const response = await server.post(path, body);
  return { status: response.status, body: (await response.json()) as Json };
};
/** The error of a request that the server refuses. */
const refusal = (answer: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(answer).then(
    () => null,
    (error: unknown) => error,
  );
const get = async (path: string): Promise<{ status: number; body: Json }> => {
  const response = await server.get(path);
  return { status: response.status, body: (await response.json()) as Json };
};

t.test('queries runs in pages, with the selected fields', async (t) => {
  const runs = await all(
    client.runs.query({ project_ids: [experiment.id], selects: SELECTS as 'NAME'[], page_size: 1 }),
  );
  t.match(
    runs.map(({ id: _, ...run }) => run),
    [
      {
        name: 'run 2',
        run_type: 'CHAIN',
        status: 'ERROR',
        inputs: { n: 2 },
        error: 'Boo!',
        latency_seconds: 1.5,
        metadata: { session_id: 'chat 2' },
        is_root: true,
        project_id: experiment.id,
      },
      { name: 'run 1', status: 'SUCCESS', error: null },
      { name: 'run 0' },
    ],
  );
  const ids = runs.map(({ id }) => id!);
  const found = async (query: object): Promise<unknown[]> =>
    (await all(client.runs.query({ reference_dataset_id: dataset.id, ...query }))).map((run) => {
      t.strictSame(Object.keys(run), ['id'], 'only the id by default');
      return run.id;
    });
  t.strictSame(await found({ has_error: true }), [ids[0]]);
  t.strictSame(await found({ ids: [ids[1]!, ids[0]!], filter: 'eq(name, "run 1")' }), [ids[1]]);
  t.strictSame(await found({ sort_order: 'asc' }), ids.toReversed());
  t.strictSame(await found({ min_start_time: '2024-05-01T10:11:00Z' }), ids.slice(0, 2));
  t.strictSame(await found({ trace_id: ids[2], run_type: 'CHAIN' }), [ids[2]]);
});

t.test('gets a run and its URL', async (t) => {
  const [{ id } = { id: '' }] = await all(client.runs.query({ project_ids: [experiment.id] }));
  t.match(await client.runs.retrieve(id!, { project_id: experiment.id, selects: ['NAME', 'TRACE_ID'] }), {
    id,
    name: 'run 2',
    trace_id: id,
  });
  const { url } = await client.runs.getURL(id!, { project_id: experiment.id, trace_id: id! });
  const page = await fetch(url!, { redirect: 'follow' });
  t.equal(withoutAddress(server, page.url), `/console/experiments/${experiment.id}?run=${id}`);
  t.match(await get(`/api/v2/runs/${id}?project_id=${randomUUID()}`), {
    status: 404,
    body: { type: 'about:blank', title: 'EVALUATION_RUN_NOT_FOUND', status: 404, detail: /not found/ },
  });
});

t.test('lists experiments and datasets', async (t) => {
  const openapi = client.sessions;
  const [found] = await all(
    openapi.listV2({
      reference_dataset_id: [dataset.id],
      sort_by: 'FEEDBACK',
      sort_by_feedback_key: 'right',
      include_stats: true,
    }),
  );
  t.match(found, {
    id: experiment.id,
    type: 'EXPERIMENT',
    trace_tier: 'LONG_LIVED',
    run_count: 3,
    feedback_stats: { right: { n: 3, avg: 0.5, type: 'PRIMARY' } },
  });
  t.strictSame(await all(openapi.listV2({ id: [experiment.id], type: ['PROJECT'] })), []);
  for (const name of ['b', 'a', 'c']) await client.createDataset(`listed ${name}`);
  const datasets = await all(
    client.datasets.listV2({ name_contains: 'LISTED', sort_by: 'name', sort_order: 'asc', page_size: 2 }),
  );
  t.strictSame(
    datasets.map(({ name }) => name),
    ['listed a', 'listed b', 'listed c'],
  );
});

t.test('lists examples with their runs', async (t) => {
  const items = await all(
    client.datasets.experimentRuns.query(dataset.id, {
      experiment_ids: [experiment.id],
      selects: ['NAME', 'FEEDBACK_STATS'],
      sort: { by: 'feedback.right', order: 'desc' },
      page_size: 2,
    }),
  );
  t.match(items, [
    { dataset_id: dataset.id, inputs: { n: 2 }, runs: [{ name: 'run 2', feedback_stats: { right: { avg: 1 } } }] },
    { inputs: { n: 1 } },
    { inputs: { n: 0 } },
  ]);
  t.strictSame(Object.keys(items[0]!.runs![0]!), ['id', 'name', 'feedback_stats']);
});

t.test('refuses unknown fields and queries without projects', async (t) => {
  t.match(await post('/v2/runs/query', {}), {
    status: 422,
    body: { status: 422, errors: [{ loc: ['body', 'project_ids'], type: 'missing' }] },
  });
  t.match(await post('/api/v2/runs/query', { project_ids: [experiment.id], selects: ['NAME', 'COLOR'] }), {
    status: 422,
    body: { detail: /COLOR/, errors: [{ loc: ['body', 'selects'], type: 'enum' }] },
  });
  t.match(await post('/api/v2/runs/query', { project_ids: [experiment.id], cursor: 'x' }), { status: 422 });
});

t.test('groups the runs of a project by conversation', async (t) => {
  const groups = await all(client.listGroupRuns({ projectId: experiment.id, groupBy: 'conversation', limit: 1 }));
  t.match(groups, [
    {
      group_key: 'chat 2',
      filter: 'eq(thread_id, "chat 2")',
      count: 1,
      last_error: 'Boo!',
      feedback_stats: { right: { avg: 1 } },
    },
    {
      group_key: 'chat 1',
      count: 2,
      min_start_time: '2024-05-01T10:10:00.000000+00:00',
      max_start_time: '2024-05-01T10:11:00.000000+00:00',
      first_inputs: '{"n":0}',
      last_outputs: '{"twice":2}',
      last_error: null,
      latency_p50: 1.5,
    },
  ]);
  const stats = await post('/runs/group/stats', { session_id: experiment.id, group_by: 'conversation' });
  t.match(stats, { status: 200, body: { group_count: 2, run_count: 3, streaming_rate: null, error_rate: 1 / 3 } });
  t.match(
    await post('/runs/group/stats', {
      session_id: experiment.id,
      group_by: 'conversation',
      filter: 'eq(status, "error")',
    }),
    { body: { group_count: 1, run_count: 1 } },
  );
});

t.test('lists conversations and their traces', async (t) => {
  const threads = await all(client.threads.query({ project_id: experiment.id, page_size: 1 }));
  t.match(threads, [
    { thread_id: 'chat 2', count: 1, num_errored_turns: 1, last_error: 'Boo!' },
    { thread_id: 'chat 1', count: 2, num_errored_turns: 0, first_inputs: '{"n":0}', last_outputs: '{"twice":2}' },
  ]);
  const traces = await all(
    client.threads.listTraces('chat 1', { project_id: experiment.id, selects: ['NAME', 'LATENCY', 'TURN_NUMBER'] }),
  );
  t.strictSame(
    traces.map(({ trace_id: _, ...rest }) => rest),
    [
      { name: 'run 0', latency: 1.5, turn_number: 1 },
      { name: 'run 1', latency: 1.5, turn_number: 2 },
    ],
  );
  t.equal(traces[1]!.trace_id, threads[1]!.last_trace_id);
  t.strictSame(await all(client.threads.listTraces('chat 3', { project_id: experiment.id })), []);
  t.match(await post('/api/v2/threads/query', { project_id: randomUUID() }), { status: 404 });
});

t.test('queries traces with their root runs and sums, and lists the runs of one', async (t) => {
  const projectName = `traces ${randomUUID()}`;
  const [root, child] = [randomUUID(), randomUUID()];
  const start = '20240501T101000000000Z';
  const common = { run_type: 'chain', trace_id: root, start_time: 1_714_558_200_000, session_name: projectName };
  await client.createRun({ ...common, id: root, name: 'root', inputs: { q: 1 }, dotted_order: `${start}${root}` });
  await client.createRun({
    ...common,
    id: child,
    name: 'model',
    run_type: 'llm',
    start_time: 1_714_558_201_000,
    end_time: 1_714_558_202_000,
    parent_run_id: root,
    dotted_order: `${start}${root}.20240501T101001000000Z${child}`,
    inputs: {},
    outputs: { usage_metadata: { input_tokens: 3, output_tokens: 4, total_tokens: 7 } },
    // The type of the client lacks events.
    ...{ events: [{ name: 'new_token', time: '2024-05-01T10:10:01.5Z' }] },
  });
  await client.updateRun(root, {
    trace_id: root,
    dotted_order: `${start}${root}`,
    outputs: { a: 1 },
    end_time: 1_714_558_203_000,
  });
  await client.awaitPendingTraceBatches();
  const project = await client.readProject({ projectName });
  const traces = await all(
    client.traces.query({
      project_id: project.id,
      selects: ['NAME', 'OUTPUTS', 'TOTAL_TOKENS', 'TOTAL_COST', 'FIRST_TOKEN_TIME'],
      tree_filter: 'eq(run_type, "llm")',
    }),
  );
  t.strictSame(
    traces.map((trace) => ({ ...trace })),
    [
      {
        root_run: { id: root, name: 'root', outputs: { a: 1 } },
        query_metadata: null,
        trace_aggregates: { total_tokens: 7, total_cost: null, first_token_time: '2024-05-01T10:10:01.500000+00:00' },
      },
    ],
  );
  const found = async (query: Omit<Parameters<typeof client.traces.query>[0], 'project_id'>): Promise<unknown[]> =>
    (await all(client.traces.query({ project_id: project.id, ...query }))).map(({ root_run: run, ...rest }) => {
      t.notOk('trace_aggregates' in rest, 'no field of the trace was selected');
      return run!.id;
    });
  t.strictSame(await found({ trace_ids: [child, root] }), [root]);
  t.strictSame(await found({ trace_filter: 'eq(name, "model")' }), [], 'only root runs');
  t.strictSame(await found({ max_start_time: '2024-05-01T10:10:00Z' }), [], 'the upper bound is exclusive');
  t.strictSame(await found({ min_start_time: '2024-05-01T10:10:00Z', max_start_time: '2024-05-01T10:10:01Z' }), [root]);
  const inUpload = await all(client.traces.query({ project_id: experiment.id, page_size: 2 }));
  t.equal(inUpload.length, 3, 'two pages');

  const { items: runs } = await client.traces.listRuns(root, { project_id: project.id, selects: ['NAME', 'RUN_TYPE'] });
  t.strictSame(runs, [
    { id: root, name: 'root', run_type: 'CHAIN' },
    { id: child, name: 'model', run_type: 'LLM' },
  ]);
  const names = async (query: object): Promise<unknown[]> =>
    (await client.traces.listRuns(root, { project_id: project.id, ...query })).items!.map(({ id }) => id);
  t.strictSame(await names({ filter: 'eq(run_type, "llm")' }), [child]);
  t.strictSame(await names({ min_start_time: '2024-05-01T10:10:01Z', max_start_time: '2024-05-01T10:10:01Z' }), [
    child,
  ]);
  t.strictSame(await names({ project_id: experiment.id }), []);
  t.match(await refusal(names({ min_start_time: '2024-05-01T10:10:01Z' })), { status: 422 });
  t.match(await refusal(names({ project_id: randomUUID() })), { status: 404 });
});

t.test('streams pages of runs, traces and conversations to clients that ask for it', async (t) => {
  const project_id = experiment.id;
  const runs = await all(
    client.runs.streaming.queryV2Items({ project_ids: [project_id], page_size: 2, selects: ['INPUTS'] }),
  );
  t.strictSame(
    runs.map(({ inputs }) => inputs),
    [{ n: 2 }, { n: 1 }, { n: 0 }],
  );
  const traces = await all(client.traces.streaming.queryItems({ project_id, page_size: 2 }));
  t.equal(traces.length, 3);
  const threads = await all(client.threads.streaming.queryItems({ project_id, page_size: 1 }));
  t.strictSame(
    threads.map(({ thread_id: id }) => id),
    ['chat 2', 'chat 1'],
  );
  const lines = await server.post(
    '/api/v1/runs',
    `{"id": "${randomUUID()}", "name": "lines", "run_type": "chain", "session_name": "lines of ${project_id}",\n "inputs": {\r\n"a":\r1}}`,
    { headers: { 'content-type': 'application/json' } },
  );
  t.ok(lines.ok);
  const project = await client.readProject({ projectName: `lines of ${project_id}` });
  t.match(await all(client.runs.streaming.queryV2Items({ project_ids: [project.id], selects: ['INPUTS'] })), [
    { inputs: { a: 1 } },
  ]);
  t.match(await refusal(client.traces.streaming.query({ project_id, ai_search: 'angry users' })), {
    status: 422,
    message: /ai_search/,
  });
});

t.test('returns the selected statistics of one conversation and of several', async (t) => {
  const session_id = experiment.id;
  t.strictSame(
    await client.threads.stats('chat 1', {
      session_id,
      selects: [
        'TURNS',
        'FIRST_START_TIME',
        'LAST_START_TIME',
        'LAST_END_TIME',
        'LATENCY_P50',
        'TOTAL_TOKENS',
        'TOTAL_COST',
      ],
    }),
    {
      turns: 2,
      first_start_time: '2024-05-01T10:10:00.000000+00:00',
      last_start_time: '2024-05-01T10:11:00.000000+00:00',
      last_end_time: '2024-05-01T10:11:01.500000+00:00',
      latency_p50_seconds: 1.5,
      total_tokens: 0,
      total_cost: null,
    },
  );
  t.match(await client.threads.stats('chat 1', { session_id, selects: ['FEEDBACK_STATS'] }), {
    feedback_stats: { right: { n: 2, avg: 0.25 } },
  });
  t.strictSame(await client.threads.stats('chat 1', { session_id, selects: ['TURNS'], filter: 'eq(name, "run 1")' }), {
    turns: 1,
  });
  t.strictSame(await client.threads.stats('none', { session_id, selects: ['TURNS', 'LAST_END_TIME'] }), {
    turns: 0,
    last_end_time: null,
  });
  const aggregate = (more: object): Promise<unknown> =>
    client.threads.aggregateStats({
      project_id: session_id,
      select: ['THREAD_COUNT', 'TRACE_COUNT', 'ERROR_RATE'],
      ...more,
    });
  t.strictSame(await aggregate({}), { thread_count: 2, trace_count: 3, error_rate: 1 / 3 });
  t.strictSame(await aggregate({ trace_filter: 'eq(name, "run 1")' }), {
    thread_count: 1,
    trace_count: 2,
    error_rate: 0,
  });
  t.strictSame(await aggregate({ tree_filter: 'eq(status, "error")', select: ['THREAD_COUNT'] }), { thread_count: 1 });
  t.match(await refusal(aggregate({ thread_filter: 'gt(turns, 1)' })), { status: 422 });
  t.match(await refusal(aggregate({ select: ['MOOD'] })), { status: 422 });
  t.strictSame(
    (await all(client.threads.query({ project_id: session_id, trace_filter: 'eq(name, "run 1")' }))).map(
      ({ thread_id: id, count }) => [id, count],
    ),
    [['chat 1', 2]],
    'the summary covers the whole conversation',
  );
});

t.test('finds an experiment by its address', async (t) => {
  t.strictSame(await client.sessions.resolve({ kind: 'EXPERIMENT', id: experiment.id }), { session_id: experiment.id });
  for (const address of [
    { kind: 'EXPERIMENT', id: randomUUID() },
    { kind: 'AGENT', id: 'support', environment: 'PRODUCTION' },
    { kind: 'EVALUATOR' },
  ] as const)
    t.match(await refusal(client.sessions.resolve(address)), { status: 404 });
});

t.test('deletes an example of a dataset twice, and changes metadata of examples', async (t) => {
  const { id: dataset_id } = await client.createDataset(`deleted ${randomUUID()}`);
  const { id } = await client.createExample({ dataset_id, inputs: {}, metadata: { tags: ['a'] } });
  t.match(
    await client.datasets.examples.updateMetadata(dataset_id, {
      example_ids: [id],
      operations: [{ key: 'tags', operation: 'ARRAY_ADD', values: ['b'] }],
    }),
    { statuses: [{ id, status: 'UPDATED' }] },
  );
  t.match(await client.readExample(id), { metadata: { tags: ['a', 'b'] } });
  t.match(await refusal(client.datasets.examples.delete(id, { dataset_id: dataset.id })), { status: 404 });
  await client.datasets.examples.delete(id, { dataset_id });
  await t.rejects(client.readExample(id), { message: /not found/ });
  const { modified_at: changed } = await client.readDataset({ datasetId: dataset_id });
  await client.datasets.examples.delete(id, { dataset_id });
  t.equal((await client.readDataset({ datasetId: dataset_id })).modified_at, changed, 'no second version');
});

t.test('returns the row of an upload with its example', async (t) => {
  const examples = (await all(client.listExamples({ datasetId: dataset.id }))) as unknown as Json[];
  t.strictSame(examples.map((one) => String(one['row_id'])).toSorted(), rowIds.toSorted());
  const { id } = await client.createDataset(`no rows ${randomUUID()}`);
  const plain = await client.createExample({ dataset_id: id, inputs: {} });
  t.notOk('row_id' in (await client.readExample(plain.id)));
});

t.test('refuses an unknown feedback key and names the known ones', async (t) => {
  const unknown = (loc: (string | number)[]): object => ({
    status: 422,
    body: { detail: [{ loc, type: 'unknown_key', msg: /which have "right".*no "rihgt"/ }] },
  });
  const sessions = `/api/v1/sessions?reference_dataset=${dataset.id}&sort_by=feedback&sort_by_feedback_key=`;
  t.match(await get(`${sessions}rihgt`), unknown(['query', 'sort_by_feedback_key']));
  t.equal((await get(`${sessions}right`)).status, 200);
  const runs = `/api/v1/datasets/${dataset.id}/runs`;
  const sort = (sort_by: string): object => ({ session_ids: [experiment.id], sort_params: { sort_by } });
  t.match(await post(runs, sort('feedback.rihgt')), unknown(['body', 'sort_params', 'sort_by']));
  t.equal((await post(runs, sort('feedback.right'))).status, 200);
  const filtered = (key: string): object => ({
    session_ids: [experiment.id],
    filters: { [experiment.id]: [`and(eq(feedback_key, "${key}"), gt(feedback_score, 0.2))`] },
  });
  t.match(await post(runs, filtered('rihgt')), unknown(['body', 'filters', experiment.id, 0]));
  t.equal(((await post(runs, filtered('right'))).body as unknown as unknown[]).length, 2);
  const delta = { baseline_session_id: experiment.id, comparison_session_ids: [experiment.id] };
  t.match(await post(`${runs}/delta`, { ...delta, feedback_key: 'rihgt' }), unknown(['body', 'feedback_key']));
  const empty = await client.createProject({ projectName: `empty ${randomUUID()}`, referenceDatasetId: dataset.id });
  t.equal(
    (
      await post(`${runs}/delta`, {
        baseline_session_id: empty.id,
        comparison_session_ids: [empty.id],
        feedback_key: 'x',
      })
    ).status,
    200,
    'scores may still arrive',
  );
});

t.test('names every invalid place in one entry each', async (t) => {
  const places = async (answer: Promise<{ status: number; body: Json }>): Promise<[string, string][]> => {
    const { status, body } = await answer;
    t.equal(status, 422);
    return (body['detail'] as { loc: string[]; type: string }[])
      .map(({ loc, type }): [string, string] => [loc.join('.'), type])
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
  };
  t.strictSame(
    await places(post('/api/v1/runs/query', { session: 5, limit: 0, select: ['a', 7], order: 'up', error: 'no' })),
    [
      ['body.error', 'type'],
      ['body.limit', 'minimum'],
      ['body.order', 'enum'],
      ['body.select.1', 'type'],
      ['body.session', 'type'],
    ],
  );
  t.strictSame(await places(post('/api/v1/feedback', { score: [], comment: 5 })), [
    ['body.comment', 'type'],
    ['body.key', 'missing'],
    ['body.score', 'type'],
  ]);
  t.equal(
    (await places(post('/api/v1/runs/query', { session: Array.from({ length: 900 }, (_, at) => at) }))).length,
    100,
    'at most a hundred',
  );
  t.equal(
    (await places(post('/api/v1/runs/query', { session: Array.from({ length: 20_000 }, (_, at) => at) }))).length,
    1,
    'the first of a large body',
  );
});
