import { randomUUID } from 'node:crypto';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { Command, END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { RemoteGraph } from '@langchain/langgraph/remote';
import t from 'tap';
import { collect as collectEvents } from '../helpers/events.js';
import { EXAMPLES, testServer, WITHOUT_TYPES } from '../helpers/server.js';

const server = await testServer(t, { env: WITHOUT_TYPES });
const examples = await testServer(t, { config: EXAMPLES });

const remote = (graphId: string, options: object = {}): RemoteGraph =>
  new RemoteGraph({ graphId, client: server.client, ...options });
const collect = async (stream: Promise<AsyncIterable<unknown>>): Promise<unknown[]> => collectEvents(await stream);
const onThread = (): { configurable: { thread_id: string } } => ({ configurable: { thread_id: randomUUID() } });
/** RemoteGraph raises an interrupt when it hears of it; what the run stores is readable at its end. */
async function stopped(call: Promise<unknown>, config: { configurable: { thread_id: string } }): Promise<unknown[]> {
  const { thread_id: threadId } = config.configurable;
  try {
    await call;
  } catch (error) {
    const [run] = await server.client.runs.list(threadId);
    await server.client.runs.join(threadId, run!.run_id);
    if ((error as Error).name === 'GraphInterrupt') return (error as unknown as { interrupts: unknown[] }).interrupts;
    throw error;
  }
  throw new Error('The graph was not interrupted.');
}
const VALUES = [[], ['first x'], ['first x', 'second x']].map((steps) => ({ text: 'x', steps }));
const UPDATES = [{ first: { steps: ['first x'] } }, { second: { steps: ['second x'] } }];

t.test('invoke returns the final values', async (t) => {
  t.strictSame(await remote('echo').invoke({ text: 'x' }), VALUES[2]);
  t.strictSame(
    await new RemoteGraph({ graphId: 'echo', url: server.url, apiKey: 'any' }).invoke({ text: 'x' }),
    VALUES[2],
    'with a client of its own',
  );
});

t.test('invoke on a thread creates the thread and keeps its state', async (t) => {
  const config = onThread();
  t.strictSame(await remote('echo').invoke({ text: 'x' }, config), VALUES[2]);
  t.strictSame(await remote('echo').invoke({ text: 'y' }, config), {
    text: 'y',
    steps: ['first x', 'second x', 'first y', 'second y'],
  });
  t.match(await server.client.threads.get(config.configurable.thread_id), {
    status: 'idle',
    metadata: { graph_id: 'echo' },
  });
});

t.test('stream yields the same as a local graph in each mode', async (t) => {
  t.strictSame(await collect(remote('echo').stream({ text: 'x' })), UPDATES, 'updates unless told otherwise');
  t.strictSame(await collect(remote('echo').stream({ text: 'x' }, { streamMode: 'values' })), VALUES);
  t.strictSame(await collect(remote('echo').stream({ text: 'x' }, { streamMode: ['values', 'updates'] })), [
    ['values', VALUES[0]],
    ['updates', UPDATES[0]],
    ['values', VALUES[1]],
    ['updates', UPDATES[1]],
    ['values', VALUES[2]],
  ]);
  t.strictSame(await collect(remote('gate').stream({ label: 'x' }, { streamMode: 'custom' })), [
    { waiting: 'x' },
    { passed: 'x' },
  ]);
});

t.test('stream yields messages', async (t) => {
  const graph = new RemoteGraph({ graphId: 'agent', client: examples.client });
  const chunks = (await collect(
    graph.stream({ messages: [new HumanMessage({ content: 'hello', id: 'h1' })] }, { streamMode: 'messages' }),
  )) as [{ content: string; id: string; type: string }, { langgraph_node: string }][];
  const said = chunks.filter(([message]) => message.id === 'reply-1');
  t.equal(
    said.map(([message]) => message.content).join(''),
    'Hello! Ask me about the weather in Berlin or Lisbon, or to send a mail.',
  );
  t.ok(
    said.length > 1 &&
      said.every(([message, metadata]) => message.type === 'ai' && metadata.langgraph_node === 'model_request'),
  );
});

t.test('stream of subgraphs yields namespaces', async (t) => {
  const graph = new RemoteGraph({ graphId: 'research', client: examples.client });
  const chunks = (await collect(graph.stream({ topic: 'x' }, { streamMode: 'updates', subgraphs: true }))) as [
    string[],
    object,
  ][];
  t.strictSame(
    chunks.map(([namespace, data]) => [namespace.map((part) => part.replace(/:.*/, '')), Object.keys(data)]),
    [
      [['lookup'], ['search']],
      [['lookup'], ['read']],
      [[], ['lookup']],
      [[], ['write']],
    ],
  );
  const flat = (await collect(graph.stream({ topic: 'x' }, { streamMode: 'updates' }))) as object[];
  t.strictSame(
    flat.map((data) => Object.keys(data)),
    [['lookup'], ['write']],
  );
});

t.test('passes config and context to the remote graph', async (t) => {
  const config = { ...onThread(), tags: ['t'], recursionLimit: 7 };
  const { seen } = (await remote('mirror')
    .withConfig({ metadata: { from: 'config' } })
    .invoke({}, {
      ...config,
      configurable: { ...config.configurable, color: 'red' },
      context: { tenant: 'a' },
    } as never)) as { seen: Record<string, unknown> };
  t.match(seen, {
    configurable: { color: 'red', thread_id: config.configurable.thread_id },
    context: { tenant: 'a' },
    metadata: { from: 'config' },
    recursionLimit: 7,
  });
  t.ok((seen['tags'] as string[]).includes('t'));
});

t.test('raises an error of the remote graph', async (t) => {
  await t.rejects(remote('trouble').invoke({ do: 'throw' }), { name: 'RemoteException', message: /CustomError.*Boo!/ });
  await t.rejects(remote('circle').invoke({ n: 0 }, { recursionLimit: 3 }), /GraphRecursionError/);
  await t.rejects(remote('nobody').invoke({}), /HTTP 404: .*No assistant found for/);
});

t.test('getState returns a snapshot, also of an earlier checkpoint', async (t) => {
  const graph = remote('echo');
  const config = onThread();
  const threadId = config.configurable.thread_id;
  await graph.invoke({ text: 'x' }, config);
  const state = await graph.getState(config);
  t.strictSame([state.values, state.next, state.tasks], [VALUES[2], [], []]);
  t.match(state, {
    metadata: { source: 'loop', step: 2 },
    createdAt: /^\d{4}-/,
    config: { configurable: { thread_id: threadId, checkpoint_ns: '', checkpoint_id: String } },
  });

  const history = [];
  for await (const past of graph.getStateHistory(config)) history.push(past);
  t.strictSame(
    history.map(({ next }) => next),
    [[], ['second'], ['first'], ['__start__']],
  );
  t.strictSame(history[0], state);
  t.equal(history.at(-1)!.parentConfig, undefined);
  t.strictSame(await graph.getState(state.parentConfig!), history[1]);
  const older = [];
  for await (const past of graph.getStateHistory(config, { before: history[1]!.config, limit: 1 })) older.push(past);
  t.strictSame(older, [history[2]]);
  const filtered = [];
  for await (const past of graph.getStateHistory(config, { filter: { source: 'input' } })) filtered.push(past);
  t.strictSame(filtered, [history[3]]);
});

t.test('raises interrupts, shows them in the state and resumes with a command', async (t) => {
  const graph = remote('approval');
  const config = onThread();
  t.match(await stopped(graph.invoke({}, config), config), [{ value: 'first question', id: /^[0-9a-f]{32}$/ }]);
  const state = await graph.getState(config);
  t.match(state, {
    values: { answers: ['before'] },
    next: ['ask'],
    tasks: [{ name: 'ask', interrupts: [{ value: 'first question', interrupt_id: /^[0-9a-f]{32}$/ }] }],
  });
  t.match(await stopped(graph.invoke(new Command({ resume: 'one' }), config), config), [{ value: 'second question' }]);
  t.strictSame(await graph.invoke(new Command({ resume: 'two' }), config), {
    answers: ['before', 'one', 'two', 'after'],
  });
  t.strictSame((await graph.getState(config)).next, []);
});

t.test('shows both interrupts of two tasks in the state', async (t) => {
  const graph = remote('questions');
  const config = onThread();
  t.equal(
    (await stopped(graph.invoke({ answers: ['start'] }, config), config)).length,
    1,
    'the first that is heard of',
  );
  const { tasks } = await graph.getState(config);
  const ids = tasks.map(({ interrupts }) => (interrupts[0] as unknown as { interrupt_id: string }).interrupt_id);
  t.strictSame(await graph.invoke(new Command({ resume: { [ids[0]!]: 'A', [ids[1]!]: 'B' } }), config), {
    answers: ['start', 'ada: A', 'bob: B', 'end'],
  });
});

t.test('stops at breakpoints of the remote graph', async (t) => {
  const config = onThread();
  t.strictSame(
    await stopped(remote('echo', { interruptBefore: ['second'] }).invoke({ text: 'x' }, config), config),
    [],
  );
  t.strictSame((await remote('echo').getState(config)).next, ['second']);
  t.strictSame(await remote('echo').invoke(null as never, config), VALUES[2]);
});

t.test('getState returns the state of a subgraph', async (t) => {
  const graph = remote('nested');
  const config = onThread();
  t.match(await stopped(graph.invoke({ question: 'why?' }, config), config), [{ value: 'why?' }]);
  const shallow = await graph.getState(config);
  t.match(shallow.tasks, [
    { name: 'inner', state: { configurable: { thread_id: config.configurable.thread_id, checkpoint_ns: /^inner:/ } } },
  ]);
  const deep = await graph.getState(config, { subgraphs: true });
  t.match(deep.tasks, [{ name: 'inner', state: { values: { question: 'why?', words: ['prepared'] }, next: ['ask'] } }]);
});

t.test('applies update and goto of a command', async (t) => {
  const config = onThread();
  await remote('echo').invoke({ text: 'x' }, config);
  t.strictSame(await remote('echo').invoke(new Command({ update: { text: 'y' }, goto: 'second' }), config), {
    text: 'y',
    steps: ['first x', 'second x', 'second y'],
  });
});

t.test('runs a remote graph as a node of a local one', async (t) => {
  const local = new StateGraph(MessagesAnnotation)
    .addNode('remote', remote('chat'))
    .addNode('last', () => ({ messages: [new AIMessage({ content: 'local', id: 'l' })] }))
    .addEdge(START, 'remote')
    .addEdge('remote', 'last')
    .addEdge('last', END)
    .compile();
  const { messages } = await local.invoke({ messages: [new HumanMessage({ content: 'hi', id: 'h' })] });
  t.strictSame(
    messages.map((message) => [message.getType(), message.content]),
    [
      ['human', 'hi'],
      ['ai', 'answer 1'],
      ['ai', 'local'],
    ],
  );
});

t.test('refuses streamEvents v2 in the client itself', async (t) => {
  t.throws(() => remote('echo').streamEvents({ text: 'x' }, { version: 'v2' }), /Not implemented/);
});
