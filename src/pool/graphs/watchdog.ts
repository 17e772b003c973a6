import { LIMITS } from '../../base/limits.js';
import { beatsOf, sharedVitals, vitalsOf, type Vitals } from '../../wire/vitals.js';

/** A worker's sign of life: a counter in shared memory that it raises from a timer, so it needs no message to be seen. */
export class Beat {
  readonly shared = sharedVitals();
  readonly #beats = beatsOf(this.shared);
  #seen = 0;
  #changedAtMs = performance.now();

  /** True from the first beat: the worker has loaded its graphs and its loop turns. */
  get started(): boolean {
    return this.#seen !== 0;
  }

  /** How many beats were seen. */
  get count(): number {
    return this.#seen;
  }

  get silentForMs(): number {
    return performance.now() - this.#changedAtMs;
  }

  /** Long enough without a beat to be avoided, not yet to be ended. */
  get silent(): boolean {
    this.look();
    return this.started && this.silentForMs > LIMITS.silentMs;
  }

  look(): void {
    const now = this.#beats();
    if (now === this.#seen) return;
    this.#seen = now;
    this.#changedAtMs = performance.now();
  }

  /** What else the thread says of itself. */
  get vitals(): Vitals {
    return vitalsOf(this.shared);
  }

  forgive(): void {
    this.#changedAtMs = performance.now();
  }
}

interface Watched {
  readonly beat: Beat;
  readonly lost: boolean;
}

/** Ends workers that have been silent too long. Its own lateness (a suspended machine, a long pause here) is no silence of theirs. */
export class Watchdog<W extends Watched> {
  readonly #timer: NodeJS.Timeout;
  #lastTickMs = performance.now();

  constructor(options: {
    workers: () => Iterable<W>;
    watchdogMs: number;
    end: (worker: W, silentForMs: number) => void;
    tick: () => void;
  }) {
    const everyMs = Math.min(100, options.watchdogMs / 4);
    this.#timer = setInterval(() => {
      const now = performance.now();
      const late = now - this.#lastTickMs > everyMs + LIMITS.silentMs;
      this.#lastTickMs = now;
      for (const worker of options.workers()) {
        worker.beat.look();
        if (worker.lost) continue;
        if (late) worker.beat.forgive();
        const limitMs = worker.beat.started ? options.watchdogMs : LIMITS.workerLoadMs;
        if (worker.beat.silentForMs > limitMs) options.end(worker, worker.beat.silentForMs);
      }
      options.tick();
    }, everyMs);
  }

  close(): void {
    clearInterval(this.#timer);
  }
}
