import { randomUUID } from 'node:crypto';
import type { Example } from 'langsmith';
import t from 'tap';
import { all, langsmithOf, type Call } from '../helpers/langsmith.js';
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
const ids = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);
const dataset = async (): Promise<string> => (await client.createDataset(unique('dataset'))).id;
/** Examples `{n: 0}`, `{n: 1}` … in this order. */
async function examples(
  datasetId: string,
  count: number,
  more: (n: number) => object = () => ({}),
): Promise<Example[]> {
  return client.createExamples(
    Array.from({ length: count }, (_, n) => ({
      dataset_id: datasetId,
      inputs: { n },
      outputs: { twice: n * 2 },
      ...more(n),
    })),
  );
}
const list = async (options: Parameters<typeof client.listExamples>[0]): Promise<unknown[]> =>
  (await all(client.listExamples(options))).map(({ inputs }) => (inputs as { n: unknown }).n);
const listSorted = async (options: Parameters<typeof client.listExamples>[0]): Promise<unknown[]> =>
  (await list(options)).toSorted((a, b) => (String(a) < String(b) ? -1 : 1));

t.test('creates, reads by id and name, changes and deletes a dataset', async (t) => {
  const name = unique('all about it');
  const inputsSchema = { type: 'object', properties: { n: { type: 'number' } } };
  const made = await client.createDataset(name, {
    description: 'what it is',
    dataType: 'llm',
    inputsSchema,
    outputsSchema: { type: 'object' },
    metadata: { team: 'a', deep: { x: [1] } },
  });
  t.match(made, { created_at: ISO_MICROSECONDS, modified_at: ISO_MICROSECONDS, tenant_id: String });
  const {
    id,
    tenant_id: _tenant,
    created_at: created,
    modified_at: modified,
    ...rest
  } = made as unknown as Record<string, unknown> & { id: string };
  t.equal(created, modified);
  t.strictSame(rest, {
    name,
    description: 'what it is',
    data_type: 'llm',
    inputs_schema_definition: inputsSchema,
    outputs_schema_definition: { type: 'object' },
    externally_managed: false,
    transformations: null,
    metadata: { team: 'a', deep: { x: [1] } },
    baseline_experiment_id: null,
    example_count: 0,
    session_count: 0,
    last_session_start_time: null,
  });
  t.strictSame(await client.readDataset({ datasetId: id }), made);
  t.strictSame(await client.readDataset({ datasetName: name }), made);
  t.equal(
    await client.getDatasetUrl({ datasetName: name }),
    `http://localhost:3000/o/${made.tenant_id}/datasets/${id}`,
  );

  const renamed = unique('renamed');
  t.match(await client.updateDataset({ datasetName: name, name: renamed, description: 'changed' }), {
    id,
    name: renamed,
    description: 'changed',
    created_at: created,
    metadata: { team: 'a' },
  });
  t.ok((await client.readDataset({ datasetId: id })).modified_at > String(modified));
  t.equal(await client.hasDataset({ datasetName: name }), false);
  t.equal(await client.hasDataset({ datasetName: renamed }), true);
  await client.deleteDataset({ datasetName: renamed });
  t.equal(await client.hasDataset({ datasetId: id }), false);
  t.equal(await client.hasDataset({ datasetName: renamed }), false);
  const again = await client.createDataset(renamed);
  t.not(again.id, id, 'its name is free');
  t.strictSame(
    [again.description, again.data_type, (again as { metadata?: unknown }).metadata],
    [null, 'kv', null],
    'nothing of the first is left',
  );
});

