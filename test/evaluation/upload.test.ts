import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { parseMicros } from '../../src/base/micros.js';
import { Datasets, newDataset } from '../../src/store/evaluation/datasets.js';
import { Commit, Store } from '../../src/store/store.js';
import { Empty } from '../helpers/empty.js';
import {
  at,
  everything,
  read,
  row,
  runsOf,
  send,
  sent,
  upload,
  withStatistics,
  type Json,
  END,
  START,
} from '../helpers/uploads.js';
import { lowerLimit } from '../helpers/limits.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const config = configWith(t, 'echo');

/** Before the server starts, its folder has a dataset that no upload made. */
const dataFolder = temporaryFolder(t);
const OWN = { id: randomUUID(), name: 'made here' };
{
  const store = Store.open(dataFolder);
  const commit = new Commit();
  new Datasets(store).put(
    commit,
    newDataset({
      datasetId: OWN.id,
      name: OWN.name,
      description: null,
      nowUs: Date.UTC(2024, 0, 1) * 1_000,
      externallyManaged: false,
    }),
    null,
  );
  await store.write(commit);
  await store.close();
}
const server = await testServer(t, { config, dataFolder });
const target = at(server.url);

const DATASET_KEYS = [
  'name',
  'description',
  'created_at',
  'data_type',
  'inputs_schema_definition',
  'outputs_schema_definition',
  'externally_managed',
  'id',
  'tenant_id',
  'example_count',
  'session_count',
  'modified_at',
  'last_session_start_time',
];
const EXPERIMENT_KEYS = [
  'start_time',
  'end_time',
  'extra',
  'name',
  'description',
  'default_dataset_id',
  'reference_dataset_id',
  'trace_tier',
  'id',
  'run_count',
  'latency_p50',
  'latency_p99',
  'first_token_p50',
  'first_token_p99',
  'total_tokens',
  'prompt_tokens',
  'completion_tokens',
  'total_cost',
  'prompt_cost',
  'completion_cost',
  'tenant_id',
  'last_run_start_time',
  'last_run_start_time_live',
  'feedback_stats',
  'session_feedback_stats',
  'run_facets',
  'error_rate',
  'streaming_rate',
  'test_run_number',
];
const STATISTICS = [
  'run_count',
  'latency_p50',
  'latency_p99',
  'first_token_p50',
  'first_token_p99',
  'total_tokens',
  'prompt_tokens',
  'completion_tokens',
  'total_cost',
  'prompt_cost',
  'completion_cost',
  'last_run_start_time',
  'last_run_start_time_live',
  'feedback_stats',
  'session_feedback_stats',
  'run_facets',
  'error_rate',
  'streaming_rate',
];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A name that no other test has. */
const unique = (what: string): string => `${what} ${randomUUID()}`;

async function refused(t: Test, body: unknown, status: number, detail: unknown): Promise<void> {
  const before = await everything(target);
  const answer = await send(target, body);
  t.equal(answer.status, status, answer.text);
  t.match(answer.body['detail'], detail);
  t.strictSame(await everything(target), before, 'nothing was changed');
}

const examplesOf = async (datasetId: string, more = ''): Promise<Json[]> =>
  read<Json[]>(target, `/api/v1/examples?dataset=${datasetId}&order=id${more}`);

t.test('returns every field, without statistics, and the earlier counts', async (t) => {
  const name = unique('experiment');
  const datasetName = unique('dataset');
  const { experiment, dataset } = await sent(target, {
    experiment_name: name,
    experiment_description: 'about it',
    experiment_start_time: '2024-05-01T10:00:00.000001',
    experiment_end_time: '2024-05-01T13:00:00.999999+02:00',
    dataset_name: datasetName,
    dataset_description: 'about them',
    experiment_metadata: { model: 'm' },
    tag_value_ids: [randomUUID()],
    unknown: { ignored: true },
    summary_experiment_scores: [{ key: 'overall', score: 1 }],
    results: [row()],
  });
  for (const key of EXPERIMENT_KEYS) t.ok(Object.hasOwn(experiment, key), `experiment.${key}`);
  for (const key of DATASET_KEYS) t.ok(Object.hasOwn(dataset, key), `dataset.${key}`);
  for (const key of STATISTICS) t.equal(experiment[key], null, key);
  t.matchStrict(experiment, {
    id: UUID,
    tenant_id: UUID,
    name,
    description: 'about it',
    start_time: '2024-05-01T10:00:00.000001+00:00',
    end_time: '2024-05-01T11:00:00.999999+00:00',
    default_dataset_id: null,
    reference_dataset_id: dataset.id,
    trace_tier: 'longlived',
    test_run_number: 1,
  });
  t.strictSame(experiment['extra'], { metadata: { model: 'm' } });
  t.matchStrict(dataset, {
    id: UUID,
    tenant_id: experiment['tenant_id'],
    name: datasetName,
    description: 'about them',
    data_type: 'kv',
    inputs_schema_definition: null,
    outputs_schema_definition: null,
    externally_managed: true,
    example_count: 0,
    session_count: 0,
    last_session_start_time: null,
  });
  t.equal(dataset['created_at'], dataset['modified_at']);

  const now = await read(target, `/api/v1/datasets/${dataset.id}`);
  t.strictSame(
    { ...now, modified_at: dataset['modified_at'] },
    { ...dataset, example_count: 1, session_count: 1, last_session_start_time: experiment['start_time'] },
    'as they are now',
  );
  t.match(await read(target, `/api/v1/sessions/${experiment.id}`), {
    id: experiment.id,
    name,
    run_count: 1,
    extra: { metadata: { model: 'm' } },
  });
  const plain = await sent(target, upload({ dataset_name: datasetName }));
  t.equal(plain.experiment['extra'], null, 'no metadata, no extra');
  t.equal(plain.experiment['description'], null);
  t.match(plain.dataset, { description: 'about them', example_count: 1, session_count: 1 });
});

