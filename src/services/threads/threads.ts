import { sees, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { jsonBytes, parseJson, type JsonObject } from '../../base/json/json.js';
import { Commit } from '../../store/store.js';
import { FIRST_EVENT_ID, type ThreadRecord, type ThreadTtl } from '../../store/threads/threads.js';
import { cancelRun } from '../runs/cancel-run.js';
import type { Needs } from '../context.js';
import { threadStatus } from '../runs/live.js';
import { threadEntityTag } from './etags.js';
import { withSlot } from './thread-slot.js';
import { headIsUnfinished, headView } from '../state/state.js';

/** Returns a new record that is not stored yet. */
export function newThread(
  { clock, ids, defaultTtl }: Needs<'clock' | 'defaultTtl' | 'ids'>,
  threadId: string,
  metadata: JsonObject,
  temporary: boolean,
): ThreadRecord {
  const now = clock.nowMs();
  return {
    threadId,
    uid: shortId(ids.next()),
    createdAtMs: now,
    updatedAtMs: now,
    stateUpdatedAtMs: now,
    status: 'idle',
    metadata: jsonBytes(metadata),
    config: jsonBytes({}),
    graphId: null,
    unfinished: false,
    failure: null,
    nextSeq: FIRST_EVENT_ID,
    temporary,
    ...(temporary || defaultTtl === null ? {} : { ttl: defaultTtl }),
  };
}

/** The thread as stored on disk. Throws THREAD_NOT_FOUND, also if the caller may not see it. */
export function getThread({ threads }: Needs<'threads'>, caller: Caller, threadId: string): ThreadRecord {
  return orNotFound(threads.find(caller, threadId), threadId);
}

/** The thread including pending writes, for further changes. Throws THREAD_NOT_FOUND. */
export function getThreadToChange({ threads }: Needs<'threads'>, caller: Caller, threadId: string): ThreadRecord {
  return orNotFound(threads.current(caller, threadId), threadId);
}

function orNotFound(record: ThreadRecord | undefined, threadId: string): ThreadRecord {
  if (record === undefined) throw fail('THREAD_NOT_FOUND', { threadId });
  return record;
}

/**
 * Like `getThread`, after everything published by its runs is on disk: a client that has seen an event finds
 * the state behind it.
 */
export async function getSettledThread(
  services: Needs<'stores' | 'threads'>,
  caller: Caller,
  threadId: string,
): Promise<ThreadRecord> {
  if (services.threads.live(threadId) !== undefined) await services.stores.store.settled();
  return getThread(services, caller, threadId);
}

/** Changes to a thread. What is undefined stays. */
export interface ThreadPatch {
  metadata: JsonObject;
  ttl?: ThreadTtl | null | undefined;
  keepLast?: number | null | undefined;
  /** Condition on the thread's entity tag. Null: none. */
  tagMatches?: ((tag: string) => boolean) | null;
}

/**
 * Merges metadata. Values and status do not change. Throws THREAD_NOT_FOUND, FORBIDDEN, THREAD_CHANGED.
 */
export async function patchThread(
  services: Needs<'clock' | 'stores' | 'threads'>,
  caller: Caller,
  threadId: string,
  { metadata, ttl, keepLast, tagMatches = null }: ThreadPatch,
): Promise<ThreadRecord> {
  const { threads, stores, clock } = services;
  stores.store.checkAcceptsWrites();
  // The tag covers the state, which must be on disk to be read.
  if (tagMatches !== null && threads.live(threadId) !== undefined) await stores.store.flushed();
  const record = getThreadToChange(services, caller, threadId);
  // No other work runs between this check and the change.
  if (tagMatches !== null && !tagMatches(threadEntityTag(record, headView(services, caller, record))))
    throw fail('THREAD_CHANGED', { threadId });
  const merged = { ...(parseJson(record.metadata) as JsonObject), ...metadata };
  // Prevents a change that would hide the thread from its own caller.
  if (!sees(caller, 'threads', () => merged)) throw fail('FORBIDDEN', { action: 'threads:update' });
  const live = threads.hold(record);
  try {
    const commit = new Commit();
    const changed = threads.update(commit, live, {
      metadata: jsonBytes(merged),
      updatedAtMs: clock.nowMs(),
      ...(ttl === undefined ? {} : { ttl }),
      ...(keepLast === undefined ? {} : { keepLast }),
    });
    await stores.store.write(commit);
    return changed;
  } finally {
    threads.release(live);
  }
}

/**
 * Cancels its runs. Then one commit makes the thread unreachable, and its records are removed in the background
 * (P9).
 */
export async function deleteThread(
  services: Needs<'crons' | 'scheduler' | 'stores' | 'threadEvents' | 'threads'>,
  caller: Caller,
  threadId: string,
): Promise<void> {
  const { stores, threads, threadEvents } = services;
  const record = getThreadToChange(services, caller, threadId);
  await withSlot(services, record, { slot: 'delete', allowedRuns: 'all' }, async (live) => {
    await Promise.all(live.runs.map((run) => cancelRun(services, run, 'interrupt', 'the thread was deleted')));
    const commit = new Commit();
    // A thread that is deleted with its last run is already gone, and its id may be used again.
    if (!live.deleted) stores.threads.remove(commit, live.record!);
    services.crons.removeAllOf(commit, { threadId });
    threads.remove(commit, live);
    await stores.store.write(commit);
    threadEvents.closeFeed(threadId);
    stores.remover.wake();
  });
}

/**
 * Corrects the status of threads that a crash left busy without a run. The head checkpoint determines it. `others`:
 * threads that may be among them although the index does not show them as busy.
 */
export async function repairBusyThreads(
  services: Needs<'stores' | 'threads'>,
  others: Iterable<ThreadRecord> = [],
): Promise<number> {
  const commit = new Commit();
  let repaired = 0;
  const busy = new Map([...services.stores.threads.busy(), ...others].map((record) => [record.threadId, record]));
  for (const record of busy.values()) {
    if (record.status !== 'busy' || services.threads.live(record.threadId) !== undefined) continue;
    if (record.temporary) services.stores.threads.remove(commit, record);
    else {
      const unfinished = headIsUnfinished(services.stores, record);
      services.stores.threads.put(
        commit,
        { ...record, unfinished, status: threadStatus({ ...record, unfinished }, false) },
        record,
      );
    }
    repaired += 1;
  }
  await services.stores.store.write(commit);
  return repaired;
}

/** A UUID in 22 characters. It is part of every key below a thread. */
function shortId(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
}
