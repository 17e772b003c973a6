import { randomUUID } from 'node:crypto';
import type { Run } from 'langsmith';
import t from 'tap';
import { Empty } from '../helpers/empty.js';
import { all, langsmithOf, settled, type Call } from '../helpers/langsmith.js';
import { configWith, testServer } from '../helpers/server.js';

const config = configWith(t, 'echo');

const server = await testServer(t, { config });
const { clientOf } = await langsmithOf(server);
const calls: Call[] = [];
const client = clientOf({}, calls);
t.capture(console, 'warn');

const NOBODY = '00000000-0000-4000-8000-00000000dead';
const ISO_MICROSECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}\+00:00$/;
const unique = (name: string): string => `${name}-${randomUUID()}`;
const names = (runs: readonly { name?: string }[]): string[] => runs.map(({ name }) => name!);
const at = (second: number): string => `2024-05-01T10:00:${String(second).padStart(2, '0')}.000250Z`;

interface Uploaded {
  experiment: { id: string; name: string; tenant_id: string };
  dataset: { id: string; name: string };
}

/** Four rows of 1 to 4 seconds; the last failed. */
async function upload(more: object = {}): Promise<Uploaded> {
  const answer = await server.post('/api/v1/datasets/upload-experiment', {
    experiment_name: unique('uploaded'),
    dataset_name: unique('rows'),
    experiment_description: 'from elsewhere',
    experiment_metadata: { model: 'm1', set: 'a' },
    experiment_start_time: at(0),
    experiment_end_time: at(50),
    summary_experiment_scores: [{ key: 'overall', score: 0.5, comment: 'so so' }],
    results: [1, 2, 3, 4].map((n) => ({
      row_id: randomUUID(),
      inputs: { n },
      expected_outputs: { twice: n * 2 },
      actual_outputs: n === 4 ? null : { twice: n * 2 },
      start_time: at(n),
      end_time: at(2 * n),
      run_name: `row ${n}`,
      run_metadata: { n, parity: n % 2 === 0 ? 'even' : 'odd' },
      error: n === 4 ? 'Boo!' : null,
      evaluation_scores: [
        { key: 'right', score: n / 4, comment: `row ${n}` },
        { key: 'kind', value: n > 2 ? 'big' : 'small' },
      ],
    })),
    ...more,
  });
  t.equal(answer.status, 200);
  return (await answer.json()) as Uploaded;
}

t.test('reads an uploaded experiment by id and by name', async (t) => {
  const {
    experiment: { id, name },
    dataset,
  } = await upload();
  const project = await settled(client, { projectId: id }, { runs: 4, feedback: 8, summaries: 1 });
  t.matchStrict(project, {
    id,
    name,
    description: 'from elsewhere',
    reference_dataset_id: dataset.id,
    start_time: '2024-05-01T10:00:00.000250+00:00',
    end_time: '2024-05-01T10:00:50.000250+00:00',
    extra: { metadata: { model: 'm1' } },
    run_count: 4,
    latency_p50: 2.5,
    error_rate: 0.25,
    total_tokens: null,
    total_cost: null,
    test_run_number: 1,
    last_run_start_time: '2024-05-01T10:00:04.000250+00:00',
    feedback_stats: {
      right: { n: 4, avg: 0.625, min: 0.25, max: 1, median: 0.625, values: Empty },
      kind: { n: 4, avg: null, values: { small: 2, big: 2 } },
    },
    session_feedback_stats: { overall: { n: 1, avg: 0.5, comments: ['so so'] } },
  });
  t.equal(project.latency_p99!.toFixed(6), '3.970000');
  t.same(await client.readProject({ projectName: name, includeStats: true }), project);
  t.matchStrict(await client.readProject({ projectName: name, includeStats: false }), {
    run_count: 4,
    feedback_stats: null,
    latency_p50: null,
  });
  t.equal(
    await client.getProjectUrl({ projectName: name }),
    `http://localhost:3000/o/${(project as unknown as { tenant_id: string }).tenant_id}/projects/p/${id}`,
  );
  t.equal(await client.hasProject({ projectId: id }), true);
  t.equal(await client.hasProject({ projectName: 'nobody' }), false);
  await t.rejects(client.readProject({ projectName: 'nobody' }), /Project\[id=undefined, name=nobody\] not found/);
  await t.rejects(client.readProject({ projectId: NOBODY }), { name: 'LangSmithNotFoundError' });
  const examples = await all(client.listExamples({ datasetId: dataset.id }));
  t.equal(examples.length, 4);
  t.strictSame((await client.readDataset({ datasetId: dataset.id })) as object, {
    ...(await client.readDataset({ datasetName: dataset.name })),
  });
});

