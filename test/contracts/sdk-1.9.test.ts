import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Client } from 'langgraph-sdk-1.9';
import t from 'tap';
import { collect, Reader, told, type Event } from '../helpers/events.js';
import { Gate } from '../helpers/gate.js';
import { projectOf } from '../helpers/project.js';
import { ROOT, temporaryFolder, testServer } from '../helpers/server.js';

/**
 * The older line of the JavaScript client, as it is: every method of it. What it sends is noted where its wire is
 * another one.
 */
const server = await testServer(t);
const sent: string[] = [];
let answered = (): void => undefined;
const client = new Client({
  apiUrl: `${server.url}/`,
  apiKey: null,
  callerOptions: {
    maxRetries: 0,
    fetch: async (...args: Parameters<typeof fetch>) => {
      const response = await fetch(...args);
      answered();
      return response;
    },
  },
  onRequest: (url, init) => {
    sent.push(`${init.method ?? 'GET'} ${decodeURIComponent(url.pathname + url.search)}`);
    return init;
  },
});
const { assistants, threads, runs, crons, store } = client;
const folder = temporaryFolder(t);

const NOBODY = '00000000-0000-4000-8000-000000000000';
const label = (): string => `label-${randomUUID()}`;
const newThread = async (): Promise<string> => (await threads.create()).thread_id;
const STEPS = ['before a', 'held a', 'after a'];
const ECHO = { text: 'x', steps: ['first x', 'second x'] };

t.test('creates, reads, changes, finds, counts and deletes assistants', async (t) => {
  const set = label();
  const made = await assistants.create({
    graphId: 'echo',
    metadata: { set },
    name: 'Ada',
    description: 'first',
    config: { configurable: { a: 1 } },
    context: { b: 2 },
    ifExists: 'raise',
  });
  const id = made.assistant_id;
  t.match(made, {
    graph_id: 'echo',
    metadata: { set },
    name: 'Ada',
    description: 'first',
    context: { b: 2 },
    version: 1,
  });
  t.strictSame(await assistants.get(id), made);
  await t.rejects(assistants.create({ graphId: 'echo', assistantId: id }), /HTTP 409: .*Assistant already exists/);
  t.strictSame(await assistants.create({ graphId: 'echo', assistantId: id, ifExists: 'do_nothing' }), made);

  const changed = await assistants.update(id, { name: 'Bob', metadata: { more: true } });
  t.match(changed, { name: 'Bob', metadata: { set, more: true }, version: 2 });
  t.strictSame(
    (await assistants.getVersions(id)).map(({ version }) => version),
    [2, 1],
  );
  t.match(await assistants.setLatest(id, 1), { name: 'Ada', version: 1 });

  const second = await assistants.create({ graphId: 'chat', metadata: { set }, name: 'Cyd' });
  const search = { metadata: { set }, sortBy: 'name' as const, sortOrder: 'asc' as const };
  t.strictSame(
    (await assistants.search(search)).map(({ name }) => name),
    ['Ada', 'Cyd'],
  );
  const page = await assistants.search({ ...search, limit: 1, includePagination: true });
  t.strictSame([page.assistants.length, page.next], [1, '1']);
  t.strictSame(
    (await assistants.search({ ...search, select: ['name'] })).map((one) => Object.keys(one)),
    [['name'], ['name']],
  );
  t.equal(await assistants.count({ metadata: { set }, graphId: 'chat' }), 1);

  await assistants.delete(id);
  await assistants.delete(second.assistant_id, { deleteThreads: true });
  await t.rejects(assistants.get(id), /HTTP 404: .*Assistant not found/);
  t.equal(await assistants.count({ metadata: { set } }), 0);
});

