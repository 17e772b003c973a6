import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../base/limits.js';

/** Position of a thread in an index order: the end of its index key. */
export interface IndexPosition {
  atMs: number;
  threadId: string;
}

export interface Move {
  from: IndexPosition;
  to: IndexPosition;
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

  record(threadId: string, fromMs: number, toMs: number): void {
    if (!this.#isRecording()) {
      if (this.#moves.length > 0) this.#clear();
      return;
    }
    this.#moves.push({ from: { atMs: fromMs, threadId }, to: { atMs: toMs, threadId } });
    if (this.#moves.length < 2 * LIMITS.cursorMovesMax) return;
    this.#moves = this.#moves.slice(LIMITS.cursorMovesMax);
    this.#first += LIMITS.cursorMovesMax;
  }

  /** The move with this number; undefined when it has not happened yet, null when it was discarded. */
  at(number: number): Move | undefined | null {
    return number < this.#first ? null : this.#moves[number - this.#first];
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
