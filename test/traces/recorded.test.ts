import type { Run } from 'langsmith';
import t from 'tap';
import { all, langsmithOf, until } from '../helpers/langsmith.js';
import { projectOf } from '../helpers/project.js';
import { testServer } from '../helpers/server.js';

const graphs = ['librarian', 'trouble', 'approval', 'nested', 'tools'];
const server = await testServer(t, { config: projectOf(t, graphs, { traces: true }) });
const { clientOf } = await langsmithOf(server);
process.env['LANGSMITH_TRACING'] = 'false';
const langsmith = clientOf();

/** The steps of a run, in their order, when the run has ended. */
async function stepsOf(runId: string, ready = (steps: Run[]): boolean => steps[0]?.end_time != null): Promise<Run[]> {
  return until(async () => {
    const steps = await all(langsmith.listRuns({ traceId: runId }));
    return steps.sort((one, other) => (one.dotted_order! < other.dotted_order! ? -1 : 1));
  }, ready);
}

/** Waits for a run on a thread of its own. */
async function run(
  graphId: string,
  input: Record<string, unknown> | null,
  more = {},
): Promise<{ runId: string; threadId: string }> {
  const { thread_id: threadId } = await server.client.threads.create();
  const { run_id: runId } = await server.client.runs.create(threadId, graphId, { input, ...more });
  await server.client.runs.join(threadId, runId);
  return { runId, threadId };
}

const shape = ({ name, run_type: type, child_runs: children }: Run): unknown => ({
  [`${name} (${type})`]: (children ?? []).map(shape),
});

t.test('a run leaves a tree of its steps, which the stock client reads', async (t) => {
  const input = { messages: [{ role: 'user', content: 'Which books?' }], streams: false };
  const { runId, threadId } = await run('librarian', input, {
    config: { tags: ['mine'], recursion_limit: 7 },
    metadata: { who: 'ada' },
  });
  await stepsOf(runId);
  const root = await langsmith.readRun(runId, { loadChildRuns: true });
  t.strictSame(shape(root), {
    'librarian (chain)': [
      { 'think (chain)': [{ 'BookModel (llm)': [] }] },
      { 'fetch (chain)': [{ 'Shelf (retriever)': [] }, { 'lend (tool)': [] }] },
    ],
  });
  t.match(root, {
    id: runId,
    trace_id: runId,
    status: 'success',
    error: null,
    inputs: { messages: [{ role: 'user', content: 'Which books?' }] },
    tags: ['mine'],
    extra: { metadata: { thread_id: threadId, graph_id: 'librarian', run_id: runId, who: 'ada', run_attempt: 1 } },
    prompt_tokens: 12,
    completion_tokens: 5,
    total_tokens: 17,
  });
  t.match(root.outputs, { messages: [{}, { content: 'I know 1 books' }, { content: 'lent about whales' }] });
  t.match(root, { inputs_preview: 'Which books?', outputs_preview: 'lent about whales' });
  const [think, fetch] = root.child_runs!;
  const [model] = think!.child_runs!;
  t.match(model, {
    inputs: { messages: [[{ type: 'human', content: 'Which books?' }]] },
    outputs: {
      generations: [
        [{ text: 'I know 1 books', message: { usage_metadata: { output_token_details: { reasoning: 2 } } } }],
      ],
    },
    extra: {
      metadata: { ls_model_name: 'books-1', ls_provider: 'library', thread_id: threadId },
      invocation_params: { temperature: 0.5 },
    },
    total_tokens: 17,
  });
  t.match(await langsmith.readRun(model!.id), { inputs_preview: 'Which books?', outputs_preview: 'I know 1 books' });
  t.notMatch(JSON.stringify(root), /sk-do-not-store|langgraph_auth|__pregel/, 'no secrets and no internals');
  t.match(think!.extra, { metadata: { langgraph_node: 'think' } });
  t.notOk('who' in (think!.extra as { metadata: object }).metadata, 'what the run has is not repeated');
  const [shelf, lend] = fetch!.child_runs!;
  t.match(shelf, { inputs: { query: 'whales' }, outputs: { documents: [{ pageContent: 'about whales' }] } });
  t.match(lend, { inputs: { input: '{"title":"about whales"}' }, outputs: { output: 'lent about whales' } });
  t.ok(Date.parse(String(think!.end_time)) <= Date.parse(String(fetch!.start_time)));
});

t.test('a streamed model call has the time of its first token', async (t) => {
  const { runId } = await run('librarian', { messages: [{ role: 'user', content: 'x' }], streams: true });
  const model = (await stepsOf(runId)).find(({ run_type: type }) => type === 'llm')!;
  // The client's type is a number; the server answers as LangSmith does.
  const firstToken = String(model.first_token_time);
  t.ok(firstToken > String(model.start_time) && firstToken < String(model.end_time));
  t.equal(model.total_tokens, 17);
});

t.test('projects belong to assistants, and runs are found by filters', async (t) => {
  const { assistant_id: assistantId } = await server.client.assistants.create({ graphId: 'tools', name: 'weather' });
  const good = await run(assistantId, { city: 'Oslo' });
  const bad = await run(assistantId, { city: 'nowhere' });
  await stepsOf(bad.runId);
  const project = await langsmith.readProject({ projectName: 'weather' });
  t.match(project.extra, { metadata: { assistant_id: assistantId, graph_id: 'tools' } });
  const named = async (filter: string): Promise<string[]> =>
    (await all(langsmith.listRuns({ projectName: 'weather', filter }))).map(({ trace_id: id }) => id!);
  t.strictSame(await named('and(eq(is_root, true), eq(status, "error"))'), [bad.runId]);
  t.strictSame(await named('and(eq(run_type, "tool"), search("Oslo"))'), [good.runId]);
  t.strictSame(await named(`and(eq(is_root, true), eq(thread_id, "${good.threadId}"))`), [good.runId]);
  const failed = await stepsOf(bad.runId);
  for (const { name, error } of failed) t.match(error, /RangeError: There is no weather\./, `${name} says why`);
  t.equal(failed.length, 3);
});

