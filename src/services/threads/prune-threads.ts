import { SERVER_CALLER, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { Commit } from '../../store/store.js';
import { pruneInSlices } from '../../store/threads/pruning.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { Needs } from '../context.js';
import { withSlot } from './thread-slot.js';
import { deleteThread } from './threads.js';

export type PruneStrategy = 'delete' | 'keep_latest';

/**
 * Deletes the threads, or all but their newest state. Skips threads that do not exist or are busy. Returns the
 * number of pruned threads.
 */
export async function pruneThreads(
  services: Needs<'clock' | 'crons' | 'scheduler' | 'stores' | 'threadEvents' | 'threads'>,
  caller: Caller,
  threadIds: readonly string[],
  strategy: PruneStrategy,
): Promise<number> {
  let pruned = 0;
  for (const threadId of threadIds) {
    if (services.threads.find(caller, threadId) === undefined) continue;
    try {
      if (strategy === 'delete') await deleteThread(services, caller, threadId);
      else await pruneCheckpoints(services, caller, threadId);
      pruned += 1;
    } catch (error) {
      if (!isSkippable(error)) throw error;
    }
  }
  return pruned;
}

/**
 * Deletes everything that the newest `keep` checkpoints do not need: older checkpoints, and content that only
 * they used. Throws THREAD_NOT_FOUND, THREAD_BUSY.
 */
export async function pruneCheckpoints(
  services: Needs<'clock' | 'scheduler' | 'stores' | 'threads'>,
  caller: Caller,
  threadId: string,
  keep = 1,
): Promise<ThreadRecord> {
  const { threads, stores, clock } = services;
  const record = threads.current(caller, threadId);
  if (record === undefined) throw fail('THREAD_NOT_FOUND', { threadId });
  return withSlot(services, record, { slot: 'prune', allowedRuns: 'none' }, async (live) => {
    await stores.store.flushed();
    // A worker with a warm state would assume that deleted content is still stored.
    threads.forgetWorker(threadId);
    for (const slice of pruneInSlices(stores, SERVER_CALLER, live.record!, keep)) {
      await stores.store.write(slice);
      // Yields even if a slice found nothing to remove.
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    const commit = new Commit();
    threads.update(
      commit,
      live,
      keep === 1 ? { thinnedAtMs: live.record!.updatedAtMs } : { trimmedAtMs: clock.nowMs() },
    );
    await stores.store.write(commit);
    return live.record!;
  });
}

function isSkippable(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === 'THREAD_BUSY' || code === 'THREAD_NOT_FOUND';
}
