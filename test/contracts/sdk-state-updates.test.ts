import { randomUUID } from 'node:crypto';
import { MemorySaver } from '@langchain/langgraph';
import type { ThreadState } from '@langchain/langgraph-sdk';
import { RemoteGraph } from '@langchain/langgraph/remote';
import t from 'tap';
import { graph as approval } from '../graphs/approval.js';
import { graph as delta } from '../graphs/delta.js';
import { graph as reducer } from '../graphs/reducer.js';
import { Gate } from '../helpers/gate.js';
import { temporaryFolder, testServer } from '../helpers/server.js';

const server = await testServer(t);
const { client } = server;
const { threads, runs } = client;
const folder = temporaryFolder(t);

type Steps = { updates: { values?: unknown; asNode: string }[] }[];
interface Shown {
  values: unknown;
  next: string[];
  step: unknown;
  source: unknown;
}

const shown = ({ values, next, metadata }: { values: unknown; next: readonly string[]; metadata?: unknown }): Shown => {
  const { step, source } = (metadata ?? {}) as { step: unknown; source: unknown };
  return { values: JSON.parse(JSON.stringify(values)) as unknown, next: [...next], step, source };
};

/** The same done with the library alone, in this process: what a server must not make any different. */
async function inProcess(
  graph: unknown,
  act: (graph: typeof reducer, config: { configurable: { thread_id: string } }) => Promise<void>,
): Promise<Shown[]> {
  const lent = Object.create(graph as object) as typeof reducer;
  lent.checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: 'x' } };
  await act(lent, config);
  const found: Shown[] = [];
  for await (const state of lent.getStateHistory(config)) found.push(shown(state as never));
  return found;
}

const historyOf = async (threadId: string): Promise<Shown[]> =>
  (await threads.getHistory(threadId, { limit: 100 })).map(shown);

t.test('applies an update as the named node and continues from there', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'reducer', { input: { words: 'in' } });
  const before = await threads.getState(id);
  const answer = await threads.updateState(id, { values: { words: 'aside' }, asNode: 'first' });
  const { checkpoint } = answer as unknown as {
    checkpoint: { thread_id: string; checkpoint_ns: string; checkpoint_id: string };
  };
  t.match(checkpoint, { thread_id: id, checkpoint_ns: '', checkpoint_id: /^[0-9a-f-]{36}$/ });
  const state = await threads.getState<{ words: string[] }>(id);
  t.equal(state.checkpoint.checkpoint_id, checkpoint.checkpoint_id);
  t.equal(state.parent_checkpoint?.checkpoint_id, before.checkpoint.checkpoint_id);
  t.strictSame(state.values.words, ['in', 'first', 'second', 'aside']);
  t.strictSame(state.next, ['other'], 'the branch after the node is taken again');
  t.match(state.metadata, { source: 'update', step: 3, graph_id: 'reducer' });
  t.notOk('run_id' in (state.metadata as object), 'no run has made it');
  t.equal((await threads.get(id)).status, 'idle', 'the status stays what it was');
  const end = (await runs.wait(id, 'reducer', { input: null })) as { words: string[] };
  t.strictSame(end.words, ['in', 'first', 'second', 'aside', 'other']);

  const expected = await inProcess(reducer, async (graph, config) => {
    await graph.invoke({ words: 'in' }, config);
    await graph.updateState(config, { words: 'aside' }, 'first');
    await graph.invoke(null, config);
  });
  t.strictSame(await historyOf(id), expected);
});

t.test('selects a missing node like LangGraph, or refuses the update unchanged', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'reducer', { input: { words: 'in' } });
  await threads.updateState(id, { values: { words: 'more' } });
  const state = await threads.getState(id);
  t.strictSame(state.next, [], 'as the node that wrote last');
  const history = await historyOf(id);
  for (const [update, text] of [
    [{ values: { words: 'x' }, as_node: 'nobody' }, /Node "nobody" does not exist/],
    [{ values: { words: 'throw' }, as_node: 'first' }, /TypeError: no such word/],
    [{ values: { nothing_known: 1 }, as_node: 'nobody' }, /does not exist/],
  ] as const) {
    const answer = await server.post(`/threads/${id}/state`, update);
    t.equal(answer.status, 422);
    t.match(((await answer.json()) as { detail: string }).detail, text);
  }
  t.strictSame(await historyOf(id), history);
  t.strictSame(await threads.getState(id), state);
});

