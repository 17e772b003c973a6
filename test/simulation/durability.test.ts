import t, { type Test } from 'tap';
import { LOCAL_CALLER } from '../../src/domain/caller.js';
import { jsonBytes } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import type { LiveRun } from '../../src/services/runs/live.js';
import { getRun } from '../../src/services/runs/find-run.js';
import { createThread } from '../../src/services/threads/create-thread.js';
import { deleteThread, getThread, patchThread } from '../../src/services/threads/threads.js';
import { temporaryFolder } from '../helpers/server.js';
import { Random } from '../helpers/random.js';
import { World } from './world.js';

const THREAD = '00000000-0000-7000-8000-0000000000aa';
const SCRIPT = { token: 'a', steps: 1, ends: 'well' } as const;

async function world(t: Test): Promise<World> {
  const made = new World(new Random(1), temporaryFolder(t));
  await made.start();
  return made;
}

/** All that workers and ports can do while the disk stands still. */
async function withoutDisk(world: World): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) {
    for (const run of world.pool.runs) {
      run.port.deliver();
      run.hear();
      if (run.canGoOn) run.go();
    }
    await world.settle();
  }
}

/** Writes all that waits. */
async function write(world: World): Promise<void> {
  while (world.pendingCommits > 0) await world.writeCommit();
}

type State = 'waits' | 'resolved' | 'STORE_FAILED';

/** How a promise stands; look at `state` after a turn. */
function watch(promise: Promise<unknown>): { state: State } {
  const watched: { state: State } = { state: 'waits' };
  promise.then(
    () => {
      watched.state = 'resolved';
    },
    (error: { code: State }) => {
      watched.state = error.code;
    },
  );
  return watched;
}

/** Number of batches of events that the run's worker has made. */
const eventsOf = (run: LiveRun): number => run.log.batches.filter(({ names }) => !names.includes('metadata')).length;

t.test('dispatches and shows a run only when its creation is on disk', async (t) => {
  const w = await world(t);
  const run = w.startRun(THREAD, SCRIPT);
  await withoutDisk(w);
  t.equal(w.pool.runs.length, 0, 'no worker has it');
  t.throws(() => getThread(w.services, LOCAL_CALLER, THREAD), { code: 'THREAD_NOT_FOUND' });
  t.throws(() => getRun(w.services, LOCAL_CALLER, THREAD, run.record.runId), { code: 'THREAD_NOT_FOUND' });
  await write(w);
  t.equal(w.pool.runs.length, 1);
  t.equal(getRun(w.services, LOCAL_CALLER, THREAD, run.record.runId).record.status, 'running');
  await w.rest();
  t.strictSame(w.violations, []);
});

t.test('refuses a run whose creation the disk refuses', async (t) => {
  const w = await world(t);
  const run = w.startRun(THREAD, SCRIPT);
  const created = watch(run.created);
  await w.rejectCommits();
  await withoutDisk(w);
  t.equal(created.state, 'STORE_FAILED');
  t.equal(w.pool.runs.length, 0);
  await w.crash();
  await w.rest();
  t.throws(() => getThread(w.services, LOCAL_CALLER, THREAD), { code: 'THREAD_NOT_FOUND' });
});

t.test('ends no run whose end the disk refuses', async (t) => {
  const w = await world(t);
  const run = w.startRun(THREAD, SCRIPT);
  await write(w);
  const ended = watch(w.services.scheduler.wait(run));
  await withoutDisk(w);
  t.equal(ended.state, 'waits', 'the end is not on disk');
  t.equal(getRun(w.services, LOCAL_CALLER, THREAD, run.record.runId).record.status, 'running');
  t.notOk(run.log.ended);
  await w.rejectCommits();
  t.equal(ended.state, 'STORE_FAILED');
  t.notOk(run.log.ended, 'its stream does not end in order');
  t.ok(run.log.isAborted, 'it breaks off');
  t.equal(run.thread.executing, run, 'and its place is not given to another run');
  t.equal(watch(w.services.scheduler.wait(run)).state, 'waits');
  await t.rejects(w.services.scheduler.wait(run), { code: 'STORE_FAILED' }, 'whoever asks later learns the same');
  await t.rejects(w.cancel(run, 'interrupt'), { code: 'STORE_FAILED' });
  t.throws(() => w.startRun(THREAD, SCRIPT), { code: 'STORE_FAILED' });
  await w.crash();
  await w.rest();
  const { record } = getRun(w.services, LOCAL_CALLER, THREAD, run.record.runId);
  t.match(record, { status: 'success', attempt: 2 }, 'the next start takes it up again');
});

t.test('does not continue with a retry that the disk refuses', async (t) => {
  const w = await world(t);
  const run = w.startRun(THREAD, { ...SCRIPT, steps: 3 });
  await write(w);
  const ended = watch(w.services.scheduler.wait(run));
  await w.loseWorker();
  await w.rejectCommits();
  await withoutDisk(w);
  t.equal(w.pool.runs.length, 0);
  t.equal(ended.state, 'STORE_FAILED');
});

