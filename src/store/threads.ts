import { filterOf, sees, type Caller } from '../base/caller.js';
import { fail, type ErrorRecord } from '../base/errors.js';
import { contains, parseJson, type JsonBytes, type JsonObject } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { pack, unpack } from '../wire/codec.js';
import { EMPTY, type Commit } from './env.js';
import { keys } from './keys.js';
import { ALL_LEAF, filterAlternatives, filterLeaves, idsInOrder, leavesOf, statusLeaf } from './metadata-index.js';
import type { Reader } from './reader.js';

export type ThreadStatus = 'idle' | 'busy' | 'interrupted' | 'error';

export interface ThreadRecord {
  threadId: string;
  /** Inner id: what lies under the thread is keyed by it (store/keys.ts). */
  uid: string;
  createdAtMs: number;
  updatedAtMs: number;
  stateUpdatedAtMs: number;
  status: ThreadStatus;
  metadata: JsonBytes;
  config: JsonBytes;
  graphId: string | null;
  /** The head checkpoint has next steps: the graph stopped before its end. */
  unfinished: boolean;
  /** Why the last run failed; null when it did not. */
  failure: ErrorRecord | null;
  /** Why the last run was cancelled; null when it was not, absent in older records. */
  cancelReason?: string | null;
  /** The next event id of the thread; ids below may or may not have been used. */
  nextSeq: number;
  /** Made for one run without a thread; removed when that run ends. */
  temporary: boolean;
  /** How long it is kept without activity; null or not there: for ever. */
  ttl?: ThreadTtl | null;
  /** It was taken down to its newest state, and has not changed since, when this is `updatedAtMs`. */
  thinnedAtMs?: number;
}

export interface ThreadTtl {
  strategy: 'delete' | 'keep_latest';
  minutes: number;
}

/** When the thread's time is over; null when it has none, or when nothing is left to be done. */
export function expiryOf({ ttl, updatedAtMs, thinnedAtMs }: ThreadRecord): number | null {
  if (ttl === undefined || ttl === null || (ttl.strategy === 'keep_latest' && thinnedAtMs === updatedAtMs)) return null;
  return updatedAtMs + Math.round(ttl.minutes * 60_000);
}

export interface ThreadQuery {
  ids?: string[];
  metadata?: JsonObject;
  status?: ThreadStatus;
  /** A last test on the record, for what is not indexed. */
  where?: (record: ThreadRecord) => boolean;
  sortBy?: 'thread_id' | 'status' | 'created_at' | 'updated_at' | 'state_updated_at';
  sortOrder?: 'asc' | 'desc';
  limit: number;
  offset: number;
}

export class Threads {
  readonly #store: Reader;

  constructor(store: Reader) {
    this.#store = store;
  }

  /** Undefined when there is none, or none that this caller sees. */
  get(caller: Caller, threadId: string): ThreadRecord | undefined {
    const bytes = this.#store.get(keys.thread(threadId));
    if (bytes === undefined) return undefined;
    const record = unpack<ThreadRecord>(bytes);
    return sees(caller, 'threads', () => parseJson(record.metadata) as JsonObject) ? record : undefined;
  }

  /** True when the id is taken, by whomever. */
  exists(threadId: string): boolean {
    return this.#store.has(keys.thread(threadId));
  }

  /**
   * Records in the order asked for (default `updated_at`, newest first) and whether a further page exists. Walks the index
   * of one equality; other orders than `updated_at` look at no more than scanRowsMax rows.
   */
  list(caller: Caller, query: ThreadQuery): { records: ThreadRecord[]; more: boolean } {
    const matches = (record: ThreadRecord): boolean => {
      if (query.status !== undefined && record.status !== query.status) return false;
      if (query.metadata !== undefined && !contains(parseJson(record.metadata), query.metadata)) return false;
      return query.where === undefined || query.where(record);
    };
    const wanted = query.offset + query.limit + 1;
    const sortBy = query.sortBy ?? 'updated_at';
    const reverse = (query.sortOrder ?? 'desc') === 'desc';
    const found: ThreadRecord[] = [];
    const inIndexOrder = sortBy === 'updated_at' && query.ids === undefined;
    for (const threadId of query.ids ?? this.#candidates(caller, query, inIndexOrder ? reverse : true)) {
      const record = this.get(caller, threadId);
      if (record === undefined || !matches(record)) continue;
      found.push(record);
      if (inIndexOrder && found.length >= wanted) break;
    }
    if (!inIndexOrder) found.sort((a, b) => order(a, b, sortBy) * (reverse ? -1 : 1));
    return { records: found.slice(query.offset, query.offset + query.limit), more: found.length >= wanted };
  }

