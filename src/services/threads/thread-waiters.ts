import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { ThreadTable } from './thread-table.js';

/** Streams that wait for threads to be created, limited per caller and in total. */
export class ThreadWaiters {
  readonly #threads: ThreadTable;
  readonly #countByCaller = new Map<string, number>();
  #count = 0;

  constructor(threads: ThreadTable) {
    this.#threads = threads;
  }

  /** Calls `onCreated` once when the thread exists. Returns a function that stops waiting. Throws OVERLOADED. */
  wait({ identity }: Caller, threadId: string, onCreated: () => void): () => void {
    const own = this.#countByCaller.get(identity) ?? 0;
    if (own >= LIMITS.threadWaitersPerCallerMax)
      throw fail('OVERLOADED', { what: `${own} streams of one caller wait for threads that do not exist` });
    if (this.#count >= LIMITS.threadWaitersMax)
      throw fail('OVERLOADED', { what: `${this.#count} streams wait for threads that do not exist` });
    this.#countByCaller.set(identity, own + 1);
    this.#count += 1;
    let hasEnded = false;
    const end = (): void => {
      if (hasEnded) return;
      hasEnded = true;
      this.#count -= 1;
      const left = this.#countByCaller.get(identity)! - 1;
      if (left === 0) this.#countByCaller.delete(identity);
      else this.#countByCaller.set(identity, left);
    };
    const cancel = this.#threads.onceCreated(threadId, () => {
      end();
      onCreated();
    });
    return () => {
      cancel();
      end();
    };
  }
}