t.test('fails only the update when its code exits or blocks the worker', async (t) => {
  const own = await testServer(t, { env: { THREADMILL_WATCHDOG_SECS: '0.5' } });
  const { thread_id: id } = await own.client.threads.create();
  await own.client.runs.wait(id, 'reducer', { input: { words: 'in' } });
  const state = await own.client.threads.getState(id);
  for (const word of ['exit', 'loop']) {
    const answer = await own.post(`/threads/${id}/state`, { values: { words: word }, as_node: 'first' });
    t.equal(answer.status, 422, word);
    t.match(((await answer.json()) as { detail: string }).detail, /did not finish/);
    t.strictSame(await own.client.threads.getState(id), state);
  }
  t.match(await own.client.runs.wait(id, 'reducer', { input: { words: 'again' } }), {
    words: ['in', 'first', 'second', 'again', 'first', 'second'],
  });
});

t.test('forks the thread when an earlier checkpoint is updated', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'reducer', { input: { words: 'in' } });
  const history = await threads.getHistory<{ words: string[] }>(id);
  const past = history.find((state) => state.next[0] === 'second')!;
  const { checkpoint } = (await threads.updateState(id, {
    values: { words: 'forked' },
    asNode: 'first',
    checkpointId: past.checkpoint.checkpoint_id!,
  })) as unknown as { checkpoint: { checkpoint_id: string } };
  const state = await threads.getState<{ words: string[] }>(id);
  t.equal(state.checkpoint.checkpoint_id, checkpoint.checkpoint_id);
  t.equal(state.parent_checkpoint?.checkpoint_id, past.checkpoint.checkpoint_id);
  t.strictSame(state.values.words, ['in', 'first', 'forked']);
  const other = await server.post(`/threads/${id}/state`, { values: {}, checkpoint_id: randomUUID() });
  t.equal(other.status, 404);
});

t.test('marks a node as done with null values', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'approval', { input: {} });
  t.strictSame((await threads.getState(id)).next, ['ask']);
  await threads.updateState(id, { values: null, asNode: 'ask' });
  const state = await threads.getState(id);
  t.strictSame(state.next, ['after']);
  t.equal((await threads.get(id)).status, 'interrupted', 'an update leaves the status as it is');
  await runs.wait(id, 'approval', { input: null });
  t.equal((await threads.get(id)).status, 'idle');
  const expected = await inProcess(approval, async (graph, config) => {
    await graph.invoke({} as never, config);
    await graph.updateState(config, null, 'ask');
    await graph.invoke(null, config);
  });
  t.strictSame(await historyOf(id), expected);
});

t.test('[trap 6] refuses to update a busy thread, and queues a run during an update', async (t) => {
  const { thread_id: id } = await threads.create();
  const gate = new Gate(folder);
  const run = await runs.create(id, 'gate', { input: { label: 'a', gate: gate.file } });
  await gate.reached();
  t.equal((await server.post(`/threads/${id}/state`, { values: { label: 'b' } })).status, 409);
  gate.open();
  await runs.join(id, run.run_id);
  const later = await runs.create(id, 'gate', { input: { label: 'later' }, afterSeconds: 1_000 });
  const answer = await server.post(`/threads/${id}/state`, { values: { label: 'b' } });
  t.equal(answer.status, 409);
  t.strictSame(await answer.json(), { detail: 'Thread is busy' });
  await runs.cancel(id, later.run_id, true);
  const [edited, waited] = await Promise.all([
    server.post(`/threads/${id}/state`, { values: { label: 'edited' }, as_node: 'hold' }),
    runs.wait(id, 'gate', { input: { label: 'after the edit' } }).catch((error: unknown) => error),
  ]);
  t.ok(edited.status === 200 || edited.status === 409, String(edited.status));
  t.match(waited, { label: 'after the edit' });
});