t.test('draws graphs with their schemas and those of their subgraphs', async (t) => {
  const drawn = await assistants.getGraph('nested', { xray: true });
  t.ok(drawn.nodes.some(({ id }) => id === 'inner:ask'));
  t.notOk((await assistants.getGraph('nested')).nodes.some(({ id }) => id === 'inner:ask'));
  t.match(await assistants.getSchemas('nested'), {
    graph_id: 'nested',
    state_schema: { properties: { question: {} } },
  });
  for (const subgraphs of [
    await assistants.getSubgraphs('nested', { recurse: true }),
    await assistants.getSubgraphs('nested', { namespace: 'inner' }),
  ]) {
    t.strictSame(Object.keys(subgraphs), ['inner']);
  }
});

t.test('creates, reads, changes, copies, finds, counts, prunes and deletes threads', async (t) => {
  const set = label();
  const made = await threads.create({ metadata: { set }, graphId: 'echo', ttl: 60 });
  const id = made.thread_id;
  t.strictSame([made.status, made.values, made.metadata], ['idle', null, { set, graph_id: 'echo' }]);
  await t.rejects(threads.create({ threadId: id }), /HTTP 409: .*Thread already exists/);
  t.equal((await threads.create({ threadId: id, ifExists: 'do_nothing' })).thread_id, id);
  t.match(await threads.get(id, { include: ['ttl'] }), { ttl: { strategy: 'delete', ttl_minutes: 60 } });
  t.match(await threads.update(id, { metadata: { n: 1 }, ttl: { ttl: 5, strategy: 'delete' } }), {
    metadata: { set, n: 1 },
  });
  t.equal(await threads.update(id, { metadata: { n: 2 }, returnMinimal: true }), undefined);

  await runs.wait(id, 'echo', { input: { text: 'x' } });
  const copy = await threads.copy(id);
  t.match(copy, { metadata: { set, n: 2, thread_id: copy.thread_id } });
  t.strictSame((await threads.getState(copy.thread_id)).values, ECHO);
  await t.rejects(threads.copy(NOBODY), /HTTP 409: .*Thread not found/);

  const found = await threads.search({
    metadata: { set },
    status: 'idle',
    values: { text: 'x' },
    ids: [id],
    sortBy: 'created_at',
    sortOrder: 'asc',
    select: ['thread_id'],
    extract: { first: 'values.steps[0]' },
  });
  t.strictSame(found as unknown, [{ thread_id: id, extracted: { first: 'first x' } }]);
  t.strictSame((await threads.search({ metadata: { set }, limit: 1, offset: 1 })).length, 1);
  t.equal(await threads.count({ metadata: { set }, values: { text: 'x' }, status: 'idle' }), 2);

  t.strictSame(await threads.prune([copy.thread_id], { strategy: 'keep_latest' }), { pruned_count: 1 });
  t.equal((await threads.getHistory(copy.thread_id)).length, 1);
  await threads.delete(id);
  await t.rejects(threads.get(id), new RegExp(`HTTP 404: .*Thread with ID ${id} not found`));
});

t.test('creates a thread with a history', async (t) => {
  const thread = await threads.create({
    graphId: 'echo',
    supersteps: [
      { updates: [{ values: { text: 'x' }, asNode: '__input__' }] },
      { updates: [{ values: { text: 'x' }, asNode: '__start__' }] },
      { updates: [{ values: { steps: ['first x'] }, asNode: 'first' }] },
    ],
  });
  t.strictSame(thread.values as unknown, { text: 'x', steps: ['first x'] });
  t.strictSame((await threads.getState(thread.thread_id)).next, ['second']);
});

