import type { ThreadState } from '@langchain/langgraph-sdk';
import t, { type Test } from 'tap';
import { SERVER_CALLER } from '../../src/domain/caller.js';
import { Commit } from '../../src/store/store.js';
import { packCheckpoint, unpackCheckpoint } from '../../src/store/threads/checkpoint-rows.js';
import { openStores } from '../../src/store/stores.js';
import { keys } from '../../src/store/keys.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

const config = configWith(t, 'echo', 'chat', 'memory', 'nested', 'shapes', 'thief', 'delta', 'beside');

const FILLED = {
  messages: [{ AIMessage: 'first', extra: { a: [1, { b: null }] } }],
  map: {
    Map: [
      ['k', 1],
      ['nested', { Map: [['x', [1, 2]]] }],
    ],
  },
  set: { Set: ['a', 'b'] },
  odd: [{ Map: [['in', 'list']] }, { plain: true }, 'undefined', { Set: [1] }, 'text'],
  bytes: { bytes: [0, 255, 7] },
  nested: { message: { HumanMessage: 'hi', extra: {} } },
  numbers: { count: 500, first: 0, last: 499 },
  polluted: false,
};

async function seen(server: TestServer, threadId: string): Promise<Record<string, unknown>> {
  const values = (await server.client.runs.wait(threadId, 'shapes', { input: { do: 'look' } })) as {
    seen: Record<string, unknown>;
  };
  return values.seen;
}

const server = await testServer(t, { config });

/** Data that several tests look at again after a restart, and what they then check. */
const restartedFolder = temporaryFolder(t);
const afterRestart: [name: string, check: (t: Test, second: TestServer) => Promise<void>][] = [];
const first = await testServer(t, { config, dataFolder: restartedFolder });

t.test('passes the state of a run to the next, on the same worker and after a restart', async (t) => {
  const { thread_id: threadId } = await first.client.threads.create();
  await first.client.runs.wait(threadId, 'shapes', { input: { do: 'fill' } });
  t.match(await seen(first, threadId), FILLED, 'from the memory of the worker');
  afterRestart.push([
    'the state of a run',
    async (t, second) => {
      t.match(await seen(second, threadId), FILLED, 'from the store');
      const { values } = await second.client.threads.getState(threadId);
      t.match(values, {
        numbers: { length: 500 },
        messages: [{ type: 'ai', content: 'first' }],
        nested: { message: { type: 'human', content: 'hi' } },
      });
      t.strictSame(Object.keys((values as { proto: object }).proto), ['__proto__', 'constructor']);
    },
  ]);
});

t.test('stores a message that a node changes in place', async (t) => {
  const { thread_id: threadId } = await first.client.threads.create();
  await first.client.runs.wait(threadId, 'shapes', { input: { do: 'fill' } });
  await first.client.runs.wait(threadId, 'shapes', { input: { do: 'mutate' } });
  const expected = {
    messages: [{ AIMessage: 'changed in place' }, { AIMessage: 'second' }],
    numbers: { count: 501, last: -1 },
  };
  t.match(await seen(first, threadId), expected);
  const history = await first.client.threads.getHistory(threadId, { limit: 100 });
  const oldest = history.find((state) => (state.values as { messages?: unknown[] }).messages?.length === 1);
  t.match(oldest?.values, { messages: [{ content: 'first' }] }, 'older checkpoints keep what they had');
  afterRestart.push([
    'a message that a node changed in place',
    async (t, second) => {
      t.match(await seen(second, threadId), expected);
    },
  ]);
});

t.test('lets a node reach only its own thread', async (t) => {
  const victim = await server.client.threads.create();
  await server.client.runs.wait(victim.thread_id, 'echo', { input: { text: 'secret' } });
  const before = await server.client.threads.getHistory(victim.thread_id);
  const thief = await server.client.threads.create();
  const values = await server.client.runs.wait(thief.thread_id, 'thief', { input: { victim: victim.thread_id } });
  t.match(values, { got: { read: 'FOREIGN_THREAD', write: 'FOREIGN_THREAD', delete: 'FOREIGN_THREAD' } });
  t.strictSame(await server.client.threads.getHistory(victim.thread_id), before);
});