t.test('converts messages of an update for the graph', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'chat', { input: { messages: [{ role: 'user', content: 'hi', id: 'h0' }] } });
  await threads.updateState(id, {
    values: {
      messages: [
        { type: 'human', content: 'changed', id: 'h0' },
        { role: 'assistant', content: 'added', id: 'x' },
      ],
    },
    asNode: 'answer',
  });
  const { values } = await threads.getState<{ messages: { type: string; content: string; id: string }[] }>(id);
  t.strictSame(
    values.messages.map(({ type, content, id: messageId }) => [type, content, messageId]),
    [
      ['human', 'changed', 'h0'],
      ['ai', 'answer 1', 'a1'],
      ['ai', 'added', 'x'],
    ],
  );
  await runs.wait(id, 'chat', { input: { messages: [{ role: 'user', content: 'on' }] } });
  const after = await threads.getState<{ messages: { content: string }[] }>(id);
  t.strictSame(
    after.values.messages.map(({ content }) => content),
    ['changed', 'answer 1', 'added', 'on', 'answer 4'],
  );
});

t.test('updates the state of a subgraph by its namespace', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'nested', { input: { question: 'why' } });
  const state = await threads.getState(id, undefined, { subgraphs: true });
  const nested = (state.tasks[0] as unknown as { state: ThreadState<{ words: string[] }> }).state;
  await threads.updateState(id, {
    values: { words: ['brought'] },
    asNode: 'prepare',
    checkpoint: nested.checkpoint as never,
  });
  const after = (
    (await threads.getState(id, undefined, { subgraphs: true })).tasks[0] as unknown as {
      state: ThreadState<{ words: string[] }>;
    }
  ).state;
  t.strictSame(after.values.words, ['prepared', 'brought']);
  t.strictSame(after.next, ['ask']);
});

t.test('updates delta channels like LangGraph', async (t) => {
  const { thread_id: id } = await threads.create();
  const human = (content: string) => ({ type: 'human', content, id: content });
  await runs.wait(id, 'delta', { input: { messages: [human('one')] } });
  await threads.updateState(id, { values: { messages: [human('two')] }, asNode: 'answer' });
  await runs.wait(id, 'delta', { input: { messages: [human('three')] } });
  const expected = await inProcess(delta, async (graph, config) => {
    await graph.invoke({ messages: [human('one')] } as never, config);
    await graph.updateState(config, { messages: [human('two')] } as never, 'answer' as never);
    await graph.invoke({ messages: [human('three')] } as never, config);
  });
  const texts = (list: Shown[]): unknown =>
    list.map(({ values, next, step, source }) => ({
      next,
      step,
      source,
      texts: ((values as { messages?: { content?: string; kwargs?: { content: string } }[] }).messages ?? []).map(
        (one) => one.content ?? one.kwargs?.content,
      ),
    }));
  t.strictSame(texts(await historyOf(id)), texts(expected));
});

t.test('returns the reason when it cannot update', async (t) => {
  const { thread_id: id } = await threads.create();
  const fresh = await server.post(`/threads/${id}/state`, { values: {} });
  t.equal(fresh.status, 400);
  t.strictSame(await fresh.json(), { detail: `Thread ${id} has no graph ID` });
  const nobody = randomUUID();
  const missing = await server.post(`/threads/${nobody}/state`, { values: {} });
  t.equal(missing.status, 404);
  t.strictSame(await missing.json(), { detail: `Thread with ID ${nobody} not found` });
  for (const body of [{ values: {}, as_node: 7 }, { values: {}, checkpoint: 'x' }, 'nonsense'])
    t.match((await server.post(`/threads/${id}/state`, body)).status, /^4/);
});

t.test('merges metadata into the thread with patchState', async (t) => {
  const { thread_id: id } = await threads.create({ metadata: { a: 1 } });
  t.equal(await threads.patchState(id, { b: 2 }), undefined);
  t.strictSame((await threads.get(id)).metadata, { a: 1, b: 2 });
});

