import t from 'tap';
import { SERVER_CALLER } from '../../src/domain/caller.js';
import { Commit } from '../../src/store/store.js';
import { openStores } from '../../src/store/stores.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { Gate } from '../helpers/gate.js';
import { configWith, EXAMPLES, temporaryFolder, testServer } from '../helpers/server.js';
import { createCron, ended, firings, getCron, patchCron, startOver, threadsOf, until } from './helpers.js';

const fewGraphs = configWith(t, 'echo', 'approval', 'gate', 'mirror');

const START = '2026-03-10T08:00:30Z';
const HOURLY = { schedule: '0 * * * *', on_run_completed: 'keep', input: { text: 'x' } };
const gone = async (server: Awaited<ReturnType<typeof testServer>>, cronId: string): Promise<boolean> =>
  (await server.get(`/runs/crons/${cronId}`)).status === 404;

t.setTimeout(300_000);

/** For tests that need no restart. */
const clock = new FakeClock(START);
const server = await testServer(t, { config: fewGraphs, clock });

t.test('fires one run for each slot, with payload, metadata and cron id', async (t) => {
  await startOver(server, clock, START);
  const cron = await createCron(server, 'mirror', {
    ...HOURLY,
    metadata: { team: 'blue' },
    config: { tags: ['hourly'], configurable: { size: 3 } },
    context: { a: 1 },
  });
  t.match(cron.next_run_date, /^2026-03-10T09:00:00/);
  clock.set('2026-03-10T08:59:59.999Z');
  t.strictSame(await getCron(server, cron.cron_id), cron, 'not yet');
  clock.set('2026-03-10T09:00:00Z');
  const [thread] = await firings(server, cron.cron_id, 1);
  t.match(thread!.metadata, { team: 'blue', cron_id: cron.cron_id });
  const [run] = await ended(server, thread!.thread_id);
  t.match(run, {
    status: 'success',
    created_at: '2026-03-10T09:00:00.000000+00:00',
    metadata: { team: 'blue', cron_id: cron.cron_id, graph_id: 'mirror' },
  });
  t.match(thread!.values, {
    seen: {
      tags: ['hourly'],
      context: { a: 1 },
      configurable: { size: 3, thread_id: thread!.thread_id },
      metadata: { cron_id: cron.cron_id },
    },
  });
  const after = await getCron(server, cron.cron_id);
  t.strictSame(
    after,
    {
      ...cron,
      next_run_date: '2026-03-10T10:00:00.000000+00:00',
      last_run_id: run!.run_id,
      last_run_date: '2026-03-10T09:00:00.000000+00:00',
    },
    'updated_at is when someone changed it',
  );
  clock.set('2026-03-10T09:59:00Z');
  clock.set('2026-03-10T10:00:05Z');
  await firings(server, cron.cron_id, 2);
});

t.test('keeps only the id of a firing by default', async (t) => {
  const clock = new FakeClock(START);
  const server = await testServer(t, { config: fewGraphs, clock });
  const { cron_id: id } = await createCron(server, 'echo', { schedule: '0 * * * *', input: { text: 'x' } });
  clock.set('2026-03-10T09:00:00Z');
  const { last_run_id: runId, last_error } = await getCron(server, id);
  t.ok(runId);
  t.equal(last_error, null);
  await until(
    () => threadsOf(server, id),
    (threads) => threads.length === 0,
  );
  t.equal(await server.client.threads.count({}).catch(() => 0), 0);
});

t.test('continues its thread with one run at a time', async (t) => {
  await startOver(server, clock, START);
  const gate = new Gate(temporaryFolder(t));
  const { thread_id: threadId } = await server.client.threads.create();
  const { cron_id: id } = await createCron(
    server,
    'gate',
    { schedule: '*/10 * * * *', input: { label: 'x', gate: gate.file } },
    threadId,
  );
  clock.set('2026-03-10T08:40:00Z');
  await gate.reached();
  clock.set('2026-03-10T08:50:00Z');
  const under = await until(
    () => server.client.runs.list(threadId),
    ({ length }) => length === 2,
  );
  t.strictSame(
    under.map(({ status }) => status),
    ['pending', 'running'],
    'the second one waits',
  );
  t.strictSame(
    under.map(({ multitask_strategy }) => multitask_strategy),
    ['enqueue', 'enqueue'],
  );
  gate.open();
  const runs = await ended(server, threadId);
  t.strictSame(
    runs.map(({ status, metadata }) => [status, metadata!['cron_id']]),
    [
      ['success', id],
      ['success', id],
    ],
  );
  t.equal(((await server.client.threads.getState(threadId)).values as { steps: string[] }).steps.length, 6);
});

