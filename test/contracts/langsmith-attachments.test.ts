import { randomBytes, randomUUID } from 'node:crypto';
import type { Example, Run } from 'langsmith';
import t from 'tap';
import { LIMITS } from '../../src/base/limits.js';
import { dataFile } from '../../src/store/files/data-file.js';
import { keys } from '../../src/store/keys.js';
import { Reader } from '../../src/store/reader.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { all, langsmithOf, until, type Call } from '../helpers/langsmith.js';
import { configWith, testServer } from '../helpers/server.js';

const clock = new FakeClock(Date.now());
const server = await testServer(t, { config: configWith(t, 'echo'), clock });
const { clientOf, evaluate, RunTree } = await langsmithOf(server);
const calls: Call[] = [];
const client = clientOf({}, calls);
t.capture(console, 'log');
t.capture(console, 'warn');

const reader = Reader.attach(dataFile(server.dataFolder), null);
t.teardown(() => reader.close());
/** Number of chunks of attachments on disk. */
const chunks = (): number => {
  reader.refresh();
  return [...reader.keys({ prefix: keys.attachments() })].length;
};

type Urls = Record<string, { presigned_url: string; mime_type: string }>;
const unique = (name: string): string => `${name}-${randomUUID()}`;
const dataset = async (): Promise<string> => (await client.createDataset(unique('attached'))).id;
const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const urlsOf = (run: unknown): Urls => (run as { s3_urls: Urls }).s3_urls;

async function download(url: string): Promise<{ status: number; headers: Headers; bytes: Buffer }> {
  const answer = await fetch(new URL(url, server.url));
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
}
/** Content of each attachment of an example, read with the client. */
async function contents(example: Example): Promise<Record<string, [mime: string, content: string]>> {
  const found: Record<string, [string, string]> = {};
  for (const [name, { presigned_url: url, mime_type: mime }] of Object.entries(example.attachments ?? {}))
    found[name] = [mime!, (await download(url)).bytes.toString()];
  return found;
}
const listed = async (datasetId: string, more: object = {}): Promise<Example[]> =>
  (await all(client.listExamples({ datasetId, includeAttachments: true, ...more }))) as Example[];

function form(...parts: [name: string, content: string | Uint8Array, type?: string][]): FormData {
  const data = new FormData();
  for (const [name, content, type = 'application/json'] of parts)
    data.append(name, new Blob([content as Uint8Array<ArrayBuffer>], { type }));
  return data;
}
const send = (method: string, path: string, body: FormData): Promise<Response> =>
  fetch(`${server.url}${path}`, { method, body });

t.test('stores attachments of examples, and links to them in lists and single reads', async (t) => {
  const datasetId = await dataset();
  // Several chunks, and none of them a multiple of the chunk size.
  const large = new Uint8Array(randomBytes(700_001));
  const [made] = (await client.createExamples([
    {
      dataset_id: datasetId,
      inputs: { q: 1 },
      outputs: { a: 2 },
      attachments: {
        notes: ['text/plain', text('hello')],
        'large.bin': { mimeType: 'application/octet-stream', data: large },
        nothing: ['image/png', new Uint8Array(0)],
      },
    },
  ])) as [Example];
  t.strictSame(Object.keys(made.attachments!), ['notes', 'large.bin', 'nothing']);
  const [found] = (await listed(datasetId)) as [Example];
  t.match(found, { inputs: { q: 1 }, outputs: { a: 2 }, metadata: { dataset_split: ['base'] } });
  t.equal(found.attachments!['notes']!.mime_type, 'text/plain');
  const notes = await download(found.attachments!['notes']!.presigned_url);
  t.equal(notes.bytes.toString(), 'hello');
  t.match(Object.fromEntries(notes.headers), {
    'content-type': 'text/plain',
    'content-disposition': 'attachment; filename="notes"; filename*=UTF-8\'\'notes',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  });
  t.ok((await download(found.attachments!['large.bin']!.presigned_url)).bytes.equals(large));
  const empty = await download(found.attachments!['nothing']!.presigned_url);
  t.equal(empty.bytes.length, 0);
  t.match(empty.headers.get('content-disposition'), /^inline; /);
  t.equal((await fetch(found.attachments!['notes']!.presigned_url, { method: 'HEAD' })).status, 200);
  const [plain] = await all(client.listExamples({ datasetId }));
  t.notOk('attachments' in plain!, 'links are only made on request');
  const none = await client.createExample({ q: 2 }, { a: 4 }, { datasetId });
  t.notOk('attachments' in (await client.readExample(none.id)));
});

