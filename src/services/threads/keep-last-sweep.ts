import { SERVER_CALLER } from '../../domain/caller.js';
import { Commit } from '../../store/store.js';
import type { ThreadRecord, UpdatePosition } from '../../store/threads/threads.js';
import type { Needs } from '../context.js';
import { pruneCheckpoints } from './prune-threads.js';

/**
 * Prunes threads that have changed since the last sweep to their newest checkpoints. The number to keep is the
 * thread's own or else `keep`; null keeps all. The position is stored, so a thread without changes is checked
 * only once. Busy threads are retried in the next sweep.
 */
export class KeepLastSweep {
  readonly #services: Needs<'clock' | 'scheduler' | 'stores' | 'threads'>;
  readonly #keep: number | null;
  #busy = new Set<string>();

  constructor(services: Needs<'clock' | 'scheduler' | 'stores' | 'threads'>, keep: number | null) {
    this.#services = services;
    this.#keep = keep;
  }

  /** Checks at most `max` threads. */
  async sweep(max: number, isClosed: () => boolean): Promise<void> {
    const { stores, clock } = this.#services;
    const busy = this.#busy;
    this.#busy = new Set();
    for (const threadId of busy) {
      if (isClosed()) return;
      await this.#prune(threadId);
    }
    let reached: UpdatePosition | null = null;
    const nowMs = clock.nowMs();
    const kept = stores.threads.pruneProgress(this.#keep ?? 0);
    // The clock was set back, so threads that change now sort before the stored position.
    const from = kept.updatedAtMs > nowMs ? { updatedAtMs: 0, threadId: '' } : kept;
    for (const place of stores.threads.changedBetween(from, nowMs, max)) {
      if (isClosed()) return;
      await this.#prune(place.threadId);
      reached = place;
    }
    if (reached === null) return;
    const commit = new Commit();
    stores.threads.putPruneProgress(commit, this.#keep ?? 0, reached);
    await stores.store.write(commit);
  }

  async #prune(threadId: string): Promise<void> {
    const { threads } = this.#services;
    const record = threads.current(SERVER_CALLER, threadId);
    const keep = record?.keepLast ?? this.#keep;
    if (record === undefined || keep === null) return;
    try {
      await pruneSurplus(this.#services, record, keep);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'THREAD_BUSY') this.#busy.add(threadId);
      else if (code !== 'THREAD_NOT_FOUND') throw error;
    }
  }
}

/**
 * Prunes a thread to its newest checkpoints, and returns true, if it has at least a quarter more of them: pruning reads
 * the whole thread, and must not do so after every run of a long chat. Throws THREAD_NOT_FOUND, THREAD_BUSY.
 */
export async function pruneSurplus(
  services: Needs<'clock' | 'scheduler' | 'stores' | 'threads'>,
  record: ThreadRecord,
  keep: number,
): Promise<boolean> {
  if (!services.stores.checkpoints.hasMoreThan(record, keep + Math.ceil(keep / 4))) return false;
  await pruneCheckpoints(services, SERVER_CALLER, record.threadId, keep);
  return true;
}