t.test('returns 404 for a missing dataset and 409 for a name in use', async (t) => {
  const name = unique('taken');
  const { id } = await client.createDataset(name);
  await t.rejects(client.createDataset(name), {
    name: 'LangSmithConflictError',
    status: 409,
    message: /already exists/,
  });
  const other = await client.createDataset(unique('other'));
  await t.rejects(client.updateDataset({ datasetId: other.id, name }), { name: 'LangSmithConflictError' });
  await t.rejects(client.readDataset({ datasetId: NOBODY }), {
    name: 'LangSmithNotFoundError',
    status: 404,
    message: /Dataset not found/,
  });
  await t.rejects(client.readDataset({ datasetName: 'nobody' }), /Dataset\[id=undefined, name=nobody\] not found/);
  await t.rejects(client.updateDataset({ datasetId: NOBODY, name: 'x' }), { name: 'LangSmithNotFoundError' });
  await t.rejects(client.deleteDataset({ datasetId: NOBODY }), { name: 'LangSmithNotFoundError' });
  await t.rejects(client.createExample({ dataset_id: NOBODY, inputs: {} }), /Dataset not found/);
  await t.rejects(client.readExample(NOBODY), { name: 'LangSmithNotFoundError', message: /Example not found/ });
  await t.rejects(client.updateExample({ id: NOBODY, inputs: {} }), { name: 'LangSmithNotFoundError' });
  await t.rejects(client.updateExample({ id: NOBODY, dataset_id: id, inputs: {} }), /Example not found/);
  await t.rejects(client.deleteExample(NOBODY), { name: 'LangSmithNotFoundError' });
  await t.rejects(all(client.listExamples({ datasetId: NOBODY })), { name: 'LangSmithNotFoundError' });
  await t.rejects(client.readDatasetVersion({ datasetId: id, tag: 'nobody' }), { name: 'LangSmithNotFoundError' });
  await t.rejects(client.readDatasetVersion({ datasetId: id, asOf: '2001-01-01T00:00:00Z' }), {
    name: 'LangSmithNotFoundError',
  });
  t.equal((await client.readDataset({ datasetId: id })).example_count, 0);
});

t.test('lists datasets by id, name, part of a name and metadata, in pages', async (t) => {
  const set = unique('set');
  const made: string[] = [];
  for (const n of [0, 1, 2, 3, 4])
    made.push((await client.createDataset(`${set} N${n}`, { metadata: { set, odd: n % 2 === 1 } })).id);
  const found = async (options: Parameters<typeof client.listDatasets>[0]): Promise<string[]> =>
    ids(await all(client.listDatasets(options))).sort();
  const sorted = (...at: number[]): string[] => at.map((n) => made[n]!).sort();
  t.strictSame(await found({ datasetIds: [made[1]!, made[3]!, NOBODY] }), sorted(1, 3));
  t.strictSame(await found({ datasetName: `${set} N2` }), sorted(2));
  t.strictSame(await found({ datasetName: 'nobody' }), []);
  t.strictSame(await found({ datasetNameContains: `${set.toUpperCase()} n` }), sorted(0, 1, 2, 3, 4));
  t.strictSame(await found({ metadata: { set, odd: true } }), sorted(1, 3));
  calls.length = 0;
  t.strictSame(await found({ metadata: { set }, limit: 2 }), sorted(0, 1, 2, 3, 4), 'a limit is the size of a page');
  t.equal(calls.length, 3);
  t.equal((await found({ metadata: { set }, limit: 2, offset: 2 })).length, 3);
  t.ok((await found({})).length >= 5);
});

