import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { LIMITS } from '../../src/base/limits.js';
import { readConfig } from '../../src/config/config.js';
import type { StorageJson } from '../../src/wire/state-profile.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { incompressible } from '../helpers/incompressible.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';

Object.assign(LIMITS, { stateThinDelayMs: 20, stateProfileCheckMs: 10 });

function configOf(t: Test, budget: unknown): string {
  const file = configWith(t, 'echo');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), state_budget: budget }));
  return file;
}

const storageOf = async (server: TestServer): Promise<StorageJson> =>
  (await (await server.get('/server/storage')).json()) as StorageJson;

async function countsOf(server: TestServer): Promise<Record<string, number>> {
  const { metrics } = (await (await server.get('/metrics?format=json&names=threadmill_state_budget_total')).json()) as {
    metrics: { values: { labels: { result: string }; value: number }[] }[];
  };
  return Object.fromEntries(metrics.flatMap(({ values }) => values.map(({ labels, value }) => [labels.result, value])));
}

/** Runs the graph on the thread. Each run adds more than its text. */
const run = ({ client }: TestServer, threadId: string, bytes: number): Promise<unknown> =>
  client.runs.wait(threadId, 'echo', { input: { text: `${Math.random()} ${incompressible(bytes)}` } });

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let n = 0; !(await holds()); n += 1) {
    if (n === 1_000) throw new Error('it never holds');
    await setTimeout(10);
  }
}

t.test('refuses runs and updates of a thread over its budget until it is pruned', async (t) => {
  const config = configOf(t, { thread_bytes: '100KB', on_exceed: 'refuse' });
  const dataFolder = temporaryFolder(t);
  const server = await testServer(t, { config, dataFolder });
  const { threads } = server.client;
  const { thread_id: other } = await threads.create();
  const { thread_id: thread } = await threads.create();
  await run(server, other, 100);
  await run(server, thread, 10_000);
  // A run that begins within the budget may end above it.
  await run(server, thread, 10_000);

  const [largest] = (await storageOf(server)).state.largest_threads;
  t.match(largest, { thread_id: thread, is_over_budget: true });
  const refusal = {
    status: 409,
    message: new RegExp(`thread ${thread} has ${largest!.bytes} bytes, and its budget is 100000 .*keep_latest`),
  };
  await t.rejects(run(server, thread, 1), refusal);
  await t.rejects(threads.updateState(thread, { values: { text: 'more' } }), refusal);
  await t.rejects(server.client.runs.create(thread, 'echo', { input: { text: 'x' } }), refusal);
  await t.rejects(async () => {
    for await (const event of server.client.runs.stream(thread, 'echo', { input: { text: 'x' } })) t.fail(event.event);
  }, refusal);
  await run(server, other, 100);
  await threads.getState(thread);

  await server.close(0);
  const again = await testServer(t, { config, dataFolder });
  await t.rejects(run(again, thread, 1), refusal, 'also after a restart');
  t.match(await countsOf(again), { refused: 1, exceeded: 0, thinned: 0 });
  await again.client.threads.prune([thread], { strategy: 'keep_latest' });
  t.equal((await storageOf(again)).state.budget?.threads_over, 0);
  await again.client.threads.updateState(thread, { values: { text: 'more' } });
  await run(again, thread, 1);
});

t.test('warns of threads over their budget, and goes on', async (t) => {
  const server = await testServer(t, { config: configOf(t, { thread_bytes: 50_000 }) });
  const { thread_id: small } = await server.client.threads.create();
  await run(server, small, 10);
  await server.client.threads.updateState(small, { values: { text: 'more' } });
  t.strictSame(await countsOf(server), { exceeded: 0, refused: 0, thinned: 0 });
  const { thread_id: thread } = await server.client.threads.create();
  await run(server, thread, 30_000);
  await until(async () => (await countsOf(server))['exceeded'] === 1);
  await run(server, thread, 10);
  await server.client.threads.updateState(thread, { values: { text: 'more' } });
  await until(async () => (await countsOf(server))['exceeded'] === 3);
  t.strictSame(await countsOf(server), { exceeded: 3, refused: 0, thinned: 0 });
  const { state } = await storageOf(server);
  t.match(state.budget, { thread_bytes: 50_000, on_exceed: 'warn', keep_last: null, threads_over: 1 });
});

