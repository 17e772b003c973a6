import { randomUUID } from 'node:crypto';
import type { Example } from 'langsmith/schemas';
import t from 'tap';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { projectOf } from '../helpers/project.js';
import { testServer, WITHOUT_TYPES } from '../helpers/server.js';

const server = await testServer(t, { config: projectOf(t, ['sums', 'echo'], { traces: true }), env: WITHOUT_TYPES });
const { clientOf } = await langsmithOf(server);
process.env['LANGSMITH_TRACING'] = 'false';
const client = clientOf({ callerOptions: { maxRetries: 0 } });

interface Added {
  count: number;
  example_ids: string[];
  as_of: string | null;
  skipped: { run_id: string; reason: string }[];
}

const dataset = async (more: Parameters<typeof client.createDataset>[1] = {}): Promise<string> =>
  (await client.createDataset(`from runs ${randomUUID()}`, more)).id;
const request = async (datasetId: string, body: unknown): Promise<{ status: number; body: unknown }> => {
  const answer = await server.post(`/api/v1/datasets/${datasetId}/add-runs`, body);
  return { status: answer.status, body: await answer.json() };
};
const add = async (datasetId: string, body: unknown): Promise<Added> => {
  const answer = await request(datasetId, body);
  t.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body as Added;
};
const examplesOf = async (datasetId: string): Promise<Example[]> => all(client.listExamples({ datasetId }));

/** Runs the graph once for each input on one thread, and waits for the traces. */
async function conversation(
  graph: string,
  ...inputs: Record<string, unknown>[]
): Promise<{ threadId: string; runIds: string[] }> {
  const { thread_id: threadId } = await server.client.threads.create();
  const runIds: string[] = [];
  for (const input of inputs) {
    const { run_id: runId } = await server.client.runs.create(threadId, graph, { input });
    await server.client.runs.join(threadId, runId);
    runIds.push(runId);
  }
  await until(
    () => all(client.listRuns({ id: runIds })),
    (runs) => runs.length === runIds.length && runs.every(({ end_time: end }) => end != null),
  );
  return { threadId, runIds };
}

t.test('adds runs with where they come from, each only once', async (t) => {
  const { threadId, runIds } = await conversation('sums', { question: '1 + 2' }, { question: '3 + 4' });
  const datasetId = await dataset();
  const first = await add(datasetId, { runs: runIds, split: 'production', metadata: { reviewed: false } });
  t.match(first, { count: 2, skipped: [] });
  const examples = await examplesOf(datasetId);
  t.strictSame(new Set(examples.map(({ inputs }) => inputs['question'])), new Set(['1 + 2', '3 + 4']));
  t.match(
    examples.find(({ source_run_id: id }) => id === runIds[0]),
    {
      inputs: { question: '1 + 2' },
      outputs: { question: '1 + 2', answer: '3' },
      metadata: {
        source_trace_id: runIds[0],
        source_thread_id: threadId,
        reviewed: false,
        dataset_split: ['production'],
      },
    },
  );
  const { modified_at: before } = await client.readDataset({ datasetId });
  t.strictSame(await add(datasetId, { runs: [...runIds, runIds[0]] }), {
    count: 0,
    example_ids: [],
    as_of: null,
    skipped: runIds.map((id) => ({ run_id: id, reason: 'already_added' })),
  });
  t.equal((await client.readDataset({ datasetId })).modified_at, before, 'nothing changes');
  t.match(await add(datasetId, { runs: [runIds[0]], allow_duplicates: true }), { count: 1 });
  await client.deleteExample(first.example_ids[1]!);
  t.match(
    await add(datasetId, { runs: runIds }),
    { count: 1, example_ids: [first.example_ids[1]] },
    'after a deletion',
  );
  t.equal((await client.readDataset({ datasetId })).example_count, 3);
  t.match(await add(await dataset(), { runs: runIds }), { count: 2 }, 'another dataset takes them, too');
});

t.test('adds a run once when requests race', async (t) => {
  const { runIds } = await conversation('sums', { question: '5 + 6' });
  const datasetId = await dataset();
  const answers = await Promise.all(Array.from({ length: 5 }, () => add(datasetId, { runs: runIds })));
  t.equal(
    answers.reduce((sum, { count }) => sum + count, 0),
    1,
  );
  t.equal((await examplesOf(datasetId)).length, 1);
});