t.test('creates, reads, changes and deletes an example', async (t) => {
  const datasetName = unique('one');
  const { id: datasetId } = await client.createDataset(datasetName);
  const id = randomUUID();
  const made = await client.createExample({
    id,
    dataset_name: datasetName,
    inputs: { text: 'ä€😀', nested: { list: [1, null, { __proto__x: -1.5e-9 }] } },
    outputs: { ok: true },
    metadata: { who: 'ada' },
    split: 'test',
  });
  t.match(made, { created_at: ISO_MICROSECONDS, modified_at: ISO_MICROSECONDS });
  const { created_at: created, modified_at: modified, name, ...rest } = made as Example & { name: string };
  t.type(name, 'string');
  t.strictSame(rest, {
    id,
    dataset_id: datasetId,
    inputs: { text: 'ä€😀', nested: { list: [1, null, { __proto__x: -1.5e-9 }] } },
    outputs: { ok: true },
    metadata: { who: 'ada', dataset_split: ['test'] },
    source_run_id: null,
  });
  t.strictSame(await client.readExample(id), made);
  t.match(await client.updateExample({ id, outputs: { ok: false } }), { count: 1, example_ids: [id] });
  t.match(await client.readExample(id), {
    inputs: made.inputs,
    outputs: { ok: false },
    metadata: made.metadata,
    created_at: created,
  });
  t.match(await client.updateExample(id, { metadata: { who: 'bob' }, split: ['a', 'b'], dataset_id: datasetId }), {
    count: 1,
  });
  const changed = await client.readExample(id);
  t.strictSame(changed.metadata, { who: 'bob', dataset_split: ['a', 'b'] });
  t.ok(changed.modified_at! > modified!);
  await t.rejects(client.createExample({ id, dataset_id: datasetId, inputs: {} }), /already exists/);
  t.equal((await client.readDataset({ datasetId })).example_count, 1);
  await client.deleteExample(id);
  await t.rejects(client.readExample(id), { name: 'LangSmithNotFoundError' });
  t.strictSame(await list({ datasetId }), []);
  t.equal((await client.readDataset({ datasetId })).example_count, 0);
  t.matchStrict(
    await client.createExample({ id, dataset_id: datasetId, inputs: { back: 1 } }),
    { id, inputs: { back: 1 }, outputs: null },
    'its id is free again',
  );

  t.match(
    await client.createExample({ old: 1 }, { form: 2 }, { datasetId, metadata: { m: 1 }, createdAt: new Date(1e12) }),
    { inputs: { old: 1 }, outputs: { form: 2 }, created_at: '2001-09-09T01:46:40.000000+00:00' },
  );
  t.match(await client.createLLMExample('hi', 'there', { datasetId }), {
    inputs: { input: 'hi' },
    outputs: { output: 'there' },
  });
  t.match(
    await client.createChatExample(
      [{ role: 'user', content: 'hi' }],
      { role: 'ai', content: 'there' },
      { datasetName },
    ),
    { inputs: { input: [{ role: 'user' }] }, outputs: { output: { role: 'ai' } } },
  );
});

t.test('creates all of many examples or none', async (t) => {
  const datasetId = await dataset();
  const made = await examples(datasetId, 250);
  t.equal(made.length, 250);
  t.strictSame(
    made.map(({ inputs }) => inputs['n']),
    Array.from({ length: 250 }, (_, n) => n),
    'in the order of the body',
  );
  calls.length = 0;
  t.strictSame(
    (await list({ datasetId })).toSorted((a, b) => Number(a) - Number(b)),
    Array.from({ length: 250 }, (_, n) => n),
  );
  t.equal(calls.length, 3, 'in pages');
  t.equal((await client.readDataset({ datasetId })).example_count, 250);
  const bad = [
    { dataset_id: datasetId, inputs: { n: 'new' } },
    { dataset_id: datasetId, id: made[0]!.id, inputs: { n: 'taken' } },
  ];
  await t.rejects(client.createExamples(bad), /already exists/);
  await t.rejects(
    client.createExamples([
      { dataset_id: datasetId, inputs: { n: 'new' } },
      { dataset_id: datasetId, inputs: null as never },
    ]),
    /422/,
  );
  t.equal((await client.readDataset({ datasetId })).example_count, 250);
  const old = await client.createExamples({
    datasetId: await dataset(),
    inputs: [{ n: 1 }, { n: 2 }],
    outputs: [{ a: 1 }, { a: 2 }],
    metadata: [{ m: 1 }, {}],
    splits: ['x', ['y', 'z']],
    exampleIds: [randomUUID(), randomUUID()],
  });
  t.strictSame(
    old.map(({ inputs, outputs, metadata }) => [inputs, outputs, metadata]),
    [
      [{ n: 1 }, { a: 1 }, { m: 1, dataset_split: ['x'] }],
      [{ n: 2 }, { a: 2 }, { dataset_split: ['y', 'z'] }],
    ],
  );
  t.strictSame(await client.createExamples([]), []);
  await client.updateExamples(
    made.slice(0, 3).map(({ id }, at) => ({ id, dataset_id: datasetId, inputs: { n: `changed ${at}` } })),
  );
  t.strictSame(await list({ datasetId, exampleIds: ids(made.slice(0, 3)) }), ['changed 0', 'changed 1', 'changed 2']);
  await t.rejects(
    client.updateExamples([
      { id: made[3]!.id, dataset_id: datasetId, inputs: { n: 'x' } },
      { id: NOBODY, dataset_id: datasetId, inputs: {} },
    ]),
    /Example not found/,
  );
  t.strictSame(await list({ datasetId, exampleIds: [made[3]!.id] }), [3]);
  await client.deleteExamples(ids(made.slice(0, 100)));
  t.equal((await client.readDataset({ datasetId })).example_count, 150);
  await t.rejects(client.deleteExamples([made[100]!.id, NOBODY]), { name: 'LangSmithNotFoundError' });
  t.equal((await client.readDataset({ datasetId })).example_count, 150);
});

