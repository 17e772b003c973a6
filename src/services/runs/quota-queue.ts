import type { Caller } from '../../domain/caller.js';
import type { LiveRun, LiveThread } from './live.js';

/** Threads whose next run waits until another run of the same caller has ended. */
export class QuotaQueue {
  readonly #byIdentity = new Map<string, Set<LiveThread>>();

  add({ identity }: Caller, thread: LiveThread): void {
    const waiting = this.#byIdentity.get(identity) ?? new Set();
    this.#byIdentity.set(identity, waiting.add(thread));
  }

  has({ caller, thread }: LiveRun): boolean {
    return this.#byIdentity.get(caller.identity)?.has(thread) === true;
  }

  /** Removes and yields the caller's threads, the longest waiting first, for as long as `hasRoom`. */
  *drain({ identity }: Caller, hasRoom: () => boolean): Generator<LiveThread> {
    const waiting = this.#byIdentity.get(identity);
    if (waiting === undefined) return;
    for (const thread of waiting) {
      if (!hasRoom()) return;
      waiting.delete(thread);
      yield thread;
    }
    if (waiting.size === 0) this.#byIdentity.delete(identity);
  }
}