t.test('keeps, renames, replaces and drops attachments in an update, and older versions keep theirs', async (t) => {
  const datasetId = await dataset();
  const attachments = {
    kept: ['text/plain', text('1')],
    old: ['text/csv', text('2')],
    replaced: ['text/plain', text('3')],
    dropped: ['text/plain', text('4')],
  } as const;
  const { id } = await client.createExample({
    dataset_id: datasetId,
    inputs: { q: 1 },
    attachments: attachments as never,
  });
  const before = await listed(datasetId);
  await client.updateExamples([
    {
      id,
      dataset_id: datasetId,
      attachments: { replaced: ['text/html', text('new')], added: ['text/plain', text('5')] },
      attachments_operations: { retain: ['kept', 'replaced'], rename: { old: 'renamed' } },
    } as never,
  ]);
  const [after] = (await listed(datasetId)) as [Example];
  t.strictSame(await contents(after), {
    kept: ['text/plain', '1'],
    replaced: ['text/html', 'new'],
    renamed: ['text/csv', '2'],
    added: ['text/plain', '5'],
  });
  const asOf = (before[0] as unknown as { modified_at: string }).modified_at;
  const [older] = (await listed(datasetId, { asOf })) as [Example];
  t.strictSame(Object.keys(await contents(older)), ['kept', 'old', 'replaced', 'dropped']);
  await client.updateExample({ id, dataset_id: datasetId, inputs: { q: 2 } } as never);
  t.strictSame(Object.keys(await contents((await listed(datasetId))[0]!)), ['kept', 'replaced', 'renamed', 'added']);
  const unknown = await send(
    'PATCH',
    `/v1/platform/datasets/${datasetId}/examples`,
    form([id, '{}'], [`${id}.attachments_operations`, '{"retain":["nothing"]}']),
  );
  t.equal(unknown.status, 422);
  t.match(await unknown.text(), 'the example has no attachment \\"nothing\\"');
});

t.test('stores attachments of runs beside the other runs of their batch', async (t) => {
  const project = unique('runs');
  const [root, other] = ['with', 'without'].map(
    (name) => new RunTree({ name, run_type: 'chain', project_name: project, client, inputs: { name } }),
  ) as [InstanceType<typeof RunTree>, InstanceType<typeof RunTree>];
  root.attachments = { start: ['image/png', text('png')], both: { mimeType: 'text/plain', data: text('first') } };
  await Promise.all([root.postRun(), other.postRun()]);
  await client.awaitPendingTraceBatches();
  root.attachments['end'] = ['text/plain', text('done').buffer as ArrayBuffer];
  await root.end({ a: 1 });
  await root.patchRun();
  await other.end();
  await other.patchRun();
  await client.awaitPendingTraceBatches();
  t.ok(calls.filter(({ path }) => path === '/runs/multipart').every(({ status }) => status === 202));
  const found = (await client.readRun(root.id)) as Run;
  t.match(found, { outputs: { a: 1 }, status: 'success' });
  const urls = urlsOf(found);
  t.strictSame(Object.keys(urls), ['attachment.start', 'attachment.both', 'attachment.end']);
  t.equal((await download(urls['attachment.end']!.presigned_url)).bytes.toString(), 'done');
  t.equal(urls['attachment.start']!.mime_type, 'image/png');
  t.equal(urlsOf(await client.readRun(other.id)), null);
  const [queried] = await all(
    client.listRuns({ projectName: project, filter: 'eq(name, "with")', select: ['id', 's3_urls'] }),
  );
  t.strictSame(Object.keys(urlsOf(queried)), Object.keys(urls));
  const before = chunks();
  await client.deleteProject({ projectName: project });
  t.equal((await download(urls['attachment.end']!.presigned_url)).status, 404);
  await until(
    async () => chunks(),
    (count) => count === before - 3,
  );
});