t.test('computes statistics of the upload after a moment', async (t) => {
  const seconds = [1, 2, 3, 4];
  const { experiment, dataset } = await sent(
    target,
    upload({
      dataset_name: unique('dataset'),
      summary_experiment_scores: [
        { key: 'overall', score: 0.5, comment: 'fair' },
        { key: 'overall', score: 1 },
        { key: 'verdict', value: 'good' },
      ],
      results: seconds.map((second) =>
        row({
          start_time: `2024-05-01T10:1${second}:00.5Z`,
          end_time: `2024-05-01T10:1${second}:0${second}.5Z`,
          ...(second === 4 ? { error: 'broke' } : { actual_outputs: { answer: second } }),
          run_name: `run ${second}`,
          evaluation_scores: [
            { key: 'score', score: second },
            { key: 'correct', score: second > 2 },
            { key: 'label', value: second > 1 ? 'b' : 'a' },
            ...(second === 1 ? [{ key: 'note', comment: 'only text' }] : []),
          ],
        }),
      ),
    }),
  );
  const found = await withStatistics(target, experiment.id);
  t.matchStrict(found, {
    run_count: 4,
    latency_p50: 2.5,
    error_rate: 0.25,
    streaming_rate: null,
    last_run_start_time: '2024-05-01T10:14:00.500000+00:00',
    last_run_start_time_live: null,
    first_token_p50: null,
    first_token_p99: null,
    total_tokens: null,
    prompt_tokens: null,
    completion_tokens: null,
    total_cost: null,
    prompt_cost: null,
    completion_cost: null,
  });
  t.equal(Number(found['latency_p99']).toFixed(9), '3.970000000');
  const {
    feedback_stats: stats,
    session_feedback_stats: ofSession,
    run_facets: facets,
  } = found as {
    feedback_stats: Record<string, Json>;
    session_feedback_stats: Record<string, Json>;
    run_facets: Json[];
  };
  t.strictSame(Object.keys(stats).sort(), ['correct', 'label', 'note', 'score']);
  t.match(stats['score'], { n: 4, avg: 2.5, min: 1, max: 4, median: 2.5, values: Empty, errors: 0 });
  t.equal(Number(stats['score']!['stdev']).toFixed(9), Math.sqrt(5 / 3).toFixed(9));
  t.match(stats['correct'], { n: 4, avg: 0.5, min: 0, max: 1 }, 'booleans count as 1 and 0');
  t.matchStrict(stats['label'], { n: 4, avg: null, stdev: null, min: null, max: null, values: { a: 1, b: 3 } });
  t.matchStrict(stats['note'], { n: 1, avg: null, comments: ['only text'] });
  t.strictSame(Object.keys(ofSession).sort(), ['overall', 'verdict']);
  t.match(ofSession['overall'], { n: 2, avg: 0.75, min: 0.5, max: 1, comments: ['fair'] });
  t.matchStrict(ofSession['verdict'], { n: 1, avg: null, values: { good: 1 } });
  t.match(
    facets.filter(({ key }) => key === 'status'),
    [
      { value: 'success', n: 3 },
      { value: 'error', n: 1 },
    ],
  );
  const listed = await read<Json[]>(target, `/api/v1/sessions?reference_dataset=${dataset.id}`);
  t.strictSame(listed, [found], 'the list says the same');
  t.matchStrict(await read(target, `/api/v1/sessions/${experiment.id}?include_stats=false`), {
    run_count: 4,
    error_rate: null,
    feedback_stats: null,
  });
});