t.test('lists examples by id, split, metadata and filter, in pages', async (t) => {
  const datasetId = await dataset();
  const made = await examples(datasetId, 6, (n) => ({
    metadata: { parity: n % 2 === 0 ? 'even' : 'odd', deep: { n } },
    split: n < 2 ? ['train', 'small'] : 'test',
  }));
  const sorted = async (options: Parameters<typeof client.listExamples>[0]): Promise<unknown[]> =>
    await listSorted({ datasetId, ...options });
  t.strictSame(await sorted({ exampleIds: [made[4]!.id, made[1]!.id] }), [1, 4]);
  t.strictSame(await sorted({ splits: ['train'] }), [0, 1]);
  t.strictSame(await sorted({ splits: ['small', 'test'] }), [0, 1, 2, 3, 4, 5]);
  t.strictSame(await sorted({ metadata: { parity: 'odd' } }), [1, 3, 5]);
  t.strictSame(await sorted({ metadata: { deep: { n: 2 } } }), [2]);
  t.strictSame(await sorted({ metadata: { parity: 'odd' }, splits: ['train'] }), [1]);
  t.strictSame(await sorted({ filter: 'has(metadata, \'{"parity": "even"}\')' }), [0, 2, 4]);
  t.strictSame(
    await sorted({ filter: 'and(exists(metadata, "deep"), not(has(metadata, \'{"parity": "even"}\')))' }),
    [1, 3, 5],
  );
  await t.rejects(sorted({ filter: 'nonsense(' }), /422/);
  const order = await list({ datasetId });
  t.strictSame(await list({ datasetId, limit: 2 }), order.slice(0, 2));
  t.strictSame(await list({ datasetId, limit: 2, offset: 3 }), order.slice(3, 5));
  t.strictSame(await list({ datasetId, offset: 5 }), order.slice(5));
  t.strictSame(await list({ datasetId, limit: 500 }), order);
  const [sparse] = await all(
    client.listExamples({ datasetId, limit: 1, select: ['metadata'], excludeDefaultFields: true }),
  );
  t.notOk('inputs' in sparse!);
  t.ok('metadata' in sparse!);
  t.ok('inputs' in (await all(client.listExamples({ datasetId, limit: 1, select: ['metadata'] })))[0]!);
});