t.test('accepts attachments of runs that a client sends as JSON', async (t) => {
  const id = randomUUID();
  const plain = clientOf({ autoBatchTracing: false });
  await plain.createRun({
    id,
    name: 'json',
    run_type: 'chain',
    inputs: {},
    project_name: unique('json'),
    attachments: { bytes: ['text/plain', text('abc')], lost: ['text/plain', text('x').buffer] },
  } as never);
  const urls = urlsOf(await client.readRun(id));
  t.strictSame(Object.keys(urls), ['attachment.bytes'], 'the client turns an ArrayBuffer into {}');
  t.equal((await download(urls['attachment.bytes']!.presigned_url)).bytes.toString(), 'abc');
  await client.batchIngestRuns({
    runUpdates: [{ id, attachments: { bytes: ['text/csv', Buffer.from('new')] } } as never],
  });
  const replaced = urlsOf(await client.readRun(id))['attachment.bytes']!;
  t.equal(replaced.mime_type, 'text/csv');
  t.equal((await download(replaced.presigned_url)).bytes.toString(), 'new');
  t.equal((await download(urls['attachment.bytes']!.presigned_url)).status, 404, 'the replaced file is gone');
});

t.test('evaluates with attachments', async (t) => {
  const datasetId = await dataset();
  await client.createExamples([
    { dataset_id: datasetId, inputs: { q: 1 }, attachments: { file: ['text/plain', text('content')] } },
  ]);
  const seen: unknown[] = [];
  await evaluate(
    async (_inputs: unknown, config?: { attachments?: Example['attachments'] }) => {
      const { presigned_url: url } = config!.attachments!['file']!;
      return { read: (await download(url)).bytes.toString() };
    },
    {
      client,
      data: datasetId,
      includeAttachments: true,
      evaluators: [
        ({ outputs, attachments }: { outputs?: unknown; attachments?: unknown }) => {
          seen.push(outputs, attachments);
          return { key: 'seen', score: 1 };
        },
      ] as never,
    },
  );
  t.match(seen, [{ read: 'content' }, { file: { mime_type: 'text/plain', presigned_url: String } }]);
});

t.test('copies attachments to a clone, and from the run that an example is made from', async (t) => {
  const [from, to] = [await dataset(), await dataset()];
  await client.createExamples([
    { dataset_id: from, inputs: { q: 1 }, attachments: { file: ['text/plain', text('copied')] } },
  ]);
  await server.post('/datasets/clone', { source_dataset_id: from, target_dataset_id: to });
  await client.deleteDataset({ datasetId: from });
  const [copy] = (await listed(to)) as [Example];
  t.strictSame(await contents(copy), { file: ['text/plain', 'copied'] });

  const project = unique('source');
  const run = new RunTree({ name: 'source', run_type: 'chain', project_name: project, client, inputs: { q: 7 } });
  run.attachments = { a: ['text/plain', text('A')], b: ['text/plain', text('B')] };
  await run.postRun();
  await client.awaitPendingTraceBatches();
  const made = (await client.createExample({
    dataset_id: to,
    source_run_id: run.id,
    use_source_run_io: true,
    use_source_run_attachments: ['b'],
    attachments: { c: ['text/plain', text('C')] },
  } as never)) as Example;
  await client.deleteProject({ projectName: project });
  t.match(made, { inputs: { q: 7 } });
  t.strictSame(await contents(made), { b: ['text/plain', 'B'], c: ['text/plain', 'C'] });
  const missing = await send(
    'POST',
    `/v1/platform/datasets/${to}/examples`,
    form([randomUUID(), JSON.stringify({ source_run_id: run.id, use_source_run_attachments: ['z'] })]),
  );
  t.equal(missing.status, 422);
});