t.test('reports the statistics that the stored rows have', async (t) => {
  const { experiment } = await sent(
    server,
    upload({
      dataset_name: randomUUID(),
      summary_experiment_scores: [
        { key: 'overall', score: 0.5, comment: 'on the whole', created_at: START },
        { key: 'overall', score: 1, created_at: END },
        { key: 'preference', score: 1, comparative_experiment_id: randomUUID() },
      ],
      results: Array.from({ length: 40 }, (_, index) =>
        row({
          // Several runs start at the same time.
          start_time: `2024-05-01T10:${String(10 + ((index * 7) % 13))}:00Z`,
          end_time: '2024-05-01T10:50:00Z',
          ...(index % 3 === 0 ? { run_name: `step ${index % 2}` } : {}),
          ...(index % 5 === 0 ? { error: index % 2 === 0 ? 'failed' : '' } : {}),
          evaluation_scores: [
            { key: index % 2 === 0 ? 'even' : 'odd', score: index / 7, comment: index % 4 === 0 ? '' : `row ${index}` },
            { key: 'label', value: index % 3 === 0 ? 'good' : index, feedback_source: { type: 'model' } },
            { key: 'long', score: index % 2 === 0, comment: 'x'.repeat(1_000), value: 'y'.repeat(1_000) },
            { key: 'preference', score: 1, comparative_experiment_id: randomUUID() },
          ].slice(0, 1 + (index % 4)),
        }),
      ),
    }),
  );
  const uploaded = await withStatistics(server, experiment.id);
  t.match(uploaded, {
    run_count: 40,
    feedback_stats: { even: { n: 20 } },
    session_feedback_stats: { overall: { n: 2 } },
  });
  // A change of the feedback lets the server compute the statistics from the stored rows.
  const [run] = await runsOf(server, experiment.id);
  const feedback = (await (
    await server.post('/api/v1/feedback', { run_id: run!['id'], key: 'added', score: 1 })
  ).json()) as Json;
  t.match((await read(server, `/api/v1/sessions/${experiment.id}`))['feedback_stats'], { added: { n: 1 } });
  t.equal((await fetch(`${server.url}/api/v1/feedback/${String(feedback['id'])}`, { method: 'DELETE' })).status, 200);
  t.strictSame(await read(server, `/api/v1/sessions/${experiment.id}`), uploaded);
});

t.test('creates an experiment without runs from an upload without rows', async (t) => {
  const { experiment, dataset } = await sent(target, upload({ dataset_name: unique('dataset'), results: [] }));
  t.matchStrict(await withStatistics(target, experiment.id), {
    run_count: 0,
    error_rate: null,
    latency_p50: null,
    feedback_stats: Empty,
    session_feedback_stats: Empty,
  });
  t.match(await read(target, `/api/v1/datasets/${dataset.id}`), {
    example_count: 0,
    session_count: 1,
    modified_at: dataset['created_at'],
  });
});

t.test('returns every field of a row in its example, run and feedback', async (t) => {
  const one = row({
    inputs: { question: 'q' },
    expected_outputs: { answer: 'a' },
    actual_outputs: { answer: 'b' },
    run_name: 'my run',
    error: 'a warning',
    run_metadata: { attempt: 2 },
    start_time: '2024-05-01T10:20:00.123456',
    end_time: '2024-05-01T12:20:01.123457+02:00',
    evaluation_scores: [
      {
        id: randomUUID(),
        key: 'full',
        score: 0.25,
        value: { any: ['shape'] },
        comment: 'because',
        correction: { answer: 'c' },
        feedback_source: { type: 'model', metadata: { judge: 'j' } },
        feedback_config: { type: 'continuous', min: 0, max: 1, categories: null },
        created_at: '2024-05-02T00:00:00.000001Z',
        modified_at: '2024-05-02 00:00:00.000002',
        feedback_group_id: randomUUID(),
        comparative_experiment_id: null,
        extra: { more: 1 },
      },
      { key: 'bare' },
    ],
  });
  const { experiment, dataset } = await sent(
    target,
    upload({
      dataset_name: unique('dataset'),
      results: [one, row()],
      summary_experiment_scores: [{ key: 'whole', score: true, correction: 'text' }],
    }),
  );
  const [example] = (await examplesOf(dataset.id)).filter(({ inputs }) => (inputs as Json)['question'] === 'q');
  t.matchStrict(example, {
    dataset_id: dataset.id,
    outputs: { answer: 'a' },
    metadata: { dataset_split: ['base'] },
    source_run_id: null,
  });
  t.match(example!['name'], /./, 'it has a name');
  const runs = await runsOf(target, experiment.id);
  t.equal(runs.length, 2);
  const run = runs.find(({ name }) => name === 'my run')!;
  t.matchStrict(run, {
    id: UUID,
    run_type: 'chain',
    inputs: { question: 'q' },
    outputs: { answer: 'b' },
    error: 'a warning',
    status: 'error',
    session_id: experiment.id,
    reference_example_id: example!['id'],
    start_time: '2024-05-01T10:20:00.123456+00:00',
    end_time: '2024-05-01T10:20:01.123457+00:00',
    extra: { metadata: { attempt: 2 } },
    parent_run_id: null,
    trace_id: run['id'],
    dotted_order: `20240501T102000123456Z${String(run['id'])}`,
  });
  t.strictSame(await read(target, `/api/v1/runs/${String(run['id'])}`), run);
  const other = runs.find(({ id }) => id !== run['id'])!;
  t.matchStrict(other, { error: null, status: 'success', outputs: null, extra: null });

  const feedback = await read<Json[]>(target, `/api/v1/feedback?session=${experiment.id}`);
  t.strictSame(feedback.map(({ key }) => String(key)).sort(), ['bare', 'full', 'whole']);
  const full = feedback.find(({ key }) => key === 'full')!;
  const { feedback_config: _config, feedback_source: source, ...sentScore } = (one['evaluation_scores'] as Json[])[0]!;
  t.match(full, {
    ...sentScore,
    created_at: '2024-05-02T00:00:00.000001+00:00',
    modified_at: '2024-05-02T00:00:00.000002+00:00',
    run_id: run['id'],
    trace_id: run['id'],
    session_id: experiment.id,
    feedback_source: source,
  });
  t.strictSame(await read(target, `/api/v1/feedback/${String(full['id'])}`), full);
  t.matchStrict(
    feedback.find(({ key }) => key === 'bare'),
    {
      id: UUID,
      score: null,
      value: null,
      comment: null,
      correction: null,
      run_id: run['id'],
      feedback_source: { type: 'api' },
    },
  );
  t.matchStrict(
    feedback.find(({ key }) => key === 'whole'),
    { score: true, correction: 'text', run_id: null, trace_id: null, session_id: experiment.id },
  );
  t.match(await read<Json[]>(target, '/api/v1/feedback-configs?key=full'), [
    { feedback_key: 'full', feedback_config: { type: 'continuous', min: 0, max: 1 } },
  ]);
});

