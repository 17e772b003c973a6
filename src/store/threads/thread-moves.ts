import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../base/limits.js';
import type { Commit } from '../store.js';

/** Sort order of the index. The creation time never changes, so no thread moves in that order. */
export type IndexOrder = 'updated' | 'created';

/** Position of a thread in an index order: the end of its index key. */
export interface IndexPosition {
  atMs: number;
  threadId: string;
}

export interface Move {
  from: IndexPosition;
  to: IndexPosition;
  isDurable: boolean;
}

/**
 * Changes of threads' positions in the order of `updated_at`, recorded while a walk uses that order. Without them
 * a walk would miss threads that move from ahead of it to behind it, and would return others twice.
 */
export class ThreadMoves {
  /** Identifies this process, because numbers of moves are valid only within it. */
  readonly session = randomUUID();
  #moves: Move[] = [];
  /** Number of the oldest recorded move. */
  #first = 0;
  #watchers = 0;
  #recordUntilMs = 0;

  /** Starts recording and returns the number of the next move. Call `unwatch` afterwards. */
  watch(): number {
    // Moves were not recorded in the meantime.
    if (!this.#isRecording()) this.#clear();
    this.#watchers += 1;
    return this.#first + this.#moves.length;
  }

  /** `continues`: a client holds a cursor and may request the next page. */
  unwatch(continues: boolean): void {
    this.#watchers -= 1;
    if (continues) this.#recordUntilMs = performance.now() + LIMITS.cursorIdleMs;
  }

  /** `commit`: contains the change. */
  record(commit: Commit, threadId: string, fromMs: number, toMs: number): void {
    if (!this.#isRecording()) {
      if (this.#moves.length > 0) this.#clear();
      return;
    }
    const move = { from: { atMs: fromMs, threadId }, to: { atMs: toMs, threadId }, isDurable: false };
    this.#moves.push(move);
    commit.onDurable(() => {
      move.isDurable = true;
    });
    if (this.#moves.length < 2 * LIMITS.cursorMovesMax) return;
    this.#moves = this.#moves.slice(LIMITS.cursorMovesMax);
    this.#first += LIMITS.cursorMovesMax;
  }

  /** The move with this number; undefined when it has not happened yet, null when it was discarded. */
  at(number: number): Move | undefined | null {
    return number < this.#first ? null : this.#moves[number - this.#first];
  }

  /**
   * True if reads see this move. `hasEntry` reads the index. All earlier moves must be visible. Commits become visible
   * in the order of the moves, and a little before they are durable.
   */
  isVisible(number: number, hasEntry: (position: IndexPosition) => boolean): boolean {
    const at = number - this.#first;
    const { from, isDurable } = this.#moves[at]!;
    if (isDurable || !hasEntry(from)) return true;
    // When a clock was set back, the thread may have returned to this position. Then its entry does not tell, but those
    // of other threads that moved later do.
    const later = this.#moves.slice(at + 1);
    if (!later.some(({ to }) => to.threadId === from.threadId && to.atMs === from.atMs)) return false;
    const checked = new Set([from.threadId]);
    return later.some((move) => {
      if (checked.has(move.from.threadId)) return false;
      checked.add(move.from.threadId);
      return !hasEntry(move.from);
    });
  }

  #isRecording(): boolean {
    return this.#watchers > 0 || performance.now() < this.#recordUntilMs;
  }

  #clear(): void {
    // Skips one number, so that a cursor at the end of the old list counts as expired.
    this.#first += this.#moves.length + 1;
    this.#moves = [];
  }
}
