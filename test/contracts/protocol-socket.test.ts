import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import t from 'tap';
import { WebSocket } from 'ws';
import { LIMITS } from '../../src/base/limits.js';
import { Empty } from '../helpers/empty.js';
import { Gate } from '../helpers/gate.js';
import { isEnd, readEvents, type WireEvent } from '../helpers/protocol.js';
import { configWith, ROOT, temporaryFolder, testServer } from '../helpers/server.js';
import { TestSocket } from '../helpers/sockets.js';

/** The second event protocol over WebSockets (streaming-protocol-v2.md, section 4). */
const server = await testServer(t, {
  config: configWith(t, 'echo', 'questions', 'nested', 'gate', 'chat'),
  workers: 2,
});
const folder = temporaryFolder(t);
const ALL = ['values', 'checkpoints', 'lifecycle', 'input', 'messages', 'tools', 'updates', 'tasks', 'custom'];
const connect = (threadId: string, headers: Record<string, string> = {}): Promise<TestSocket> =>
  new TestSocket(server.url, threadId, headers).open();

t.test('runs, streams values and answers an interrupt with the stock client over a WebSocket', async (t) => {
  const client = new Client({ apiUrl: server.url, apiKey: null });
  const threadId = randomUUID();
  const stream = client.threads.stream(threadId, {
    assistantId: 'nested',
    transport: 'websocket',
    webSocketFactory: (url: string) => new WebSocket(url) as never,
  });
  await stream.run.start({ input: { question: 'sure?' } });
  const values: unknown[] = [];
  for await (const one of stream.values) values.push(one);
  t.match(values.at(-1), { question: 'sure?' });
  const [open] = stream.interrupts as { namespace: string[]; interruptId: string; payload: unknown }[];
  t.equal(open!.payload, 'sure?');
  await stream.respondInput({ namespace: open!.namespace, interrupt_id: open!.interruptId, response: 'yes' } as never);
  await readEvents(
    server.url,
    threadId,
    { channels: ['lifecycle'], namespaces: [[]], depth: 0 },
    ({ params }) => params.data.event === 'completed',
  );
  await stream.close();
  t.match(await server.client.threads.getState(threadId), {
    next: Empty,
    values: { words: ['prepared', 'answer yes', 'closed'] },
  });
});

t.test('answers a subscription before its replay, which equals that of SSE', async (t) => {
  const threadId = randomUUID();
  const socket = await connect(threadId);
  const started = await socket.ask('run.start', { assistant_id: 'nested', input: { question: 'x' } });
  t.match(started, { type: 'success', result: { run_id: String } });
  const events = await readEvents(server.url, threadId, { channels: ALL }, isEnd);

  const { result } = await socket.ask('subscription.subscribe', { channels: ALL });
  t.match(result, { subscription_id: String });
  await socket.until(() => socket.events.find(isEnd));
  t.strictSame(socket.events, events);
  t.ok(
    socket.told.findIndex((one) => 'result' in one && one.result!['subscription_id'] !== undefined) <
      socket.told.indexOf(socket.events[0]!),
  );

  const since = new TestSocket(server.url, threadId);
  await since.open();
  since.ws.send(
    Buffer.from(
      JSON.stringify({
        id: 1,
        method: 'subscription.subscribe',
        params: { channels: ['values', 'lifecycle'], namespaces: [[]], depth: 0, since: events[2]!.seq },
      }),
    ),
    { binary: true },
  );
  await since.until(() => since.events.find(isEnd));
  t.strictSame(
    since.events,
    events
      .slice(3)
      .filter(({ method, params }) => ['values', 'lifecycle'].includes(method) && params.namespace.length === 0),
    'a cursor and a filter; a binary message is text too',
  );
  for (const one of [socket, since]) one.ws.close();
});