t.test('a dataset is named by an id, by a name, or by both', async (t) => {
  await t.test('refuses an upload with neither', async (t) => {
    for (const identity of [
      {},
      { dataset_id: null },
      { dataset_name: null },
      { dataset_id: null, dataset_name: null },
    ]) {
      await refused(t, upload(identity), 422, [{ loc: ['body', 'dataset_id'], type: 'missing' }]);
    }
  });
  await t.test('generates a name for an id', async (t) => {
    const id = randomUUID();
    const { dataset } = await sent(target, upload({ dataset_id: id }));
    t.equal(dataset.id, id);
    t.match(dataset.name, /^.+$/);
    t.match(await read<Json[]>(target, `/api/v1/datasets?name=${encodeURIComponent(dataset.name)}`), [{ id }]);
    t.equal(
      (await sent(target, upload({ dataset_name: dataset.name }))).dataset.id,
      id,
      'which is a name as any other',
    );
  });
  await t.test('generates different names for similar ids', async (t) => {
    const id = randomUUID();
    const other = `${id.slice(0, 8)}${randomUUID().slice(8)}`;
    const names = [
      await sent(target, upload({ dataset_id: id })),
      await sent(target, upload({ dataset_id: other })),
    ].map(({ dataset }) => dataset.name);
    t.not(names[0], names[1]);
  });
  await t.test('generates an id for a name', async (t) => {
    const name = unique('dataset');
    const { dataset } = await sent(target, upload({ dataset_name: name }));
    t.match(dataset, { name, id: UUID });
    t.match(await read(target, `/api/v1/datasets/${dataset.id}`), { name });
  });
  await t.test('creates a dataset with both, and finds it by either', async (t) => {
    const both = { dataset_id: randomUUID(), dataset_name: unique('dataset') };
    t.match((await sent(target, upload(both))).dataset, { id: both.dataset_id, name: both.dataset_name });
    t.equal((await sent(target, upload(both))).experiment.test_run_number, 2);
  });
  await t.test('accepts an id with and without dashes, in either case', async (t) => {
    const id = randomUUID();
    for (const [index, spelling] of [
      id.replaceAll('-', ''),
      id,
      id.toUpperCase(),
      `{${id}}`,
      `urn:uuid:${id}`,
    ].entries()) {
      const { dataset, experiment } = await sent(target, upload({ dataset_id: spelling }));
      t.equal(dataset.id, id, spelling);
      t.equal(experiment.test_run_number, index + 1);
    }
    const plain = row();
    await sent(target, upload({ dataset_id: id, results: [plain] }));
    const { example_count: count } = await read(target, `/api/v1/datasets/${id}`);
    await sent(
      target,
      upload({ dataset_id: id, results: [{ ...plain, row_id: plain.row_id.replaceAll('-', '').toUpperCase() }] }),
    );
    t.equal((await read(target, `/api/v1/datasets/${id}`))['example_count'], count, 'so is a row id');
  });
  await t.test('refuses an id and a name that disagree', async (t) => {
    const a = (await sent(target, upload({ dataset_name: unique('a') }))).dataset;
    const b = (await sent(target, upload({ dataset_name: unique('b') }))).dataset;
    await refused(t, upload({ dataset_id: a.id, dataset_name: b.name }), 400, /refer to different datasets/);
    await refused(t, upload({ dataset_id: a.id, dataset_name: unique('new') }), 400, /refer to different datasets/);
    await refused(t, upload({ dataset_id: randomUUID(), dataset_name: b.name }), 400, /refer to different datasets/);
  });
  await t.test('refuses an upload to a dataset that no upload created', async (t) => {
    for (const identity of [
      { dataset_id: OWN.id },
      { dataset_name: OWN.name },
      { dataset_id: OWN.id, dataset_name: OWN.name },
    ]) {
      await refused(t, upload(identity), 400, /not externally managed/);
    }
  });
});

