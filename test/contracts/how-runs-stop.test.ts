import t from 'tap';
import { Empty } from '../helpers/empty.js';
import { Gate } from '../helpers/gate.js';
import { temporaryFolder, testServer } from '../helpers/server.js';

/** What stands when a run has stopped: at questions, breakpoints, limits, failures; and what a joiner hears before. */
const server = await testServer(t);
const { threads, runs } = server.client;
const folder = temporaryFolder(t);
const newThread = async (): Promise<string> => (await threads.create()).thread_id;
const history = async (threadId: string): Promise<unknown[]> =>
  (await threads.getHistory(threadId)).map(({ metadata, next, values }): unknown[] => [
    metadata?.source,
    metadata?.step,
    next,
    values,
  ]);

t.test('returns the questions of all interrupted tasks from a wait', async (t) => {
  const threadId = await newThread();
  const { __interrupt__: asked, ...values } = (await runs.wait(threadId, 'questions', {
    input: { answers: ['start'] },
  })) as unknown as { __interrupt__: { value: unknown }[] };
  t.strictSame(values, { answers: ['start'] });
  t.strictSame(
    asked.map(({ value }) => value),
    [{ ask: 'ada' }, { ask: 'bob' }],
  );
  const [run] = await runs.list(threadId);
  t.strictSame(await runs.join(threadId, run!.run_id), { ...values, __interrupt__: asked }, 'as a join does');
});

t.test('says that a question needs a thread', async (t) => {
  // One node asks, and two at once.
  for (const graphId of ['approval', 'questions']) {
    const answer = await (await server.post('/runs/wait', { assistant_id: graphId, input: {} })).json();
    t.match(answer, {
      __error__: { message: /^The graph stopped for an answer .* Start it on a thread: POST \/threads/ },
    });
  }
});

t.test('shows values and next nodes of a thread that stopped after a node', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'echo', { input: { text: 'x' }, interruptAfter: ['first'] });
  t.match(await threads.get(threadId), { status: 'interrupted', values: { text: 'x', steps: ['first x'] } });
  t.strictSame(await history(threadId), [
    ['loop', 1, ['second'], { text: 'x', steps: ['first x'] }],
    ['loop', 0, ['first'], { text: 'x', steps: [] }],
    ['input', -1, ['__start__'], { steps: [] }],
  ]);
});

t.test('shows values and next nodes of a thread whose run reached its recursion limit', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'circle', { input: { n: 0 }, config: { recursion_limit: 2 }, raiseError: false });
  t.match(await threads.get(threadId), { status: 'error', values: { n: 2 } });
  t.strictSame((await history(threadId))[0], ['loop', 2, ['round'], { n: 2 }]);
});

t.test('treats a thread that stopped after its last node as finished', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'echo', { input: { text: 'x' }, interruptAfter: ['second'] });
  t.match(await threads.get(threadId), { status: 'idle', values: { text: 'x', steps: ['first x', 'second x'] } });
  t.match(await threads.getState(threadId), { next: Empty, values: { text: 'x', steps: ['first x', 'second x'] } });
});

t.test('stores a readable state with durability exit', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'echo', { input: { text: 'x' }, durability: 'exit' });
  t.strictSame(await history(threadId), [['loop', 2, [], { text: 'x', steps: ['first x', 'second x'] }]]);
  t.match(await threads.get(threadId), { status: 'idle', values: { text: 'x', steps: ['first x', 'second x'] } });
});

t.test('stores the same non-JSON values with durability exit as with sync', async (t) => {
  const kept = await Promise.all(
    (['exit', 'sync'] as const).map(async (durability) => {
      const threadId = await newThread();
      await runs.wait(threadId, 'shapes', { input: { do: 'fill' }, durability });
      const { status, values } = await threads.get(threadId);
      return { status, values };
    }),
  );
  t.match(kept[0], { status: 'idle', values: { do: 'fill' } });
  t.strictSame(kept[0], kept[1]);
});

t.test('stores a readable interrupt with durability exit', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'approval', { input: {}, durability: 'exit' });
  const thread = await threads.get(threadId);
  t.match(thread, { status: 'interrupted', values: { answers: ['before'] } });
  t.match(Object.values(thread.interrupts), [[{ value: 'first question' }]]);
  t.match(await threads.getState(threadId), {
    next: ['ask'],
    tasks: [{ name: 'ask', interrupts: [{ value: 'first question' }] }],
  });
  t.match(await runs.wait(threadId, 'approval', { command: { resume: 'one' }, durability: 'exit' }), {
    __interrupt__: [{ value: 'second question' }],
  });
});

t.test('stores a readable failure with durability exit', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'trouble', { input: { do: 'throw' }, durability: 'exit', raiseError: false });
  t.match(await threads.get(threadId), { status: 'error', values: { do: 'throw', done: Empty } });
  t.match(await threads.getState(threadId), { next: ['misbehave'] });
});

t.test('[trap 21] sends events of a background run to a client that joined before them', async (t) => {
  const threadId = await newThread();
  const gate = new Gate(folder);
  const { run_id: runId } = await runs.create(threadId, 'stone', {
    input: { gate: gate.file },
    streamMode: ['custom'],
  });
  await gate.reached();
  const joined = await server.get(`/threads/${threadId}/runs/${runId}/stream`);
  t.equal(joined.status, 200, 'the client is in');
  gate.open();
  t.match(await joined.text(), /event: custom\ndata: \{"said":"after the join"\}/);
});
