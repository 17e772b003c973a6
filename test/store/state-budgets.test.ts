import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { LIMITS } from '../../src/base/limits.js';
import type { Steps } from '../../src/base/steps.js';
import type { StateBudget } from '../../src/domain/state-budget.js';
import { TimeSlicer } from '../../src/services/time-slicer.js';
import { StateBudgets } from '../../src/services/threads/state-budgets.js';
import { keys } from '../../src/store/keys.js';
import { Commit } from '../../src/store/store.js';
import { openStores, type Stores } from '../../src/store/stores.js';
import type { ThreadRecord } from '../../src/store/threads/threads.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { temporaryFolder } from '../helpers/server.js';

const THREAD = { threadId: 'thread', uid: 'uid', temporary: false } as ThreadRecord;

/** Counts measurements, and can hold one up. */
class CountingSlicer extends TimeSlicer {
  runs = 0;
  held: Promise<void> = Promise.resolve();

  override async run<T>(steps: Steps<T>, isAborted: () => boolean): Promise<T> {
    this.runs += 1;
    const result = await super.run(steps, isAborted);
    await this.held;
    return result;
  }
}

interface Setup {
  stores: Stores;
  budgets: StateBudgets;
  slicer: CountingSlicer;
  clock: FakeClock;
  pruned: string[];
  /** Writes content of this length, and returns what removes it. */
  grow: (bytes: number, thread?: ThreadRecord) => Promise<() => Promise<void>>;
}

function setUp(t: Test, budget: StateBudget, prune: () => Promise<boolean> = () => Promise.resolve(false)): Setup {
  const stores = openStores(temporaryFolder(t), undefined);
  const slicer = new CountingSlicer();
  const clock = new FakeClock('2026-01-31T09:00:00Z');
  const pruned: string[] = [];
  const budgets = new StateBudgets(budget, {
    store: stores.store,
    timeSlicer: slicer,
    clock,
    log: pino({ level: 'silent' }),
    findThread: (threadId) => ({ ...THREAD, threadId, uid: threadId === 'thread' ? 'uid' : threadId }),
    prune: ({ threadId }) => {
      pruned.push(threadId);
      return prune();
    },
  });
  stores.store.onWrite = (operations) => budgets.onWrite(operations);
  t.teardown(async () => {
    await budgets.close();
    await stores.store.close();
  });
  const grow = async (bytes: number, { uid } = THREAD): Promise<() => Promise<void>> => {
    const key = keys.content(uid, randomBytes(16).toString('base64url'));
    const commit = new Commit();
    commit.put(key, Buffer.alloc(bytes));
    await stores.store.write(commit);
    return async () => {
      const removal = new Commit();
      removal.remove(key);
      await stores.store.write(removal);
    };
  };
  return { stores, budgets, slicer, clock, pruned, grow };
}

const refuse: StateBudget = { threadBytes: 10_000, onExceed: 'refuse', keepLast: 1 };
const REFUSED = { code: 'STATE_BUDGET_EXCEEDED' };

t.test('measures a thread once, and again when it may be over its budget', async (t) => {
  const { budgets, slicer, grow } = setUp(t, refuse);
  await grow(4_000);
  await Promise.all([budgets.prepare('thread'), budgets.prepare('thread')]);
  t.equal(slicer.runs, 1, 'both wait for one measurement');
  for (let n = 0; n < 5; n += 1) {
    await grow(1_000);
    await budgets.prepare('thread');
    budgets.check(THREAD);
  }
  t.equal(slicer.runs, 1, 'later writes are added');
  const remove = await grow(2_000);
  await budgets.prepare('thread');
  t.throws(() => budgets.check(THREAD), REFUSED);
  await budgets.prepare('thread');
  t.equal(slicer.runs, 2);
  await remove();
  budgets.check(THREAD);
  await budgets.prepare('thread');
  t.equal(slicer.runs, 3, 'after a removal it is measured again');
  budgets.check(THREAD);
  await grow(2_000);
  await budgets.prepare('thread');
  t.throws(() => budgets.check(THREAD), REFUSED);
  t.equal(budgets.counts.refused, 2);
});

t.test('does not refuse a thread that was pruned while it was measured', async (t) => {
  const { budgets, slicer, grow } = setUp(t, refuse);
  const remove = await grow(20_000);
  let release: () => void = () => undefined;
  slicer.held = new Promise((resolve) => {
    release = resolve;
  });
  const prepared = budgets.prepare('thread');
  while (slicer.runs === 0) await new Promise(setImmediate);
  await remove();
  release();
  await prepared;
  budgets.check(THREAD);
  await budgets.prepare('thread');
  t.equal(slicer.runs, 2);
  budgets.check(THREAD);
});

t.test('counts what is written while a thread is measured', async (t) => {
  const { budgets, slicer, grow } = setUp(t, refuse);
  await grow(6_000);
  let release: () => void = () => undefined;
  slicer.held = new Promise((resolve) => {
    release = resolve;
  });
  const prepared = budgets.prepare('thread');
  while (slicer.runs === 0) await new Promise(setImmediate);
  await grow(6_000);
  release();
  await prepared;
  t.throws(() => budgets.check(THREAD), REFUSED);
});

t.test('thins a moment after a run, and again only after the thread has grown', async (t) => {
  const { budgets, clock, pruned, grow } = setUp(t, { ...refuse, onExceed: 'thin' }, () => Promise.resolve(true));
  await grow(11_000);
  budgets.check(THREAD);
  const endRun = async (): Promise<void> => {
    const { exceeded } = budgets.counts;
    budgets.onChanged(THREAD);
    while (budgets.counts.exceeded === exceeded) await new Promise(setImmediate);
    clock.pass(LIMITS.stateThinDelayMs);
    await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await endRun();
  t.equal(pruned.length, 1);
  await endRun();
  t.equal(pruned.length, 1, 'nothing more can be removed');
  await grow(2_600);
  await endRun();
  t.equal(pruned.length, 2);
});

t.test('forgets the thread that was measured first when there are too many', async (t) => {
  const { budgetedThreadsMax } = LIMITS;
  t.teardown(() => Object.assign(LIMITS, { budgetedThreadsMax }));
  Object.assign(LIMITS, { budgetedThreadsMax: 2 });
  const { budgets, slicer } = setUp(t, refuse);
  for (const threadId of ['a', 'b', 'c', 'c', 'b']) await budgets.prepare(threadId);
  t.equal(slicer.runs, 3);
  await budgets.prepare('a');
  t.equal(slicer.runs, 4);
});