t.test('keeps experiment names unique over all datasets', async (t) => {
  const first = upload({ dataset_name: unique('dataset') });
  await sent(target, first);
  await refused(t, first, 409, /^Session already exists\.$/);
  await refused(
    t,
    { ...first, dataset_name: unique('other'), results: [row(), row()] },
    409,
    /^Session already exists\.$/,
  );
  await refused(t, { ...first, dataset_name: undefined, dataset_id: randomUUID() }, 409, /^Session already exists\.$/);
});

t.test('counts the experiments of a dataset', async (t) => {
  const name = unique('dataset');
  const { dataset, experiment } = await sent(target, upload({ dataset_name: name }));
  t.equal(experiment.test_run_number, 1);
  t.equal((await sent(target, upload({ dataset_id: dataset.id }))).experiment.test_run_number, 2);
  const third = upload({ dataset_name: name });
  await send(target, { ...third, results: [{}] });
  t.equal((await sent(target, third)).experiment.test_run_number, 3, 'one that was refused does not count');
  t.equal(
    (await sent(target, upload({ dataset_name: unique('dataset') }))).experiment.test_run_number,
    1,
    'each dataset for itself',
  );
  t.equal((await read<Json[]>(target, `/api/v1/sessions?reference_dataset=${dataset.id}`)).length, 3);
});

t.test('reuses the example of a repeated row id', async (t) => {
  const rows = [row({ inputs: { n: 1 }, expected_outputs: { is: 1 } }), row({ inputs: { n: 2 } })];
  const first = await sent(target, upload({ dataset_name: unique('dataset'), results: rows }));
  const { id } = first.dataset;
  const before = await examplesOf(id);
  t.equal(before.length, 2);

  await t.test('with the same content: changes nothing', async (t) => {
    const again = await sent(target, upload({ dataset_id: id, results: rows }));
    t.strictSame(await examplesOf(id), before);
    t.equal((await read<Json[]>(target, `/api/v1/datasets/${id}/versions`)).length, 1);
    const examples = async (experiment: string): Promise<string[]> =>
      (await runsOf(target, experiment)).map((run) => String(run['reference_example_id'])).sort();
    t.strictSame(await examples(again.experiment.id), await examples(first.experiment.id));
    t.notOk(
      (await runsOf(target, again.experiment.id)).some((run) => before.some((example) => example['id'] === run['id'])),
      'runs are their own',
    );
  });
  await t.test('with other content: creates a version and keeps the one before', async (t) => {
    await sent(
      target,
      upload({ dataset_id: id, results: [{ ...rows[0]!, inputs: { n: 'changed' } }, row({ inputs: { n: 3 } })] }),
    );
    const now = await examplesOf(id);
    t.equal(now.length, 3);
    t.strictSame(now.map(({ inputs }) => String((inputs as Json)['n'])).sort(), ['2', '3', 'changed']);
    const [asOf] = before
      .map((example) => String(example['modified_at']))
      .sort()
      .slice(-1);
    t.strictSame(await examplesOf(id, `&as_of=${encodeURIComponent(asOf!)}`), before, 'as it was');
    const changed = now.find(({ inputs }) => (inputs as Json)['n'] === 'changed')!;
    t.ok(parseMicros(String(changed['modified_at']))! > parseMicros(asOf!)!);
    t.match(await read(target, `/api/v1/examples/${String(changed['id'])}`), {
      inputs: { n: 'changed' },
      outputs: { is: 1 },
    });
    t.match(await read(target, `/api/v1/examples/${String(changed['id'])}?as_of=${encodeURIComponent(asOf!)}`), {
      inputs: { n: 1 },
      modified_at: asOf,
    });
    t.match(await read(target, `/api/v1/datasets/${id}`), { example_count: 3, session_count: 3 });
    t.equal(changed['created_at'], before.find((example) => example['id'] === changed['id'])!['created_at']);
  });
  await t.test('with other expected outputs: creates a version', async (t) => {
    const versions = async (): Promise<number> =>
      (await read<Json[]>(target, `/api/v1/datasets/${id}/versions`)).length;
    const known = await versions();
    await sent(
      target,
      upload({ dataset_id: id, results: [{ ...rows[1]!, actual_outputs: { said: 1 }, run_name: 'x' }] }),
    );
    t.equal(await versions(), known);
    await sent(target, upload({ dataset_id: id, results: [{ ...rows[1]!, expected_outputs: {} }] }));
    t.equal(await versions(), known + 1);
  });
  await t.test('in another dataset: creates another example', async (t) => {
    const { dataset } = await sent(target, upload({ dataset_name: unique('dataset'), results: rows }));
    const others = (await examplesOf(dataset.id)).map((example) => example['id']);
    t.notOk(before.some((example) => others.includes(example['id'])));
  });
});

