import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import type { JsonObject } from '../../base/json/json.js';
import { Commit } from '../../store/env.js';
import type { ThreadRecord, ThreadTtl } from '../../store/threads/threads.js';
import type { Services } from '../context.js';
import { createWithState, type Superstep } from '../state/edit-state.js';
import { newThread } from './threads.js';

export interface ThreadWanted {
  threadId: string | null;
  metadata: JsonObject;
  ifExists: 'raise' | 'do_nothing';
  /** Undefined: what the configuration says. */
  ttl?: ThreadTtl | null | undefined;
  keepLast?: number | null;
  /** A history to begin with. */
  supersteps?: readonly Superstep[];
}

/** Throws THREAD_EXISTS, unless `ifExists` is `do_nothing` and the caller sees the thread, which is then returned as it is. */
export async function createThread(services: Services, caller: Caller, wanted: ThreadWanted): Promise<ThreadRecord> {
  const { threads, stores, ids, scheduler } = services;
  scheduler.checkIntake();
  const threadId = wanted.threadId ?? ids.next();
  if (threads.taken(threadId)) {
    if (wanted.ifExists === 'raise' || threads.current(caller, threadId) === undefined)
      throw fail('THREAD_EXISTS', { threadId });
    // It may have been made a moment ago: what we say exists must be on disk.
    await stores.store.flushed();
    const existing = threads.find(caller, threadId);
    // It was deleted meanwhile, or is still being made.
    if (existing === undefined) throw fail('THREAD_EXISTS', { threadId });
    return existing;
  }
  const record = {
    ...newThread(services, threadId, wanted.metadata, false),
    ...(wanted.ttl === undefined ? {} : { ttl: wanted.ttl }),
    ...(wanted.keepLast === undefined || wanted.keepLast === null ? {} : { keepLast: wanted.keepLast }),
  };
  if (wanted.supersteps !== undefined && wanted.supersteps.length > 0)
    return createWithState(services, caller, record, wanted.supersteps);
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