t.test('reads and changes states, also of earlier checkpoints', async (t) => {
  const id = await newThread();
  await runs.wait(id, 'nested', { input: { question: 'which?' } });
  const state = await threads.getState(id, undefined, { subgraphs: true });
  t.match(state, { next: ['inner'], tasks: [{ name: 'inner', state: { next: ['ask'] } }] });
  t.match(await threads.getState(id, state.checkpoint), { next: ['inner'] });
  t.match(await threads.getState(id, state.checkpoint.checkpoint_id!), { next: ['inner'] });

  const other = await newThread();
  await runs.wait(other, 'echo', { input: { text: 'x' }, metadata: { mark: 1 } });
  const history = await threads.getHistory<typeof ECHO>(other, { limit: 10 });
  t.strictSame(
    history.map(({ next }) => next),
    [[], ['second'], ['first'], ['__start__']],
  );
  t.equal(
    (
      await threads.getHistory(other, {
        before: { configurable: { checkpoint_id: history[1]!.checkpoint.checkpoint_id } },
      })
    ).length,
    2,
  );
  t.equal((await threads.getHistory(other, { metadata: { mark: 1 }, checkpoint: { checkpoint_ns: '' } })).length, 4);
  const updated = await threads.updateState(other, {
    values: { text: 'y' },
    asNode: 'first',
    checkpoint: history[1]!.checkpoint,
  });
  t.match((updated as unknown as { checkpoint: object }).checkpoint, { thread_id: other, checkpoint_ns: '' });
  t.match(await threads.getState(other), { values: { text: 'y', steps: ['first x'] }, next: ['second'] });
  await threads.patchState(other, { patched: true });
  t.match(await threads.get(other), { metadata: { patched: true } });
});

t.test('creates, reads, lists, joins, awaits and deletes runs', async (t) => {
  const id = await newThread();
  const created: unknown[] = [];
  const run = await runs.create(id, 'echo', {
    input: { text: 'x' },
    metadata: { m: 1 },
    config: { tags: ['t'], configurable: { c: 1 } },
    context: { d: 1 },
    streamMode: ['values', 'updates'],
    streamSubgraphs: true,
    streamResumable: true,
    multitaskStrategy: 'enqueue',
    durability: 'sync',
    ifNotExists: 'create',
    onRunCreated: (one) => created.push(one),
  });
  t.strictSame(created, [{ run_id: run.run_id, thread_id: id }]);
  t.strictSame(await runs.join(id, run.run_id, { cancelOnDisconnect: false }), ECHO);
  t.match(await runs.get(id, run.run_id), { status: 'success', metadata: { m: 1 } });
  sent.length = 0;
  t.strictSame(
    (await runs.list(id, { limit: 5, offset: 0, status: 'success', select: ['run_id', 'status'] })) as unknown,
    [{ run_id: run.run_id, status: 'success' }],
  );
  t.strictSame(
    sent,
    [`GET /threads/${id}/runs?limit=5&offset=0&status=success&select=["run_id","status"]`],
    'a list in a query is JSON',
  );
  t.match(
    await runs.wait(id, 'echo', { input: { text: 'y' }, durability: 'exit', onRunCreated: (one) => created.push(one) }),
    { text: 'y' },
  );
  t.equal(created.length, 2);
  await runs.delete(id, run.run_id);
  await t.rejects(runs.get(id, run.run_id), /HTTP 404: .*Run not found/);
});

t.test('raises the error of a run from a wait, and waits for stateless runs', async (t) => {
  await t.rejects(runs.wait(await newThread(), 'trouble', { input: { do: 'throw' } }), {
    message: 'CustomError: Boo!',
  });
  t.strictSame(await runs.wait(null, 'trouble', { input: { do: 'throw' }, raiseError: false }), {
    __error__: { error: 'CustomError', message: 'Boo!' },
  });
  t.strictSame(await runs.wait(null, 'echo', { input: { text: 'x' } }), ECHO);
  for (const give of [null, undefined, 7, 'text'])
    t.type(await runs.wait(null, 'scalar', { input: { give } }), 'object');
  await t.rejects(runs.wait(null, 'nobody'), /HTTP 404: .*No assistant found for \\"nobody\\"/);
});

