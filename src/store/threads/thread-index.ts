import type { Steps } from '../../base/steps.js';
import { turnsPassed } from '../../base/steps.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { unpack } from '../../wire/codec.js';
import { keys } from '../keys.js';
import { ALL_LEAF, OVERFLOW_LEAF } from '../metadata-index.js';
import type { Reader } from '../reader.js';
import type { IndexOrder, IndexPosition, ThreadMoves } from './thread-moves.js';
import { asIndexed, indexLeaves, timeIn, type ThreadRecord, type Threads } from './threads.js';

/** Entries per native skip: about 50 ns per entry, more when the file is not in memory. */
const SKIP_ENTRIES = 5_000;
/** Numbers of entries at which leaves are compared. All leaves longer than the last one count as equal. */
const PROBE_SIZES = [64, 1_024, 16_384];
const CHUNK_MIN = 16;
const CHUNK_MAX = 256;

/** Compares in the order of the index. */
function comparePositions(a: IndexPosition, b: IndexPosition): number {
  return a.atMs - b.atMs || (a.threadId < b.threadId ? -1 : a.threadId > b.threadId ? 1 : 0);
}

/** A thread whose entries on disk are those of an earlier record. */
interface OutdatedThread {
  record: ThreadRecord;
  leaves: readonly string[];
  /** Leaves of its entries on disk. */
  leavesOnDisk: readonly string[];
}

/**
 * Index of threads by status and metadata (metadata-index.ts), in two orders. Shows each thread as its record on disk
 * says, also while the entries on disk are out of date. For one list or count.
 */
export class ThreadIndex {
  readonly #reader: Reader;
  readonly #threads: Threads;
  #outdated: ReadonlyMap<string, OutdatedThread> = new Map();
  #turnsPassed: number | null = null;

  constructor(reader: Reader, threads: Threads) {
    this.#reader = reader;
    this.#threads = threads;
  }

  has(order: IndexOrder, leaf: string, { atMs, threadId }: IndexPosition): boolean {
    const outdated = this.#outdatedThreads().get(threadId);
    if (outdated !== undefined) return outdated.leaves.includes(leaf) && timeIn(outdated.record, order) === atMs;
    return this.#reader.has(keys.threadIndex(order, leaf, atMs, threadId));
  }

