import { fail } from '../../base/errors.js';
import type { Caller } from '../../domain/caller.js';
import { utf8 } from '../../base/json/json.js';
import { memberMap, wholeValue } from '../../base/json/slices.js';
import { LIMITS } from '../../base/limits.js';
import { Commit } from '../../store/store.js';
import { keys, type Key } from '../../store/keys.js';
import { withRunIds } from '../../store/threads/checkpoint-rows.js';
import type { ThreadChange } from '../../store/threads/thread-changes.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { Needs } from '../context.js';
import { threadStatus } from '../runs/live.js';
import { readThreadFile, type ThreadFileContent } from './read-thread-file.js';
import { newThread } from './threads.js';

/**
 * Imports a thread from a file, with its state, history, ended runs and kept events. The thread becomes visible
 * in the last commit. Throws INVALID_REQUEST. Throws THREAD_EXISTS if its id or that of a run is taken and
 * `newId` is false.
 */
export async function importThread(
  services: Needs<'clock' | 'defaultTtl' | 'ids' | 'scheduler' | 'stores' | 'threads' | 'timeSlicer'>,
  caller: Caller,
  bytes: Buffer,
  newId: boolean,
): Promise<ThreadRecord> {
  const { threads, stores, ids, scheduler, timeSlicer, clock } = services;
  const read = await timeSlicer.run(readThreadFile(bytes), () => false);
  scheduler.checkIntake();
  const { head } = read;
  const threadId = newId ? ids.next() : head.threadId.toLowerCase();
  const taken = read.runs
    .filter(({ record }) => stores.store.has(keys.run(record.runId)))
    .map(({ record }) => record.runId);
  if (threads.isTaken(threadId) || (taken.length > 0 && !newId)) throw fail('THREAD_EXISTS', { threadId });
  const runIds = new Map(taken.map((runId) => [runId, ids.next()]));
  const record = importedRecord(services, read, threadId);
  const live = threads.holdNew(record);
  const change: ThreadChange = { kind: 'new', changeId: ids.next(), uid: record.uid };
  try {
    const beginCommit = new Commit();
    stores.changes.begin(beginCommit, change);
    await stores.store.write(beginCommit);
    await timeSlicer.run(writeRows(services, read, record.uid, runIds), () => false);
    const commit = new Commit();
    stores.changes.end(commit, change);
    for (const { record: run, kwargs } of read.runs) {
      const runId = runIds.get(run.runId) ?? run.runId;
      const runRecord = { ...run, runId, threadId };
      stores.runs.putKwargs(commit, runId, kwargs);
      commit.put(keys.threadRun(record.uid, run.createdAtMs, runId), new Uint8Array(0));
      stores.runs.update(commit, runRecord);
      const assistant = stores.assistants.get(caller, run.assistantId);
      if (assistant !== undefined && !assistant.system) stores.runs.linkToAssistant(commit, record.uid, runRecord);
    }
    for (const runId of new Set(read.events.map((one) => one.runId)))
      if (!runIds.has(runId)) stores.events.expireAt(commit, runId, clock.nowMs() + LIMITS.importedEventsTtlMs);
    threads.update(commit, live, {}, null);
    await stores.store.write(commit);
    return record;
  } catch (error) {
    live.deleted = true;
    const commit = new Commit();
    stores.changes.abandonNew(commit, change);
    for (const { runId } of read.events)
      if (!runIds.has(runId)) commit.put(keys.leftover('run', runId), new Uint8Array(0));
    await stores.store.write(commit);
    stores.remover.wake();
    throw error;
  } finally {
    threads.release(live);
  }
}

/** The record of the file, except for the fields that depend on this server. */
function importedRecord(
  services: Needs<'clock' | 'defaultTtl' | 'ids'>,
  { head }: ThreadFileContent,
  threadId: string,
): ThreadRecord {
  const {
    createdAtMs,
    updatedAtMs,
    stateUpdatedAtMs,
    graphId,
    unfinished,
    failure,
    cancelReason,
    nextSeq,
    ttl,
    keepLast,
  } = head;
  return {
    ...newThread(services, threadId, {}, false),
    createdAtMs,
    updatedAtMs,
    stateUpdatedAtMs,
    graphId,
    unfinished,
    failure,
    nextSeq,
    ...(cancelReason === undefined ? {} : { cancelReason }),
    ...(ttl === undefined ? {} : { ttl }),
    ...(keepLast === undefined ? {} : { keepLast }),
    metadata: withThreadId(utf8(head.metadata), threadId),
    config: utf8(head.config),
    status: threadStatus({ failure, unfinished }, false),
  };
}

/** Replaces the thread's id if the metadata contains it. Other members keep their bytes. */
function withThreadId(metadata: Uint8Array, threadId: string): Uint8Array {
  const slice = memberMap(metadata, wholeValue(metadata)).get('thread_id');
  return slice === undefined
    ? metadata
    : Buffer.concat([
        metadata.subarray(0, slice.start),
        Buffer.from(JSON.stringify(threadId)),
        metadata.subarray(slice.end),
      ]);
}

/**
 * Writes the rows of the thread in slices. Commits reach the disk in order, so the last one proves that all
 * rows are there.
 */
function* writeRows(
  { stores }: Needs<'stores'>,
  { state, events }: ThreadFileContent,
  uid: string,
  runIds: ReadonlyMap<string, string>,
): Generator<void, void> {
  let commit = new Commit();
  let bytes = 0;
  for (const { kind, key, value } of state) {
    const fullKey: Key = [kind, uid, ...key];
    const stored = kind === 'c' || kind === 'w' ? withRunIds(fullKey, value, runIds) : value;
    commit.put(fullKey, stored);
    bytes += stored.byteLength;
    if (commit.operations.length < LIMITS.slicePuts && bytes < LIMITS.sliceBytes) continue;
    stores.store.write(commit).catch(() => undefined);
    commit = new Commit();
    bytes = 0;
    yield;
  }
  // Events of a run with a new id are dropped, because they contain the old id.
  for (const { runId, first, value } of events) if (!runIds.has(runId)) commit.put(keys.event(runId, first), value);
  stores.store.write(commit).catch(() => undefined);
}
