import { randomUUID } from 'node:crypto';
import t from 'tap';
import { collect, told } from '../helpers/events.js';
import { Gate } from '../helpers/gate.js';
import { temporaryFolder, testServer } from '../helpers/server.js';

/** Options of the stock client that no other suite gives: each changes what it says it changes. */
const server = await testServer(t);
const { assistants, threads, runs, crons, store } = server.client;
const folder = temporaryFolder(t);
const newThread = async (): Promise<string> => (await threads.create()).thread_id;
const ECHO = { text: 'x', steps: ['first x', 'second x'] };
type Seen = { seen: { configurable: Record<string, unknown>; context: unknown } };

t.test('passes config and context of an assistant to its runs', async (t) => {
  const { assistant_id: id } = await assistants.create({
    graphId: 'mirror',
    config: { configurable: { a: 1 } },
    context: { b: 2 },
  });
  t.match(((await runs.wait(null, id, { input: {} })) as unknown as Seen).seen, {
    configurable: { a: 1 },
    context: { b: 2 },
  });
});

t.test('starts a stream at a checkpoint, named in either way', async (t) => {
  const threadId = await newThread();
  await runs.wait(threadId, 'echo', { input: { text: 'x' } });
  const checkpoint = (await threads.getHistory(threadId)).find(({ next }) => next[0] === 'second')!.checkpoint;
  const second = [['updates', { second: { steps: ['second x'] } }]];
  t.strictSame(
    told(await collect(runs.stream(threadId, 'echo', { input: null, checkpoint, streamMode: 'updates' }))),
    second,
  );
  t.strictSame(
    told(
      await collect(
        runs.stream(threadId, 'echo', { input: null, checkpointId: checkpoint.checkpoint_id!, streamMode: 'updates' }),
      ),
    ),
    second,
  );
  for (const from of [{ checkpoint }, { checkpointId: checkpoint.checkpoint_id! }]) {
    const run = await runs.create(threadId, 'echo', { input: null, checkpoint: undefined as never, ...from });
    t.strictSame(await runs.join(threadId, run.run_id), ECHO);
  }
  t.strictSame(await runs.wait(threadId, 'echo', { input: null, checkpoint }), ECHO);
  const both = await runs.create(threadId, 'echo', {
    input: null,
    checkpoint,
    checkpointId: checkpoint.checkpoint_id!,
  });
  t.strictSame(await runs.join(threadId, both.run_id), ECHO);
});

t.test('accepts every option of a stream', async (t) => {
  const id = randomUUID();
  const events = await collect(
    runs.stream(id, 'mirror', {
      input: {},
      context: { b: 2 },
      ifNotExists: 'create',
      multitaskStrategy: 'enqueue',
      afterSeconds: 0.01,
      checkpointDuring: false,
      _langsmithTracer: { projectName: 'p' } as never,
    }),
  );
  t.match(events.at(-1)!.data, { seen: { context: { b: 2 } } });
  t.equal((await threads.getHistory(id)).length, 1, 'checkpointDuring false keeps the last state alone');
  const stopped = told(
    await collect(
      runs.stream(await newThread(), 'echo', {
        input: { text: 'x' },
        interruptAfter: ['first'],
        streamMode: 'updates',
      }),
    ),
  );
  t.strictSame(stopped, [
    ['updates', { first: { steps: ['first x'] } }],
    ['updates', { __interrupt__: [] }],
  ]);
  const strict = told(
    await collect(
      runs.stream(await newThread(), 'approval', { command: { resume: { ['0'.repeat(32)]: 1 } }, strictResume: true }),
    ),
  );
  t.match(strict.at(-1), ['error', { error: 'UnknownInterruptError' }]);
  await t.rejects(collect(runs.stream(null, 'echo', { webhook: 'http://127.0.0.1/x' })), /HTTP 422: .*body\.webhook/);
});

t.test('accepts every option of a background run', async (t) => {
  const threadId = await newThread();
  const run = await runs.create(threadId, 'mirror', {
    input: {},
    context: { b: 2 },
    checkpointDuring: false,
    strictResume: true,
    interruptAfter: ['nowhere'],
  });
  t.match(await runs.join(threadId, run.run_id), { seen: { context: { b: 2 } } });
  t.match(((await runs.get(threadId, run.run_id)) as unknown as { kwargs: object }).kwargs, {
    interrupt_after: ['nowhere'],
    context: { b: 2 },
  });
  const asking = await newThread();
  await runs.wait(asking, 'approval', { input: {} });
  const answered = await runs.create(asking, 'approval', { command: { resume: 'yes' } });
  t.match(await runs.join(asking, answered.run_id, { cancelOnDisconnect: false }), {
    __interrupt__: [{ value: 'second question' }],
  });
  const kept = await runs.create(null as never, 'echo', {
    input: { text: 'x' },
    onCompletion: 'keep' as never,
    onDisconnect: 'continue',
  } as never);
  await runs.join(kept.thread_id, kept.run_id);
  t.equal((await threads.get(kept.thread_id)).status, 'idle');
});

