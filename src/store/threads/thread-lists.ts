import { filterOf, type Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import { ALL_LEAF, filterAlternatives, OVERFLOW_LEAF } from '../metadata-index.js';
import type { Reader } from '../reader.js';
import {
  isCallerFilterDecidedByIndex,
  filterLeafLists,
  NO_CONTENT,
  passesFilter,
  isDecidedByIndex,
  type ThreadContent,
  type ThreadFilter,
} from './thread-filter.js';
import {
  coversAllThreads,
  ThreadIndex,
  IndexWalk,
  withOverflow,
  type WalkRange,
  type WalkState,
} from './thread-index.js';
import type { IndexOrder, IndexPosition, ThreadMoves } from './thread-moves.js';
import type { ThreadRecord, Threads } from './threads.js';

export type ThreadSort = 'thread_id' | 'status' | 'created_at' | 'updated_at' | 'state_updated_at';

export interface ThreadQuery extends ThreadFilter {
  /** Default `updated_at`. */
  sortBy?: ThreadSort;
  /** Default `desc`. */
  sortOrder?: 'asc' | 'desc';
  limit: number;
  offset: number;
  /** Paging without offsets: `begin`, then the cursor of the previous page. Only by `created_at` and `updated_at`. */
  cursor?: 'begin' | ThreadCursor;
}

/** Start of the next page. */
export interface ThreadCursor extends WalkState {
  session: string;
}

export interface ThreadPage {
  records: ThreadRecord[];
  /** A further page exists. */
  more: boolean;
  /** Null on the last page, and for searches without cursor. */
  cursor: ThreadCursor | null;
}

/** How a search uses the index. */
interface IndexPlan {
  leaves: string[];
  /** Further lists of leaves. A match has a leaf of each. */
  others: string[][];
  /** The index decides the filter, so records are read only under the overflow leaf. */
  exact: boolean;
  /** The leaves contain every thread that belongs to them, so that the overflow leaf adds none. */
  coversAll: boolean;
}

/** Fields used for sorting. */
type SortFields = Pick<ThreadRecord, 'threadId' | 'status' | 'createdAtMs' | 'updatedAtMs' | 'stateUpdatedAtMs'>;

/** Clocks are sometimes set back, so a thread's `stateUpdatedAtMs` may be this much later than its `updatedAtMs`. */
const CLOCK_SLACK_MS = 1_000;

/**
 * Finds, sorts and counts the threads that a caller sees. All work is resumable, so it never blocks the front
 * thread.
 */
export class ThreadLists {
  readonly #reader: Reader;
  readonly #threads: Threads;
  readonly #moves: ThreadMoves;

  constructor(reader: Reader, threads: Threads, moves: ThreadMoves) {
    this.#reader = reader;
    this.#threads = threads;
    this.#moves = moves;
  }

  /**
   * One page in the requested order. Orders without an index read and sort every candidate. Throws INVALID_REQUEST when
   * too much would have to be read; with a cursor the page is shorter instead.
   */
  *list(caller: Caller, query: ThreadQuery, content: ThreadContent = NO_CONTENT): Steps<ThreadPage> {
    const search = this.#search(caller, query, content, LIMITS.scanRowsMax);
    const sortBy = query.sortBy ?? 'updated_at';
    const reverse = (query.sortOrder ?? 'desc') === 'desc';
    if (query.ids !== undefined) {
      const found: SortFields[] = yield* this.#matchesOfIds(search, query.ids);
      found.sort((a, b) => compareBy(a, b, sortBy) * (reverse ? -1 : 1));
      return this.#page(caller, query, found);
    }
    if (sortBy === 'created_at') return yield* this.#listByIndex(search, query, 'created', reverse);
    if (sortBy === 'updated_at') return yield* this.#listByIndex(search, query, 'updated', reverse);
    return yield* this.#listSorted(search, query, sortBy, reverse);
  }

  /** Number of matches. Throws INVALID_REQUEST when too much would have to be read. */
  *count(caller: Caller, filter: ThreadFilter, content: ThreadContent = NO_CONTENT): Steps<number> {
    const search = this.#search(caller, filter, content, LIMITS.countRowsMax);
    if (filter.ids !== undefined) return (yield* this.#matchesOfIds(search, filter.ids)).length;
    const plan = yield* this.#plan(search, 'created');
    if (plan === null) return 0;
    const [leaf, ...more] = plan.leaves;
    const counted = plan.exact && plan.others.length === 0 && leaf !== undefined && more.length === 0;
    let count = counted ? yield* search.index.count('created', leaf) : 0;
    if (counted && coversAllThreads(leaf)) return count;
    const leaves = counted ? [OVERFLOW_LEAF] : withOverflow(plan.leaves);
    const walk = this.#walk(search, { order: 'created', leaves, reverse: false }, null);
    for (let position = walk.next(); position !== null; position = walk.next()) {
      if (
        counted
          ? !search.index.has('created', leaf, position) && (yield* this.#matches(search, position)) !== null
          : yield* this.#isCounted(search, plan, position)
      )
        count += 1;
      if (search.isLimitExceeded(walk)) throw scanLimitError();
      yield;
    }
    return count;
  }

  #search(caller: Caller, filter: ThreadFilter, content: ThreadContent, rowsMax: number): ThreadSearch {
    return new ThreadSearch(caller, filter, { content, rowsMax, index: new ThreadIndex(this.#reader, this.#threads) });
  }

  *#isCounted(search: ThreadSearch, plan: IndexPlan, position: IndexPosition): Steps<boolean> {
    const decision = this.#decideByIndex(search, plan, 'created', position);
    return decision !== 'record' ? decision === 'yes' : (yield* this.#matches(search, position)) !== null;
  }

  *#listByIndex(search: ThreadSearch, query: ThreadQuery, order: IndexOrder, reverse: boolean): Steps<ThreadPage> {
    const { cursor, limit } = query;
    const records: ThreadRecord[] = [];
    const plan = yield* this.#plan(search, order);
    if (plan === null) return { records, more: false, cursor: null };
    const from = cursor === undefined || cursor === 'begin' ? null : cursor;
    if (from !== null && order === 'updated' && from.session !== this.#moves.session) throw fail('CURSOR_EXPIRED', {});
    const watched = this.#moves.watch();
    let next: ThreadCursor | null = null;
    try {
      const walk = this.#walk(
        search,
        { order, leaves: withOverflow(plan.leaves), reverse },
        from ?? this.#initialState(search, order, reverse, watched),
      );
      const here = (): ThreadCursor => ({ ...walk.state, session: this.#moves.session });
      let skip = query.offset;
      let after = here();
      for (let position = walk.next(); position !== null; position = walk.next()) {
        const decision = this.#decideByIndex(search, plan, order, position);
        if (decision === 'yes' && skip > 0) skip -= 1;
        else if (decision !== 'no') {
          const record = yield* this.#matches(search, position);
          if (record !== null && skip > 0) skip -= 1;
          else if (record !== null) {
            if (records.length === limit) {
              next = after;
              return { records, more: true, cursor: cursor === undefined ? null : next };
            }
            records.push(record);
            after = here();
          }
        }
        if (search.isLimitExceeded(walk)) {
          // The page is full, so the limit is no error. The next page finds out whether more matches exist.
          if (cursor === undefined && records.length < limit) throw scanLimitError();
          next = records.length === limit ? after : here();
          return { records, more: true, cursor: cursor === undefined ? null : next };
        }
        yield;
      }
      return { records, more: false, cursor: null };
    } finally {
      this.#moves.unwatch(order === 'updated' && cursor !== undefined && next !== null);
    }
  }

  *#listSorted(search: ThreadSearch, query: ThreadQuery, sortBy: ThreadSort, reverse: boolean): Steps<ThreadPage> {
    const byChange = sortBy === 'state_updated_at' && reverse;
    const order = byChange ? 'updated' : 'created';
    const plan = yield* this.#plan(search, order);
    if (plan === null) return { records: [], more: false, cursor: null };
    const wanted = query.offset + query.limit + 1;
    const compare = (a: SortFields, b: SortFields): number => compareBy(a, b, sortBy) * (reverse ? -1 : 1);
    let found: SortFields[] = [];
    const cut = (): void => {
      found = found.sort(compare).slice(0, wanted);
    };
    const watched = this.#moves.watch();
    try {
      const start = this.#initialState(search, order, true, watched);
      const walk = this.#walk(search, { order, leaves: withOverflow(plan.leaves), reverse: true }, start);
      for (let position = walk.next(); position !== null; position = walk.next()) {
        const record =
          this.#decideByIndex(search, plan, order, position) === 'no' ? null : yield* this.#matches(search, position);
        if (record !== null) {
          const { threadId, status, createdAtMs, updatedAtMs, stateUpdatedAtMs } = record;
          found.push({ threadId, status, createdAtMs, updatedAtMs, stateUpdatedAtMs });
          if (found.length > 2 * wanted + 100) {
            cut();
            // A thread's state is not newer than its last update, so no remaining thread ranks higher.
            if (byChange && found.at(-1)!.stateUpdatedAtMs > position.atMs + CLOCK_SLACK_MS) break;
          }
        }
        if (search.isLimitExceeded(walk)) throw scanLimitError();
        yield;
      }
    } finally {
      this.#moves.unwatch(false);
    }
    cut();
    return this.#page(search.caller, query, found);
  }

  /** Those of these threads that match, each once. */
  *#matchesOfIds(search: ThreadSearch, ids: readonly string[]): Steps<ThreadRecord[]> {
    const found: ThreadRecord[] = [];
    for (const threadId of new Set(ids)) {
      const record = yield* this.#matches(search, { atMs: 0, threadId });
      if (record !== null) found.push(record);
      if (search.content.bytesSearched > LIMITS.searchedBytesMax) throw scanLimitError();
      yield;
    }
    return found;
  }

  #page(caller: Caller, { limit, offset }: ThreadQuery, found: readonly SortFields[]): ThreadPage {
    const records = found
      .slice(offset, offset + limit)
      .flatMap(({ threadId }) => this.#threads.get(caller, threadId) ?? []);
    return { records, more: found.length > offset + limit, cursor: null };
  }

  /** The record if it matches, else null. */
  *#matches(search: ThreadSearch, { threadId }: IndexPosition): Steps<ThreadRecord | null> {
    const { caller, filter, content } = search;
    search.rows += 1;
    const record = this.#threads.get(caller, threadId);
    if (record === undefined) return null;
    return (yield* passesFilter(filter, record, parseJson(record.metadata) as JsonObject, content)) ? record : null;
  }

  /** What the index alone decides about a thread; `record` when the record has to be read. */
  #decideByIndex(
    { index }: ThreadSearch,
    { others, exact, coversAll }: IndexPlan,
    order: IndexOrder,
    position: IndexPosition,
  ): 'yes' | 'no' | 'record' {
    if (others.length === 0 && !exact) return 'record';
    // A thread that moved has no entry at its old position.
    if (Number.isNaN(position.atMs) || (!coversAll && index.has(order, OVERFLOW_LEAF, position))) return 'record';
    if (!others.every((leaves) => leaves.some((leaf) => index.has(order, leaf, position)))) return 'no';
    return exact ? 'yes' : 'record';
  }

  /** Null when the caller may see no threads. */
  *#plan({ caller, filter, index }: ThreadSearch, order: IndexOrder): Steps<IndexPlan | null> {
    const own = filterOf(caller, 'threads');
    if (own === undefined) return null;
    const lists = [...(own === null ? [] : filterAlternatives(own)), ...filterLeafLists(filter)];
    const exact = isDecidedByIndex(filter) && (own === null || isCallerFilterDecidedByIndex(own));
    if (lists.length === 0) return { leaves: [ALL_LEAF], others: [], exact, coversAll: true };
    const leaves = yield* index.shortest(order, lists);
    const others = lists.filter((one) => one !== leaves && one.join() !== leaves.join());
    return { leaves, others, exact, coversAll: lists.flat().every(coversAllThreads) };
  }

  #walk({ index }: ThreadSearch, range: WalkRange, state: WalkState | null): IndexWalk {
    return new IndexWalk(index, this.#moves, range, state ?? { last: null, untilMs: null, move: 0, passed: [] });
  }

  #initialState({ index }: ThreadSearch, order: IndexOrder, reverse: boolean, move: number): WalkState {
    const [newest] =
      order === 'updated' && !reverse ? index.entries(order, ALL_LEAF, { after: null, reverse: true, limit: 1 }) : [];
    return { last: null, untilMs: newest?.atMs ?? null, move, passed: [] };
  }
}

