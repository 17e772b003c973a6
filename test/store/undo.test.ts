import t, { type Test } from 'tap';
import { LOCAL_CALLER } from '../../src/domain/caller.js';
import { jsonBytes } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import type { Services } from '../../src/services/context.js';
import { undoUnfinishedChanges } from '../../src/services/state/edit-state.js';
import { rollBack } from '../../src/services/runs/roll-back.js';
import { UndoLog } from '../../src/store/threads/undo-log.js';
import { Commit } from '../../src/store/store.js';
import { openStores, type Stores } from '../../src/store/stores.js';
import { keys, type Key } from '../../src/store/keys.js';
import type { RunRecord } from '../../src/store/runs/runs.js';
import { temporaryFolder } from '../helpers/server.js';

const UID = 'thread-uid';
const STEPS = 1_000;

const run: RunRecord = {
  runId: 'run-1',
  threadId: 'thread-1',
  assistantId: 'assistant-1',
  graphId: 'echo',
  createdAtMs: 1,
  updatedAtMs: 1,
  status: 'running',
  attempt: 1,
  lease: 1,
  error: null,
  metadata: jsonBytes({}),
  multitaskStrategy: 'enqueue',
} as unknown as RunRecord;

/** What stands under the thread, in texts. */
function content({ store }: Stores): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of ['c', 'v', 'w'])
    for (const [key, value] of store.entries({ prefix: [part, UID] }))
      found.set(JSON.stringify(key), Buffer.from(value).toString());
  return found;
}

/**
 * A checkpoint from before, and a long run that adds others and replaces writes of the first. Returns what stood before
 * it.
 */
async function longRun(stores: Stores): Promise<Map<string, string>> {
  const { store } = stores;
  const first = new Commit();
  first.put(keys.checkpoint(UID, '', 'first'), Buffer.from('the first one'));
  for (let idx = 0; idx < 5; idx += 1)
    first.put(keys.taskWrites(UID, '', 'first', `task ${idx}`), Buffer.from(`write ${idx}`));
  stores.runs.update(first, run);
  first.put(keys.threadRun(UID, 1, run.runId), new Uint8Array(0));
  await store.write(first);
  const before = content(stores);
  const undo = new UndoLog(run.runId, 0);
  for (let step = 0; step < STEPS; step += 1) {
    const commit = new Commit();
    const change = (key: Key, text: string): void => {
      undo.record(key, store.get(key) ?? null);
      commit.put(key, Buffer.from(text));
    };
    change(keys.checkpoint(UID, '', `step-${String(step).padStart(5, '0')}`), `state ${step}`);
    if (step % 100 === 0) change(keys.taskWrites(UID, '', 'first', `task ${(step / 100) % 5}`), `replaced by ${step}`);
    undo.flush(commit);
    await store.write(commit);
  }
  return before;
}

const change = { kind: 'rollback', changeId: run.runId, uid: UID } as const;
const serviceOver = (stores: Stores): Services => ({ stores }) as Services;

function opened(t: Test, folder: string): Stores {
  const stores = openStores(folder, undefined);
  t.teardown(() => stores.store.close());
  return stores;
}

t.test('rolls back a long run in slices', async (t) => {
  const stores = opened(t, temporaryFolder(t));
  const before = await longRun(stores);
  const sizes: number[] = [];
  const write = stores.store.write.bind(stores.store);
  stores.store.write = (commit) => {
    sizes.push(commit.operations.length);
    return write(commit);
  };
  await rollBack(stores, change, false, (commit) => stores.runs.remove(commit, UID, run));
  t.ok(sizes.length > STEPS / LIMITS.sliceRemovals, `${sizes.length} commits`);
  t.ok(Math.max(...sizes) < 2 * LIMITS.sliceRemovals, `of ${Math.max(...sizes)} at most`);
  t.strictSame(content(stores), before);
  t.equal(stores.runs.get(LOCAL_CALLER, run.runId), undefined);
  t.strictSame([...stores.store.keys({ prefix: keys.undos(run.runId) })], []);
  t.strictSame([...stores.changes.unfinished()], [], 'nothing is left to be undone');
});

t.test('finishes an interrupted rollback at the next start', async (t) => {
  for (const slices of [1, 2, 4]) {
    const folder = temporaryFolder(t);
    const first = openStores(folder, undefined);
    const before = await longRun(first);
    const write = first.store.write.bind(first.store);
    let written = 0;
    first.store.write = (commit) =>
      written++ < slices ? write(commit) : Promise.reject(new Error('the power is gone'));
    await t.rejects(
      rollBack(first, change, false, (commit) => first.runs.remove(commit, UID, run)),
      { message: 'the power is gone' },
    );
    await first.store.close();
    const second = opened(t, folder);
    t.not(content(second).size, before.size, 'it is half undone');
    await undoUnfinishedChanges(serviceOver(second));
    t.strictSame(content(second), before, `after ${slices} slices`);
    t.equal(second.runs.get(LOCAL_CALLER, run.runId), undefined, 'and the run is gone');
    t.strictSame([...second.changes.unfinished()], []);
  }
});

t.test('removes the undo data of a long run in the background, at the latest at the next start', async (t) => {
  const folder = temporaryFolder(t);
  const stores = openStores(folder, undefined);
  await longRun(stores);
  const commit = new Commit();
  t.ok(stores.checkpoints.removeUndo(commit, run.runId));
  t.equal(commit.operations.length, 1, 'the end of a run is a small commit');
  await stores.store.write(commit);
  await stores.store.close();
  const again = opened(t, folder);
  again.remover.wake();
  const left = (): number =>
    again.store.count({ prefix: keys.undos(run.runId) }) + again.store.count({ prefix: keys.leftovers() });
  while (left() > 0)
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
  await again.remover.close();
  t.equal(content(again).size, STEPS + 6, 'what the run stored stays');
});
