import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { cli } from '../helpers/cli.js';
import { langsmithOf, until } from '../helpers/langsmith.js';
import { projectOf } from '../helpers/project.js';
import { temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const config = projectOf(t, ['librarian', 'trouble'], { traces: true });
const from = await testServer(t, { config });
const to = await testServer(t);
const { clientOf } = await langsmithOf(from);
process.env['LANGSMITH_TRACING'] = 'false';
const langsmith = clientOf();
const folder = temporaryFolder(t);

type Line = Record<string, unknown>;
const parsed = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

async function lines(server: TestServer, project: string, ...flags: string[]): Promise<string> {
  const { code, stdout, stderr } = await cli(['traces', 'export', '--url', server.url, '--project', project, ...flags]);
  t.strictSame([code, stderr], [0, '']);
  return stdout;
}

async function recorded(graphId: string, input: object): Promise<string> {
  const { thread_id: threadId } = await from.client.threads.create();
  const { run_id: runId } = await from.client.runs.create(threadId, graphId, { input: input as never });
  await from.client.runs.join(threadId, runId).catch(() => undefined);
  await until(
    () => langsmith.readRun(runId).catch(() => null),
    (run) => run?.end_time != null,
  );
  return runId;
}

t.test('exports the runs of a project as lines, which another server reads as the same runs', async (t) => {
  const runId = await recorded('librarian', { messages: [{ role: 'user', content: 'Which books? \u2028 😀' }] });
  await langsmith.createFeedback(runId, 'liked', { score: 0.5, comment: 'on two\nlines' });
  const form = new FormData();
  const extraId = '11111111-1111-4111-8111-111111111111';
  const json = (value: unknown): Blob => new Blob([JSON.stringify(value)], { type: 'application/json' });
  form.append(
    `post.${extraId}`,
    json({
      id: extraId,
      trace_id: extraId,
      name: 'sent',
      run_type: 'llm',
      start_time: '2026-01-01T00:00:00Z',
      session_name: 'librarian',
      outputs: { usage_metadata: { input_tokens: 3, output_tokens: 4 } },
      events: [{ name: 'new_token', time: '2026-01-01T00:00:01Z' }],
    }),
  );
  form.append(`attachment.${extraId}.note`, new Blob(['attached'], { type: 'text/plain' }));
  t.equal((await fetch(`${from.url}/runs/multipart`, { method: 'POST', body: form })).status, 202);

  const file = join(folder, 'librarian.jsonl');
  const written = await cli(['traces', 'export', file, '--url', from.url, '--project', 'librarian']);
  t.match(written, { code: 0, stdout: '', stderr: /librarian\.jsonl: runs of librarian, \d+ bytes\.\n$/ });
  t.match(await cli(['traces', 'export', file, '--url', from.url, '--project', 'librarian']), {
    code: 1,
    stderr: /already exists/,
  });
  const text = readFileSync(file, 'utf8');
  const all = parsed(text);
  t.match(all[0], {
    name: 'sent',
    prompt_tokens: 3,
    first_token_time: /^2026-01-01T00:00:01/,
    attachments: { note: {} },
  });
  const root = all.find(({ id }) => id === runId)!;
  t.match(root, { session_name: 'librarian', feedback: [{ key: 'liked', score: 0.5, comment: 'on two\nlines' }] });
  t.ok(all.some(({ run_type: type, total_cost: cost }) => type === 'llm' && cost !== undefined));

  for (let round = 0; round < 2; round += 1) {
    const read = await cli(['traces', 'import', file, '--url', to.url]);
    t.match(read, { code: 0, stderr: new RegExp(`librarian\\.jsonl: ${all.length} runs imported`) });
    t.equal(await lines(to, 'librarian'), text, 'the same bytes, also when they are imported again');
  }
  const other = clientOf({ apiUrl: to.url });
  const tree = await other.readRun(runId, { loadChildRuns: true });
  const original = await langsmith.readRun(runId, { loadChildRuns: true });
  t.strictSame(
    tree.child_runs!.map(({ id, name }) => [id, name]),
    original.child_runs!.map(({ id, name }) => [id, name]),
  );
  t.equal(tree.total_tokens, original.total_tokens);

  t.match(await cli(['traces', 'import', file, '--url', to.url, '--project', 'elsewhere']), { code: 0 });
  t.equal((await lines(to, 'elsewhere')).replaceAll('"elsewhere"', '"librarian"'), text, 'and moved to a project');
});

t.test('exports the runs that match', async (t) => {
  await recorded('trouble', { do: 'throw' });
  const failed = parsed(await lines(from, 'trouble', '--filter', 'and(eq(is_root, true), eq(status, "error"))'));
  t.match(failed, [{ name: 'trouble', error: /CustomError/ }]);
  t.strictSame(parsed(await lines(from, 'trouble', '--until', '2020-01-01T00:00:00Z')), []);
  t.match(parsed(await lines(from, 'trouble', '--since', '2020-01-01', '--trace-filter', 'eq(name, "trouble")')), [{}]);
  const [{ id }] = (await (await from.get('/api/v1/sessions?name=trouble')).json()) as [{ id: string }];
  t.match(parsed(await lines(from, id)), [{}], 'and a project by its id');
  const fails = async (...args: string[]): Promise<unknown> => cli(['traces', 'export', '--url', from.url, ...args]);
  t.match(await fails('--project', 'nothing'), { code: 1, stderr: /there is no project "nothing"/ });
  t.match(await fails('--project', 'trouble', '--filter', 'eq('), { code: 1, stderr: /filter/ });
});

t.test('names the line that cannot be read, and stores none of its request', async (t) => {
  const run = (more: object): string =>
    JSON.stringify({
      id: '22222222-2222-4222-8222-222222222222',
      name: 'good',
      start_time: '2026-01-01T00:00:00Z',
      session_name: 'refused',
      ...more,
    });
  const id = '33333333-3333-4333-8333-333333333333';
  for (const [bad, message] of [
    ['{"id": 5}', /Line 2: id: must be string or null/],
    ['7', /Line 2: must be object/],
    ['{', /not valid JSON/],
    [run({ id, feedback: 5 }), /Line 2: feedback: must be array or null/],
    [run({ id, feedback: [5] }), /Line 2: feedback\.0: must be object/],
    [run({ id, feedback: [{ run_id: id }] }), /Line 2: feedback\.0\.key: is required/],
  ] as const) {
    const file = join(folder, 'bad.jsonl');
    writeFileSync(file, `${run({})}\n${bad}\n`);
    const said = await cli(['traces', 'import', file, '--url', to.url]);
    t.match(said, { code: 1, stderr: /bad\.jsonl: lines 1 to 2 were not imported/ }, bad);
    t.match(said.stderr, message, bad);
  }
  t.strictSame(await (await to.get('/api/v1/sessions?name=refused')).json(), []);
  t.match(await cli(['traces', 'import', join(folder, 'none.jsonl'), '--url', to.url]), {
    code: 1,
    stderr: /does not exist/,
  });
  const large = join(folder, 'large.jsonl');
  const value = 'x'.repeat(900_000);
  const ids = Array.from({ length: 12 }, (_, at) => `44444444-4444-4444-8444-${String(at).padStart(12, '0')}`);
  writeFileSync(large, ids.map((one) => run({ id: one, inputs: { value }, session_name: 'large' })).join('\n'));
  t.match(await cli(['traces', 'import', large, '--url', to.url]), { code: 0, stderr: /12 runs imported/ });
  t.equal(parsed(await lines(to, 'large')).length, 12, 'a file larger than a request');
});
