import type { Clock } from '../../base/clock.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { SERVER_CALLER } from '../../domain/caller.js';
import type { EvaluationPool } from '../../pool/evaluation-pool.js';
import { exportParts, type ExportSession } from '../../pool/export-parts.js';
import { dataFile } from '../../store/files/data-file.js';
import { DAY_MS, dayOf } from '../../store/state-profiles.js';
import { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';
import type { StorageJson } from '../../wire/state-profile.js';

export interface StateProfilerParts {
  stores: Pick<Stores, 'store' | 'stateProfiles'>;
  pool: Pick<EvaluationPool, 'openExport'>;
  clock: Clock;
  log: Logger;
}

/**
 * Stores a profile of the state once a day in UTC, so that later ones can tell what has grown. A server that was down
 * makes the profile of the day when it has been up for some minutes.
 */
export class StateProfiler {
  readonly #parts: StateProfilerParts;
  #dueMs = 0;
  #session: ExportSession | null = null;
  #running: Promise<void> = Promise.resolve();
  #cancelWake: () => void = () => undefined;
  #isClosed = false;

  constructor(parts: StateProfilerParts) {
    this.#parts = parts;
  }

  start(): void {
    const { clock, stores } = this.#parts;
    const nowMs = clock.nowMs();
    this.#wakeAt(stores.stateProfiles.has(nowMs) ? nextDay(nowMs) : nowMs + LIMITS.stateProfileDelayMs);
  }

  /** A profile that is being made is broken off; the next start makes it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelWake();
    this.#session?.duplex.send({ type: 'abort' });
    await this.#running;
  }

  #wakeAt(dueMs: number): void {
    if (this.#isClosed) return;
    this.#dueMs = dueMs;
    const { clock } = this.#parts;
    const waitMs = Math.min(dueMs - clock.nowMs(), LIMITS.backupWakeMs);
    this.#cancelWake = clock.wakeAfter(waitMs, () => {
      if (clock.nowMs() < this.#dueMs) this.#wakeAt(this.#dueMs);
      else this.#running = this.#profile();
    });
  }

  async #profile(): Promise<void> {
    const { clock, stores, log } = this.#parts;
    const atMs = clock.nowMs();
    let nextMs = nextDay(atMs);
    try {
      const { state } = await this.#read(atMs);
      const commit = new Commit();
      const { bytes, threads } = state;
      const largest = state.largest_threads.map((thread): [string, number] => [thread.thread_id, thread.bytes]);
      stores.stateProfiles.put(commit, { atMs, bytes, threads, largest });
      await stores.store.write(commit);
    } catch (error) {
      if (this.#isClosed) return;
      log.error({ err: error }, 'the daily profile of the state failed');
      nextMs = atMs + LIMITS.stateProfileRetryMs;
    }
    this.#wakeAt(nextMs);
  }

  async #read(nowMs: number): Promise<StorageJson> {
    const { pool, stores } = this.#parts;
    this.#session = pool.openExport('server.storage', SERVER_CALLER, {
      dataFile: dataFile(stores.store.folder),
      nowMs,
      budget: null,
    });
    try {
      const parts: Uint8Array[] = [];
      for await (const { bytes } of exportParts(this.#session)) parts.push(bytes);
      return JSON.parse(Buffer.concat(parts).toString()) as StorageJson;
    } finally {
      this.#session = null;
    }
  }
}

/** A few minutes after midnight, when other daily work has begun. */
function nextDay(atMs: number): number {
  return dayOf(atMs) + DAY_MS + LIMITS.stateProfileDelayMs;
}
