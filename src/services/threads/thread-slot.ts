import { fail } from '../../base/errors.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { Needs } from '../context.js';
import type { LiveThread, Slot } from '../runs/live.js';

/**
 * Locks a thread while `work` changes it: none of its runs starts in the meantime. Throws
 * THREAD_BUSY if another change holds the lock, or if the thread has runs that `allowedRuns` excludes.
 */
export async function withSlot<T>(
  services: Needs<'scheduler' | 'threads'>,
  record: ThreadRecord,
  { slot, allowedRuns }: { slot: Slot; allowedRuns: 'all' | 'waiting' | 'none' },
  work: (live: LiveThread) => Promise<T>,
): Promise<T> {
  const { threads, scheduler } = services;
  const live = slot === 'create' ? threads.holdNew(record) : threads.hold(record);
  let isHeld = false;
  try {
    const isBlocked =
      allowedRuns === 'none'
        ? live.runs.some((run) => !run.settled)
        : allowedRuns === 'waiting' && live.executing !== null;
    if (live.slot !== null || isBlocked) throw fail('THREAD_BUSY', { threadId: record.threadId });
    live.slot = slot;
    isHeld = true;
    return await work(live);
  } finally {
    if (isHeld) {
      live.slot = null;
      if (!live.deleted) scheduler.scheduleNext(live);
    }
    threads.release(live);
  }
}