t.test('thins a thread over its budget after a run', async (t) => {
  const budget = { thread_bytes: '200kB', on_exceed: 'thin', keep_last: 2 };
  const server = await testServer(t, { config: configOf(t, budget) });
  const { threads } = server.client;
  const { thread_id: thread } = await threads.create();
  let runs = 0;
  for (let thinned = 0; thinned === 0; thinned = (await countsOf(server))['thinned']!) {
    if (runs >= 20) throw new Error('the thread was never thinned');
    await run(server, thread, 10_000);
    runs += 1;
    await setTimeout(LIMITS.stateThinDelayMs * 5);
  }
  t.ok(runs > 1, 'a thread within its budget keeps its states');
  t.equal((await threads.getHistory(thread, { limit: 100 })).length, 2);
  const { values } = await threads.getState<{ steps: string[] }>(thread);
  t.equal(values.steps.length, runs * 2, 'the newest state is whole');
  const { state } = await storageOf(server);
  t.match(state.budget, { on_exceed: 'thin', keep_last: 2 });
});

t.test('shows no budget without one, and counts nothing', async (t) => {
  const server = await testServer(t, { config: configWith(t, 'echo') });
  const { thread_id: thread } = await server.client.threads.create({ metadata: { owner: 'ada' } });
  await run(server, thread, 10_000);
  t.strictSame(await countsOf(server), {});
  const { state } = await storageOf(server);
  t.equal(state.budget, null);
  t.match(state.owners, [{ owner: 'ada', threads: 1 }]);
  t.ok(state.channels.some(({ channel, bytes }) => channel === 'steps' && bytes > 10_000));
  const storage = (await (await server.get(`/threads/${thread}/storage`)).json()) as { total_bytes: number };
  const [own] = state.largest_threads;
  t.ok(own!.bytes > storage.total_bytes, 'with keys');
});

t.test('stores a profile each day, from which growth is computed', async (t) => {
  const clock = new FakeClock('2026-02-10T09:00:00Z');
  const server = await testServer(t, { config: configWith(t, 'echo'), clock });
  const { thread_id: thread } = await server.client.threads.create();
  await run(server, thread, 1_000);
  const untilDays = async (days: number): Promise<StorageJson['state']> => {
    await until(async () => (await storageOf(server)).state.history.length === days);
    return (await storageOf(server)).state;
  };
  await setTimeout(LIMITS.stateProfileCheckMs * 3);
  t.equal((await storageOf(server)).state.history.length, 0, 'the start of the server goes first');
  clock.pass(LIMITS.stateProfileDelayMs);
  const first = await untilDays(1);
  t.equal(first.growth.day, null);
  t.equal(first.history[0]!.bytes, first.bytes);
  await run(server, thread, 20_000);
  clock.set('2026-02-11T08:00:00Z');
  const second = await untilDays(2);
  t.equal(second.growth.day?.bytes, second.bytes - first.bytes);
  t.match(second.growth.day?.threads, [{ thread_id: thread, grown_bytes: second.bytes - first.bytes }]);
  t.equal(second.growth.week, null);
  const before = first.channels.find(({ channel }) => channel === 'steps')!;
  const after = second.channels.find(({ channel }) => channel === 'steps')!;
  t.strictSame(after.grown, { day: after.bytes - before.bytes, week: null });
});

t.test('config errors name the place', (t) => {
  const problem = (budget: unknown): string => {
    try {
      readConfig({ config: configOf(t, budget) }, {});
    } catch (error) {
      return (error as Error).message;
    }
    return '';
  };
  t.match(problem(5), /state_budget: must be an object such as \{"thread_bytes"/);
  for (const size of [undefined, '50', '50 PB', 'MB', 1.5, 10, '5B'])
    t.match(problem({ thread_bytes: size }), /state_budget\.thread_bytes: must be a size/, String(size));
  t.match(problem({ thread_bytes: '1MB', on_exceed: 'delete' }), /state_budget\.on_exceed: must be/);
  t.match(problem({ thread_bytes: '1MB', keep_last: 3 }), /state_budget\.keep_last: has an effect only/);
  t.match(
    problem({ thread_bytes: '1MB', on_exceed: 'thin', keep_last: 0 }),
    /state_budget\.keep_last: must be a whole/,
  );
  const sizes = { '1.5MB': 1_500_000, '64KiB': 65_536, '2 GB': 2_000_000_000 };
  for (const [text, bytes] of Object.entries(sizes)) {
    const { project } = readConfig({ config: configOf(t, { thread_bytes: text }) }, {});
    t.strictSame(project.stateBudget, { threadBytes: bytes, onExceed: 'warn', keepLast: 1 });
  }
  t.equal(problem({ thread_bytes: 1_000_000, on_exceed: 'thin', keep_last: 5 }), '');
  t.end();
});