t.test('accepts a row id twice in one upload', async (t) => {
  const one = row({ inputs: { a: 1, b: [2, 3] }, expected_outputs: null });
  const { dataset, experiment } = await sent(
    target,
    upload({ dataset_name: unique('dataset'), results: [one, { ...one, actual_outputs: { second: true } }, row()] }),
  );
  t.equal((await examplesOf(dataset.id)).length, 2);
  t.match(await withStatistics(target, experiment.id), { run_count: 3 });
  const runs = await runsOf(target, experiment.id);
  t.equal(new Set(runs.map((run) => run['reference_example_id'])).size, 2, 'as a repetition');
  const text = JSON.stringify(upload({ dataset_name: unique('dataset'), results: [one, one] })).replace(
    /(.*)"inputs":\{"a":1,"b":\[2,3\]\}/,
    '$1"inputs":{ "a" : 1,\n\t"b": [2 ,3]}',
  );
  t.equal((await send(target, text)).status, 200, 'space between makes no difference');
  for (const other of [
    { inputs: { a: 1, b: [3, 2] } },
    { inputs: { a: 1 } },
    { expected_outputs: {} },
    { inputs: { b: [2, 3], a: 1 } },
  ]) {
    await refused(
      t,
      upload({ dataset_name: unique('dataset'), results: [row(), one, row(), { ...one, ...other }] }),
      422,
      [{ loc: ['body', 'results', 3, 'row_id'], msg: /results\.1/, type: 'row_conflict' }],
    );
  }
});

t.test('stores times to the microsecond, with an offset or as UTC', async (t) => {
  const spellings: [text: string, is: string][] = [
    ['2024-05-01T10:30:00', '2024-05-01T10:30:00.000000+00:00'],
    ['2024-05-01T10:30:00Z', '2024-05-01T10:30:00.000000+00:00'],
    ['2024-05-01T10:30:00.000001', '2024-05-01T10:30:00.000001+00:00'],
    ['2024-05-01 10:30:00.999999', '2024-05-01T10:30:00.999999+00:00'],
    ['2024-05-01T12:30:00.5+02:00', '2024-05-01T10:30:00.500000+00:00'],
    ['2024-05-01T05:00:00.123456-0530', '2024-05-01T10:30:00.123456+00:00'],
    ['2024-05-02T00:30:00.1234569+14', '2024-05-01T10:30:00.123456+00:00'],
  ];
  const { experiment } = await sent(
    target,
    upload({
      dataset_name: unique('dataset'),
      results: spellings.map(([start], index) => row({ start_time: start, end_time: END, run_name: String(index) })),
    }),
  );
  const runs = await runsOf(target, experiment.id);
  for (const [index, [text, is]] of spellings.entries())
    t.equal(runs.find(({ name }) => name === String(index))!['start_time'], is, text);
});

t.test('requires the times of a row to lie within its experiment, inclusively', async (t) => {
  const window = {
    experiment_start_time: '2024-05-01T10:00:00.000010',
    experiment_end_time: '2024-05-01T10:00:00.000020Z',
    dataset_name: unique('dataset'),
  };
  const inside = { start_time: '2024-05-01T10:00:00.000010Z', end_time: '2024-05-01T12:00:00.000020+02:00' };
  t.equal((await send(target, upload({ ...window, results: [row(inside)] }))).status, 200);
  t.equal(
    (
      await send(
        target,
        upload({
          ...window,
          experiment_end_time: window.experiment_start_time,
          results: [row({ ...inside, end_time: inside.start_time })],
        }),
      )
    ).status,
    200,
    'no time at all is a time',
  );
  const rows = Array.from({ length: 20 }, () => row(inside));
  const with17 = (more: Json): Json => upload({ ...window, results: rows.with(17, row({ ...inside, ...more })) });
  await refused(t, with17({ end_time: '2024-05-01T10:00:00.000021Z' }), 422, [
    { loc: ['body', 'results', 17, 'end_time'], msg: 'must not be after experiment_end_time', type: 'time_range' },
  ]);
  await refused(t, with17({ start_time: '2024-05-01T10:00:00.000009Z' }), 422, [
    { loc: ['body', 'results', 17, 'start_time'], msg: 'must not be before experiment_start_time' },
  ]);
  await refused(
    t,
    with17({ start_time: '2024-05-01T10:00:00.000012Z', end_time: '2024-05-01T10:00:00.000011Z' }),
    422,
    [{ loc: ['body', 'results', 17, 'end_time'], msg: 'must not be before start_time', type: 'time_order' }],
  );
  await refused(t, upload({ ...window, experiment_end_time: '2024-05-01T10:00:00.000009', results: [] }), 422, [
    { loc: ['body', 'experiment_end_time'], msg: 'must not be before experiment_start_time' },
  ]);
});