t.test('counts the replayed events in the response to a subscription', async (t) => {
  const threadId = randomUUID();
  const socket = await connect(threadId);
  t.match(await socket.ask('subscription.subscribe', { channels: ['lifecycle'] }), { result: { replayed_events: 0 } });
  await socket.ask('run.start', { assistant_id: 'nested', input: { question: 'x' } });
  const events = await readEvents(server.url, threadId, { channels: ALL }, isEnd);
  const { result } = await socket.ask('subscription.subscribe', { channels: ['values', 'checkpoints'] });
  t.equal(result!['replayed_events'], events.filter(({ method }) => ['values', 'checkpoints'].includes(method)).length);
  const since = await socket.ask('subscription.subscribe', { channels: ALL, since: events[2]!.seq });
  t.equal(since.result!['replayed_events'], events.length - 3);
  socket.ws.close();
});

t.test('merges the subscriptions of a socket into one ordered sequence', async (t) => {
  const threadId = randomUUID();
  const live = await connect(threadId);
  for (const channels of [
    ['tasks', 'updates', 'custom'],
    ['lifecycle', 'input'],
    ['values', 'checkpoints', 'lifecycle'],
  ])
    await live.ask('subscription.subscribe', { channels });
  await live.ask('run.start', { assistant_id: 'nested', input: { question: 'x' } });
  await live.until(() => live.events.find(isEnd));
  const expected = await readEvents(server.url, threadId, { channels: ALL }, isEnd);
  t.strictSame(live.events, expected, 'live: every event once, in order');
  live.ws.close();

  const again = await connect(threadId);
  const [input, values] = [
    { channels: ['lifecycle', 'input'] },
    { channels: ['values', 'checkpoints', 'lifecycle', 'input', 'tasks', 'updates', 'custom'] },
  ].map((params) => again.ask('subscription.subscribe', params));
  t.match(await input, { type: 'success' });
  t.match(await values, { type: 'success' });
  await again.until(() => again.events.find(isEnd));
  t.strictSame(again.events, expected, 'after a reconnect: the end of the run is last');

  const before = again.events.length;
  const { result } = await again.ask('subscription.subscribe', { channels: ['values'] });
  await again.until(() => (again.events.length === before + Number(result!['replayed_events']) ? true : undefined));
  t.strictSame(
    again.events.slice(before),
    expected.filter(({ method }) => method === 'values'),
    'later: only the new subscription is replayed',
  );
  again.ws.close();
});

t.test('sends an event in every form that the subscriptions of a socket expect', async (t) => {
  const threadId = randomUUID();
  const socket = await connect(threadId);
  await socket.ask('subscription.subscribe', { channels: ['messages'] });
  await socket.ask('subscription.subscribe', { channels: ['messages', 'lifecycle'], namespaces: [[]], depth: 0 });
  await socket.ask('run.start', { assistant_id: 'chat', input: { messages: [{ role: 'user', content: 'hello' }] } });
  await socket.until(() => socket.events.find(isEnd));
  const starts = socket.events.filter(({ params }) => params.data.event === 'message-start');
  const byId = new Map<string, WireEvent[]>();
  for (const one of starts) byId.set(one.event_id, [...(byId.get(one.event_id) ?? []), one]);
  t.not(byId.size, 0);
  for (const forms of byId.values()) {
    t.equal(forms.length, 2);
    t.strictSame(forms[1]!.params.namespace, forms[0]!.params.namespace.slice(0, -1));
  }
  socket.ws.close();
});

t.test('reports no gap for a thread that never ran', async (t) => {
  const { thread_id: threadId } = await server.client.threads.create();
  const socket = await connect(threadId);
  await socket.ask('subscription.subscribe', { channels: ALL });
  const response = await fetch(`${server.url}/threads/${threadId}/stream/events`, {
    method: 'POST',
    body: JSON.stringify({ channels: ['lifecycle'] }),
    headers: { 'content-type': 'application/json' },
  });
  await socket.ask('run.start', { assistant_id: 'echo', input: { text: 'x' } });
  await socket.until(() => socket.events.find(isEnd));
  t.strictSame(
    socket.events.filter(({ method }) => method === 'gap'),
    [],
  );
  t.equal(socket.events[0]!.seq, 1);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('"completed"')) text += (await reader.read()).value;
  await reader.cancel();
  t.notMatch(text, /events 0 to 0/);
  socket.ws.close();
});

