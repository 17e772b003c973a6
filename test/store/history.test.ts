import t from 'tap';
import { HISTOGRAM_BOUNDS, quantileOf } from '../../src/base/histogram.js';
import { LIMITS } from '../../src/base/limits.js';
import type { HistorySample } from '../../src/store/history.js';
import { Commit } from '../../src/store/store.js';
import { openStores, type Stores } from '../../src/store/stores.js';
import { temporaryFolder } from '../helpers/server.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const START_MS = Date.parse('2026-01-31T09:00:00Z');

const sampleWith = (more: Partial<HistorySample> = {}): HistorySample => ({
  runsStarted: 1,
  runsSucceeded: 1,
  runsFailed: 0,
  runsInterrupted: 0,
  queueWaits: [1, 0, 2],
  runDurations: [0, 3],
  requests: 2,
  requestsFailed: 1,
  cpuSeconds: 0.5,
  runsQueued: 0,
  runsRunning: 0,
  workers: 2,
  workersBusy: 1,
  memoryBytes: 100,
  storageBytes: 50,
  ...more,
});

async function write({ store }: Stores, plan: (commit: Commit) => void): Promise<number> {
  const commit = new Commit();
  plan(commit);
  await store.write(commit);
  return commit.operations.length;
}

const stored = ({ history }: Stores): { at: number; seconds: number; runs: number }[] =>
  [...history.between(0, Number.MAX_SAFE_INTEGER)].map(({ startMs, seconds, sample }) => ({
    at: (startMs - START_MS) / MINUTE_MS,
    seconds,
    runs: sample.runsStarted,
  }));

async function thinAll(stores: Stores, nowMs: number): Promise<number> {
  for (let commits = 0; ; commits += 1) {
    const changes = await write(stores, (commit) => stores.history.thin(commit, nowMs));
    if (changes === 0) return commits;
  }
}

t.test('adds the samples of one minute, and keeps the highest load', async (t) => {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  await write(stores, (commit) => stores.history.add(commit, START_MS + 1_000, sampleWith({ runsQueued: 7 })));
  await write(stores, (commit) => stores.history.add(commit, START_MS + 59_000, sampleWith({ memoryBytes: 90 })));
  const [only, ...others] = [...stores.history.between(START_MS, START_MS + MINUTE_MS)];
  t.same(others, []);
  t.same(only, {
    startMs: START_MS,
    seconds: 60,
    sample: sampleWith({
      runsStarted: 2,
      runsSucceeded: 2,
      queueWaits: [2, 0, 4],
      runDurations: [0, 6],
      requests: 4,
      requestsFailed: 2,
      cpuSeconds: 1,
      runsQueued: 7,
    }),
  });
});

t.test('joins old samples to longer ones without losing a run, and removes the oldest', async (t) => {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  for (let minute = 0; minute < 130; minute += 1)
    await write(stores, (commit) => stores.history.add(commit, START_MS + minute * MINUTE_MS, sampleWith()));
  const runs = (): number => stored(stores).reduce((sum, one) => sum + one.runs, 0);

  // Of the ten minutes that are over for a day, the last ones are not complete.
  await thinAll(stores, START_MS + LIMITS.historyMinutesKeptMs + 25 * MINUTE_MS);
  t.same(
    stored(stores).filter(({ seconds }) => seconds === 600),
    [
      { at: 0, seconds: 600, runs: 10 },
      { at: 10, seconds: 600, runs: 10 },
    ],
  );
  t.equal(runs(), 130);

  await thinAll(stores, START_MS + LIMITS.historyTenMinutesKeptMs + 3 * 60 * MINUTE_MS);
  t.same(stored(stores), [
    { at: 0, seconds: 3_600, runs: 60 },
    { at: 60, seconds: 3_600, runs: 60 },
    { at: 120, seconds: 3_600, runs: 10 },
  ]);

  await thinAll(stores, START_MS + LIMITS.historyHoursKeptMs + 61 * MINUTE_MS);
  t.same(
    stored(stores).map(({ at }) => at),
    [60, 120],
  );
});

t.test('stays small in a year of use', async (t) => {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  for (let day = 0; day <= 365; day += 1)
    await write(stores, (commit) => {
      const atMs = START_MS + day * DAY_MS;
      stores.history.add(commit, atMs, sampleWith());
      stores.history.thin(commit, atMs);
    });
  const endMs = START_MS + 365 * DAY_MS;
  await thinAll(stores, endMs);
  const keptMs: Readonly<Record<number, number>> = {
    60: LIMITS.historyMinutesKeptMs,
    600: LIMITS.historyTenMinutesKeptMs,
    3_600: LIMITS.historyHoursKeptMs,
  };
  const tooOld = stored(stores).filter(
    ({ at, seconds }) => endMs - (START_MS + at * MINUTE_MS) > keptMs[seconds]! + 3_600_000,
  );
  t.same(tooOld, []);
  t.equal(stored(stores).length, 91);
});

t.test('catches up in bounded commits after a long pause', async (t) => {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(() => stores.store.close());
  await write(stores, (commit) => {
    for (let minute = 0; minute < 1_440; minute += 1)
      stores.history.add(commit, START_MS + minute * MINUTE_MS, sampleWith());
  });
  const laterMs = START_MS + 30 * DAY_MS;
  const changes = await write(stores, (commit) => stores.history.thin(commit, laterMs));
  t.ok(changes <= LIMITS.historyThinnedMax * 2, `${changes} changes`);
  await thinAll(stores, laterMs);
  t.same(
    stored(stores).map(({ seconds, runs }) => [seconds, runs]),
    Array.from({ length: 24 }, () => [3_600, 60]),
  );
});

t.test('estimates a quantile within its bounds', (t) => {
  const { queue } = HISTOGRAM_BOUNDS;
  const counts = (at: number, count: number): number[] =>
    Array.from({ length: queue.length + 1 }, (_, one) => (one === at ? count : 0));
  t.equal(quantileOf(queue, counts(0, 0), 0.5), null, 'without values');
  t.equal(quantileOf(queue, counts(6, 10), 0.5), 0.75, 'in the middle between 0.5 and 1');
  t.equal(quantileOf(queue, counts(queue.length, 4), 0.95), queue.at(-1)!, 'above the last bound');
  t.equal(quantileOf(queue, [1], 0.5), null, 'counts of other bounds');
  t.end();
});
