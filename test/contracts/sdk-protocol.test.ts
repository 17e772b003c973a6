import { randomUUID } from 'node:crypto';
import t from 'tap';
import { Empty } from '../helpers/empty.js';
import { collect } from '../helpers/events.js';
import { Gate } from '../helpers/gate.js';
import { isEnd, readEvents, type WireEvent } from '../helpers/protocol.js';
import { configWith, EXAMPLES, temporaryFolder, testServer } from '../helpers/server.js';

/** The second event protocol: what `threads.stream()` of the stock clients needs, and the rules of its wire. */
const config = configWith(t, 'echo', 'questions', 'nested', 'gate', 'trouble', 'tools', 'ticker');
const server = await testServer(t, { config, workers: 2 });
const { client } = server;
const folder = temporaryFolder(t);
const ALL = ['values', 'checkpoints', 'lifecycle', 'input', 'messages', 'tools', 'updates', 'tasks', 'custom'];

interface Answer {
  type: string;
  id: number | null;
  result?: Record<string, unknown>;
  error?: string;
  message?: string;
  meta?: { applied_through_seq: number; thread_id: string };
}

const command = async (threadId: string, method: string, params: object, id = 7): Promise<Answer> => {
  const response = await server.post(`/threads/${threadId}/commands`, { id, method, params });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
};
const told = (events: WireEvent[]): string[] =>
  events.map(
    ({ method, params }) =>
      `${method}${params.data.event === undefined ? '' : ` ${params.data.event}`}${params.namespace.length === 0 ? '' : ` ${params.namespace.map((one) => one.split(':')[0]).join('|')}`}`,
  );

t.test('the stock client: receives values and their end in two turns', async (t) => {
  const threadId = randomUUID();
  const stream = client.threads.stream(threadId, { assistantId: 'echo' });
  const { run_id: runId } = await stream.run.start({ input: { text: 'one' } });
  const values: unknown[] = [];
  for await (const one of stream.values) values.push(one);
  t.strictSame(values.at(-1), { text: 'one', steps: ['first one', 'second one'] });
  t.match(await stream.output, { text: 'one' });
  await stream.close();
  t.match(await client.runs.get(threadId, runId!), { status: 'success' });

  const again = client.threads.stream(threadId, { assistantId: 'echo' });
  const { run_id: second } = await again.run.start({ input: { text: 'two' } });
  t.not(second, runId);
  t.match(await client.runs.join(threadId, second!), {
    text: 'two',
    steps: ['first one', 'second one', 'first two', 'second two'],
  });
  await again.close();
});

t.test('the stock client: receives and answers one interrupt or many', async (t) => {
  const threadId = randomUUID();
  const stream = client.threads.stream(threadId, { assistantId: 'questions' });
  await stream.run.start({ input: {} });
  await readEvents(server.url, threadId, { channels: ['lifecycle'] }, isEnd);
  const events = await readEvents(server.url, threadId, { channels: ['input', 'lifecycle'] }, isEnd);
  const asked = events.filter(({ method }) => method === 'input.requested');
  t.strictSame(
    asked.map(({ params }) => params.data['payload']),
    [{ ask: 'ada' }, { ask: 'bob' }],
  );
  t.strictSame(
    asked.map(({ params }) => params.data['value']),
    [{ ask: 'ada' }, { ask: 'bob' }],
    'as Python reads it',
  );
  t.equal(events.at(-1)!.params.data.event, 'interrupted');

  const ids = asked.map(({ params }) => params.data['interrupt_id'] as string);
  t.match(
    await command(threadId, 'input.respond', {
      responses: ids.map((id, at) => ({ namespace: [], interrupt_id: id, response: `answer ${at}` })),
    }),
    { type: 'success', id: 7, result: Empty },
  );
  const after = await readEvents(
    server.url,
    threadId,
    { channels: ['values', 'lifecycle', 'input'], since: events.at(-1)!.seq },
    isEnd,
  );
  t.strictSame(
    after.slice(0, 2).map(({ method, params }) => [method, params.data]),
    [
      ['lifecycle', { event: 'running', graph_name: 'questions' }],
      ['input.answered', { interrupt_ids: ids }],
    ],
  );
  t.strictSame(after.filter(({ method }) => method === 'values').at(-1)!.params.data, {
    answers: ['ada: answer 0', 'bob: answer 1', 'end'],
  });
  t.notOk(events.concat(after).some(({ method, params }) => method === 'values' && '__interrupt__' in params.data));
  await stream.close();
});