async function chat(server: TestServer, threadId: string, from: number, to: number): Promise<void> {
  for (let turn = from; turn < to; turn += 1) {
    await server.client.runs.wait(threadId, 'chat', {
      input: { messages: [{ role: 'user', content: `question ${turn}` }] },
    });
  }
}

t.test('keeps the order of messages of a long chat and stores each once', async (t: Test) => {
  const dataFolder = temporaryFolder(t);
  const first = await testServer(t, { config, dataFolder });
  const { thread_id: threadId } = await first.client.threads.create();
  await chat(first, threadId, 0, 100);
  await first.close();
  const second = await testServer(t, { config, dataFolder });
  await chat(second, threadId, 100, 120);
  const { values } = await second.client.threads.getState(threadId);
  const said = (values as { messages: { content: string }[] }).messages.map((message) => message.content);
  const expected = Array.from({ length: 120 }, (_, turn) => [`question ${turn}`, `answer ${turn * 2 + 1}`]).flat();
  t.strictSame(said, expected);
  await second.close();
  const { openStores } = await import('../../src/store/stores.js');
  const stores = openStores(dataFolder, undefined);
  const { LOCAL_CALLER } = await import('../../src/domain/caller.js');
  const { uid } = stores.threads.get(LOCAL_CALLER, threadId)!;
  let content = 0;
  for (const _ of stores.store.keys({ prefix: ['i', uid] })) content += 1;
  await stores.store.close();
  // 240 messages, and what the index needs: far from the 120 x 120 of whole states.
  t.ok(content >= 240 && content < 900, `${content} pieces of content`);
});

t.test('rebuilds a delta channel from the writes of earlier checkpoints', async (t) => {
  const { thread_id: threadId } = await first.client.threads.create();
  const ask = async (server: TestServer, text: string): Promise<string[]> => {
    const values = (await server.client.runs.wait(threadId, 'delta', {
      input: { messages: [{ role: 'user', content: text, type: 'human' }] },
    })) as { messages: { content: string }[] };
    return values.messages.map((message) => message.content);
  };
  t.strictSame(await ask(first, 'a'), ['a', 'answer 1']);
  t.strictSame(await ask(first, 'b'), ['a', 'answer 1', 'b', 'answer 3']);
  afterRestart.push([
    'a delta channel',
    async (t, second) => {
      t.strictSame(await ask(second, 'c'), ['a', 'answer 1', 'b', 'answer 3', 'c', 'answer 5']);
      const { values } = await second.client.threads.getState(threadId);
      t.strictSame((values as { messages: { content: string }[] }).messages.length, 6);
    },
  ]);
});

t.test('shows interrupts of a subgraph beside the finished work of its sibling', async (t) => {
  const { thread_id: threadId } = await server.client.threads.create();
  await server.client.runs.wait(threadId, 'beside', { input: { log: ['in'] } });
  const state = await server.client.threads.getState(threadId);
  t.strictSame(state.next, ['sub'], 'the finished neighbour is no next step');
  const task = state.tasks.find((one) => one.name === 'sub')!;
  t.match(task.interrupts, [{ value: 'inner first' }]);
  t.match(task.checkpoint, { thread_id: threadId, checkpoint_ns: /^sub:/ });
  const deep = await server.client.threads.getState(threadId, undefined, { subgraphs: true });
  t.match(deep.tasks.find((one) => one.name === 'sub')!.state, {
    next: ['ask'],
    tasks: [{ name: 'ask', interrupts: [{ value: 'inner first' }] }],
  });
  await server.client.runs.wait(threadId, 'beside', { command: { resume: 'A' } });
  t.match(
    (await server.client.threads.getState(threadId)).tasks.flatMap((one) => one.interrupts),
    [{ value: 'inner second' }],
  );
  const values = (await server.client.runs.wait(threadId, 'beside', { command: { resume: 'B' } })) as { log: string[] };
  t.strictSame(values.log.toSorted(), ['beside', 'first=A', 'in', 'in', 'prepare', 'second=B'].toSorted());
});