  /** Entries after a position, or from the beginning. */
  entries(
    order: IndexOrder,
    leaf: string,
    { after, reverse, limit }: { after: IndexPosition | null; reverse: boolean; limit: number },
  ): IndexPosition[] {
    const outdated = this.#outdatedThreads();
    const start =
      after === null ? {} : { start: keys.threadIndex(order, leaf, after.atMs, after.threadId), after: true };
    const found: IndexPosition[] = [];
    for (const [, , atMs, threadId] of this.#reader.indexKeys({
      prefix: keys.threadIndexLeaf(order, leaf),
      ...start,
      reverse,
      limit: limit + outdated.size,
    }))
      if (!outdated.has(threadId as string)) found.push({ atMs: atMs as number, threadId: threadId as string });
    if (outdated.size === 0) return found;
    const direction = reverse ? -1 : 1;
    for (const [threadId, { record, leaves }] of outdated) {
      const position = { atMs: timeIn(record, order), threadId };
      if (leaves.includes(leaf) && (after === null || comparePositions(position, after) * direction > 0))
        found.push(position);
    }
    return found.sort((a, b) => comparePositions(a, b) * direction).slice(0, limit);
  }

  /** Number of entries under a leaf, counted without reading them. */
  *count(order: IndexOrder, leaf: string): Steps<number> {
    const prefix = keys.threadIndexLeaf(order, leaf);
    let count = 0;
    for (let start = prefix; ;) {
      const [next] = this.#reader.keys({ prefix, start, skip: SKIP_ENTRIES, limit: 1 });
      if (next === undefined) {
        count += this.#reader.count({ prefix, start });
        break;
      }
      count += SKIP_ENTRIES;
      start = next;
      yield;
    }
    for (const { leaves, leavesOnDisk } of this.#outdatedThreads().values())
      count += Number(leaves.includes(leaf)) - Number(leavesOnDisk.includes(leaf));
    return count;
  }

  /** Read once in each turn of the event loop, in which reads see the same data. */
  #outdatedThreads(): ReadonlyMap<string, OutdatedThread> {
    if (this.#turnsPassed === turnsPassed()) return this.#outdated;
    this.#turnsPassed = turnsPassed();
    const outdated = new Map<string, OutdatedThread>();
    for (const threadId of this.#threads.outdated.keys()) {
      const bytes = this.#reader.get(keys.thread(threadId));
      const record = bytes === undefined ? undefined : unpack<ThreadRecord>(bytes);
      if (record?.indexedAs === undefined) continue;
      const onDisk = asIndexed(record);
      outdated.set(threadId, {
        record,
        leaves: indexLeaves(record),
        leavesOnDisk: onDisk === null ? [] : indexLeaves(onDisk),
      });
    }
    this.#outdated = outdated;
    return outdated;
  }

  /** The list of leaves with the fewest entries, as far as the first entries show. */
  *shortest(order: IndexOrder, lists: readonly string[][]): Steps<string[]> {
    if (lists.length === 1) return lists[0]!;
    for (const probe of PROBE_SIZES) {
      for (const leaves of lists) {
        if (!leaves.some((leaf) => this.#hasMoreThan(order, leaf, probe))) return leaves;
        yield;
      }
    }
    return lists[0]!;
  }

  #hasMoreThan(order: IndexOrder, leaf: string, entries: number): boolean {
    for (const _ of this.#reader.keys({ prefix: keys.threadIndexLeaf(order, leaf), skip: entries, limit: 1 }))
      return true;
    return false;
  }
}

/** The leaves that a walk reads, with their order and direction. */
export interface WalkRange {
  order: IndexOrder;
  leaves: readonly string[];
  reverse: boolean;
}

/** Position of a walk, from which a later walk continues. */
export interface WalkState {
  /** Last entry that the walk passed; null at the beginning. */
  last: IndexPosition | null;
  /** For `updated_at`, oldest first: later entries are threads that changed meanwhile. Null otherwise. */
  untilMs: number | null;
  /** Number of the first move that was not processed yet. */
  move: number;
  /** Threads that the walk has returned and that then moved ahead of it. */
  passed: readonly string[];
}

interface LeafCursor {
  leaf: string;
  ahead: IndexPosition[];
  at: number;
  ended: boolean;
  size: number;
}

/**
 * Walks the threads under some leaves in index order and returns each once. Threads may change between two calls. A
 * thread that moves from ahead of the walk to behind it is returned next. A thread that moves the other way is skipped.
 */
export class IndexWalk {
  readonly #index: ThreadIndex;
  readonly #order: IndexOrder;
  readonly #reverse: boolean;
  readonly #moves: ThreadMoves;
  readonly #sources: LeafCursor[];
  readonly #passed: Set<string>;
  readonly #untilMs: number | null;
  #last: IndexPosition | null;
  #move: number;
  /** All moves that reads see in this turn of the event loop are processed. */
  #areMovesTaken = false;
  #turnsPassed = turnsPassed();
  /** Number of entries read. */
  entries = 0;

  /** For `state.move` see ThreadMoves.watch. */
  constructor(index: ThreadIndex, moves: ThreadMoves, { order, leaves, reverse }: WalkRange, state: WalkState) {
    this.#index = index;
    this.#moves = moves;
    this.#order = order;
    this.#reverse = reverse;
    this.#sources = leaves.map((leaf) => ({ leaf, ahead: [], at: 0, ended: false, size: CHUNK_MIN }));
    this.#last = state.last;
    this.#untilMs = state.untilMs;
    this.#move = state.move;
    this.#passed = new Set(state.passed);
  }

  get state(): WalkState {
    return { last: this.#last, untilMs: this.#untilMs, move: this.#move, passed: [...this.#passed] };
  }

  /** The next thread; null after the last. Throws CURSOR_EXPIRED when more threads moved than are remembered. */
  next(): IndexPosition | null {
    if (this.#turnsPassed !== turnsPassed()) {
      this.#turnsPassed = turnsPassed();
      for (const source of this.#sources) Object.assign(source, { ahead: [], at: 0, ended: false });
      this.#areMovesTaken = false;
    }
    const moved = this.#takeMoves();
    if (moved !== null) return { atMs: Number.NaN, threadId: moved };
    for (;;) {
      const place = this.#takeNext();
      if (place === null || (this.#untilMs !== null && place.atMs > this.#untilMs)) return null;
      this.#last = place;
      this.entries += 1;
      if (!this.#passed.delete(place.threadId)) return place;
    }
  }

  /** Takes the next entry and advances all sources that have it. */
  #takeNext(): IndexPosition | null {
    let nearest: IndexPosition | null = null;
    for (const source of this.#sources) {
      if (source.at === source.ahead.length && !source.ended) {
        source.ahead = this.#index.entries(this.#order, source.leaf, {
          after: this.#last,
          reverse: this.#reverse,
          limit: source.size,
        });
        source.at = 0;
        source.ended = source.ahead.length < source.size;
        source.size = Math.min(source.size * 2, CHUNK_MAX);
      }
      const head = source.ahead[source.at];
      if (head !== undefined && (nearest === null || this.#compare(head, nearest) < 0)) nearest = head;
    }
    if (nearest === null) return null;
    for (const source of this.#sources) {
      const head = source.ahead[source.at];
      if (head !== undefined && this.#compare(head, nearest) === 0) source.at += 1;
    }
    return nearest;
  }

  /** Compares in the order of the walk. */
  #compare(a: IndexPosition, b: IndexPosition): number {
    return comparePositions(a, b) * (this.#reverse ? -1 : 1);
  }

  #isAhead(place: IndexPosition): boolean {
    return (
      (this.#last === null || this.#compare(place, this.#last) > 0) &&
      (this.#untilMs === null || place.atMs <= this.#untilMs)
    );
  }

  /**
   * Processes the moves that reads see, up to the first thread that moved behind the walk, and returns that; null when
   * there is none. The others wait until it is asked again, so that `state` belongs to what was returned.
   */
  #takeMoves(): string | null {
    if (this.#order === 'created' || this.#areMovesTaken) return null;
    const hasEntry = (position: IndexPosition): boolean => this.#index.has(this.#order, ALL_LEAF, position);
    for (;;) {
      const move = this.#moves.at(this.#move);
      if (move === null) throw fail('CURSOR_EXPIRED', {});
      if (move === undefined || !this.#moves.isVisible(this.#move, hasEntry)) {
        // The walk finds the thread at its old position.
        this.#areMovesTaken = true;
        return null;
      }
      this.#move += 1;
      const { threadId } = move.from;
      const [from, to] = [this.#isAhead(move.from), this.#isAhead(move.to)];
      if (from && !to && !this.#passed.delete(threadId)) return threadId;
      if (!from && to) this.#passed.add(threadId);
      if (this.#passed.size > LIMITS.cursorPassedMax) throw fail('CURSOR_EXPIRED', {});
    }
  }
}

/** Adds the overflow leaf, which has the records with too many leaves. A walk by metadata needs it too. */
export function withOverflow(leaves: readonly string[]): string[] {
  return leaves.some(coversAllThreads) ? [...leaves] : [...leaves, OVERFLOW_LEAF];
}

/** True if the leaf contains every thread that belongs to it, so that the overflow leaf adds none. */
export function coversAllThreads(leaf: string): boolean {
  return leaf === ALL_LEAF || leaf.startsWith('?');
}