t.test('treats respond, and an input during an interrupt, as answers', async (t) => {
  const threadId = randomUUID();
  const stream = client.threads.stream(threadId, { assistantId: 'nested' });
  await stream.run.start({ input: { question: 'sure?' } });
  const events = await readEvents(server.url, threadId, { channels: ['input', 'lifecycle'] }, isEnd);
  const {
    params: { data, namespace },
  } = events.find(({ method }) => method === 'input.requested')!;
  t.equal(data['payload'], 'sure?');
  await stream.respondInput({ namespace, interrupt_id: data['interrupt_id'] as string, response: 'yes' } as never);
  await readEvents(server.url, threadId, { channels: ['lifecycle'], since: events.at(-1)!.seq }, isEnd);
  t.match(await client.threads.getState(threadId), {
    values: { words: ['prepared', 'answer yes', 'closed'] },
    next: Empty,
  });
  await stream.close();

  const other = randomUUID();
  await command(other, 'run.start', { assistant_id: 'nested', input: { question: 'sure?' } });
  const first = await readEvents(server.url, other, { channels: ['lifecycle'] }, isEnd);
  await command(other, 'run.start', { assistant_id: 'nested', input: 'by the way' });
  await readEvents(server.url, other, { channels: ['lifecycle'], since: first.at(-1)!.seq }, isEnd);
  t.match(await client.threads.getState(other), { values: { words: ['prepared', 'answer by the way', 'closed'] } });
});

t.test('sends messages as blocks with the ids of the state', async (t) => {
  const agents = await testServer(t, { config: EXAMPLES });
  const threadId = randomUUID();
  const stream = agents.client.threads.stream(threadId, { assistantId: 'agent' });
  await stream.run.start({ input: { messages: [{ role: 'user', content: 'What is 6 times 7?' }] } });
  const events = await readEvents(agents.url, threadId, { channels: ALL }, isEnd);
  const messages = events.filter(({ method }) => method === 'messages');
  const starts = messages.filter(({ params }) => params.data.event === 'message-start');
  t.ok(starts.length > 0, `${starts.length} messages`);
  const state = (await agents.client.threads.getState<{ messages: { id: string; type: string }[] }>(threadId)).values;
  const ids = new Set(state.messages.map(({ id }) => id));
  for (const { params } of starts)
    t.ok(ids.has(params.data['id'] as string), `${String(params.data['id'])} is in the state`);
  t.ok(
    messages.some(({ params }) => params.data.event === 'content-block-delta'),
    'bit by bit',
  );
  t.ok(messages.every(({ params }) => params.node !== undefined));
  await stream.close();

  const asked = randomUUID();
  await agents.post(`/threads/${asked}/commands`, {
    id: 1,
    method: 'run.start',
    params: { assistant_id: 'agent', input: { messages: [{ role: 'user', content: 'Send a mail, please' }] } },
  });
  const mail = await readEvents(agents.url, asked, { channels: ['messages', 'input', 'lifecycle'] }, isEnd);
  t.ok(
    mail.some(
      ({ params }) =>
        params.data.event === 'content-block-finish' &&
        (params.data['content'] as { type: string }).type === 'tool_call',
    ),
    'a call of a tool is a block of its own',
  );
  t.match(
    mail.find(({ method }) => method === 'input.requested'),
    { params: { data: { payload: { question: /ada@example\.org/ } } } },
  );
});

t.test('sends the start, progress and end of tools', async (t) => {
  for (const [city, end] of [
    ['Jena', 'tool-finished'],
    ['nowhere', 'tool-error'],
  ]) {
    const threadId = randomUUID();
    await command(threadId, 'run.start', { assistant_id: 'tools', input: { city } });
    const events = await readEvents(server.url, threadId, { channels: ['tools', 'lifecycle'] }, isEnd);
    const tools = events.filter(({ method }) => method === 'tools').map(({ params }) => params.data);
    t.match(tools[0], { event: 'tool-started', tool_call_id: 'call-1', tool_name: 'forecast' });
    t.match(tools.at(-1), { event: end, tool_call_id: 'call-1' });
  }
});

