import type { Clock } from '../../base/clock.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { SERVER_CALLER } from '../../domain/caller.js';
import type { EvaluationPool } from '../../pool/evaluation-pool.js';
import { exportParts, type ExportSession } from '../../pool/export-parts.js';
import { dataFile } from '../../store/files/data-file.js';
import { DAY_MS, dayOf, type NamedBytes, type StateProfileRecord } from '../../store/state-profiles.js';
import { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';
import type { StateProfileJson, StorageJson } from '../../wire/state-profile.js';

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
  #dueMs: number;
  #session: ExportSession | null = null;
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: StateProfilerParts) {
    this.#parts = parts;
    const nowMs = parts.clock.nowMs();
    this.#dueMs = parts.stores.stateProfiles.has(nowMs) ? nextDay(nowMs) : nowMs + LIMITS.stateProfileDelayMs;
  }

  /** Makes a profile if it is time for one. Called from a timer. */
  check(): void {
    if (this.#running !== null || this.#isClosed || this.#parts.clock.nowMs() < this.#dueMs) return;
    this.#running = this.#profile().finally(() => {
      this.#running = null;
    });
  }

  /** A profile that is being made is broken off; the next start makes it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#session?.duplex.send({ type: 'abort' });
    await this.#running;
  }

  async #profile(): Promise<void> {
    const { clock, stores, log } = this.#parts;
    const atMs = clock.nowMs();
    try {
      const { state } = await this.#read(atMs);
      const commit = new Commit();
      stores.stateProfiles.put(commit, recordOf(atMs, state));
      await stores.store.write(commit);
      this.#dueMs = nextDay(atMs);
    } catch (error) {
      if (this.#isClosed) return;
      log.error({ err: error }, 'the daily profile of the state failed');
      this.#dueMs = atMs + LIMITS.stateProfileRetryMs;
    }
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

function recordOf(atMs: number, state: StateProfileJson): StateProfileRecord {
  const first = <T extends { bytes: number }>(rows: readonly T[], nameOf: (row: T) => string): NamedBytes[] =>
    rows.slice(0, LIMITS.stateProfileRowsKept).map((row) => [nameOf(row), row.bytes]);
  return {
    atMs,
    bytes: state.bytes,
    threads: state.threads,
    largest: state.largest_threads.map(({ thread_id: id, bytes }) => [id, bytes]),
    owners: first(state.owners, ({ owner }) => owner ?? ''),
    graphs: first(state.graphs, ({ graph_id: name }) => name),
    channels: first(state.channels, ({ channel }) => channel),
    namespaces: first(state.namespaces, ({ namespace }) => namespace),
  };
}