t.test('exports attachments as JSON lines, which an import reads back', async (t) => {
  const [from, to] = [await dataset(), await dataset()];
  const content = randomBytes(400_000);
  await client.createExamples([
    { dataset_id: from, inputs: { q: 1 }, attachments: { 'a "b"': ['image/png', new Uint8Array(content)] } },
    { dataset_id: from, inputs: { q: 2 } },
  ]);
  const lines = (await (await server.get(`/datasets/${from}/export`)).text()).trim().split('\n');
  t.strictSame(JSON.parse(lines[0]!).attachments, {
    'a %22b%22': { mime_type: 'image/png', data: content.toString('base64') },
  });
  t.notOk('attachments' in JSON.parse(lines[1]!));
  await client.deleteDataset({ datasetId: from });
  const imported = await server.post(`/datasets/${to}/import`, `${lines.join('\n')}\n`, {
    headers: { 'content-type': 'application/x-ndjson' },
  });
  t.equal(imported.status, 201);
  const [found] = (await listed(to)).filter(({ inputs }) => inputs['q'] === 1) as [Example];
  t.ok((await download(found.attachments!['a %22b%22']!.presigned_url)).bytes.equals(content));
});

t.test('exports attachments of an experiment, which an upload reads back', async (t) => {
  const project = unique('exported');
  const start = { start_time: Date.now() - 1_000, inputs: { q: 1 } };
  const run = new RunTree({ name: 'r', run_type: 'chain', project_name: project, client, ...start });
  run.attachments = { file: ['text/plain', text('run')] };
  await run.end({ a: 1 });
  await run.postRun();
  await client.awaitPendingTraceBatches();
  const { id: session } = await client.readProject({ projectName: project });
  const lines = (await (await server.get(`/sessions/${session}/export`)).text()).trim().split('\n');
  t.strictSame(JSON.parse(lines[1]!).attachments, { file: { mime_type: 'text/plain', data: 'cnVu' } });
  await client.deleteProject({ projectName: project });
  const header = { ...JSON.parse(lines[0]!), dataset_name: unique('again') };
  const upload = (row: object): Promise<Response> =>
    server.post('/api/v1/datasets/upload-experiment', { ...header, results: [row] });
  const row = JSON.parse(lines[1]!);
  const refused = await upload({ ...row, attachments: { file: { data: '!' } } });
  t.equal(refused.status, 422);
  t.match(await refused.json(), { detail: [{ loc: ['body', 'results', 0, 'attachments', 'file'] }] });
  const { experiment } = (await (await upload(row)).json()) as { experiment: { id: string } };
  const [again] = await all(client.listRuns({ projectId: experiment.id, select: ['s3_urls'] }));
  t.equal((await download(urlsOf(again)['attachment.file']!.presigned_url)).bytes.toString(), 'run');
});

t.test('refuses attachments over a limit, names the part, and stores nothing', async (t) => {
  const datasetId = await dataset();
  const before = chunks();
  const path = `/v1/platform/datasets/${datasetId}/examples`;
  const [first, second] = [randomUUID(), randomUUID()];
  const small = [`${first}.attachment.small`, 'x', 'text/plain'] as [string, string, string];
  const refusals: [parts: [string, string | Uint8Array, string?][], message: string][] = [
    [
      [[`${second}.attachment.big`, new Uint8Array(LIMITS.attachmentBytesMax + 1), 'text/plain']],
      `${second}.attachment.big: must not have more than ${LIMITS.attachmentBytesMax} bytes`,
    ],
    [
      [[`${second}.attachment.${'n'.repeat(LIMITS.attachmentNameBytesMax + 1)}`, 'x']],
      `must name the attachment with at most ${LIMITS.attachmentNameBytesMax} bytes`,
    ],
    [
      Array.from({ length: LIMITS.attachmentsPerRecordMax + 1 }, (_, n) => [`${second}.attachment.${n}`, 'x']),
      `${second}.attachment.100: must not have more than ${LIMITS.attachmentsPerRecordMax} attachments`,
    ],
    [[[`${second}.attachment`, 'x']], 'is not a valid part name'],
  ];
  for (const [parts, message] of refusals) {
    const answer = await send(
      'POST',
      path,
      form([first, '{}'], [`${first}.inputs`, '{}'], small, [second, '{}'], ...parts),
    );
    t.equal(answer.status, 422);
    t.match(await answer.text(), message);
  }
  const runs = await send(
    'POST',
    '/runs/multipart',
    form(
      [`post.${first}`, JSON.stringify({ id: first, name: 'r', run_type: 'chain' })],
      [`attachment.${first}.big`, new Uint8Array(LIMITS.attachmentBytesMax + 1), 'text/plain'],
    ),
  );
  t.equal(runs.status, 422);
  t.match(await runs.text(), `attachment.${first}.big`);
  const alone = await send('POST', '/runs/multipart', form([`attachment.${first}.alone`, 'x', 'text/plain']));
  t.match(await alone.text(), `needs a part post.${first} or patch.${first}`);
  t.equal((await server.get(`/api/v1/runs/${first}`)).status, 404);
  t.strictSame(await listed(datasetId), []);
  t.equal(chunks(), before);
});

