import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import type { JsonObject } from '../../base/json/json.js';
import { Commit } from '../../store/store.js';
import type { ThreadRecord, ThreadTtl } from '../../store/threads/threads.js';
import type { Needs } from '../context.js';
import { createThreadWithState, type Superstep } from '../state/edit-state.js';
import { newThread } from './threads.js';

export interface NewThread {
  threadId: string | null;
  metadata: JsonObject;
  ifExists: 'raise' | 'do_nothing';
  /** Undefined: the configured default. */
  ttl?: ThreadTtl | null | undefined;
  keepLast?: number | null;
  /** History of the new thread. */
  supersteps?: readonly Superstep[];
}

/**
 * Throws THREAD_EXISTS. With `ifExists: 'do_nothing'`, returns the existing thread unchanged if the caller sees
 * it.
 */
export async function createThread(
  services: Needs<'clock' | 'defaultTtl' | 'stateEditor' | 'graphIds' | 'ids' | 'scheduler' | 'stores' | 'threads'>,
  caller: Caller,
  wanted: NewThread,
): Promise<ThreadRecord> {
  const { threads, stores, ids, scheduler } = services;
  scheduler.checkIntake();
  const threadId = wanted.threadId ?? ids.next();
  if (threads.isTaken(threadId)) {
    if (wanted.ifExists === 'raise' || threads.current(caller, threadId) === undefined)
      throw fail('THREAD_EXISTS', { threadId });
    // The thread may be very new, and a reported thread must be on disk.
    await stores.store.flushed();
    const existing = threads.find(caller, threadId);
    // The thread was deleted in the meantime, or is still being created.
    if (existing === undefined) throw fail('THREAD_EXISTS', { threadId });
    return existing;
  }
  const record = {
    ...newThread(services, threadId, wanted.metadata, false),
    ...(wanted.ttl === undefined ? {} : { ttl: wanted.ttl }),
    ...(wanted.keepLast === undefined || wanted.keepLast === null ? {} : { keepLast: wanted.keepLast }),
  };
  if (wanted.supersteps !== undefined && wanted.supersteps.length > 0)
    return createThreadWithState(services, caller, record, wanted.supersteps);
  const live = threads.holdNew(record);
  try {
    const commit = new Commit();
    threads.update(commit, live, {}, null);
    await stores.store.write(commit);
  } catch (error) {
    live.deleted = true;
    throw error;
  } finally {
    threads.release(live);
  }
  return record;
}