t.test('answers interrupts and selects nodes and checkpoints', async (t) => {
  const id = await newThread();
  t.match(await runs.wait(id, 'approval', { input: {} }), { __interrupt__: [{ value: 'first question' }] });
  t.equal((await threads.get(id)).status, 'interrupted');
  t.match(await runs.wait(id, 'approval', { command: { resume: 'yes' } }), {
    __interrupt__: [{ value: 'second question' }],
  });
  t.strictSame(await runs.wait(id, 'approval', { command: { resume: 'sure' } }), {
    answers: ['before', 'yes', 'sure', 'after'],
  });

  const stopping = await newThread();
  await runs.wait(stopping, 'echo', { input: { text: 'x' }, interruptBefore: ['second'] });
  const { next, checkpoint } = await threads.getState(stopping);
  t.strictSame(next, ['second']);
  t.match(await runs.wait(stopping, 'echo', { input: null, interruptAfter: '*' }), { steps: ECHO.steps });
  t.strictSame(await runs.wait(stopping, 'echo', { input: null, checkpoint }), ECHO);
  t.strictSame(await runs.wait(stopping, 'echo', { input: null, checkpointId: checkpoint.checkpoint_id! }), ECHO);
});

t.test('streams every mode in order with increasing ids', async (t) => {
  const id = await newThread();
  const events = await collect(
    runs.stream(id, 'echo', {
      input: { text: 'x' },
      streamMode: ['values', 'updates', 'tasks', 'checkpoints', 'debug', 'events', 'custom'],
    }),
  );
  t.equal(events[0]!.event, 'metadata');
  t.ok(events.every((event, at) => at === 0 || Number(event.id) > Number(events[at - 1]!.id)));
  t.strictSame([...new Set(events.map(({ event }) => event))].toSorted(), [
    'checkpoints',
    'debug',
    'events',
    'metadata',
    'tasks',
    'updates',
    'values',
  ]);
  t.strictSame(
    told(events).filter(([event]) => event === 'updates'),
    [
      ['updates', { first: { steps: ['first x'] } }],
      ['updates', { second: { steps: ['second x'] } }],
    ],
  );

  const chat = { input: { messages: [{ role: 'user', content: 'hi', id: 'h' }] } };
  const messages = told(
    await collect(runs.stream(null, 'chat', { ...chat, streamMode: ['messages', 'messages-tuple'] })),
  );
  t.ok(messages.some(([event, data]) => event === 'messages/complete' && (data as { id: string }[])[0]!.id === 'a1'));
  t.ok(messages.some(([event, data]) => event === 'messages' && (data as { id: string }[])[0]!.id === 'a1'));
  const failed = told(await collect(runs.stream(null, 'trouble', { input: { do: 'throw' } })));
  t.strictSame(failed.at(-1), ['error', { error: 'CustomError', message: 'Boo!' }]);
  const nested = told(
    await collect(
      runs.stream(null, 'nested', { input: { question: 'which?' }, streamMode: 'updates', streamSubgraphs: true }),
    ),
  );
  t.match(nested[0], [/^updates\|inner:/, { prepare: { words: ['prepared'] } }]);
});

t.test('joins a stream from the start and from an event', async (t) => {
  const id = await newThread();
  const gate = new Gate(folder);
  const run = await runs.create(id, 'gate', {
    input: { label: 'a', gate: gate.file },
    streamMode: ['updates', 'custom'],
    streamResumable: true,
  });
  await gate.reached();
  sent.length = 0;
  const first = new Reader(
    runs.joinStream(id, run.run_id, { lastEventId: '-1', streamMode: ['updates'], cancelOnDisconnect: false }),
  );
  const update = await first.until(({ event }) => event === 'updates');
  t.strictSame(
    sent,
    [`GET /threads/${id}/runs/${run.run_id}/stream?cancel_on_disconnect=0&stream_mode=["updates"]`],
    'a list in a query is JSON',
  );
  gate.open();
  t.strictSame(
    (await first.rest()).map(({ data }) => Object.keys(data as object)),
    [['hold'], ['after']],
  );
  const all = await collect(runs.joinStream(id, run.run_id, { lastEventId: '-1' }));
  t.equal(all.find(({ id: one }) => one === update.id)?.event, 'updates', 'the same ids');
  t.strictSame(
    await collect(runs.joinStream(id, run.run_id, { lastEventId: update.id! })),
    all.slice(all.findIndex(({ id: one }) => one === update.id) + 1),
  );
  t.strictSame(
    await collect(runs.joinStream(null, run.run_id, { lastEventId: '-1' })),
    all,
    'by the id of the run alone',
  );
});

