import { sees, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { parseJson, type JsonObject } from '../../base/json/json.js';
import { Commit } from '../../store/store.js';
import type { ThreadChange } from '../../store/threads/thread-changes.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { Needs } from '../context.js';
import { threadStatus } from '../runs/live.js';
import { withSlot } from './thread-slot.js';
import { newThread } from './threads.js';

/**
 * Creates a thread with the same state and history, without the runs. The thread becomes visible in the last
 * commit. Throws COPY_NOT_FOUND (also if the caller may not see the thread), THREAD_BUSY, FORBIDDEN.
 */
export async function copyThread(
  services: Needs<'clock' | 'defaultTtl' | 'ids' | 'scheduler' | 'stores' | 'threads'>,
  caller: Caller,
  threadId: string,
): Promise<ThreadRecord> {
  const { threads, stores, ids, scheduler } = services;
  scheduler.checkIntake();
  const source = threads.current(caller, threadId);
  if (source === undefined) throw fail('COPY_NOT_FOUND', { threadId });
  const newId = ids.next();
  const metadata: JsonObject = { ...(parseJson(source.metadata) as JsonObject), thread_id: newId, ...caller.stamp };
  // Prevents a copy that its own caller could not see.
  if (!sees(caller, 'threads', () => metadata)) throw fail('FORBIDDEN', { action: 'threads:create' });
  return withSlot(services, source, { slot: 'copy', allowedRuns: 'none' }, async (live) => {
    await stores.store.flushed();
    const { graphId, unfinished, stateUpdatedAtMs, parked = null } = live.record!;
    const record: ThreadRecord = {
      ...newThread(services, newId, metadata, false),
      graphId,
      unfinished,
      parked,
      stateUpdatedAtMs,
      status: threadStatus({ failure: null, unfinished }, false),
    };
    const change: ThreadChange = { kind: 'new', changeId: ids.next(), uid: record.uid };
    const beginCommit = new Commit();
    stores.changes.begin(beginCommit, change);
    await stores.store.write(beginCommit);
    try {
      for (const slice of stores.checkpoints.copyContent(source, record.uid)) await stores.store.write(slice);
      const commit = new Commit();
      stores.changes.end(commit, change);
      stores.threads.put(commit, record, undefined);
      await stores.store.write(commit);
    } catch (error) {
      const commit = new Commit();
      stores.changes.abandonNew(commit, change);
      await stores.store.write(commit);
      stores.remover.wake();
      throw error;
    }
    return record;
  });
}
