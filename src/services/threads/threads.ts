import { sees, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { jsonBytes, parseJson, type JsonObject } from '../../base/json/json.js';
import { Commit } from '../../store/env.js';
import type { ThreadRecord, ThreadTtl } from '../../store/threads/threads.js';
import { cancelRun } from '../runs/cancel-run.js';
import type { Services } from '../context.js';
import { threadStatus } from '../runs/live.js';
import { threadTag } from './etags.js';
import { withSlot } from './thread-slot.js';
import { headUnfinished, headView } from '../state/state.js';

/** A record that is in no store yet. */
export function newThread(
  { clock, ids, defaultTtl }: Services,
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
    nextSeq: 0,
    temporary,
    ...(temporary || defaultTtl === null ? {} : { ttl: defaultTtl }),
  };
}

/** The thread as it is on disk. Throws THREAD_NOT_FOUND, also for a thread that this caller does not see. */
export function getThread({ threads }: Services, caller: Caller, threadId: string): ThreadRecord {
  return orNotFound(threads.find(caller, threadId), threadId);
}

/** The same with the changes that are on their way to the disk, for whoever changes it further. */
export function getThreadToChange({ threads }: Services, caller: Caller, threadId: string): ThreadRecord {
  return orNotFound(threads.current(caller, threadId), threadId);
}

function orNotFound(record: ThreadRecord | undefined, threadId: string): ThreadRecord {
  if (record === undefined) throw fail('THREAD_NOT_FOUND', { threadId });
  return record;
}

/** The same when all that its runs have said so far is on disk: a client that has seen an event finds the state it came from. */
export async function getFreshThread(services: Services, caller: Caller, threadId: string): Promise<ThreadRecord> {
  if (services.threads.live(threadId) !== undefined) await services.stores.store.settled();
  return getThread(services, caller, threadId);
}

/** Merges metadata; values and status stay. `isRight` is asked for the thread's tag. Throws THREAD_NOT_FOUND, FORBIDDEN, THREAD_CHANGED. */
export async function patchThread(
  services: Services,
  caller: Caller,
  threadId: string,
  changes: { metadata: JsonObject; ttl?: ThreadTtl | null | undefined; keepLast?: number | null | undefined },
  isRight: ((tag: string) => boolean) | null = null,
): Promise<ThreadRecord> {
  const { threads, stores, clock } = services;
  stores.store.checkIntake();
  // Its tag goes over its state too, which has to be on disk to be read.
  if (isRight !== null && threads.live(threadId) !== undefined) await stores.store.flushed();
  const record = getThreadToChange(services, caller, threadId);
  // From here to the change nobody else has a turn.
  if (isRight !== null && !isRight(threadTag(record, headView(services, caller, record))))
    throw fail('THREAD_CHANGED', { threadId });
  const merged = { ...(parseJson(record.metadata) as JsonObject), ...changes.metadata };
  // Or it would be out of the reach of whoever changed it.
  if (!sees(caller, 'threads', () => merged)) throw fail('FORBIDDEN', { action: 'threads:update' });
  const live = threads.hold(record);
  try {
    const commit = new Commit();
    const changed = threads.update(commit, live, {
      metadata: jsonBytes(merged),
      updatedAtMs: clock.nowMs(),
      ...(changes.ttl === undefined ? {} : { ttl: changes.ttl }),
      ...(changes.keepLast === undefined ? {} : { keepLast: changes.keepLast }),
    });
    await stores.store.write(commit);
    return changed;
  } finally {
    threads.release(live);
  }
}

/** Runs are ended first; then the thread is unreachable in one commit and removed in the background (P9). */
export async function deleteThread(services: Services, caller: Caller, threadId: string): Promise<void> {
  const { stores, threads, threadEvents } = services;
  await withSlot(services, getThreadToChange(services, caller, threadId), 'delete', 'any run', async (live) => {
    await Promise.all(live.runs.map((run) => cancelRun(services, run, 'interrupt', 'the thread was deleted')));
    const commit = new Commit();
    // One that goes with its last run is gone by now, and its id may be another's.
    if (!live.deleted) stores.threads.remove(commit, live.record!);
    services.crons.removeOf(commit, { threadId });
    threads.remove(commit, live);
    await stores.store.write(commit);
    threadEvents.closed(threadId);
    stores.remover.wake();
  });
}

/** Threads that a crash left busy without a run are given the status that their head says. */
export async function repairBusyThreads(services: Services): Promise<number> {
  const commit = new Commit();
  let repaired = 0;
  for (const record of services.stores.threads.busy()) {
    if (services.threads.live(record.threadId) !== undefined) continue;
    if (record.temporary) services.stores.threads.remove(commit, record);
    else {
      const unfinished = headUnfinished(services.stores, record);
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

/** A UUID in 22 characters: it stands in the key of everything below a thread. */
function shortId(uuid: string): string {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex').toString('base64url');
}