t.test('sends events in order with ids and times', async (t) => {
  const threadId = randomUUID();
  const answer = await command(threadId, 'run.start', { assistant_id: 'nested', input: { question: 'x' } }, 3);
  const runId = answer.result!['run_id'] as string;
  t.match(answer, { type: 'success', id: 3, meta: { thread_id: threadId, applied_through_seq: 0 } });
  const events = await readEvents(server.url, threadId, { channels: ALL }, isEnd);
  t.equal(events[0]!.event_id, `synth:${runId}:running`);
  t.equal(events.at(-1)!.event_id, `synth:${runId}:interrupted`);
  t.ok(
    events.every(({ seq }, at) => seq === events[0]!.seq + at),
    'without a gap',
  );
  t.equal(events[0]!.seq, 1);
  t.equal(new Set(events.map(({ event_id: id }) => id)).size, events.length);
  t.ok(events.every(({ params }, at) => at === 0 || params.timestamp >= events[at - 1]!.params.timestamp));
  const names = told(events);
  t.ok(
    names.indexOf('lifecycle started inner') < names.indexOf('values inner'),
    'a graph below begins before it says something',
  );
  t.ok(
    names.indexOf('lifecycle completed inner') < names.length - 1 ||
      names.indexOf('lifecycle interrupted inner') > 0 ||
      names.indexOf('lifecycle failed inner') > 0,
    'and has ended before the run has',
  );
  for (const [at, one] of events.entries()) {
    if (one.method !== 'checkpoints') continue;
    t.equal(events[at + 1]!.method, 'values', 'a checkpoint comes before its values');
    t.strictSame(events[at + 1]!.params.namespace, one.params.namespace);
  }
  t.strictSame(await readEvents(server.url, threadId, { channels: ALL }, isEnd), events, 'a replay says the same');
  t.strictSame(
    await readEvents(server.url, threadId, { channels: ALL, since: events[4]!.seq }, isEnd),
    events.slice(5),
    'since is literal',
  );

  const root = await readEvents(server.url, threadId, { channels: ALL, namespaces: [[]], depth: 0 }, isEnd);
  t.strictSame(
    root,
    events.filter(({ params }) => params.namespace.length === 0),
  );
  const inner = await readEvents(
    server.url,
    threadId,
    { channels: ['values', 'lifecycle'], namespaces: [['inner'], []], depth: 0 },
    isEnd,
  );
  t.strictSame(
    inner,
    events.filter(({ method, params }) => ['values', 'lifecycle'].includes(method) && params.namespace.length <= 1),
  );
});

t.test('keeps all events and ids over a restart', async (t) => {
  const dataFolder = temporaryFolder(t);
  const first = await testServer(t, { config, dataFolder });
  const threadId = randomUUID();
  await first.post(`/threads/${threadId}/commands`, {
    id: 1,
    method: 'run.start',
    params: { assistant_id: 'echo', input: { text: 'x' } },
  });
  const before = await readEvents(first.url, threadId, { channels: ALL }, isEnd);
  await first.close(0);
  const second = await testServer(t, { config, dataFolder });
  t.strictSame(await readEvents(second.url, threadId, { channels: ALL }, isEnd), before);
  await second.post(`/threads/${threadId}/commands`, {
    id: 1,
    method: 'run.start',
    params: { assistant_id: 'echo', input: { text: 'y' } },
  });
  const after = await readEvents(second.url, threadId, { channels: ALL, since: before.at(-1)!.seq }, isEnd);
  t.ok(after[0]!.seq > before.at(-1)!.seq);
});

t.test('sends an end for every run, also a failed or canceled one', async (t) => {
  const failing = randomUUID();
  await command(failing, 'run.start', { assistant_id: 'trouble', input: { do: 'throw' } });
  t.match((await readEvents(server.url, failing, { channels: ['lifecycle'] }, isEnd)).at(-1), {
    params: { data: { event: 'failed', error: 'Boo!' } },
  });

  const gate = new Gate(folder);
  const threadId = randomUUID();
  const { result } = await command(threadId, 'run.start', {
    assistant_id: 'gate',
    input: { label: 'a', gate: gate.file },
  });
  await readEvents(server.url, threadId, { channels: ['custom'] }, ({ method }) => method === 'custom');
  await client.runs.cancel(threadId, result!['run_id'] as string, true);
  const cancelled = await readEvents(server.url, threadId, { channels: ['lifecycle', 'custom'] }, isEnd);
  t.match(cancelled.at(-1), { params: { data: { event: 'interrupted' } } });
  t.match(
    cancelled.find(({ method }) => method === 'custom'),
    { params: { data: { payload: { waiting: 'a' } } } },
  );
});

