import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../base/limits.js';

/** A place in an order of threads: entries of the index have it as their end. */
export interface Place {
  atMs: number;
  threadId: string;
}

export interface Move {
  from: Place;
  to: Place;
}

/**
 * Threads whose place in the order of `updated_at` changed, as long as somebody goes through that order: what moves out of
 * the part that lies ahead would be missed, what moves into it would come twice.
 */
export class ThreadMoves {
  /** Numbers mean nothing to another process. */
  readonly session = randomUUID();
  #moves: Move[] = [];
  /** Number of the first move that is kept. */
  #first = 0;
  #watchers = 0;
  #keptUntilMs = 0;

  /** Numbers the moves from now on; call `unwatch` when done. */
  watch(): number {
    // What was not watched was not written down.
    if (!this.#kept()) this.#forget();
    this.#watchers += 1;
    return this.#first + this.#moves.length;
  }

  /** `goesOn`: someone has a cursor, and will come back. */
  unwatch(goesOn: boolean): void {
    this.#watchers -= 1;
    if (goesOn) this.#keptUntilMs = performance.now() + LIMITS.cursorIdleMs;
  }

  note(threadId: string, fromMs: number, toMs: number): void {
    if (!this.#kept()) {
      if (this.#moves.length > 0) this.#forget();
      return;
    }
    this.#moves.push({ from: { atMs: fromMs, threadId }, to: { atMs: toMs, threadId } });
    if (this.#moves.length < 2 * LIMITS.cursorMovesMax) return;
    this.#moves = this.#moves.slice(LIMITS.cursorMovesMax);
    this.#first += LIMITS.cursorMovesMax;
  }

  /** The move of this number, undefined when there is none yet; null when it is forgotten. */
  at(number: number): Move | undefined | null {
    return number < this.#first ? null : this.#moves[number - this.#first];
  }

  #kept(): boolean {
    return this.#watchers > 0 || performance.now() < this.#keptUntilMs;
  }

  #forget(): void {
    // One number is left out: whoever stood at the end has missed something.
    this.#first += this.#moves.length + 1;
    this.#moves = [];
  }
}