t.test('keeps earlier versions of examples readable', async (t) => {
  const datasetId = await dataset();
  const [first, second] = (await examples(datasetId, 2)) as [Example, Example];
  const { as_of: before } = await client.readDatasetVersion({ datasetId, tag: 'latest' });
  t.equal(before, first.modified_at, 'the newest time of its examples is a version');
  await client.updateExample({ id: first.id, inputs: { n: 'changed' } });
  const [third] = (await examples(datasetId, 1)) as [Example];
  await client.deleteExample(second.id);
  const { as_of: after, tags } = await client.readDatasetVersion({ datasetId, asOf: new Date(Date.now() + 60_000) });
  t.strictSame(tags, ['latest']);
  t.strictSame(await listSorted({ datasetId, asOf: before }), [0, 1]);
  t.strictSame(await listSorted({ datasetId, asOf: after }), [0, 'changed']);
  t.strictSame(await listSorted({ datasetId, asOf: 'latest' }), [0, 'changed']);
  const sets = (diff: object): object =>
    Object.fromEntries(Object.entries(diff).map(([key, value]) => [key, (value as string[]).toSorted()]));
  t.strictSame(sets(await client.diffDatasetVersions({ datasetId, fromVersion: before, toVersion: after })), {
    examples_modified: [first.id],
    examples_added: [third.id],
    examples_removed: [second.id],
  });
  t.strictSame(sets(await client.diffDatasetVersions({ datasetId, fromVersion: 'latest', toVersion: 'latest' })), {
    examples_modified: [],
    examples_added: [],
    examples_removed: [],
  });

  await client.updateDatasetTag({ datasetId, asOf: before, tag: 'prod' });
  t.match(await client.readDatasetVersion({ datasetId, tag: 'prod' }), { as_of: before, tags: ['prod'] });
  t.strictSame(await listSorted({ datasetId, asOf: 'prod' }), [0, 1]);
  await client.updateDatasetTag({ datasetId, asOf: 'latest', tag: 'prod' });
  t.match(
    await client.readDatasetVersion({ datasetId, tag: 'prod' }),
    { as_of: after, tags: ['latest', 'prod'] },
    'a tag moves',
  );
  const versions = (await (await server.get(`/datasets/${datasetId}/versions`)).json()) as {
    as_of: string;
    tags: string[] | null;
  }[];
  t.strictSame(
    [versions.length, versions[0], versions.at(-1)],
    [4, { as_of: after, tags: ['latest', 'prod'] }, { as_of: before, tags: null }],
  );
  const old = await (await server.get(`/examples/${second.id}?as_of=${encodeURIComponent(before)}`)).json();
  t.strictSame(old, second, 'an example that was deleted is read as of then');

  await client.deleteExamples([second.id], { hardDelete: true });
  t.equal(
    (await server.get(`/examples/${second.id}?as_of=${encodeURIComponent(before)}`)).status,
    404,
    'what was removed before can be erased',
  );
  await client.deleteExamples([first.id], { hardDelete: true });
  t.strictSame(await listSorted({ datasetId, asOf: before }), [], 'hard: gone from every version');
});

t.test('reads and changes splits', async (t) => {
  const datasetId = await dataset();
  const made = await examples(datasetId, 4);
  t.strictSame(await client.listDatasetSplits({ datasetId }), ['base']);
  const { as_of: before } = await client.readDatasetVersion({ datasetId, tag: 'latest' });
  calls.length = 0;
  await client.updateDatasetSplits({ datasetId, splitName: 'train', exampleIds: ids(made.slice(0, 3)) });
  await client.updateDatasetSplits({ datasetId, splitName: 'base', exampleIds: ids(made.slice(0, 1)), remove: true });
  t.strictSame(
    calls.map(({ method, path, status }) => [method, path, status]),
    Array.from({ length: 2 }, () => ['PATCH', `/v1/platform/datasets/${datasetId}/examples/metadata`, 207]),
  );
  t.strictSame(await client.listDatasetSplits({ datasetId }), ['base', 'train']);
  t.strictSame(await client.listDatasetSplits({ datasetId, asOf: before }), ['base']);
  t.strictSame(await listSorted({ datasetId, splits: ['train'] }), [0, 1, 2]);
  t.strictSame(await listSorted({ datasetId, splits: ['base'] }), [1, 2, 3]);
  await t.rejects(client.updateDatasetSplits({ datasetId: NOBODY, splitName: 'x', exampleIds: ids(made) }), {
    name: 'LangSmithNotFoundError',
    message: /Dataset not found/,
  });
  const put = await fetch(`${server.url}/datasets/${datasetId}/splits`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ split_name: 'old way', examples: [made[3]!.id] }),
  });
  t.strictSame([put.status, await put.json()], [200, [made[3]!.id]]);
  t.strictSame(await client.listDatasetSplits({ datasetId }), ['base', 'old way', 'train']);
});