t.test('accepts every option of a wait', async (t) => {
  let runId = '';
  t.strictSame(
    await runs.wait(null as never, 'echo', {
      input: { text: 'x' },
      onCompletion: 'keep' as never,
      afterSeconds: 0.01,
      checkpointDuring: false,
      _langsmithTracer: { projectName: 'p' } as never,
      onRunCreated: (run) => {
        runId = run.run_id;
      },
    }),
    ECHO,
  );
  t.ok(runId);
  t.match(
    await runs.wait(await newThread(), 'echo', {
      input: { text: 'x' },
      interruptAfter: ['first'],
      multitaskStrategy: 'enqueue',
    }),
    { steps: ['first x'] },
  );
  await t.rejects(runs.wait(await newThread(), 'echo', { webhook: 'http://127.0.0.1/x' }), /HTTP 422: .*body\.webhook/);
});

t.test('accepts page options for threads and namespaces', async (t) => {
  const set = randomUUID();
  const ids: string[] = [];
  for (const n of [1, 2, 3]) ids.unshift((await threads.create({ metadata: { set, n } })).thread_id);
  t.strictSame(
    (await threads.search({ metadata: { set }, limit: 1, offset: 1 })).map(({ thread_id: id }) => id),
    [ids[1]],
  );
  for (const part of ['a', 'b', 'c']) await store.putItem([set, part], 'k', {});
  t.strictSame((await store.listNamespaces({ prefix: [set], limit: 1, offset: 1 })).namespaces, [[set, 'b']]);
});

t.test('follows a thread from an event on', async (t) => {
  const threadId = await newThread();
  const events = await collect(
    runs.stream(threadId, 'echo', { input: { text: 'x' }, streamMode: 'updates', streamResumable: true }),
  );
  const joined = threads.joinStream(threadId, { lastEventId: events[1]!.id!, streamMode: 'run_modes' });
  const following = joined[Symbol.asyncIterator]();
  t.strictSame((await following.next()).value, events[2]);
  await following.return?.(undefined);
});

t.test('accepts every option of a cron', async (t) => {
  const { thread_id: threadId } = await threads.create();
  const given = {
    schedule: '0 0 29 2 *',
    input: { text: 'x' },
    metadata: { a: 1 },
    config: { configurable: { b: 1 } },
    context: { c: 1 },
    interruptBefore: ['first'],
    interruptAfter: ['second'],
    multitaskStrategy: 'interrupt' as const,
    checkpointDuring: false,
    durability: 'sync' as const,
    enabled: false,
    timezone: 'Europe/Berlin',
    endTime: '2100-01-01T00:00:00Z',
    streamMode: ['updates' as const],
    streamSubgraphs: true,
    streamResumable: true,
    onRunCompleted: 'keep' as const,
  };
  const payload = {
    input: { text: 'x' },
    config: { configurable: { b: 1 } },
    context: { c: 1 },
    interrupt_before: ['first'],
    interrupt_after: ['second'],
    multitask_strategy: 'interrupt',
    checkpoint_during: false,
    durability: 'sync',
    stream_mode: ['updates'],
    stream_subgraphs: true,
    stream_resumable: true,
  };
  t.match(await crons.create('echo', { ...given }), {
    enabled: false,
    timezone: 'Europe/Berlin',
    metadata: { a: 1 },
    payload,
  });
  const cron = (await crons.createForThread(threadId, 'echo', { ...given })) as unknown as { cron_id: string };
  t.match(cron, { thread_id: threadId, enabled: false, payload });
  const changes = {
    config: { configurable: { b: 2 } },
    context: { c: 2 },
    interruptBefore: ['second'],
    interruptAfter: ['first'],
    streamMode: ['values' as const],
    streamSubgraphs: false,
    streamResumable: false,
    durability: 'async' as const,
  };
  const changed = {
    config: { configurable: { b: 2 } },
    context: { c: 2 },
    interrupt_before: ['second'],
    interrupt_after: ['first'],
    stream_mode: ['values'],
    stream_subgraphs: false,
    stream_resumable: false,
    durability: 'async',
  };
  t.match(await crons.update(cron.cron_id, changes), { payload: { ...payload, ...changed } });
  await t.rejects(
    crons.create('echo', { schedule: '0 0 29 2 *', webhook: 'http://127.0.0.1/x' }),
    /HTTP 422: .*body\.webhook/,
  );
  await t.rejects(
    crons.createForThread(threadId, 'echo', { schedule: '0 0 29 2 *', webhook: 'http://127.0.0.1/x' }),
    /HTTP 422: .*body\.webhook/,
  );
  await t.rejects(crons.update(cron.cron_id, { webhook: 'http://127.0.0.1/x' }), /HTTP 422: .*body\.webhook/);
});

t.test('ends a call with its signal', async (t) => {
  const gate = new Gate(folder);
  const leaving = new AbortController();
  const threadId = await newThread();
  const waiting = runs.wait(threadId, 'gate', { input: { label: 'a', gate: gate.file }, signal: leaving.signal });
  await gate.reached();
  leaving.abort();
  await t.rejects(waiting, { name: 'AbortError' });
  gate.open();
  t.match(await runs.join(threadId, (await runs.list(threadId))[0]!.run_id), { label: 'a' });
});
