import type { Clock } from '../../base/clock.js';
import { HISTOGRAM_BOUNDS, type Histogram } from '../../base/histogram.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';
import type { HistorySample } from '../../store/history.js';
import type { RunCounts } from '../runs/run-counts.js';
import type { WorkerStats } from '../thread-stats.js';

/** Finished requests since the start. */
export interface RequestTotals {
  requests: number;
  failed: number;
}

export interface HistorySources {
  stores: Pick<Stores, 'store' | 'history'>;
  clock: Clock;
  log: Logger;
  counts: RunCounts;
  threadStats: Pick<WorkerStats, 'graphs'>;
  requestTotals: () => RequestTotals;
}

/** Totals since the start, and the present load. The difference of two of them is a sample. */
type Reading = HistorySample;

/**
 * Writes a sample of the load at each minute in which the server did something, and of the first one in which it did
 * nothing. A server that nobody uses writes nothing.
 */
export class HistorySampler {
  readonly #sources: HistorySources;
  #last: Reading;
  #lastMs: number;
  #wasIdle = true;
  #cancelWake: () => void = () => undefined;
  #writing: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(sources: HistorySources) {
    this.#sources = sources;
    this.#last = read(sources);
    this.#lastMs = sources.clock.elapsedMs();
  }

  start(): void {
    this.#wake();
  }

  /** The minute that has begun is not written. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelWake();
    await this.#writing;
  }

  #wake(): void {
    if (this.#isClosed) return;
    const { clock } = this.#sources;
    const restMs = LIMITS.historySampleMs - (clock.nowMs() % LIMITS.historySampleMs);
    this.#cancelWake = clock.wakeAfter(restMs, () => {
      // Timers may fire a little early, and again at the end of the minute.
      if (clock.elapsedMs() - this.#lastMs >= LIMITS.historySampleMs / 2) this.#sample();
      this.#wake();
    });
  }

  #sample(): void {
    const { clock, stores, log } = this.#sources;
    const now = read(this.#sources);
    const sample = since(now, this.#last);
    const isIdle = !isActive(sample);
    const wasIdle = this.#wasIdle;
    this.#last = now;
    this.#lastMs = clock.elapsedMs();
    this.#wasIdle = isIdle;
    if ((isIdle && wasIdle) || stores.store.failure !== null) return;
    const commit = new Commit();
    // It is the end of a minute, or a little later.
    stores.history.add(commit, clock.nowMs() - LIMITS.historySampleMs / 2, sample);
    stores.history.thin(commit, clock.nowMs());
    this.#writing = stores.store.write(commit).catch((error: unknown) => {
      if (!this.#isClosed) log.error({ err: error }, 'the history of the server could not be written');
    });
  }
}

function read({ counts, threadStats, stores, requestTotals }: HistorySources): Reading {
  const graphs = [...counts.byGraph.values()];
  const sum = (of: (graph: (typeof graphs)[number]) => number): number =>
    graphs.reduce((total, graph) => total + of(graph), 0);
  const ended = (status: 'success' | 'error' | 'timeout' | 'interrupted'): number =>
    sum(({ ended: one }) => one.get(status) ?? 0);
  const added = (bounds: readonly number[], of: (graph: (typeof graphs)[number]) => Histogram): number[] =>
    Array.from({ length: bounds.length + 1 }, (_, at) => sum((graph) => of(graph).counts[at]!));
  const { user, system } = process.cpuUsage();
  const { servingWorkers } = threadStats.graphs;
  const { requests, failed } = requestTotals();
  return {
    runsStarted: sum(({ started }) => started),
    runsSucceeded: ended('success'),
    runsFailed: ended('error') + ended('timeout'),
    runsInterrupted: ended('interrupted'),
    queueWaits: added(HISTOGRAM_BOUNDS.queue, ({ queueWait }) => queueWait),
    runDurations: added(HISTOGRAM_BOUNDS.run, ({ duration }) => duration),
    requests,
    requestsFailed: failed,
    cpuSeconds: (user + system) / 1e6,
    runsQueued: sum(({ queued }) => queued),
    runsRunning: sum(({ running }) => running),
    workers: servingWorkers.length,
    workersBusy: servingWorkers.filter(({ runs }) => runs.size > 0).length,
    memoryBytes: process.memoryUsage.rss(),
    storageBytes: stores.store.fileBytes,
  };
}

function since(now: Reading, before: Reading): HistorySample {
  const rest = (counts: readonly number[], earlier: readonly number[]): number[] =>
    counts.map((count, at) => count - earlier[at]!);
  return {
    ...now,
    runsStarted: now.runsStarted - before.runsStarted,
    runsSucceeded: now.runsSucceeded - before.runsSucceeded,
    runsFailed: now.runsFailed - before.runsFailed,
    runsInterrupted: now.runsInterrupted - before.runsInterrupted,
    queueWaits: rest(now.queueWaits, before.queueWaits),
    runDurations: rest(now.runDurations, before.runDurations),
    requests: now.requests - before.requests,
    requestsFailed: now.requestsFailed - before.requestsFailed,
    cpuSeconds: now.cpuSeconds - before.cpuSeconds,
  };
}

function isActive({
  runsStarted,
  runsSucceeded,
  runsFailed,
  runsInterrupted,
  runsQueued,
  runsRunning,
  requests,
}: HistorySample): boolean {
  return [runsStarted, runsSucceeded, runsFailed, runsInterrupted, runsQueued, runsRunning, requests].some(
    (count) => count > 0,
  );
}