t.test('sends the ends of nodes to a watcher on a socket that carries more than the watcher', async (t) => {
  const threadId = randomUUID();
  const client = await connect(threadId);
  await client.ask('run.start', { assistant_id: 'nested', input: { question: 'x' } });
  const watch = { channels: ['lifecycle', 'input'] };
  await client.ask('subscription.subscribe', watch);
  await client.until(() => client.events.find(isEnd));
  const nodes = (socket: TestSocket): number =>
    socket.events.filter(({ method, params }) => method === 'lifecycle' && params.namespace.length > 0).length;
  t.ok(nodes(client) > 0, "as JavaScript's client has it");

  const alone = await connect(threadId);
  await alone.ask('subscription.subscribe', watch);
  await alone.until(() => alone.events.find(isEnd));
  t.equal(nodes(alone), 0, "as Python's client has it, which takes the end of a node for the end of the run");
  for (const socket of [client, alone]) socket.ws.close();
});

t.test('serves many sockets and subscriptions beside commands over HTTP', async (t) => {
  const threadId = randomUUID();
  const gate = new Gate(folder);
  const [first, second] = await Promise.all([connect(threadId), connect(threadId)]);
  for (const socket of [first, second])
    t.match(
      await socket.ask('subscription.subscribe', { channels: ['lifecycle', 'custom'] }),
      { type: 'success' },
      'before there is a thread',
    );
  await server.post(`/threads/${threadId}/commands`, {
    id: 1,
    method: 'run.start',
    params: { assistant_id: 'gate', input: { label: 'a', gate: gate.file } },
  });
  for (const socket of [first, second])
    await socket.until(() => socket.events.find(({ method }) => method === 'custom'));
  const { result } = await first.ask('subscription.subscribe', { channels: ['values'] });
  t.match(await first.ask('subscription.unsubscribe', result), { type: 'success', result: Empty });
  t.match(await first.ask('subscription.unsubscribe', result), { type: 'error', error: 'no_such_subscription' });
  first.ws.close();
  await first.closed();
  gate.open();
  await second.until(() => second.events.find(isEnd));
  t.notOk(first.events.some(isEnd), 'who left is told nothing');
  second.ws.close();
});

t.test('answers invalid commands and keeps the socket open', async (t) => {
  const socket = await connect(randomUUID());
  for (const message of [
    '{',
    '[]',
    '{"id":"1","method":"run.start"}',
    '{"id":1}',
    '"x"',
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
  ]) {
    const before = socket.answers.length;
    socket.ws.send(message);
    t.matchStrict(
      await socket.until(() => socket.answers[before]),
      { type: 'error', id: null, error: 'invalid_argument', message: String },
      message.slice(0, 40),
    );
  }
  t.match(await socket.ask('subscription.subscribe', { channels: [] }), {
    error: 'invalid_argument',
    message: /channels/,
  });
  t.match(await socket.ask('subscription.subscribe', { channels: ['everything'] }), {
    error: 'invalid_argument',
    message: /channels/,
  });
  t.match(await socket.ask('subscription.reconnect', { run_id: 'x' }), { error: 'not_supported' });
  t.match(await socket.ask('nonsense'), { error: 'unknown_command' });
  t.match(await socket.ask('run.start', { assistant_id: 'nobody' }), {
    error: 'no_such_run',
    message: /No assistant found/,
  });
  t.match(await socket.ask('run.start', { assistant_id: 'echo', input: { text: 'x' } }), { type: 'success' });
  for (let count = 0; count < 64; count += 1) await socket.ask('subscription.subscribe', { channels: ['tasks'] });
  t.match(await socket.ask('subscription.subscribe', { channels: ['tasks'] }), {
    error: 'invalid_argument',
    message: /at most 64/,
  });
  socket.ws.close();
  t.equal((await server.get('/threads/x/stream/events')).status, 405, 'without an upgrade there is no such method');
});

t.test('closes the sockets of a deleted thread', async (t) => {
  const { thread_id: threadId } = await server.client.threads.create();
  const socket = await connect(threadId);
  await socket.ask('subscription.subscribe', { channels: ['lifecycle'] });
  const closed = socket.closed();
  await server.client.threads.delete(threadId);
  t.strictSame(await closed, [4410, 'the thread was deleted']);
});