t.test('queues, replaces or refuses further runs of a thread by strategy', async (t) => {
  const gate = new Gate(folder);
  const threadId = randomUUID();
  const run = async (label: string, more: object = {}): Promise<Answer> =>
    command(threadId, 'run.start', {
      assistant_id: 'gate',
      input: { label, gate: label === 'a' ? gate.file : '' },
      ...more,
    });
  const first = await run('a');
  await gate.reached();
  t.match(await run('b', { multitask_strategy: 'reject' }), {
    type: 'error',
    error: 'invalid_argument',
    message: /already running/,
  });
  const second = await run('c', { multitaskStrategy: 'interrupt' });
  const ends = await readEvents(
    server.url,
    threadId,
    { channels: ['lifecycle'] },
    ({ event_id: id }) => id === `synth:${second.result!['run_id'] as string}:completed`,
  );
  t.ok(
    ends.some(({ event_id: id }) => id === `synth:${first.result!['run_id'] as string}:interrupted`),
    'the end of the one that was stopped is told too',
  );
});

t.test('refuses invalid commands', async (t) => {
  const threadId = randomUUID();
  const cases: [string, object, object][] = [
    ['run.start', {}, { error: 'invalid_argument', message: /assistant_id/ }],
    ['run.start', { assistant_id: 'nobody', input: {} }, { error: 'no_such_run', message: /No assistant found/ }],
    [
      'run.start',
      { assistant_id: 'echo', input: {}, config: 5 },
      { error: 'invalid_argument', message: /params\.config/ },
    ],
    [
      'run.start',
      { assistant_id: 'echo', input: {}, multitask_strategy: 'whatever' },
      { error: 'invalid_argument', message: /multitask_strategy/ },
    ],
    ['input.respond', { interrupt_id: 'x', response: 1 }, { error: 'no_such_run' }],
    ['input.respond', { responses: [] }, { error: 'invalid_argument' }],
    ['input.inject', {}, { error: 'not_supported' }],
    ['constructor', {}, { error: 'unknown_command' }],
  ];
  for (const [method, params, expected] of cases)
    t.match(
      await command(threadId, method, params),
      { type: 'error', id: 7, ...expected },
      `${method} ${JSON.stringify(params)}`,
    );
  await t.rejects(client.threads.get(threadId), /404/, 'and changes nothing');

  await client.runs.wait((await client.threads.create({ threadId })).thread_id, 'echo', { input: { text: 'x' } });
  t.match(await command(threadId, 'run.start', { assistant_id: 'gate', input: {} }), {
    error: 'invalid_argument',
    message: /belongs to/,
  });
  t.match(await command(threadId, 'input.respond', { interrupt_id: 'x', response: 1 }), {
    error: 'invalid_argument',
    message: /no interrupt is open/,
  });
  for (const [path, body] of [
    ['commands', { method: 'run.start' }],
    ['commands', { id: -1, method: 'x' }],
    ['stream/events', { channels: [] }],
    ['stream/events', { channels: ['everything'] }],
    ['stream/events', { channels: ['values'], since: -1 }],
  ] as const) {
    t.equal((await server.post(`/threads/${threadId}/${path}`, body)).status, 422, JSON.stringify(body));
  }
});

t.test('waits for a thread that does not exist yet and starts with its first event', async (t) => {
  const threadId = randomUUID();
  const events = readEvents(server.url, threadId, { channels: ALL }, isEnd);
  // Not the first that is there: nobody has made it when the stream asks.
  while (!(await (await server.get('/metrics?format=json')).text()).includes('"stream_readers":1'))
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  await command(threadId, 'run.start', { assistant_id: 'echo', input: { text: 'x' } });
  const told = await events;
  t.equal(told[0]!.seq, 1);
  t.strictSame(told, await readEvents(server.url, threadId, { channels: ALL }, isEnd), 'as a replay');

  const many = randomUUID();
  const leave = new AbortController();
  const open = async (): Promise<Response> =>
    fetch(`${server.url}/threads/${many}/stream/events`, {
      method: 'POST',
      body: '{"channels":["values"]}',
      headers: { 'content-type': 'application/json' },
      signal: leave.signal,
    });
  // Kept, because `fetch` closes the connection of a response that is garbage.
  const waiting = await Promise.all(Array.from({ length: 100 }, open));
  t.equal((await open()).status, 503, 'so many wait at once');
  t.strictSame(new Set(waiting.map(({ status }) => status)), new Set([200]));
  leave.abort();
  const fresh = async (): Promise<number> => {
    for (let tries = 0; tries < 1_000; tries += 1) {
      const one = new AbortController();
      const { status } = await fetch(`${server.url}/threads/${many}/stream/events`, {
        method: 'POST',
        body: '{"channels":["values"]}',
        headers: { 'content-type': 'application/json' },
        signal: one.signal,
      });
      one.abort();
      if (status === 200) return status;
    }
    return 0;
  };
  t.equal(await fresh(), 200, 'who leaves makes room');
});