t.test('lists projects by dataset, id, name and metadata', async (t) => {
  const first = await upload();
  const second = await upload({
    dataset_id: first.dataset.id,
    dataset_name: null,
    experiment_metadata: { model: 'm2', set: 'a' },
    experiment_start_time: at(1),
  });
  const [one, two] = [first.experiment, second.experiment];
  const found = async (options: Parameters<typeof client.listProjects>[0]): Promise<string[]> =>
    (await all(client.listProjects(options))).map(({ id }) => id);
  t.strictSame(await found({ referenceDatasetId: first.dataset.id }), [two.id, one.id], 'newest first');
  t.strictSame(await found({ referenceDatasetName: first.dataset.name }), [two.id, one.id]);
  t.strictSame(await found({ referenceDatasetId: NOBODY }), []);
  t.strictSame(await found({ projectIds: [one.id, NOBODY] }), [one.id]);
  t.strictSame(await found({ name: two.name }), [two.id]);
  t.strictSame(await found({ nameContains: one.name.slice(4).toUpperCase() }), [one.id]);
  t.strictSame(await found({ referenceDatasetId: first.dataset.id, metadata: { model: 'm1' } }), [one.id]);
  t.ok((await found({ referenceFree: true })).every((id) => id !== one.id && id !== two.id));
  t.notOk((await found({ referenceFree: false })).includes((await client.readProject({ projectName: 'default' })).id));
  t.match((await all(client.listProjects({ name: two.name, includeStats: true })))[0], {
    test_run_number: 2,
    run_count: 4,
  });

  t.match(
    await client.updateProject(one.id, {
      name: `${one.name} new`,
      description: 'changed',
      metadata: { model: 'm3' },
      endTime: at(59),
    }),
    { name: `${one.name} new`, description: 'changed', extra: { metadata: { model: 'm3' } } },
  );
  t.match(
    await client.updateProject(one.id, {}),
    {
      name: `${one.name} new`,
      description: 'changed',
      extra: { metadata: { model: 'm3' } },
      end_time: '2024-05-01T10:00:59.000000+00:00',
    },
    'null changes nothing',
  );
  await t.rejects(client.updateProject(one.id, { name: two.name }), { name: 'LangSmithConflictError' });
  await t.rejects(client.createProject({ projectName: two.name }), {
    name: 'LangSmithConflictError',
    status: 409,
    message: /Session already exists/,
  });
  t.equal((await client.createProject({ projectName: two.name, upsert: true })).id, two.id);
  await client.deleteProject({ projectName: two.name });
  await t.rejects(client.deleteProject({ projectId: two.id }), { name: 'LangSmithNotFoundError' });
  t.strictSame(await found({ referenceDatasetId: first.dataset.id }), [one.id]);
});