/** Who searches for what, the cost so far, and its limits. */
class ThreadSearch {
  /** Number of records read. */
  rows = 0;
  readonly caller: Caller;
  readonly filter: ThreadFilter;
  readonly content: ThreadContent;
  readonly index: ThreadIndex;
  readonly #rowsMax: number;

  constructor(
    caller: Caller,
    filter: ThreadFilter,
    { content, index, rowsMax }: { content: ThreadContent; index: ThreadIndex; rowsMax: number },
  ) {
    this.caller = caller;
    this.filter = filter;
    this.content = content;
    this.index = index;
    this.#rowsMax = rowsMax;
  }

  isLimitExceeded({ entries }: IndexWalk): boolean {
    return (
      this.rows >= this.#rowsMax ||
      entries >= LIMITS.scanEntriesMax ||
      this.content.bytesSearched > LIMITS.searchedBytesMax
    );
  }
}

function scanLimitError(): Error {
  return fail('INVALID_REQUEST', {
    problems:
      `query: more than ${LIMITS.scanRowsMax} threads, or ${LIMITS.searchedBytesMax} bytes of values, would have to be ` +
      'read. Use a more selective filter, or page with a cursor.',
  });
}

function compareBy(a: SortFields, b: SortFields, by: ThreadSort): number {
  const byId = compare(a.threadId, b.threadId);
  switch (by) {
    case 'thread_id':
      return byId;
    case 'status':
      return compare(a.status, b.status) || a.updatedAtMs - b.updatedAtMs || byId;
    case 'created_at':
      return a.createdAtMs - b.createdAtMs || byId;
    case 'updated_at':
      return a.updatedAtMs - b.updatedAtMs || byId;
    case 'state_updated_at':
      return a.stateUpdatedAtMs - b.stateUpdatedAtMs || byId;
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
