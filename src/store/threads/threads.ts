import { sees, type Caller } from '../../domain/caller.js';
import type { ErrorRecord } from '../../base/errors.js';
import { TransientMap } from '../../base/transient.js';
import { parseJson, type JsonBytes, type JsonObject } from '../../base/json/json.js';
import { pack, packPooled, unpack } from '../../wire/codec.js';
import { EMPTY_VALUE, Commit, type Store } from '../store.js';
import { keys, type Key } from '../keys.js';
import { ALL_LEAF, metadataLeaves, statusLeaf } from '../metadata-index.js';
import type { Reader } from '../reader.js';
import type { IndexOrder, ThreadMoves } from './thread-moves.js';

/** Clients of the second event protocol take the id 0 for "no event yet". */
export const FIRST_EVENT_ID = 1;

/** The next event id of a thread. Older records of threads without runs have 0. */
export function nextEventId({ nextSeq }: Pick<ThreadRecord, 'nextSeq'>): number {
  return Math.max(FIRST_EVENT_ID, nextSeq);
}

export type ThreadStatus = 'idle' | 'busy' | 'interrupted' | 'error';

export interface ThreadRecord {
  threadId: string;
  /** Inner id, which is part of the keys of the thread's content (store/keys.ts). */
  uid: string;
  createdAtMs: number;
  updatedAtMs: number;
  /** At most `updatedAtMs`. */
  stateUpdatedAtMs: number;
  status: ThreadStatus;
  metadata: JsonBytes;
  config: JsonBytes;
  graphId: string | null;
  /** The newest checkpoint has next steps: the graph stopped before its end. */
  unfinished: boolean;
  /** Error of the last run; null when it did not fail. */
  failure: ErrorRecord | null;
  /** Why the last run was cancelled; null when it was not. Absent in older records. */
  cancelReason?: string | null;
  /** The graph, and the hash of its code, with which the thread stopped at an interrupt. Absent in older records. */
  parked?: { graphId: string; hash: string } | null;
  /** The next event id of the thread (see `nextEventId`). Ids below it may or may not have been used. */
  nextSeq: number;
  /** Created for one stateless run; deleted when that run ends. */
  temporary: boolean;
  /** Time to live without activity; null or absent: unlimited. */
  ttl?: ThreadTtl | null;
  /** Number of newest states to keep; null or absent: `checkpointer.keep_last` decides. */
  keepLast?: number | null;
  /** Equal to `updatedAtMs` when the thread was pruned to its newest state and has not changed since. */
  thinnedAtMs?: number;
  /** When older states were last removed because of `checkpointer.keep_last`. */
  trimmedAtMs?: number;
  /** How the index has the thread, if not as this record says; null: it has no entries yet (`Threads.put`). */
  indexedAs?: IndexedAs | null;
}

/** The fields of a record in which its index entries may differ from it. */
type IndexedAs = Pick<ThreadRecord, 'updatedAtMs' | 'status'>;
type Indexing = Pick<ThreadRecord, 'threadId' | 'indexedAs'>;

export interface ThreadTtl {
  strategy: 'delete' | 'keep_latest';
  minutes: number;
}

/** When the thread's time to live ends; null when it has none, or when nothing is left to remove. */
export function expiryOf({ ttl, updatedAtMs, thinnedAtMs }: ThreadRecord): number | null {
  if (ttl === undefined || ttl === null || (ttl.strategy === 'keep_latest' && thinnedAtMs === updatedAtMs)) return null;
  return updatedAtMs + Math.round(ttl.minutes * 60_000);
}

/** A position in the order of `updated_at`. */
export interface UpdatePosition {
  updatedAtMs: number;
  threadId: string;
}

export class Threads {
  readonly #store: Reader;
  readonly #moves: ThreadMoves;
  /** With the newest record, which may not be on disk yet. */
  readonly #outdated = new TransientMap<string, Indexing>();

  constructor(store: Reader, moves: ThreadMoves) {
    this.#store = store;
    this.#moves = moves;
  }

  /** Undefined when it does not exist or this caller may not see it. */
  get(caller: Caller, threadId: string): ThreadRecord | undefined {
    const bytes = this.#store.get(keys.thread(threadId));
    if (bytes === undefined) return undefined;
    const record = unpack<ThreadRecord>(bytes);
    return sees(caller, 'threads', () => parseJson(record.metadata) as JsonObject) ? record : undefined;
  }

  /** True if any caller has a thread with this id. */
  exists(threadId: string): boolean {
    return this.#store.has(keys.thread(threadId));
  }

  /** Threads with status busy, without access check; for start-up. After a crash some have no run left. */
  *busy(): Generator<ThreadRecord> {
    for (const key of this.#store.keys({ prefix: keys.threadIndexLeaf('updated', statusLeaf('busy')) })) {
      const bytes = this.#store.get(keys.thread(key[3] as string));
      if (bytes !== undefined) yield unpack<ThreadRecord>(bytes);
    }
  }