t.test('finds runs', async (t) => {
  const {
    experiment: { id: projectId, name: projectName },
  } = await upload();
  const found = async (options: Parameters<typeof client.listRuns>[0]): Promise<string[]> =>
    names(await all(client.listRuns({ projectId, order: 'asc', ...options } as never)));
  const [row1, row2, row3, row4] = (await all(client.listRuns({ projectId, order: 'asc' } as never))) as [
    Run,
    Run,
    Run,
    Run,
  ];
  t.strictSame(names([row1, row2, row3, row4]), ['row 1', 'row 2', 'row 3', 'row 4']);
  t.match(row3, {
    inputs: { n: 3 },
    outputs: { twice: 6 },
    run_type: 'chain',
    status: 'success',
    extra: { metadata: { parity: 'odd' } },
    feedback_stats: { right: { n: 1, avg: 0.75 } },
  });
  t.strictSame(await found({ projectId: undefined, projectName } as never), ['row 1', 'row 2', 'row 3', 'row 4']);
  t.strictSame(await found({ order: 'desc' } as never), ['row 4', 'row 3', 'row 2', 'row 1']);
  t.strictSame(await found({ limit: 2 }), ['row 1', 'row 2']);
  t.strictSame(await found({ error: true }), ['row 4']);
  t.strictSame(await found({ error: false }), ['row 1', 'row 2', 'row 3']);
  t.strictSame((await found({ id: [row4.id, row2.id] })).sort(), ['row 2', 'row 4']);
  t.strictSame(await found({ startTime: new Date('2024-05-01T10:00:03Z') }), ['row 3', 'row 4']);
  t.strictSame(await found({ referenceExampleId: [row2.reference_example_id!] as never }), ['row 2']);
  t.strictSame(await found({ referenceExampleId: row2.reference_example_id! }), ['row 2']);
  t.strictSame(await found({ executionOrder: 1, isRoot: true, runType: 'chain' }), [
    'row 1',
    'row 2',
    'row 3',
    'row 4',
  ]);
  t.strictSame(await found({ runType: 'llm' }), []);
  t.strictSame(await found({ query: 'ROW 3' }), ['row 3']);
  t.strictSame(await found({ traceId: row1.trace_id! }), ['row 1']);
  t.strictSame(await found({ filter: 'and(gt(latency, 1.5), eq(status, "success"))' }), ['row 2', 'row 3']);
  t.strictSame(await found({ filter: 'and(eq(feedback_key, "right"), gte(feedback_score, 0.75))' }), [
    'row 3',
    'row 4',
  ]);
  t.strictSame(
    await found({
      filter: 'and(eq(metadata_key, "parity"), eq(metadata_value, "odd"))',
      traceFilter: 'neq(name, "row 1")',
      treeFilter: 'exists(outputs)',
    }),
    ['row 3'],
  );
  const [sparse] = await all(client.listRuns({ projectId, limit: 1, select: ['inputs'] }));
  t.match(sparse, { id: row4.id, inputs: { n: 4 }, start_time: row4.start_time, dotted_order: row4.dotted_order });
  t.notOk('outputs' in sparse! || 'extra' in sparse!, 'only what was selected, and what no client does without');
  await t.rejects(found({ filter: 'eq(nothing' }), /422/);
  t.match(await client.readRun(row4.id), { id: row4.id, error: 'Boo!', status: 'error', session_id: projectId });
  await t.rejects(client.readRun(NOBODY), { name: 'LangSmithNotFoundError' });
  t.match(await client.getRunUrl({ runId: row4.id }), /^http:\/\/localhost:3000\/o\/.*\/projects\/p\//);
  t.equal(await client.readRunSharedLink(row4.id), undefined);
  t.match(await client.getRunStats({ projectIds: [projectId], filter: 'lt(latency, 3.5)' }), {
    run_count: 3,
    latency_p50: 2,
    error_rate: 0,
    feedback_stats: { right: { n: 3, avg: 0.5 } },
  });
  t.match(await client.getRunStats({ projectNames: [projectName], isRoot: true }), { run_count: 4, error_rate: 0.25 });
});

t.test('creates, reads, changes and deletes feedback and updates statistics', async (t) => {
  const {
    experiment: { id: projectId },
  } = await upload();
  const [run] = (await all(client.listRuns({ projectId, limit: 1 }))) as [Run];
  const made = await client.createFeedback(run.id, 'human', {
    score: 0.123456,
    value: { any: 'thing' },
    comment: 'fine',
    correction: { a: 1 },
    sourceInfo: { who: 'ada' },
    feedbackSourceType: 'app',
    sessionId: projectId,
  });
  t.match(await client.readFeedback(made.id), {
    id: made.id,
    key: 'human',
    score: 0.1235,
    value: { any: 'thing' },
    comment: 'fine',
    correction: { a: 1 },
    run_id: run.id,
    session_id: projectId,
    trace_id: run.trace_id,
    feedback_source: { type: 'app', metadata: { who: 'ada' } },
    created_at: ISO_MICROSECONDS,
    modified_at: ISO_MICROSECONDS,
  });
  t.match(await settled(client, { projectId }, { runs: 4, feedback: 9, summaries: 1 }), {
    feedback_stats: { human: { n: 1, avg: 0.1235 } },
  });
  await client.updateFeedback(made.id, { score: null, comment: 'better' });
  t.matchStrict(
    await client.readFeedback(made.id),
    { score: null, comment: 'better', value: { any: 'thing' }, correction: { a: 1 } },
    'null clears, nothing keeps',
  );
  await client.updateFeedback(made.id, { score: true, correction: null, value: null, comment: null });
  t.matchStrict(await client.readFeedback(made.id), { score: true, comment: null, value: null, correction: null });

  const summary = await client.createFeedback(null, 'whole', { score: 1, projectId });
  t.matchStrict(await client.readFeedback(summary.id), { run_id: null, trace_id: null, session_id: projectId });
  t.match(await settled(client, { projectId }, { runs: 4, feedback: 9, summaries: 2 }), {
    feedback_stats: { human: { avg: 1 } },
    session_feedback_stats: { whole: { n: 1, avg: 1 } },
  });
  const listed = async (options: Parameters<typeof client.listFeedback>[0]): Promise<string[]> =>
    (await all(client.listFeedback(options))).map(({ key }) => key).sort();
  t.strictSame(await listed({ runIds: [run.id] }), ['human', 'kind', 'right']);
  t.strictSame(await listed({ runIds: [run.id], feedbackKeys: ['human', 'right'] }), ['human', 'right']);
  t.strictSame(await listed({ runIds: [run.id], feedbackSourceTypes: ['app'] }), ['human']);
  await client.deleteFeedback(made.id);
  await client.deleteFeedback(summary.id);
  await t.rejects(client.readFeedback(made.id), { name: 'LangSmithNotFoundError' });
  await t.rejects(client.updateFeedback(made.id, { score: 1 }), { name: 'LangSmithNotFoundError' });
  t.notOk('human' in (await settled(client, { projectId }, { runs: 4, feedback: 8, summaries: 1 })).feedback_stats!);

  t.test('creates, changes and lists feedback configurations', async (t) => {
    const feedbackKey = unique('key');
    const feedbackConfig = {
      type: 'categorical' as const,
      categories: [
        { value: 0, label: 'bad' },
        { value: 1, label: 'good' },
      ],
    };
    t.match(await client.createFeedbackConfig({ feedbackKey, feedbackConfig, isLowerScoreBetter: true }), {
      feedback_key: feedbackKey,
      feedback_config: feedbackConfig,
      is_lower_score_better: true,
    });
    await client.createFeedbackConfig({ feedbackKey, feedbackConfig });
    await t.rejects(
      client.createFeedbackConfig({ feedbackKey, feedbackConfig: { type: 'continuous' } }),
      /Feedback config already exists/,
    );
    t.match(await client.addFeedbackCategories(feedbackKey, [{ value: 2, label: 'best' }]), {
      feedback_config: { categories: [{ value: 0 }, { value: 1 }, { value: 2, label: 'best' }] },
      is_lower_score_better: true,
    });
    await t.rejects(client.addFeedbackCategories(feedbackKey, [{ value: 3, label: 'best' }]), /422/);
    t.strictSame(
      (await client.removeFeedbackCategories(feedbackKey, [0])).feedback_config.categories!.map(({ value }) => value),
      [1, 2],
    );
    await t.rejects(client.removeFeedbackCategories(feedbackKey, [1]), /422/);
    t.match(
      await client.updateFeedbackConfig(feedbackKey, {
        isLowerScoreBetter: false,
        feedbackConfig: { type: 'continuous', min: 0 },
      }),
      { feedback_config: { type: 'continuous', min: 0 }, is_lower_score_better: false },
    );
    t.strictSame(
      (await all(client.listFeedbackConfigs({ nameContains: feedbackKey.toUpperCase() }))).map(
        (one) => one.feedback_key,
      ),
      [feedbackKey],
    );
    await client.deleteFeedbackConfig(feedbackKey);
    t.strictSame(await all(client.listFeedbackConfigs({ feedbackKeys: [feedbackKey] })), []);
    await t.rejects(client.deleteFeedbackConfig(feedbackKey), { name: 'LangSmithNotFoundError' });
  });
});