t.test('creates a thread with the history of another', async (t) => {
  const source = await threads.create();
  await runs.wait(source.thread_id, 'reducer', { input: { words: 'in' } });
  const supersteps: Steps = [
    { updates: [{ values: { words: 'in' }, asNode: '__input__' }] },
    { updates: [{ values: { words: 'in' }, asNode: '__start__' }] },
    { updates: [{ values: { words: 'first', last: 'first' }, asNode: 'first' }] },
    { updates: [{ values: { words: 'second', last: 'second' }, asNode: 'second' }] },
  ];
  const made = await threads.create({ graphId: 'reducer', supersteps: supersteps as never });
  t.match(made, {
    status: 'idle',
    values: { words: ['in', 'first', 'second'], last: 'second' },
    metadata: { graph_id: 'reducer' },
  });
  const plain = (list: Shown[]): unknown => list.map(({ values, next }) => ({ values, next }));
  t.strictSame(plain(await historyOf(made.thread_id)), plain(await historyOf(source.thread_id)));
  t.strictSame((await threads.get(made.thread_id)).values, made.values);
  const expected = await inProcess(reducer, async (graph, config) => {
    await graph.bulkUpdateState(config, supersteps as never);
  });
  t.strictSame(await historyOf(made.thread_id), expected);
  t.match(await runs.wait(made.thread_id, 'reducer', { input: { words: 'on' } }), {
    words: ['in', 'first', 'second', 'on', 'first', 'second'],
  });
});

t.test('creates no thread from a history that the graph refuses', async (t) => {
  const id = randomUUID();
  const refused = await server.post('/threads', {
    thread_id: id,
    metadata: { graph_id: 'reducer' },
    supersteps: [
      { updates: [{ values: { words: 'ok' }, as_node: '__input__' }] },
      { updates: [{ values: {}, as_node: 'nobody' }] },
    ],
  });
  t.equal(refused.status, 422);
  t.match(((await refused.json()) as { detail: string }).detail, /Node "nobody" does not exist/);
  t.equal((await server.get(`/threads/${id}`)).status, 404);
  t.equal((await server.post('/threads', { thread_id: id })).status, 200, 'the id is free');
  t.equal(
    (await server.post('/threads', { supersteps: [{ updates: [{ values: {}, as_node: '__input__' }] }] })).status,
    422,
    'whose history?',
  );
  t.equal(
    (
      await server.post('/threads', {
        metadata: { graph_id: 'unheard-of' },
        supersteps: [{ updates: [{ values: {}, as_node: '__input__' }] }],
      })
    ).status,
    404,
  );
});

t.test('accepts commands in supersteps', async (t) => {
  const answer = await server.post('/threads', {
    metadata: { graph_id: 'reducer' },
    supersteps: [
      { updates: [{ values: { words: 'in' }, as_node: '__input__' }] },
      { updates: [{ command: { update: { words: 'told' } }, as_node: '__start__' }] },
    ],
  });
  t.equal(answer.status, 200, await answer.clone().text());
  t.strictSame(
    ((await answer.json()) as { values: unknown }).values,
    { words: ['told'] },
    'the start has written what it was told, not the input',
  );
});

t.test('updates state and reads it back with RemoteGraph', async (t) => {
  const remote = new RemoteGraph({ graphId: 'reducer', client });
  const { thread_id: id } = await threads.create();
  const config = { configurable: { thread_id: id } };
  await remote.invoke({ words: 'in' }, config);
  const after = await remote.updateState(config, { words: 'remote' }, 'first');
  const state = await remote.getState(after as never);
  t.match(state.values, { words: ['in', 'first', 'second', 'remote'] });
  t.strictSame(state.next, ['second']);
});

t.test('applies each concurrent update or reports that the thread is busy', async (t) => {
  const { thread_id: id } = await threads.create();
  await runs.wait(id, 'reducer', { input: {} });
  const statuses = await Promise.all(
    Array.from(
      { length: 12 },
      async (_, n) =>
        (await server.post(`/threads/${id}/state`, { values: { words: `n${n}` }, as_node: 'second' })).status,
    ),
  );
  const applied = statuses.filter((status) => status === 200).length;
  t.ok(applied >= 1);
  t.ok(
    statuses.every((status) => status === 200 || status === 409),
    statuses.join(),
  );
  const { values } = await threads.getState<{ words: string[] }>(id);
  t.equal(values.words.filter((word) => /^n\d/.test(word)).length, applied);
});