  /**
   * Hashes of the code that threads wait with, without access check: of the `limit` threads that stopped last for an
   * answer.
   */
  parkedCode(limit: number): Set<string> {
    const hashes = new Set<string>();
    const prefix = keys.threadIndexLeaf('updated', statusLeaf('interrupted'));
    for (const key of this.#store.indexKeys({ prefix, reverse: true, limit })) {
      const bytes = this.#store.get(keys.thread(key[3] as string));
      const parked = bytes === undefined ? null : (unpack<ThreadRecord>(bytes).parked ?? null);
      if (parked !== null) hashes.add(parked.hash);
    }
    return hashes;
  }

  /** Ids of expired threads, earliest expiry first, without access check. */
  expired(nowMs: number, max: number): string[] {
    const found: string[] = [];
    for (const key of this.#store.keys({ prefix: keys.threadExpiries(), limit: max })) {
      if ((key[1] as number) > nowMs) break;
      found.push(key[2] as string);
    }
    return found;
  }

  /** Threads updated after a position and before a time, in that order, without access check. */
  changedBetween(after: UpdatePosition, beforeMs: number, max: number): UpdatePosition[] {
    const prefix = keys.threadIndexLeaf('updated', ALL_LEAF);
    const found = [
      ...this.#store.keys({
        prefix,
        start: keys.threadIndex('updated', ALL_LEAF, after.updatedAtMs, after.threadId),
        after: true,
        limit: max,
      }),
    ];
    return found
      .map((key) => ({ updatedAtMs: key[2] as number, threadId: key[3] as string }))
      .filter(({ updatedAtMs }) => updatedAtMs < beforeMs);
  }

  /** How far threads are pruned to `keep` states; the beginning if the number was another one until now. */
  pruneProgress(keep: number): UpdatePosition {
    const bytes = this.#store.get(keys.meta('kept last'));
    const [kept, updatedAtMs, threadId] = bytes === undefined ? [keep, 0, ''] : unpack<[number, number, string]>(bytes);
    return kept === keep ? { updatedAtMs, threadId } : { updatedAtMs: 0, threadId: '' };
  }

  putPruneProgress(commit: Commit, keep: number, { updatedAtMs, threadId }: UpdatePosition): void {
    commit.put(keys.meta('kept last'), pack([keep, updatedAtMs, threadId]));
  }

  /**
   * `indexLater`: leaves the index as it is if only the status and the time of the thread have changed, or if the
   * thread is new. Then the record says how the index has it, and a later put brings the index up to date. Returns the
   * record as it is stored.
   */
  put(
    commit: Commit,
    changed: ThreadRecord,
    previous: ThreadRecord | undefined,
    { indexLater = false }: { indexLater?: boolean } = {},
  ): ThreadRecord {
    const { indexedAs: _, ...record } = changed;
    const { threadId, updatedAtMs } = record;
    if (previous !== undefined && previous.updatedAtMs !== updatedAtMs)
      this.#moves.record(commit, threadId, previous.updatedAtMs, updatedAtMs);
    const past = previous === undefined ? null : expiryOf(previous);
    const expiry = expiryOf(record);
    if (past !== null && past !== expiry) commit.remove(keys.threadExpiry(past, threadId));
    if (expiry !== null) commit.put(keys.threadExpiry(expiry, threadId), EMPTY_VALUE);
    const keepsIndex = indexLater && (previous === undefined || haveSameMetadata(previous, record));
    const stored: ThreadRecord = keepsIndex
      ? { ...record, indexedAs: previous === undefined ? null : indexedAsOf(previous) }
      : record;
    if (!keepsIndex) moveEntries(commit, record, previous === undefined ? null : asIndexed(previous));
    this.#trackOutdated(commit, stored);
    commit.put(keys.thread(threadId), packPooled(stored));
    return stored;
  }

  /** `outdated` has every thread whose record on disk has `indexedAs`, and those whose next record has it. */
  #trackOutdated(commit: Commit, stored: Indexing): void {
    const { threadId, indexedAs } = stored;
    if (indexedAs === undefined && !this.#outdated.has(threadId)) return;
    this.#outdated.set(threadId, stored);
    if (indexedAs === undefined)
      commit.onDurable(() => {
        if (this.#outdated.get(threadId) === stored) this.#outdated.delete(threadId);
      });
  }

  /** Threads whose index entries may be out of date, by id, longest first. */
  get outdated(): Pick<TransientMap<string, Indexing>, 'keys' | 'size'> {
    return this.#outdated;
  }

  /** At start-up: adds a thread whose run an earlier process began. */
  addOutdated(record: ThreadRecord): void {
    if (record.indexedAs !== undefined) this.#outdated.set(record.threadId, record);
  }

  /** Makes the thread unreachable and records its content for the remover. */
  remove(commit: Commit, record: ThreadRecord): void {
    this.hide(commit, record);
    this.removeContent(commit, record);
  }

  /** Records the content of an unreachable thread for the remover. */
  removeContent(commit: Commit, { uid }: ThreadRecord): void {
    commit.put(keys.leftover('thread', uid), EMPTY_VALUE);
  }

  /** Makes the thread unreachable but keeps its content until the webhook of its run is sent (Webhooks.end). */
  hide(commit: Commit, record: ThreadRecord): void {
    for (const order of ['updated', 'created'] as const)
      for (const entry of indexEntries(record, order)) commit.remove(entry);
    this.#trackOutdated(commit, { threadId: record.threadId });
    const expiry = expiryOf(record);
    if (expiry !== null) commit.remove(keys.threadExpiry(expiry, record.threadId));
    commit.remove(keys.thread(record.threadId));
  }

  /**
   * Builds the index by creation time in data folders of releases that did not have it. Runs at start-up, in batches. A
   * mark in the store shows that it is not finished.
   */
  async buildCreatedIndex(store: Store): Promise<void> {
    const any = (order: 'updated' | 'created'): boolean =>
      [...store.keys({ prefix: keys.threadIndexLeaf(order, ALL_LEAF), limit: 1 })].length > 0;
    const mark = keys.meta('entering threads by creation');
    if (!store.has(mark) && (any('created') || !any('updated'))) return;
    let commit = new Commit();
    commit.put(mark, EMPTY_VALUE);
    for (let after: Key | null = null; ;) {
      const some: [Key, Uint8Array][] = [
        ...store.entries({
          prefix: keys.threads(),
          ...(after === null ? {} : { start: after, after: true }),
          limit: REINDEX_BATCH,
        }),
      ];
      for (const [key, bytes] of some) {
        const record = unpack<ThreadRecord>(bytes);
        for (const entry of indexEntries(record, 'created')) commit.put(entry, EMPTY_VALUE);
        after = key;
      }
      if (some.length === 0) commit.remove(mark);
      await store.write(commit);
      if (some.length === 0) return;
      commit = new Commit();
    }
  }
}

