import { LIMITS } from '../../base/limits.js';
import {
  heartbeatCounter,
  createMetricsMemory,
  readLoadingGraph,
  readThreadMetrics,
  type ThreadMetrics,
} from '../../wire/thread-metrics.js';

/**
 * Heartbeat of a worker: a counter in shared memory that the worker increments from a timer. Reading it needs
 * no message.
 */
export class Heartbeat {
  readonly shared = createMetricsMemory();
  readonly #beats = heartbeatCounter(this.shared);
  #seen = 0;
  #changedAtMs = performance.now();

  /** True after the first beat: the worker has loaded its graphs and its event loop turns. */
  get isStarted(): boolean {
    return this.#seen !== 0;
  }

  /** Number of beats seen. */
  get count(): number {
    return this.#seen;
  }

  get silentForMs(): number {
    return performance.now() - this.#changedAtMs;
  }

  /** True if the worker has been silent long enough to avoid it, but not yet long enough to end it. */
  get isSilent(): boolean {
    this.refresh();
    return this.isStarted && this.silentForMs > LIMITS.workerSilentMs;
  }

  refresh(): void {
    const now = this.#beats();
    if (now === this.#seen) return;
    this.#seen = now;
    this.#changedAtMs = performance.now();
  }

  /** Position of the graph whose modules the worker loads; null when it loads none. */
  get loadingGraph(): number | null {
    return readLoadingGraph(this.shared);
  }

  /** Other metrics that the thread publishes. */
  get metrics(): ThreadMetrics {
    return readThreadMetrics(this.shared);
  }

  reset(): void {
    this.#changedAtMs = performance.now();
  }
}

interface WatchedWorker {
  readonly heartbeat: Heartbeat;
  readonly lost: boolean;
}

interface WatchdogOptions<W> {
  workers: () => Iterable<W>;
  watchdogMs: number;
  end: (worker: W, silentForMs: number) => void;
  /** Called after each look at the workers. */
  tick: () => void;
}

/**
 * Ends workers that have been silent for too long. If the watchdog itself is late (suspended machine, long
 * pause of this thread), that time does not count.
 */
export class Watchdog<W extends WatchedWorker> {
  readonly #options: WatchdogOptions<W>;
  readonly #everyMs: number;
  /** Null while it rests. */
  #timer: NodeJS.Timeout | null = null;
  #lastTickMs = 0;

  constructor(options: WatchdogOptions<W>) {
    this.#options = options;
    this.#everyMs = Math.min(100, options.watchdogMs / 4);
  }

  start(): void {
    if (this.#timer !== null) return;
    this.#lastTickMs = performance.now();
    this.#timer = setInterval(() => this.#tick(), this.#everyMs);
  }

  stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
  }

  #tick(): void {
    const { workers, watchdogMs, end, tick } = this.#options;
    const now = performance.now();
    const isLate = now - this.#lastTickMs > this.#everyMs + LIMITS.workerSilentMs;
    this.#lastTickMs = now;
    for (const worker of workers()) {
      worker.heartbeat.refresh();
      if (worker.lost) continue;
      if (isLate) worker.heartbeat.reset();
      const limitMs = worker.heartbeat.isStarted ? watchdogMs : LIMITS.workerLoadMs;
      if (worker.heartbeat.silentForMs > limitMs) end(worker, worker.heartbeat.silentForMs);
    }
    tick();
  }
}
