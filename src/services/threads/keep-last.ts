import { SERVER_CALLER } from '../../domain/caller.js';
import { Commit } from '../../store/env.js';
import type { ChangePlace } from '../../store/threads/threads.js';
import type { Services } from '../context.js';
import { thinThread } from './prune-threads.js';

/**
 * Takes threads that have changed since the last time down to their newest states, as many as they say, or else `keep`; null: all. How far it has come stands in the
 * store: a thread that nobody uses is looked at once. Those that are worked on have their turn when they have changed, or in
 * the next sweep.
 */
export class KeepLast {
  readonly #services: Services;
  readonly #keep: number | null;
  #busy = new Set<string>();

  constructor(services: Services, keep: number | null) {
    this.#services = services;
    this.#keep = keep;
  }

  /** Looks at `max` threads at most. */
  async sweep(max: number, isClosed: () => boolean): Promise<void> {
    const { stores, clock } = this.#services;
    const busy = this.#busy;
    this.#busy = new Set();
    for (const threadId of busy) {
      if (isClosed()) return;
      await this.#thin(threadId);
    }
    let reached: ChangePlace | null = null;
    const nowMs = clock.nowMs();
    const kept = stores.threads.keptUntil(this.#keep ?? 0);
    // The clock went back: threads that change now stand before the place that was reached.
    const from = kept.updatedAtMs > nowMs ? { updatedAtMs: 0, threadId: '' } : kept;
    for (const place of stores.threads.changedBetween(from, nowMs, max)) {
      if (isClosed()) return;
      await this.#thin(place.threadId);
      reached = place;
    }
    if (reached === null) return;
    const commit = new Commit();
    stores.threads.putKeptUntil(commit, this.#keep ?? 0, reached);
    await stores.store.write(commit);
  }

  async #thin(threadId: string): Promise<void> {
    const { stores, threads } = this.#services;
    const record = threads.current(SERVER_CALLER, threadId);
    const keep = record?.keepLast ?? this.#keep;
    if (record === undefined || keep === null || !stores.checkpoints.hasMore(record, most(keep))) return;
    try {
      await thinThread(this.#services, SERVER_CALLER, threadId, keep);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'THREAD_BUSY') this.#busy.add(threadId);
      else if (code !== 'THREAD_NOT_FOUND') throw error;
    }
  }
}

/** Thinning looks through the whole thread: a quarter more may be there, so that a long chat is not walked through for every turn. */
function most(keep: number): number {
  return keep + Math.ceil(keep / 4);
}
