import { randomUUID } from 'node:crypto';
import t from 'tap';
import { all, langsmithOf, settled } from '../helpers/langsmith.js';
import { configWith, testServer } from '../helpers/server.js';
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
  t.equal(page.url, `${server.url}/console/experiments/${experiment.id}?run=${id}`);
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