t.test('leaves no thread busy when the server dies while a run is rolled back', async (t) => {
  const folder = temporaryFolder(t);
  const statuses: string[] = [];
  for (let commits = 0; ; commits += 1) {
    const w = new World(new Random(1), folder);
    await w.start();
    w.startRun(THREAD, SCRIPT);
    await w.rest();
    const run = w.startRun(THREAD, SCRIPT);
    await write(w);
    w.cancel(run, 'rollback').catch(() => undefined);
    await w.settle();
    let written = 0;
    for (; written < commits && w.pendingCommits > 0; written += 1) await w.writeCommit();
    await w.crash();
    statuses.push(w.services.stores.threads.get(LOCAL_CALLER, THREAD)!.status);
    await w.rest();
    t.equal(w.services.stores.threads.get(LOCAL_CALLER, THREAD)!.status, 'idle', `after ${written} commits`);
    if (written < commits) break;
  }
  t.ok(statuses.includes('busy'), 'the run is there as long as it is not rolled back');
  t.equal(statuses.at(-1), 'idle');
});

t.test('shows a change or deletion of a thread when it is on disk', async (t) => {
  const w = await world(t);
  const created = watch(createThread(w.services, LOCAL_CALLER, { threadId: THREAD, metadata: {}, ifExists: 'raise' }));
  t.throws(() => getThread(w.services, LOCAL_CALLER, THREAD), { code: 'THREAD_NOT_FOUND' });
  await write(w);
  t.equal(created.state, 'resolved');
  const before = getThread(w.services, LOCAL_CALLER, THREAD);

  const patched = watch(patchThread(w.services, LOCAL_CALLER, THREAD, { metadata: { a: 1 } }));
  const second = patchThread(w.services, LOCAL_CALLER, THREAD, { metadata: { b: 2 } });
  await w.settle();
  t.equal(patched.state, 'waits');
  t.strictSame(getThread(w.services, LOCAL_CALLER, THREAD), before);
  await write(w);
  t.equal(patched.state, 'resolved');
  t.strictSame(
    (await second).metadata,
    jsonBytes({ a: 1, b: 2 }),
    'a change is made on the newest record all the same',
  );
  t.strictSame(getThread(w.services, LOCAL_CALLER, THREAD).metadata, jsonBytes({ a: 1, b: 2 }));

  const deleted = watch(deleteThread(w.services, LOCAL_CALLER, THREAD));
  await w.settle();
  t.equal(deleted.state, 'waits');
  t.ok(getThread(w.services, LOCAL_CALLER, THREAD), 'it is there as long as a crash would bring it back');
  t.throws(() => w.startRun(THREAD, SCRIPT), { code: 'THREAD_BUSY' }, 'and takes no more runs');
  await write(w);
  t.equal(deleted.state, 'resolved');
  t.throws(() => getThread(w.services, LOCAL_CALLER, THREAD), { code: 'THREAD_NOT_FOUND' });
});

t.test('sends an event of a resumable run when it is on disk, others at once', async (t) => {
  const w = await world(t);
  for (const resumable of [true, false]) {
    const run = w.startRun(THREAD, { ...SCRIPT, token: String(resumable) }, { resumable });
    run.wantsFrames = true;
    await write(w);
    const [simulated] = w.pool.runs;
    simulated!.go();
    simulated!.port.deliver();
    await w.settle();
    t.equal(eventsOf(run), resumable ? 0 : 1);
    await write(w);
    t.equal(eventsOf(run), 1);
    await w.rest();
    t.equal(run.log.ended, true);
  }
});

t.test('holds back events until their ids are reserved on disk', async (t) => {
  const w = await world(t);
  const run = w.startRun(THREAD, { ...SCRIPT, steps: 3 });
  run.wantsFrames = true;
  await write(w);
  // As after half a million events that came faster than the disk.
  const { thread } = run;
  thread.record = { ...thread.record!, nextSeq: thread.seq };
  thread.stored = thread.record;
  await withoutDisk(w);
  t.ok(run.heldEvents > 1);
  t.equal(eventsOf(run), 0);
  await write(w);
  t.equal(run.heldEvents, 0);
  t.ok(eventsOf(run) > 1);
  t.ok(thread.stored.nextSeq > run.log.lastSeq);
});

t.test('refuses new work while the disk is far behind, and continues runs', async (t) => {
  const w = await world(t);
  const run = w.startRun(THREAD, SCRIPT);
  await write(w);
  const { store } = w.services.stores;
  store.pendingBytes += LIMITS.pendingBytesMax;
  t.throws(() => w.startRun(THREAD, SCRIPT), { code: 'OVERLOADED', status: 503 });
  await t.rejects(patchThread(w.services, LOCAL_CALLER, THREAD, { metadata: { a: 1 } }), { code: 'OVERLOADED' });
  await w.rest();
  t.ok(run.log.ended);
  store.pendingBytes -= LIMITS.pendingBytesMax;
  t.ok(w.startRun(THREAD, SCRIPT));
  await w.rest();
});