const REINDEX_BATCH = 1_000;

/** Puts the index entries of a record in place of those that it had. */
function moveEntries(commit: Commit, record: ThreadRecord, previous: ThreadRecord | null): void {
  const { threadId, createdAtMs, updatedAtMs } = record;
  const leaves = indexLeaves(record);
  const before = previous === null ? [] : indexLeaves(previous);
  const moved = previous !== null && previous.updatedAtMs !== updatedAtMs;
  for (const leaf of before) {
    const stays = leaves.includes(leaf);
    if (moved || !stays) commit.remove(keys.threadIndex('updated', leaf, previous!.updatedAtMs, threadId));
    if (!stays) commit.remove(keys.threadIndex('created', leaf, createdAtMs, threadId));
  }
  for (const leaf of leaves) {
    const stood = before.includes(leaf);
    if (moved || !stood) commit.put(keys.threadIndex('updated', leaf, updatedAtMs, threadId), EMPTY_VALUE);
    if (!stood) commit.put(keys.threadIndex('created', leaf, createdAtMs, threadId), EMPTY_VALUE);
  }
}

/** Keys of the entries that the index has for a thread. */
export function indexEntries(record: ThreadRecord, order: IndexOrder): Key[] {
  const indexed = asIndexed(record);
  if (indexed === null) return [];
  return indexLeaves(indexed).map((leaf) => keys.threadIndex(order, leaf, timeIn(indexed, order), record.threadId));
}

/** The time by which this order sorts a thread. */
export function timeIn({ updatedAtMs, createdAtMs }: ThreadRecord, order: IndexOrder): number {
  return order === 'updated' ? updatedAtMs : createdAtMs;
}

/** The record as the index has it; null when it has no entries. */
export function asIndexed(record: ThreadRecord): ThreadRecord | null {
  if (record.indexedAs === undefined) return record;
  return record.indexedAs === null ? null : { ...record, ...record.indexedAs };
}

function indexedAsOf({ indexedAs, updatedAtMs, status }: ThreadRecord): IndexedAs | null {
  return indexedAs === undefined ? { updatedAtMs, status } : indexedAs;
}

export function indexLeaves({ status, metadata }: ThreadRecord): string[] {
  return [ALL_LEAF, statusLeaf(status), ...metadataLeaves(parseJson(metadata) as JsonObject)];
}

function haveSameMetadata(a: ThreadRecord, b: ThreadRecord): boolean {
  return Buffer.compare(a.metadata, b.metadata) === 0;
}