t.test('copies a dataset and creates examples from runs', async (t) => {
  const [source, target] = [await dataset(), await dataset()];
  const made = await examples(source, 3, (n) => ({ split: n === 0 ? 'a' : 'b' }));
  const clone = async (body: object): Promise<Response> =>
    server.post('/datasets/clone', { source_dataset_id: source, target_dataset_id: target, ...body });
  t.equal((await clone({ split: 'b' })).status, 200);
  t.strictSame(await listSorted({ datasetId: target }), [1, 2]);
  t.notOk(
    (await all(client.listExamples({ datasetId: target }))).some(({ id }) => ids(made).includes(id)),
    'with ids of their own',
  );
  t.equal((await clone({ source_dataset_id: NOBODY })).status, 404);

  const runId = randomUUID();
  await client.createRun({
    id: runId,
    name: 'source',
    run_type: 'chain',
    inputs: { from: 'run' },
    outputs: { too: 1 },
    project_name: 'sources',
    start_time: 1e12,
    end_time: 1e12 + 5,
  });
  t.match(
    await client.createExample({
      dataset_id: target,
      inputs: undefined as never,
      source_run_id: runId,
      use_source_run_io: true,
    }),
    { inputs: { from: 'run' }, outputs: { too: 1 }, source_run_id: runId },
  );
});

t.test('shares nothing publicly and reports one workspace', async (t) => {
  const datasetId = await dataset();
  const json = async (path: string): Promise<unknown> => (await server.get(path)).json();
  t.equal(await json(`/datasets/${datasetId}/share`), null);
  t.equal((await server.get(`/datasets/${NOBODY}/share`)).status, 404);
  const [project] = await all(client.listProjects({ name: 'default' }));
  t.matchStrict(await json('/settings'), {
    id: project!.tenant_id,
    display_name: String,
    created_at: ISO_MICROSECONDS,
    tenant_handle: null,
  });
  t.match(await json('/api/v1/workspaces/current/stats'), {
    tenant_id: project!.tenant_id,
    dataset_count: (await all(client.listDatasets())).length,
    tracer_session_count: (await all(client.listProjects())).length,
  });
});

t.test('creates a dataset from a CSV file and refuses its name afterwards', async (t) => {
  const csvFile = new Blob(['question,answer,kind\n"one, two",2,easy\n"say ""hi""",hi,\n'], { type: 'text/csv' });
  const wanted = {
    csvFile,
    fileName: 'questions.csv',
    inputKeys: ['question'],
    outputKeys: ['answer'],
    name: 'from a file',
    description: 'read',
  };
  const dataset = await client.uploadCsv(wanted);
  t.match(dataset, { name: 'from a file', description: 'read', example_count: 2, data_type: 'kv' });
  const found = [];
  for await (const { inputs, outputs } of client.listExamples({ datasetId: dataset.id }))
    found.push({ inputs, outputs });
  t.strictSame(found, [
    { inputs: { question: 'one, two' }, outputs: { answer: '2' } },
    { inputs: { question: 'say "hi"' }, outputs: { answer: 'hi' } },
  ]);
  await t.rejects(client.uploadCsv(wanted), /already exists/);
  await t.rejects(client.uploadCsv({ ...wanted, name: 'other', inputKeys: ['missing'] }), /missing/);
  await t.rejects(client.readDataset({ datasetName: 'other' }), 'nothing is left of it');
});
