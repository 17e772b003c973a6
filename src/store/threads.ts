import { filterOf, sees, type Caller } from '../base/caller.js';
import { fail, type ErrorRecord } from '../base/errors.js';
import { contains, parseJson, type JsonBytes, type JsonObject } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { pack, unpack } from '../wire/codec.js';
import { EMPTY, type Commit, type Store } from './env.js';
import { keys } from './keys.js';
import { ALL_LEAF, filterAlternatives, filterLeaves, leavesOf, OVERFLOW_LEAF, shortestOf, statusLeaf } from './metadata-index.js';

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
  readonly #store: Store;

  constructor(store: Store) {
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
    commit.put(keys.thread(record.threadId), pack(record));
  }

  /** Makes the thread unreachable; its content is named as leftover for the remover. */
  remove(commit: Commit, record: ThreadRecord): void {
    for (const leaf of indexLeaves(record)) commit.remove(keys.threadIndex(leaf, record.updatedAtMs, record.threadId));
    commit.remove(keys.thread(record.threadId));
    commit.put(keys.leftover('thread', record.uid), EMPTY);
  }

  /**
   * Ids under the most selective equality, the caller's filter included: all are walked in step until one runs out, which is
   * then the shortest. One equality may be several leaves, of which a match has at least one. Records with more leaves than
   * are indexed stand under the overflow leaf, which is merged in.
   */
  *#candidates(caller: Caller, query: ThreadQuery, reverse: boolean): Generator<string> {
    const filter = filterOf(caller, 'threads');
    if (filter === undefined) return;
    const equalities = [
      ...(filter === null ? [] : filterAlternatives(filter)),
      ...filterLeaves(query.metadata ?? {}).map((one) => [one]),
      ...(query.status === undefined ? [] : [[statusLeaf(query.status)]]),
    ];
    const chosen = equalities.length === 0 ? [ALL_LEAF] : shortestOf(equalities, (one) => this.#store.keys({ prefix: keys.threadIndexLeaf(one), limit: LIMITS.scanRowsMax }));
    const walks = chosen.map((one) => this.#store.keys({ prefix: keys.threadIndexLeaf(one), reverse }));
    if (!chosen.some((one) => one === ALL_LEAF || one.startsWith('?'))) walks.push(this.#store.keys({ prefix: keys.threadIndexLeaf(OVERFLOW_LEAF), reverse }));
    let rows = 0;
    let last = '';
    for (const threadId of merged(walks, reverse)) {
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

/** Thread ids of several walks of the index, in the order of `updated_at`. */
function* merged(walks: Generator<(string | number)[]>[], reverse: boolean): Generator<string> {
  const heads = walks.map((walk) => ({ walk, next: walk.next() }));
  for (;;) {
    const open = heads.filter(({ next }) => next.done !== true);
    if (open.length === 0) return;
    open.sort((a, b) => {
      const [left, right] = [a.next.value as (string | number)[], b.next.value as (string | number)[]];
      const difference = (left[2] as number) - (right[2] as number) || compare(left[3] as string, right[3] as string);
      return reverse ? -difference : difference;
    });
    const first = open[0]!;
    yield (first.next.value as (string | number)[])[3] as string;
    first.next = first.walk.next();
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