t.test('a step that asks has not failed', async (t) => {
  const { runId, threadId } = await run('nested', { question: 'why?' });
  const asked = await stepsOf(runId);
  t.strictSame(asked.map(({ error }) => error).filter(Boolean), []);
  t.match(asked.find(({ name }) => name === 'ask')!.outputs, { __interrupt__: [{ value: 'why?' }] });
  const answer = await server.client.runs.create(threadId, 'nested', { command: { resume: 'because' } });
  await server.client.runs.join(threadId, answer.run_id);
  const [root] = await stepsOf(answer.run_id);
  t.match(root!.outputs, { words: ['prepared', 'answer because', 'closed'] });
  const ofThread = await all(
    langsmith.listRuns({ projectName: 'nested', filter: `eq(thread_id, "${threadId}")`, isRoot: true }),
  );
  t.strictSame(new Set(ofThread.map(({ id }) => id)), new Set([runId, answer.run_id]));
});

t.test('steps are visible while the run executes', async (t) => {
  const { thread_id: threadId } = await server.client.threads.create();
  const { run_id: runId } = await server.client.runs.create(threadId, 'trouble', { input: { do: 'sleep', n: 60_000 } });
  const [root, node] = await stepsOf(runId, (steps) => steps.length === 2);
  t.match(root, { status: 'pending', end_time: null, inputs: { do: 'sleep' } });
  t.match(node, { name: 'misbehave', end_time: null });
  await server.client.runs.cancel(threadId, runId, true);
  const steps = await stepsOf(runId);
  for (const { end_time: end, error, outputs } of steps) {
    t.type(end, 'string');
    t.match(error, /UserInterrupt|cancel/i);
    t.equal(outputs ?? null, null);
  }
  t.match(steps[0]!.inputs, { do: 'sleep' }, 'the end keeps what was there');
});

t.test('a run that loses its worker has all of its attempts in one trace', async (t) => {
  const { runId } = await run('trouble', { do: 'exit' });
  const [root, ...steps] = await stepsOf(runId);
  t.match(root, { id: runId, status: 'error', error: /ATTEMPTS|attempts/i, inputs: { do: 'exit' } });
  for (const step of steps) t.match(step.error, /worker|attempts/i);
});

t.test('what the server stores of a lost run is bounded like what workers report', async (t) => {
  const input = { do: 'exit', file: 'x'.repeat(70_000) };
  const { runId } = await run('trouble', input, { metadata: { api_key: 'sk-lost' } });
  const [root] = await stepsOf(runId);
  t.match(root!.inputs, { truncated: true, beginning: /^\{"do":"exit"/ });
  t.notMatch(JSON.stringify(root), /sk-lost/);
});

t.test('a stateless run leaves a trace without a thread', async (t) => {
  await server.client.runs.wait(null, 'tools', { input: { city: 'Rome' } });
  await until(
    () => langsmith.hasProject({ projectName: 'tools' }),
    (isThere) => isThere,
  );
  const [root] = await until(
    () => all(langsmith.listRuns({ projectName: 'tools', isRoot: true })),
    (found) => found.length === 1 && found[0]!.end_time != null,
  );
  t.match(root, { inputs: { city: 'Rome' }, outputs: { said: 'fine in Rome' } });
  t.notOk('thread_id' in (root!.extra as { metadata: object }).metadata);
});

t.test('feedback on a run is feedback on its trace', async (t) => {
  const { runId } = await run('tools', { city: 'Bern' });
  await langsmith.createFeedback(runId, 'early', { score: 1 });
  await stepsOf(runId);
  await langsmith.createFeedback(runId, 'late', { score: 0 });
  const stats = await until(
    async () => (await langsmith.readRun(runId)).feedback_stats ?? {},
    (found) => Object.keys(found).length === 2,
  );
  t.match(stats, { early: { avg: 1 }, late: { avg: 0 } });
});

t.test('what is deleted is gone from the traces', async (t) => {
  const { runId, threadId } = await run('tools', { city: 'Lima' });
  const steps = await stepsOf(runId);
  await server.client.threads.delete(threadId);
  await until(
    () => all(langsmith.listRuns({ id: steps.map(({ id }) => id!) })),
    (left) => left.length === 0,
  );
  const alone = await run('tools', { city: 'Kyiv' });
  await stepsOf(alone.runId);
  await server.client.runs.delete(alone.threadId, alone.runId);
  await until(
    () => all(langsmith.listRuns({ traceId: alone.runId })),
    (left) => left.length === 0,
  );
  await t.rejects(langsmith.readRun(alone.runId));
});

t.test('a run that is rolled back leaves no trace', async (t) => {
  const { thread_id: threadId } = await server.client.threads.create();
  const { run_id: runId } = await server.client.runs.create(threadId, 'trouble', { input: { do: 'sleep', n: 60_000 } });
  await stepsOf(runId, (steps) => steps.length === 2);
  await server.client.runs.cancel(threadId, runId, true, 'rollback');
  await until(
    () => all(langsmith.listRuns({ traceId: runId })),
    (left) => left.length === 0,
  );
  t.pass('all of its steps are gone');
});