t.test('takes parts by their paths, and edited values', async (t) => {
  const messages = [
    { role: 'user', content: 'hello' },
    { role: 'ai', content: 'world', n: -0 },
  ];
  const { runIds } = await conversation('sums', { question: '7 + 8', messages });
  const parts = await dataset();
  await add(parts, { runs: runIds, outputs_path: 'answer' });
  t.match(await examplesOf(parts), [{ inputs: { question: '7 + 8' }, outputs: { answer: '15' } }]);

  const id = randomUUID();
  const start = Date.now();
  await client.createRun({
    id,
    name: 'chat',
    run_type: 'chain',
    project_name: 'elsewhere',
    inputs: { messages },
    outputs: { messages: [messages[1]], usage: { list: [1, 2] } },
    start_time: start,
    end_time: start + 5,
  });
  await until(
    () => all(client.listRuns({ id: [id] })),
    ({ length }) => length === 1,
  );
  for (const [body, wanted] of [
    [
      { inputs_path: 'messages.0', outputs_path: 'messages.-1.content' },
      { inputs: messages[0], outputs: { content: 'world' } },
    ],
    [
      { inputs_path: 'messages', outputs_path: 'usage.list.1' },
      { inputs: { messages }, outputs: { list: 2 } },
    ],
  ] as const) {
    const datasetId = await dataset();
    await add(datasetId, { runs: [id], ...body });
    t.match(await examplesOf(datasetId), [wanted]);
  }
  const none = await dataset();
  t.match(await add(none, { runs: [id], inputs_path: 'messages.7' }), {
    count: 0,
    skipped: [{ run_id: id, reason: 'no_inputs' }],
  });
  t.match(await add(none, { runs: [id], outputs_path: 'messages.text' }), {
    skipped: [{ run_id: id, reason: 'no_outputs' }],
  });
  t.match(await add(none, { runs: [{ id, inputs: { q: 1 }, outputs: null }], inputs_path: 'messages.7' }), {
    count: 1,
  });
  t.match(await examplesOf(none), [{ inputs: { q: 1 }, outputs: null, source_run_id: id }]);
});

t.test('adds the runs of threads, and those that a filter finds', async (t) => {
  const one = await conversation('echo', { text: 'first' }, { text: 'second' });
  const two = await conversation('sums', { question: '20 + 1' });
  const datasetId = await dataset();
  t.match(await add(datasetId, { threads: [one.threadId, two.threadId] }), { count: 3, skipped: [] });
  const sources = (await examplesOf(datasetId)).map(({ source_run_id: id }) => id);
  t.strictSame(new Set(sources), new Set([...one.runIds, ...two.runIds]));

  const filtered = await dataset();
  t.match(await add(filtered, { filter: 'search("20 + 1")' }), { count: 1 });
  t.match(await examplesOf(filtered), [{ source_run_id: two.runIds[0] }]);
  const { id: echo } = await client.readProject({ projectName: 'echo' });
  const limited = await dataset();
  t.match(await add(limited, { session: [echo], limit: 1 }), { count: 1 }, 'the newest');
  t.match(await examplesOf(limited), [{ source_run_id: one.runIds[1] }]);
  const steps = await dataset();
  t.match(await add(steps, { threads: [two.threadId], filter: 'eq(name, "add")', is_root: false }), { count: 1 });
  t.match(await examplesOf(steps), [
    { outputs: { answer: '21' }, metadata: { source_trace_id: two.runIds[0], source_thread_id: two.threadId } },
  ]);
});

t.test('adds all runs of a request or none, and says which one is wrong', async (t) => {
  const { runIds } = await conversation('sums', { question: '1 + 1' }, { question: '2 + 2' });
  const strict = await dataset({
    inputsSchema: { type: 'object', properties: { question: { const: '1 + 1' } }, required: ['question'] },
  });
  t.match(await request(strict, { runs: runIds }), {
    status: 422,
    body: { detail: [{ loc: ['body', 'runs', 1, 'inputs', 'question'] }] },
  });
  t.match(await request(strict, { runs: [runIds[0], randomUUID()] }), { status: 404 });
  t.strictSame(await examplesOf(strict), []);
  const places = async (body: unknown): Promise<unknown> =>
    ((await request(strict, body)).body as { detail: { loc: unknown[] }[] }).detail.map(({ loc }) => loc.join('.'));
  t.strictSame(await places({}), ['body.runs']);
  t.strictSame(await places({ runs: ['x'] }), ['body.runs.0']);
  t.strictSame(await places({ runs: [{ id: 'x' }] }), ['body.runs.0.id']);
  t.strictSame(await places({ runs: [runIds[0]], filter: 'eq(name, "x")' }), ['body.filter']);
  t.strictSame(await places({ filter: 'eq(nam, "x")' }), ['body.filter']);
  t.strictSame(await places({ session: ['x'] }), ['body.session.0']);
  t.strictSame(await places({ runs: [] }), ['body.runs']);
  t.match(await request(randomUUID(), { runs: runIds }), { status: 404 });
});
