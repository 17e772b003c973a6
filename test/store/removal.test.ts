import { randomBytes } from 'node:crypto';
import t, { type Test } from 'tap';
import { randomIds } from '../../src/base/ids.js';
import { jsonBytes } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { silentLog } from '../../src/base/log/log.js';
import { EvaluationContext } from '../../src/services/evaluation/context.js';
import { recoverEvaluation } from '../../src/services/evaluation/recover.js';
import { withStagedLists } from '../../src/services/evaluation/staging.js';
import { BlockLists } from '../../src/store/evaluation/block-lists.js';
import { Commit } from '../../src/store/store.js';
import { openStores, type Stores } from '../../src/store/stores.js';
import { keys, THREAD_CONTENT_PREFIXES } from '../../src/store/keys.js';
import type { ThreadRecord } from '../../src/store/threads/threads.js';
import { FakeClock } from '../helpers/fake-clock.js';
import { leftoversGone } from '../helpers/leftovers.js';
import { temporaryFolder } from '../helpers/server.js';

function open(t: Test): Stores {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(async () => {
    await stores.remover.close();
    await stores.store.close();
  });
  return stores;
}

function record(uid: string): ThreadRecord {
  return {
    threadId: `thread-${uid}`,
    uid,
    createdAtMs: 1,
    updatedAtMs: 1,
    stateUpdatedAtMs: 1,
    status: 'idle',
    metadata: jsonBytes({}),
    config: jsonBytes({}),
    graphId: null,
    unfinished: false,
    failure: null,
    nextSeq: 0,
    temporary: false,
  };
}

/**
 * About as a long chat leaves it: `turns` with three checkpoints, views, writes, undo records and content each. Returns
 * how many records there are.
 */
async function fill(stores: Stores, thread: ThreadRecord, turns: number): Promise<number> {
  const { uid } = thread;
  let count = 0;
  let commit = new Commit();
  stores.threads.put(commit, thread, undefined);
  for (let turn = 0; turn < turns; turn += 1) {
    const runId = `${uid}-run-${turn}`;
    const put = (key: (string | number)[], bytes: number): void => {
      commit.put(key, randomBytes(bytes));
      count += 1;
    };
    put(keys.threadRun(uid, turn, runId), 1);
    put(keys.runKwargs(runId), 200);
    for (let n = 0; n < 2; n += 1) put(keys.undo(runId, n), 100);
    for (let n = 0; n < 3; n += 1) {
      put(keys.checkpoint(uid, '', `${turn}-${n}`), 600);
      put(keys.view(uid, '', `${turn}-${n}`), 150);
      put(keys.taskWrites(uid, '', `${turn}-${n}`, 'task'), 100);
      put(keys.content(uid, randomBytes(16).toString('base64url')), 700);
    }
    if (turn % 50 !== 49) continue;
    await stores.store.write(commit);
    commit = new Commit();
  }
  await stores.store.write(commit);
  return count;
}

async function remove(stores: Stores, thread: ThreadRecord): Promise<void> {
  const commit = new Commit();
  stores.threads.remove(commit, thread);
  await stores.store.write(commit);
  await stores.remover.removeNow(keys.leftover('thread', thread.uid));
}

t.test('removes all records of a thread in slices, and none of another', async (t) => {
  const stores = open(t);
  const [gone, stays] = [record('gone'), record('stays')];
  const records = await fill(stores, gone, 1_000);
  const others = await fill(stores, stays, 10);
  const write = stores.store.write.bind(stores.store);
  const sizes: number[] = [];
  stores.store.write = (commit) => {
    sizes.push(commit.operations.length);
    return write(commit);
  };
  await remove(stores, gone);
  // The first says that the thread is gone.
  const slices = sizes.slice(1);
  t.ok(Math.max(...slices) <= LIMITS.sliceRemovals, `${Math.max(...slices)} in one slice`);
  t.ok(
    slices.length <= 2 * Math.ceil(records / LIMITS.sliceRemovals) + 10,
    `${slices.length} commits for ${records} records`,
  );
  await stores.store.flushed();
  const left = [...stores.store.keys({ prefix: [] })].filter(
    (key) => key[0] === 'x' || key.some((part) => `${part}` === 'gone' || `${part}`.startsWith('gone-run')),
  );
  t.strictSame(left, []);
  const of = (part: string): number => [...stores.store.keys({ prefix: [part, 'stays'] })].length;
  t.equal(
    THREAD_CONTENT_PREFIXES.reduce((sum, part) => sum + of(part), 0) + 10 * 3,
    others,
    'kwargs and undo records stand elsewhere',
  );
});

t.test('reuses pages of removed records', async (t) => {
  const stores = open(t);
  await fill(stores, record('a0'), 300);
  const once = stores.store.fileBytes;
  for (let round = 0; round < 5; round += 1) {
    await remove(stores, record(`a${round}`));
    await fill(stores, record(`a${round + 1}`), 300);
  }
  t.ok(
    stores.store.fileBytes < 1.5 * once,
    `${once} bytes for the first, ${stores.store.fileBytes} after five more had come and gone`,
  );
});

t.test('removes attachments of an unfinished request, and keeps those of its published commits', async (t) => {
  const stores = open(t);
  const { store, remover } = stores;
  const evaluation = new EvaluationContext({
    store,
    remover,
    pool: null as never,
    clock: new FakeClock(Date.now()),
    ids: randomIds,
    log: silentLog(),
    uploadBytesMax: 1,
    allowsShares: false,
    graphRuns: { threadOf: () => null, feedbackFollowsTrace: () => true },
    attachmentLinks: { base: '', key: new Uint8Array(32) },
  });
  const taken: number[] = [];
  const stage = (end: () => Promise<void>): Promise<void> =>
    withStagedLists(
      evaluation,
      (take) => ({ exampleList: null, experimentList: null, attachmentGroup: take() }),
      async ({ attachmentGroup: group }, { publishAttachments }) => {
        taken.push(group);
        const commit = new Commit();
        for (const at of [0, 1, 2])
          for (const n of [0, 1]) commit.put(keys.attachmentChunk(group, at, n), randomBytes(10));
        publishAttachments(commit, { before: 1 });
        await store.write(commit);
        await end();
      },
    );
  const left = (): unknown[] => [...store.keys({ prefix: keys.attachments() })];
  await t.rejects(
    stage(() => Promise.reject(new Error('a later commit failed'))),
    { message: 'a later commit failed' },
  );
  await leftoversGone(stores);
  const published = [0, 1].map((n) => keys.attachmentChunk(taken[0]!, 0, n));
  t.strictSame(left(), published);
  t.strictSame([...store.keys({ prefix: keys.uploads() })], []);

  // The process ends here; the next one recovers.
  const interrupted = await new Promise<number>((resolve) => {
    void stage(() => {
      resolve(taken.at(-1)!);
      return new Promise(() => undefined);
    });
  });
  await recoverEvaluation(evaluation);
  await leftoversGone(stores);
  t.strictSame(left(), [...published, ...[0, 1].map((n) => keys.attachmentChunk(interrupted, 0, n))]);
  t.ok(new BlockLists(store).assign(new Commit()) > interrupted, 'a group is not used again');
});
