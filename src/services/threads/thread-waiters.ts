import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { ThreadTable } from './thread-table.js';

/** Streams that wait for threads to be created, limited per caller and in total. */
export class ThreadWaiters {
  readonly #threads: ThreadTable;
  readonly #ofCaller = new Map<string, number>();
  #count = 0;

  constructor(threads: ThreadTable) {
    this.#threads = threads;
  }

  /** Calls `made` once when the thread exists. Returns a function that stops waiting. Throws OVERLOADED. */
  wait({ identity }: Caller, threadId: string, made: () => void): () => void {
    const own = this.#ofCaller.get(identity) ?? 0;
    if (own >= LIMITS.threadWaitersPerCallerMax)
      throw fail('OVERLOADED', { what: `${own} streams of one caller wait for threads that are not there` });
    if (this.#count >= LIMITS.threadWaitersMax)
      throw fail('OVERLOADED', { what: `${this.#count} streams wait for threads that are not there` });
    this.#ofCaller.set(identity, own + 1);
    this.#count += 1;
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      this.#count -= 1;
      const left = this.#ofCaller.get(identity)! - 1;
      if (left === 0) this.#ofCaller.delete(identity);
      else this.#ofCaller.set(identity, left);
    };
    const forget = this.#threads.onceCreated(threadId, () => {
      end();
      made();
    });
    return () => {
      forget();
      end();
    };
  }
}