t.test('shares memory items between the runs of a caller, and keeps them over a restart', async (t) => {
  await first.client.runs.wait(null, 'memory', { input: { name: 'ada' } });
  const values = await first.client.runs.wait(null, 'memory', { input: { name: 'bob' } });
  t.match(values, {
    found: { names: ['ada', 'bob'], one: { name: 'bob', length: 3 }, namespaces: [['people', 'names']] },
  });
  afterRestart.push([
    'memory items',
    async (t, second) => {
      t.matchStrict(await second.client.runs.wait(null, 'memory', { input: {} }), {
        found: { names: ['ada', 'bob'], one: null },
      });
    },
  ]);
});

t.test('keeps all of that over a restart', async (t) => {
  await first.close();
  const second = await testServer(t, { config, dataFolder: restartedFolder });
  t.equal(afterRestart.length, 4);
  for (const [name, check] of afterRestart) await t.test(name, (t) => check(t, second));
});

/** Two turns of a chat, and then a crash between the commit of the newest checkpoint and that of its view. */
async function chatWithoutView(t: Test): Promise<{ server: TestServer; threadId: string; states: ThreadState[] }> {
  const dataFolder = temporaryFolder(t);
  const first = await testServer(t, { config, dataFolder });
  const { thread_id: threadId } = await first.client.threads.create();
  const states: ThreadState[] = [];
  for (const content of ['hi', 'again']) {
    const input = { messages: [{ role: 'user', content, id: content }] };
    await first.client.runs.wait(threadId, 'chat', { input, durability: 'exit' });
    states.push(await first.client.threads.getState(threadId));
  }
  await first.close();
  const stores = openStores(dataFolder, undefined);
  const commit = new Commit();
  const { uid } = stores.threads.get(SERVER_CALLER, threadId)!;
  const key = keys.checkpoint(uid, '', states[1]!.checkpoint.checkpoint_id!);
  commit.put(key, packCheckpoint({ ...unpackCheckpoint(stores.store.get(key)!), view: null }));
  await stores.store.write(commit);
  await stores.store.close();
  return { server: await testServer(t, { config, dataFolder }), threadId, states };
}

t.test('repairs a newest checkpoint without stored values with the next run', async (t) => {
  const { server, threadId, states } = await chatWithoutView(t);
  const [former, before] = states as [ThreadState, ThreadState];
  t.strictSame(await server.client.threads.getState(threadId), former, 'nothing is known yet of the values after it');
  t.strictSame((await server.client.threads.get(threadId)).values, former.values);
  t.strictSame((await server.client.threads.getHistory(threadId))[0]!.values, former.values);
  const found = await server.client.threads.search({ values: former.values as Record<string, unknown> });
  t.same(
    found.map((one) => one.thread_id),
    [threadId],
  );
  // What a retry does: nothing is left to be said to the graph.
  await server.client.runs.wait(threadId, 'chat', { input: null });
  t.strictSame((await server.client.threads.getState(threadId)).values, before.values);
  t.equal((await server.client.threads.get(threadId)).status, 'idle');
});

/** Whether the history shows these states as they were before the crash. */
async function checkHistory(t: Test, server: TestServer, threadId: string, states: ThreadState[]): Promise<void> {
  const history = await server.client.threads.getHistory(threadId, { limit: 100 });
  for (const state of states)
    t.strictSame(
      history.find(({ checkpoint }) => checkpoint.checkpoint_id === state.checkpoint.checkpoint_id),
      state,
    );
}

for (const streamMode of ['values', 'events'] as const)
  t.test(`repairs it with a run that goes on from there, streamed as ${streamMode}`, async (t) => {
    const { server, threadId, states } = await chatWithoutView(t);
    const input = { messages: [{ role: 'user', content: 'more', id: 'more' }] };
    for await (const part of server.client.runs.stream(threadId, 'chat', { input, streamMode }))
      t.not(part.event, 'error');
    await checkHistory(t, server, threadId, states);
  });

t.test('repairs it with an edit', async (t) => {
  const { server, threadId, states } = await chatWithoutView(t);
  await server.client.threads.updateState(threadId, { values: { messages: [] } });
  await checkHistory(t, server, threadId, states);
});