t.test('names every invalid place in a refusal', async (t) => {
  const before = await everything(target);
  const results: unknown[] = Array.from({ length: 12 }, () => row());
  results[1] = 7;
  results[3] = { ...row(), inputs: undefined };
  results[5] = {
    ...row(),
    end_time: 'yesterday',
    row_id: 'x',
    evaluation_scores: [{ key: 'fine' }, { score: 1 }, { key: 'k', score: 'high' }],
  };
  results[11] = { ...row(), start_time: '2024-05-01T09:59:59.999999Z', run_name: 1 };
  const answer = await send(
    target,
    upload({ results, dataset_id: 'none', experiment_description: [], summary_experiment_scores: [{}] }),
  );
  t.equal(answer.status, 422);
  const places = answer.body['detail'] as { loc: unknown[]; msg: string; type: string }[];
  t.strictSame(
    places.map(({ loc }) => loc.join('.')).sort(),
    [
      'body.dataset_id',
      'body.experiment_description',
      'body.results.1',
      'body.results.3.inputs',
      'body.results.5.end_time',
      'body.results.5.evaluation_scores.1.key',
      'body.results.5.evaluation_scores.2.score',
      'body.results.5.row_id',
      'body.results.11.run_name',
      'body.results.11.start_time',
      'body.summary_experiment_scores.0.key',
    ].sort(),
  );
  for (const place of places) t.match(place, { loc: Array, msg: /./, type: /./ });
  t.strictSame(await everything(target), before);
  const many = await send(
    target,
    upload({ dataset_name: unique('dataset'), results: Array.from({ length: 5_000 }, () => ({})) }),
  );
  t.equal(many.status, 422);
  t.equal((many.body['detail'] as unknown[]).length, 100, 'as many as anyone reads');
});

t.test('returns free-form values unchanged', async (t) => {
  const deep = `${'['.repeat(199)}1${']'.repeat(199)}`;
  const values = [
    '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":1}',
    '{"a":"\\u0000\\ud800 \\udfff\\u2028"}',
    '{"a":-0,"b":1e400,"c":-1E+400,"d":12345678901234567890,"e":0.10000000000000000055511151231257827,"f":1.0}',
    `{"deep":${deep}}`,
    '{ "a" :\n\t[ 1 , 2 ] , "b":{ } }',
    '{"a":1,"a":2}',
    '{"":"","\\u0061":"\\/","b":"\u{1f600}é\u2029"}',
    '{}',
    `{"long":"${'x'.repeat(100_000)}"}`,
  ];
  for (const [index, value] of values.entries()) {
    const body =
      `{"experiment_name":${JSON.stringify(unique('experiment'))},"experiment_start_time":"${START}","experiment_end_time":"${END}","dataset_name":${JSON.stringify(unique('dataset'))},` +
      `"experiment_metadata":${value},"summary_experiment_scores":[{"key":"s","value":${value},"correction":${value},"extra":${value}}],` +
      `"results":[{"row_id":"${randomUUID()}","inputs":${value},"expected_outputs":${value},"actual_outputs":${value},"run_metadata":${value},"start_time":"${START}","end_time":"${END}"}]}`;
    const answer = await send(target, body);
    const what = `value ${index}`;
    t.equal(answer.status, 200, what);
    t.ok(answer.text.includes(`"extra":{"metadata":${value}}`), `metadata of the answer: ${what}`);
    const { experiment, dataset } = answer.body as { experiment: Json; dataset: Json };
    const id = String(experiment['id']);
    const texts = {
      experiment: await (await target.get(`/api/v1/sessions/${id}`)).text(),
      examples: await (await target.get(`/api/v1/examples?dataset=${String(dataset['id'])}`)).text(),
      runs: await (await target.post('/api/v1/runs/query', { session: [id] })).text(),
      feedback: await (await target.get(`/api/v1/feedback?session=${id}`)).text(),
    };
    t.ok(texts.experiment.includes(`"extra":{"metadata":${value}}`), `experiment: ${what}`);
    t.ok(texts.examples.includes(`"inputs":${value},"outputs":${value},`), `example: ${what}`);
    t.ok(
      texts.runs.includes(`"inputs":${value},"outputs":${value},`) &&
        texts.runs.includes(`"extra":{"metadata":${value}}`),
      `run: ${what}`,
    );
    t.ok(
      texts.feedback.includes(`"value":${value},`) &&
        texts.feedback.includes(`"correction":${value},`) &&
        texts.feedback.includes(`"extra":${value},`),
      `feedback: ${what}`,
    );
  }
  t.notOk('polluted' in {}, 'and no object of the server has them');
});