t.test('follows a thread over its runs', async (t) => {
  const id = await newThread();
  const following = threads.joinStream(id, { streamMode: ['lifecycle', 'state_update'] })[Symbol.asyncIterator]();
  const joined = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const first = following.next();
  // What a run says before someone follows is nobody's.
  await joined;
  await runs.wait(id, 'echo', { input: { text: 'x' } });
  const seen: Event[] = [(await first).value as Event];
  while (!seen.some(({ event }) => event === 'state_update')) seen.push((await following.next()).value as Event);
  await following.return?.(undefined);
  t.strictSame(
    seen.map(({ event }) => event),
    ['metadata', 'metadata', 'state_update'],
  );
  t.match(seen[1], { data: { status: 'run_done', run_status: 'success' } });
  t.match(seen[2], { data: { values: ECHO } });
});

t.test('cancels one run and many, with and without waiting, and on disconnect', async (t) => {
  const held = async (): Promise<{ id: string; runId: string; gate: Gate }> => {
    const id = await newThread();
    const gate = new Gate(folder);
    const run = await runs.create(id, 'gate', { input: { label: 'a', gate: gate.file }, durability: 'sync' });
    await gate.reached();
    return { id, runId: run.run_id, gate };
  };
  const one = await held();
  t.equal(await runs.cancel(one.id, one.runId, true), undefined);
  t.equal((await runs.get(one.id, one.runId)).status, 'interrupted');
  t.equal((await threads.get(one.id)).status, 'interrupted');
  await t.rejects(runs.cancel(one.id, one.runId), /HTTP 404: .*Run not found/);

  const back = await held();
  await runs.cancel(back.id, back.runId, true, 'rollback');
  await t.rejects(runs.get(back.id, back.runId), /HTTP 404: .*Run not found/);

  const soon = await held();
  t.equal(await runs.cancel(soon.id, soon.runId, false), undefined);
  t.notOk('__error__' in ((await runs.join(soon.id, soon.runId)) as object));
  t.equal((await runs.get(soon.id, soon.runId)).status, 'interrupted', 'a join answers when the end can be read');

  const many = await held();
  await runs.cancelMany({ threadId: many.id, runIds: [many.runId], action: 'interrupt' });
  t.equal((await runs.get(many.id, many.runId)).status, 'interrupted');

  const id = await newThread();
  const gate = new Gate(folder);
  const leaving = new AbortController();
  let runId = '';
  const reader = new Reader(
    runs.stream(id, 'gate', {
      input: { label: 'a', gate: gate.file },
      streamMode: 'custom',
      onDisconnect: 'cancel',
      signal: leaving.signal,
      onRunCreated: (run) => {
        runId = run.run_id;
      },
    }),
  );
  await reader.until(({ event }) => event === 'custom');
  const ended = runs.join(id, runId);
  leaving.abort();
  await ended;
  t.equal((await runs.get(id, runId)).status, 'interrupted');
});

t.test('applies each strategy to a second run on a busy thread', async (t) => {
  const id = await newThread();
  const gate = new Gate(folder);
  const first = await runs.create(id, 'gate', { input: { label: 'a', gate: gate.file } });
  await gate.reached();
  await t.rejects(
    runs.create(id, 'gate', { input: { label: 'b' }, multitaskStrategy: 'reject' }),
    /HTTP 409: .*Thread is already running a task/,
  );
  const last = await runs.wait(id, 'gate', { input: { label: 'b', gate: '' }, multitaskStrategy: 'rollback' });
  t.strictSame(last, { label: 'b', gate: '', steps: ['before b', 'held b', 'after b'] });
  await t.rejects(runs.get(id, first.run_id), /HTTP 404: .*Run not found/);
});