t.test('applies keys, users and origins to sockets', async (t) => {
  const keyed = await testServer(t, {
    config: configWith(t, 'echo'),
    env: { THREADMILL_API_KEYS: 'a-key-of-twenty-characters-or-more' },
  });
  const threadId = randomUUID();
  t.match(await new TestSocket(keyed.url, threadId).closed(), [4401, /API key/]);
  const socket = await new TestSocket(keyed.url, threadId, {
    'x-api-key': 'a-key-of-twenty-characters-or-more',
  }).open();
  t.match(await socket.ask('run.start', { assistant_id: 'echo', input: { text: 'x' } }), { type: 'success' });
  socket.ws.close();

  const users = await testServer(t, { config: join(ROOT, 'test', 'access', 'project', 'langgraph.json') });
  const as = (name: string): Record<string, string> => ({ authorization: `Bearer token-of-${name}` });
  t.match(await new TestSocket(users.url, threadId).closed(), [4401, 'Who are you?']);
  const alice = await new TestSocket(users.url, threadId, as('alice')).open();
  const bob = await new TestSocket(users.url, threadId, as('bob')).open();
  t.match(await bob.ask('subscription.subscribe', { channels: ALL }), { type: 'success' }, 'nobody has it yet');
  const hidden = bob.closed();
  t.match(await alice.ask('run.start', { assistant_id: 'echo', input: { text: 'mine' } }), { type: 'success' });
  t.strictSame(
    await hidden,
    [4404, `Thread with ID ${threadId} not found`],
    'made by another, it is not there for him',
  );
  t.strictSame(bob.events, []);
  await alice.ask('subscription.subscribe', { channels: ['lifecycle'] });
  await alice.until(() => alice.events.find(isEnd));
  const late = await new TestSocket(users.url, threadId, as('bob')).open();
  t.match(await late.ask('subscription.subscribe', { channels: ALL }), { error: 'no_such_run', message: /not found/ });
  t.match(await late.ask('run.start', { assistant_id: 'echo', input: {} }), { error: 'no_such_run' });
  for (const one of [alice, late]) one.ws.close();

  const early = await new TestSocket(users.url, threadId, { authorization: 'Bearer slow' }).open();
  const early1 = early.ask('subscription.subscribe', { channels: ALL });
  const early2 = early.ask('state.get', {});
  t.match(await early1, { id: 1, type: 'success' }, 'what arrives before the caller is known waits');
  t.match(await early2, { id: 2, type: 'success' });
  early.ws.close();
  // A node that passes commands on closes the socket with another code, when the owner does not keep up.
  const owner = `http://127.0.0.1:${users.port}`;
  const flood = await new TestSocket(owner, threadId, { authorization: 'Bearer hang' }).open();
  const refused = flood.closed();
  const part = Buffer.alloc(LIMITS.socketEarlyBytesMax / 8 + 1, 'x');
  for (let sent = 0; sent < 8; sent += 1) flood.ws.send(part);
  t.match(await refused, [4503, /too many commands/]);

  const page = { origin: 'https://elsewhere.example' };
  t.match(
    await new TestSocket(server.url, threadId, { ...page, cookie: 'session=1' }).closed(),
    [4403, /elsewhere\.example/],
    "another site does not use a browser's cookies",
  );
  const { url } = server;
  (await new TestSocket(url, threadId, { origin: url, cookie: 'session=1' }).open()).ws.close();
  t.match(
    await new TestSocket(server.url, threadId, page).closed(),
    [4403, /elsewhere\.example/],
    'nor does it act for nobody',
  );
  t.match(
    await new TestSocket(keyed.url, threadId, {
      ...page,
      cookie: 'session=1',
      'x-api-key': 'a-key-of-twenty-characters-or-more',
    }).closed(),
    [4403, /elsewhere\.example/],
  );
  (
    await new TestSocket(keyed.url, threadId, { ...page, 'x-api-key': 'a-key-of-twenty-characters-or-more' }).open()
  ).ws.close();
});