t.test('records a refused firing and fires the next slot', async (t) => {
  await startOver(server, clock, START);
  const gate = new Gate(temporaryFolder(t));
  const { thread_id: threadId } = await server.client.threads.create();
  const { cron_id: id } = await createCron(
    server,
    'gate',
    { schedule: '*/10 * * * *', input: { label: 'x', gate: gate.file }, multitask_strategy: 'reject' },
    threadId,
  );
  clock.set('2026-03-10T08:40:00Z');
  const { last_run_id: first } = await getCron(server, id);
  await gate.reached();
  clock.set('2026-03-10T08:50:00Z');
  const refused = await getCron(server, id);
  t.match(refused, {
    last_run_id: first,
    last_run_date: /T08:40/,
    next_run_date: /T09:00/,
    last_error: { error: 'THREAD_RUNNING', message: /already running/, at: '2026-03-10T08:50:00.000000+00:00' },
  });
  clock.set('2026-03-10T08:55:00Z');
  t.strictSame(await getCron(server, id), refused, 'nor is it tried again before');
  gate.open();
  t.equal((await ended(server, threadId)).length, 1);
  clock.set('2026-03-10T09:00:00Z');
  t.matchStrict(await getCron(server, id), { last_run_date: /T09:00/, last_error: null });
  t.equal((await ended(server, threadId)).length, 2);
});

t.test('counts firings against the quota', async (t) => {
  const clock = new FakeClock(START);
  const server = await testServer(t, {
    config: fewGraphs,
    clock,
    env: { THREADMILL_CALLER_RUNNING_RUNS: '1', THREADMILL_CALLER_QUEUED_RUNS: '1' },
  });
  const gate = new Gate(temporaryFolder(t));
  const crons = await Promise.all(
    [1, 2, 3].map((n) =>
      createCron(server, 'gate', {
        schedule: '0 * * * *',
        input: { label: String(n), gate: gate.file },
        on_run_completed: 'keep',
      }),
    ),
  );
  clock.set('2026-03-10T09:00:00Z');
  const shown = await until(
    () => Promise.all(crons.map(({ cron_id }) => getCron(server, cron_id))),
    (all) => all.every(({ next_run_date }) => next_run_date!.includes('T10:00')),
  );
  t.strictSame(
    shown.map(({ last_error }) => last_error?.error ?? '').toSorted((a, b) => a.localeCompare(b)),
    ['', '', 'RUNS_LIMITED'],
  );
  gate.open();
});

t.test('records a missing assistant', async (t) => {
  const clock = new FakeClock(START);
  const first = await testServer(t, { config: fewGraphs, clock });
  const { cron_id: id } = await createCron(first, 'approval', HOURLY);
  await first.close();
  clock.set('2026-03-10T08:30:00Z');
  const second = await testServer(t, { clock, dataFolder: first.dataFolder, config: EXAMPLES });
  clock.set('2026-03-10T09:00:00Z');
  t.matchStrict(await getCron(second, id), {
    last_run_id: null,
    last_error: { error: 'RUN_ASSISTANT_NOT_FOUND' },
    next_run_date: /T10:00/,
  });
});

t.test('fires all crons that are due together, once', async (t) => {
  const MANY = 100;
  const clock = new FakeClock(START);
  const server = await testServer(t, { config: fewGraphs, clock, workers: 2 });
  const ids = (
    await Promise.all(
      Array.from({ length: MANY }, (_, n) => createCron(server, 'echo', { ...HOURLY, metadata: { n } })),
    )
  ).map(({ cron_id }) => cron_id);
  clock.set('2026-03-10T09:00:00Z');
  const shown = await until(
    () => server.client.crons.search({ limit: 1000 }),
    (all) => all.every(({ next_run_date }) => next_run_date!.includes('T10:00')),
  );
  t.strictSame(shown.map(({ cron_id }) => cron_id).toSorted(), ids.toSorted());
  const threads = await until(
    () => server.client.threads.search({ limit: 1000, select: ['metadata', 'status'] }),
    (all) => all.length >= MANY && all.every(({ status }) => status === 'idle'),
  );
  t.strictSame(
    threads.map(({ metadata }) => (metadata as { n: number }).n).toSorted((a, b) => a - b),
    Array.from({ length: MANY }, (_, n) => n),
  );
});

t.test('applies concurrent changes, and claims no slot of a deleted cron', async (t) => {
  await startOver(server, clock, START);
  const { cron_id: id } = await createCron(server, 'echo', HOURLY);
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => patchCron(server, id, { metadata: { [name]: 1 } })));
  t.strictSame((await getCron(server, id)).metadata, { a: 1, b: 1, c: 1, d: 1 });
  const answers = await Promise.all([
    server.client.crons.delete(id),
    patchCron(server, id, { metadata: { e: 1 } }),
    server.get(`/runs/crons/${id}`),
  ]);
  t.ok(answers);
  clock.set('2026-03-10T09:00:00Z');
  t.ok(await gone(server, id));
  t.strictSame(await threadsOf(server, id), []);
});

t.test('deletes the crons of a deleted thread at their next slot', async (t) => {
  const clock = new FakeClock(START);
  const first = await testServer(t, { config: fewGraphs, clock });
  const { thread_id: threadId } = await first.client.threads.create();
  const { cron_id: id } = await createCron(first, 'echo', HOURLY, threadId);
  await first.close();
  const stores = openStores(first.dataFolder, undefined);
  const commit = new Commit();
  stores.threads.remove(commit, stores.threads.get(SERVER_CALLER, threadId)!);
  await stores.store.write(commit);
  await stores.store.close();
  const second = await testServer(t, { config: fewGraphs, clock, dataFolder: first.dataFolder });
  clock.set('2026-03-10T09:00:00Z');
  await until(() => gone(second, id), Boolean);
  t.equal(await second.client.crons.count(), 0);
});