  /** Threads that say they are busy; after a crash some have nothing left to do. The server itself asks, at start-up. */
  *busy(): Generator<ThreadRecord> {
    for (const key of this.#store.keys({ prefix: keys.threadIndexLeaf(statusLeaf('busy')) })) {
      const bytes = this.#store.get(keys.thread(key[3] as string));
      if (bytes !== undefined) yield unpack<ThreadRecord>(bytes);
    }
  }

  /** Ids of threads whose time is over, the longest over first; the server itself asks. */
  expired(nowMs: number, max: number): string[] {
    const found: string[] = [];
    for (const key of this.#store.keys({ prefix: keys.threadExpiries(), limit: max })) {
      if ((key[1] as number) > nowMs) break;
      found.push(key[2] as string);
    }
    return found;
  }

  put(commit: Commit, record: ThreadRecord, previous: ThreadRecord | undefined): void {
    const leaves = indexLeaves(record);
    if (previous !== undefined) {
      const moved = previous.updatedAtMs !== record.updatedAtMs;
      const kept = new Set(leaves);
      for (const leaf of indexLeaves(previous)) {
        if (moved || !kept.has(leaf)) commit.remove(keys.threadIndex(leaf, previous.updatedAtMs, record.threadId));
      }
    }
    for (const leaf of leaves) commit.put(keys.threadIndex(leaf, record.updatedAtMs, record.threadId), EMPTY);
    const expiry = expiryOf(record);
    const before = previous === undefined ? null : expiryOf(previous);
    if (before !== null && before !== expiry) commit.remove(keys.threadExpiry(before, record.threadId));
    if (expiry !== null) commit.put(keys.threadExpiry(expiry, record.threadId), EMPTY);
    commit.put(keys.thread(record.threadId), pack(record));
  }

  /** Makes the thread unreachable; its content is named as leftover for the remover. */
  remove(commit: Commit, record: ThreadRecord): void {
    this.hide(commit, record);
    commit.put(keys.leftover('thread', record.uid), EMPTY);
  }

  /** The thread is unreachable, but its content stays until the webhook of its run has been sent (Webhooks.end). */
  hide(commit: Commit, record: ThreadRecord): void {
    for (const leaf of indexLeaves(record)) commit.remove(keys.threadIndex(leaf, record.updatedAtMs, record.threadId));
    const expiry = expiryOf(record);
    if (expiry !== null) commit.remove(keys.threadExpiry(expiry, record.threadId));
    commit.remove(keys.thread(record.threadId));
  }

  /** Ids of threads that may match, in the order of `updated_at`. */
  *#candidates(caller: Caller, query: ThreadQuery, reverse: boolean): Generator<string> {
    const filter = filterOf(caller, 'threads');
    if (filter === undefined) return;
    const equalities = [
      ...(filter === null ? [] : filterAlternatives(filter)),
      ...filterLeaves(query.metadata ?? {}).map((one) => [one]),
      ...(query.status === undefined ? [] : [[statusLeaf(query.status)]]),
    ];
    let rows = 0;
    let last = '';
    for (const threadId of idsInOrder(this.#store, keys.threadIndexLeaf, equalities, reverse)) {
      if (++rows > LIMITS.scanRowsMax) {
        // Others' records count too; an empty page would say that there are none of the caller's own.
        if (filter !== null) throw fail('INVALID_REQUEST', { problems: `query: more than ${LIMITS.scanRowsMax} threads would have to be looked at. Search for something that fewer of them have.` });
        return;
      }
      if (threadId !== last) yield threadId;
      last = threadId;
    }
  }
}

function indexLeaves(record: ThreadRecord): string[] {
  return [ALL_LEAF, statusLeaf(record.status), ...leavesOf(parseJson(record.metadata) as JsonObject)];
}

function order(a: ThreadRecord, b: ThreadRecord, by: NonNullable<ThreadQuery['sortBy']>): number {
  switch (by) {
    case 'thread_id': return compare(a.threadId, b.threadId);
    case 'status': return compare(a.status, b.status) || a.updatedAtMs - b.updatedAtMs;
    case 'created_at': return a.createdAtMs - b.createdAtMs || compare(a.uid, b.uid);
    case 'updated_at': return a.updatedAtMs - b.updatedAtMs || compare(a.uid, b.uid);
    case 'state_updated_at': return a.stateUpdatedAtMs - b.stateUpdatedAtMs || compare(a.uid, b.uid);
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