t.test('sends tasks under their graph and starts a watcher at the present for the Python client', async (t) => {
  const agents = await testServer(t, { config: EXAMPLES });
  const threadId = randomUUID();
  const python = { 'cache-control': 'no-store' };
  const send = async (method: string, params: object): Promise<string> => {
    const { result } = (await (
      await agents.post(`/threads/${threadId}/commands`, { id: 1, method, params })
    ).json()) as Answer;
    return result!['run_id'] as string;
  };
  const first = await send('run.start', {
    assistant_id: 'agent',
    input: { messages: [{ role: 'user', content: 'What is 6 times 7?' }] },
  });
  const whole = await readEvents(agents.url, threadId, { channels: ALL }, isEnd);
  const cut = (events: WireEvent[]): WireEvent[] =>
    events.map((event) =>
      ['messages', 'tools'].includes(event.method)
        ? { ...event, params: { ...event.params, namespace: event.params.namespace.slice(0, -1) } }
        : event,
    );
  t.ok(
    whole.some(({ method, params }) => method === 'messages' && params.namespace.length === 1),
    "JavaScript's clients find them under the task",
  );
  t.strictSame(await readEvents(agents.url, threadId, { channels: ALL }, isEnd, python), cut(whole));
  const root = { channels: ['messages', 'tools', 'lifecycle'], namespaces: [[]], depth: 0 };
  const expected = cut(whole).filter(
    ({ method, params }) => root.channels.includes(method) && params.namespace.length === 0,
  );
  t.strictSame(
    await readEvents(agents.url, threadId, root, isEnd),
    expected,
    'whoever asks for the root alone means that',
  );

  const tools = randomUUID();
  await command(tools, 'run.start', { assistant_id: 'tools', input: { city: 'Jena' } });
  t.match(
    await readEvents(
      server.url,
      tools,
      { channels: ['tools'], namespaces: [[]], depth: 0 },
      ({ method }) => method === 'tools',
    ),
    [{ params: { namespace: Empty, data: { event: 'tool-started' } } }],
  );

  const watched = readEvents(
    agents.url,
    threadId,
    { channels: ['lifecycle', 'input'] },
    (event) => isEnd(event),
    python,
  );
  while (!(await (await agents.get('/metrics?format=json')).text()).includes('"stream_readers":1'))
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  const second = await send('run.start', {
    assistant_id: 'agent',
    input: { messages: [{ role: 'user', content: 'Send a mail, please' }] },
  });
  const told = await watched;
  t.not(second, first);
  t.equal(told[0]!.event_id, `synth:${second}:running`, 'the end of an older run is not taken for that of this one');
  t.equal(told.at(-1)!.event_id, `synth:${second}:interrupted`);
  const nodes = (events: readonly WireEvent[]): WireEvent[] =>
    events.filter(({ method, params }) => method === 'lifecycle' && params.namespace.length > 0);
  t.strictSame(nodes(told), [], 'the end of a node is not taken for that of the run');
  const all = await readEvents(
    agents.url,
    threadId,
    { channels: ['lifecycle', 'input'] },
    ({ event_id: id }) => id === `synth:${second}:interrupted`,
  );
  t.ok(nodes(all).length > 0, "JavaScript's clients find subgraphs by them");
  t.ok(
    nodes(await readEvents(agents.url, threadId, { channels: ['lifecycle'] }, isEnd, python)).length > 0,
    'which Python gets too where it asks for them',
  );
  const late = await readEvents(agents.url, threadId, { channels: ['lifecycle', 'input'] }, isEnd, python);
  t.strictSame(late, told, 'open questions are told to who comes later');
});

t.test('shows the run, without protocol events, to clients of the first protocol', async (t) => {
  const threadId = randomUUID();
  const { result } = await command(threadId, 'run.start', {
    assistant_id: 'echo',
    input: { text: 'x' },
    metadata: { by: 'command' },
  });
  const runId = result!['run_id'] as string;
  t.match(await client.runs.join(threadId, runId), { text: 'x' });
  t.match(await client.runs.get(threadId, runId), { status: 'success', metadata: { by: 'command' } });
  t.strictSame(await collect(client.runs.joinStream(threadId, runId, { lastEventId: '-1' })), []);
  await client.runs.wait(threadId, 'echo', { input: { text: 'y' } });
  const seen = await readEvents(server.url, threadId, { channels: ALL }, isEnd);
  t.ok(seen.every(({ event_id: id }) => !id.includes('undefined')));
});
