import { randomUUID } from 'node:crypto';
import t from 'tap';
import { configWith, testServer } from '../helpers/server.js';
import { fileOf } from '../helpers/export-files.js';

const server = await testServer(t, { config: configWith(t, 'echo') });

interface Content {
  inputs: unknown;
  outputs: unknown;
  metadata: Record<string, unknown>;
}

const dataset = async (): Promise<string> =>
  ((await (await server.post('/api/v1/datasets', { name: randomUUID() })).json()) as { id: string }).id;
const examplesOf = async (datasetId: string): Promise<Content[]> =>
  ((await (await server.get(`/api/v1/examples?dataset=${datasetId}&order=recently_created`)).json()) as Content[]).map(
    ({ inputs, outputs, metadata }) => ({ inputs, outputs, metadata }),
  );

async function send(
  datasetId: string,
  file: { name: string; text: string },
  keys: readonly (readonly [string, string])[] = [],
): Promise<{ status: number; text: string }> {
  const form = new FormData();
  form.append('file', new Blob([file.text]), file.name);
  for (const [name, key] of keys) form.append(name, key);
  const answer = await fetch(`${server.url}/api/v1/datasets/${datasetId}/import`, { method: 'POST', body: form });
  return { status: answer.status, text: await answer.text() };
}

t.test('imports what an export has written, as CSV and as JSON lines', async (t) => {
  const from = await dataset();
  await server.post('/api/v1/examples/bulk', [
    { dataset_id: from, inputs: { q: '=1+2', n: 5 }, outputs: { a: [1, { b: true }] }, metadata: { from: 'me' } },
    { dataset_id: from, inputs: { q: 'two\nlines, "quoted"', n: 0.5 }, split: ['test'] },
  ]);
  const csv = await fileOf(server, `/api/v1/datasets/${from}/csv`);
  const lines = await fileOf(server, `/api/v1/datasets/${from}/jsonl`);
  const into = await dataset();
  t.match(await send(into, { name: 'examples.csv', text: csv }), { status: 201 });
  t.strictSame(
    new Set((await examplesOf(into)).map((one) => JSON.stringify(one))),
    new Set((await examplesOf(from)).map((one) => JSON.stringify(one))),
  );
  t.match(await send(into, { name: 'examples.jsonl', text: lines }), { status: 201 });
  t.equal((await examplesOf(into)).length, 4);
});

t.test('takes the columns that the form names', async (t) => {
  const datasetId = await dataset();
  const table = { name: 'table.csv', text: 'question,answer,kind\n2 + 2,4,easy\n' };
  const keys = [
    ['input_keys', 'question'],
    ['output_keys', 'answer'],
    ['metadata_keys', 'kind'],
  ] as const;
  t.match(await send(datasetId, table, keys), { status: 201 });
  t.match(await examplesOf(datasetId), [
    { inputs: { question: '2 + 2' }, outputs: { answer: '4' }, metadata: { kind: 'easy' } },
  ]);
});

t.test('refuses files that it cannot read, and stores nothing', async (t) => {
  const datasetId = await dataset();
  for (const [file, keys, wanted] of [
    [{ name: 'a.csv', text: 'question\nwhy\n' }, [], /input_keys.*no column begins with \\"inputs\.\\"/],
    [{ name: 'a.csv', text: 'question\nwhy\n' }, [['input_keys', 'other']], /"file",0,"other"/],
    [{ name: 'a.csv', text: 'question\nwhy\n' }, [['output_keys', 'question']], /input_keys/],
    [{ name: 'a.csv', text: 'inputs.q,outputs.a\n,1\n' }, [], /"file",0,"inputs"/],
    [{ name: 'a.csv', text: 'inputs.q\n"open' }, [], /not CSV/],
    [{ name: 'a.jsonl', text: '{"inputs":{}}\n{"inputs":' }, [], /JSON/],
  ] as const) {
    const answer = await send(datasetId, file, keys);
    t.ok(answer.status >= 400 && answer.status < 500, `${answer.status} ${answer.text}`);
    t.match(answer.text, wanted);
  }
  t.strictSame(await examplesOf(datasetId), []);
});