t.test('removes the bytes with their example or dataset, and of a write that failed', async (t) => {
  const before = chunks();
  const datasetId = await dataset();
  const attachments = { file: ['text/plain', text('content')] } as never;
  const [soft, hard, rest] = (await client.createExamples(
    [1, 2, 3].map((q) => ({ dataset_id: datasetId, inputs: { q }, attachments })),
  )) as [Example, Example, Example];
  t.equal(chunks(), before + 3);
  const taken = await send(
    'POST',
    `/v1/platform/datasets/${datasetId}/examples`,
    form([rest.id, '{}'], [`${rest.id}.inputs`, '{}'], [`${rest.id}.attachment.x`, 'x']),
  );
  t.equal(taken.status, 409);
  await until(
    async () => chunks(),
    (count) => count === before + 3,
  );
  const [softUrl, hardUrl, restUrl] = [soft, hard, rest].map((one) => one.attachments!['file']!.presigned_url) as [
    string,
    string,
    string,
  ];
  const asOf = (rest as unknown as { modified_at: string }).modified_at;
  await client.deleteExample(soft.id);
  t.equal((await download(softUrl)).status, 404);
  const older = (await listed(datasetId, { asOf })).find(({ id }) => id === soft.id)!;
  t.strictSame(await contents(older), { file: ['text/plain', 'content'] }, 'older versions keep it');
  await client.deleteExamples([hard.id], { hardDelete: true });
  t.equal((await download(hardUrl)).status, 404);
  t.equal(chunks(), before + 2);
  t.equal((await download(restUrl)).status, 200);
  await client.deleteDataset({ datasetId });
  t.equal((await download(restUrl)).status, 404);
  await until(
    async () => chunks(),
    (count) => count === before,
  );
});

t.test('answers links that were changed with 404 and those that expired with 410', async (t) => {
  const datasetId = await dataset();
  const made = (await client.createExample({
    dataset_id: datasetId,
    inputs: {},
    attachments: { page: ['text/html', text('<script>alert(1)</script>')] },
  } as never)) as Example;
  const url = made.attachments!['page']!.presigned_url;
  t.match((await download(url)).headers.get('content-disposition'), /^attachment; /);
  for (const changed of [
    url.slice(0, -2),
    url.replace(/attachments\/[^.]+/, 'attachments/AAAA'),
    `${url}.x`,
    url.replace(/\.[^.]*$/, ''),
  ])
    t.equal((await download(changed)).status, 404, changed);
  clock.set(clock.nowMs() + LIMITS.attachmentLinkTtlMs + 60_000);
  const expired = await download(url);
  t.equal(expired.status, 410);
  t.match(expired.bytes.toString(), /^\{"detail":"This link expired at .* Read the example or run again/);
});

t.test('leaves no file behind when a client sends the same run twice', async (t) => {
  const before = chunks();
  const id = randomUUID();
  const body = (content: string): FormData =>
    form(
      [`post.${id}`, JSON.stringify({ id, name: 'r', run_type: 'chain', session_name: unique('twice') })],
      [`attachment.${id}.file`, content, 'text/plain'],
    );
  t.equal((await send('POST', '/runs/multipart', body('first'))).status, 202);
  t.equal((await send('POST', '/runs/multipart', body('second'))).status, 202);
  t.equal(chunks(), before + 1);
});