t.test('creates a batch and delayed runs', async (t) => {
  const batch = await runs.createBatch([
    { assistantId: 'gate', input: { label: 'a' }, metadata: { n: 0 } },
    { assistantId: 'gate', input: { label: 'a' }, metadata: { n: 1 } },
  ]);
  t.strictSame(
    batch.map(({ metadata }) => metadata?.['n']),
    [0, 1],
  );
  const id = await newThread();
  const later = await runs.create(id, 'gate', { input: { label: 'a' }, afterSeconds: 3600 });
  t.ok(Date.parse(later.created_at) > Date.now() + 3_000_000);
  await runs.cancelMany({ status: 'pending' });
  t.equal((await runs.get(id, later.run_id)).status, 'interrupted');
  t.strictSame(((await runs.wait(id, 'gate', { input: { label: 'a' } })) as { steps: string[] }).steps, STEPS);
});

t.test('creates, reads, changes, finds, counts and deletes crons', async (t) => {
  const set = label();
  const id = await newThread();
  type Made = { cron_id: string };
  const one = (await crons.create('echo', {
    schedule: '0 0 29 2 *',
    input: { text: 'x' },
    metadata: { set },
    timezone: 'Europe/Berlin',
    enabled: true,
  })) as unknown as Made;
  const two = (await crons.createForThread(id, 'echo', {
    schedule: '0 0 29 2 *',
    metadata: { set },
  })) as unknown as Made;
  t.strictSame(
    (await crons.search({ assistantId: 'echo', threadId: id })).map(({ cron_id: cronId }) => cronId),
    [two.cron_id],
  );
  t.equal(await crons.count({ assistantId: 'echo', threadId: id }), 1);
  t.match(await crons.update(one.cron_id, { enabled: false, schedule: '0 0 1 1 *' }), {
    enabled: false,
    schedule: '0 0 1 1 *',
  });
  for (const { cron_id: cronId } of [one, two]) await crons.delete(cronId);
  t.equal(await crons.count({ threadId: id }), 0);
});

t.test('puts, reads, finds and deletes items', async (t) => {
  const space = label();
  await store.putItem([space, 'a'], 'k', { n: 1 }, { index: false, ttl: 60 });
  await store.putItem([space, 'b'], 'k', { n: 2 });
  t.match(await store.getItem([space, 'a'], 'k', { refreshTtl: true }), {
    namespace: [space, 'a'],
    key: 'k',
    value: { n: 1 },
    createdAt: String,
    updatedAt: String,
  });
  t.equal(await store.getItem([space, 'a'], 'none'), null);
  const { items } = await store.searchItems([space], {
    filter: { n: { $gt: 1 } },
    limit: 5,
    offset: 0,
    refreshTtl: false,
  });
  t.strictSame(
    items.map(({ value }) => value),
    [{ n: 2 }],
  );
  t.strictSame(
    (await store.listNamespaces({ prefix: [space], suffix: ['a'], maxDepth: 2, limit: 5, offset: 0 })).namespaces,
    [[space, 'a']],
  );
  await store.deleteItem([space, 'a'], 'k');
  t.equal(await store.getItem([space, 'a'], 'k'), null);
  await t.rejects(store.putItem(['a.b'], 'k', {}), /periods/);
});

t.test('loads components like the newer client', async (t) => {
  const { url } = await testServer(t, {
    config: projectOf(t, ['echo'], { ui: { echo: join(ROOT, 'test', 'ui', 'components.jsx') } }),
  });
  const older = new Client({ apiUrl: url, apiKey: null });
  t.match(await older['~ui'].getComponent('echo', 'weather'), /entrypoint\.css.*\n<script src=/);
});

t.test('streams a run with the second event protocol', async (t) => {
  const threadId = randomUUID();
  const stream = threads.stream(threadId, { assistantId: 'echo' });
  await stream.run.start({ input: { text: 'x' } });
  const values: unknown[] = [];
  for await (const one of stream.values) values.push(one);
  t.strictSame(values.at(-1), ECHO);
  t.strictSame(await stream.output, ECHO);
  await stream.close();
});