t.test('accepts any text in a field', async (t) => {
  const score =
    '{"key":"\\u0000 key","comment":"\\ud800 half","score":-0,"feedback_source":{"type":"any at all","metadata":{"__proto__":1,"n":12345678901234567890}}}';
  const name = unique('dataset');
  const body =
    `{"experiment_name":${JSON.stringify(`${unique('e')} \u0000\u{1f600}`)},"experiment_start_time":"${START}","experiment_end_time":"${END}","dataset_name":${JSON.stringify(`#${name}\u0000\u001f`)},` +
    `"results":[{"row_id":"${randomUUID()}","inputs":{},"error":"\\udfff half","run_name":"\\u0000","start_time":"${START}","end_time":"${END}","evaluation_scores":[${score}]}]}`;
  const { experiment, dataset } = await sent(target, body);
  t.equal(dataset.name, `#${name}\u0000\u001f`);
  t.match(await read<Json[]>(target, `/api/v1/datasets?name=${encodeURIComponent(dataset.name)}`), [
    { id: dataset.id },
  ]);
  const runs = await (await target.post('/api/v1/runs/query', { session: [experiment.id] })).text();
  t.ok(runs.includes('"error":"\\udfff half"') && runs.includes('"name":"\\u0000"'), 'of a run');
  const feedback = await (await target.get(`/api/v1/feedback?session=${experiment.id}`)).text();
  t.ok(
    feedback.includes('"key":"\\u0000 key"') &&
      feedback.includes('"comment":"\\ud800 half"') &&
      feedback.includes('"score":-0'),
    'of feedback',
  );
  t.ok(feedback.includes('"metadata":{"__proto__":1,"n":12345678901234567890}'), 'of its source');
  const { feedback_stats: stats } = await withStatistics(target, experiment.id);
  t.strictSame((stats as Record<string, Json>)['\u0000 key']!['avg'], 0);
});

t.test('identifies feedback by the id that a client chose', async (t) => {
  const [id, other] = [randomUUID(), randomUUID()];
  const name = unique('dataset');
  const { experiment } = await sent(
    target,
    upload({
      dataset_name: name,
      results: [row({ evaluation_scores: [{ key: 'a', score: 1, id: id.replaceAll('-', '').toUpperCase() }] })],
    }),
  );
  const found = await read(target, `/api/v1/feedback/${id}`);
  t.match(found, { id, score: 1, session_id: experiment.id });
  const scores = [{ key: 'b' }, { key: 'a', score: 2, id }];
  await refused(t, upload({ dataset_name: name, results: [row(), row({ evaluation_scores: scores })] }), 422, [
    { loc: ['body', 'results', 1, 'evaluation_scores', 1, 'id'], type: 'id_taken' },
  ]);
  await refused(t, upload({ dataset_name: name, summary_experiment_scores: scores }), 422, [
    { loc: ['body', 'summary_experiment_scores', 1, 'id'], type: 'id_taken' },
  ]);
  await refused(
    t,
    upload({
      dataset_name: name,
      summary_experiment_scores: [{ key: 'a', id: other }],
      results: [row({ evaluation_scores: [{ key: 'a', id: other }] })],
    }),
    422,
    [{ loc: ['body', 'results', 0, 'evaluation_scores', 0, 'id'], type: 'id_taken' }],
  );
  t.strictSame(await read(target, `/api/v1/feedback/${id}`), found);
});

t.test('accepts an upload under both prefixes and with a slash in every name', async (t) => {
  const name = `a/b?c#d%20 ${randomUUID()}`;
  const bare = await sent(target, upload({ dataset_name: name }), '');
  t.equal((await sent(target, upload({ dataset_name: name }), '/api/v1')).dataset.id, bare.dataset.id);
  for (const prefix of ['', '/api/v1']) {
    t.match(await read(target, `${prefix}/datasets/${bare.dataset.id}`), { name, session_count: 2 });
    t.match(await read<Json[]>(target, `${prefix}/sessions?reference_dataset=${bare.dataset.id}`), [{}, {}]);
  }
});

t.test('stores an upload of thousands of rows as one', async (t) => {
  const results = Array.from({ length: 3_000 }, (_, index) =>
    row({
      inputs: { index, text: 'x'.repeat(index % 200) },
      evaluation_scores: [{ key: 'even', score: index % 2 === 0 }],
    }),
  );
  const { experiment, dataset } = await sent(target, upload({ dataset_name: unique('dataset'), results }));
  t.equal(await read<number>(target, `/api/v1/examples/count?dataset=${dataset.id}`), 3_000);
  t.match(await withStatistics(target, experiment.id), {
    run_count: 3_000,
    error_rate: 0,
    latency_p50: 1,
    feedback_stats: { even: { n: 3_000, avg: 0.5 } },
  });
});

t.test('prepares the intake thread after the start of a server that has evaluation runs', async (t) => {
  const folder = temporaryFolder(t);
  lowerLimit(t, 'intakeStartDelayMs', 1);
  const hasIntakeThread = async ({ get }: TestServer): Promise<boolean> =>
    (await (await get('/metrics')).text()).includes('thread="evaluation-intake"');
  const first = await testServer(t, { config, dataFolder: folder });
  t.equal(await hasIntakeThread(first), false, 'none without evaluation runs');
  await sent(at(first.url), upload({ dataset_name: unique('dataset') }));
  await first.close();
  const second = await testServer(t, { config, dataFolder: folder });
  while (!(await hasIntakeThread(second))) await new Promise((resolve) => setTimeout(resolve, 20));
  await sent(at(second.url), upload({ dataset_name: unique('dataset') }));
});
