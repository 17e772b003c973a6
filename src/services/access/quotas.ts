import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';

/** What one caller may use at a time; null: as much as there is. */
export interface QuotaLimits {
  requestsPerSecond: number | null;
  /** Runs that execute; further ones wait. */
  runningRuns: number | null;
  /** Runs that wait; further ones are refused. */
  queuedRuns: number | null;
}

/** A run, as far as it is counted. */
interface Counted {
  readonly caller: Caller;
}

/** Callers whose bucket is remembered; a full bucket says nothing and is forgotten first. */
const BUCKETS_MAX = 10_000;
const RETRY_RUN_S = 1;

/** Who uses how much: a bucket of requests and a count of runs for each caller. */
export class Quotas {
  readonly #limits: QuotaLimits;
  readonly #nowMs: () => number;
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();
  readonly #runs = new Map<string, { alive: number; executing: number }>();
  /** Runs that have not ended, and whether they are counted as executing. */
  readonly #executing = new Map<Counted, boolean>();

  constructor(limits: QuotaLimits, nowMs: () => number) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  /** Counts a request. Throws RATE_LIMITED. */
  request({ identity }: Caller): void {
    const rate = this.#limits.requestsPerSecond;
    if (rate === null) return;
    const now = this.#nowMs();
    const full = Math.max(1, rate);
    const bucket = this.#buckets.get(identity) ?? { tokens: full, atMs: now };
    bucket.tokens = Math.min(full, bucket.tokens + (Math.max(0, now - bucket.atMs) / 1_000) * rate);
    bucket.atMs = now;
    // The last to ask is the last to be forgotten.
    this.#buckets.delete(identity);
    this.#buckets.set(identity, bucket);
    if (this.#buckets.size > BUCKETS_MAX) this.#buckets.delete(this.#buckets.keys().next().value!);
    if (bucket.tokens < 1)
      throw fail('RATE_LIMITED', { perSecond: rate, retryAfterS: Math.max(1, Math.ceil((1 - bucket.tokens) / rate)) });
    bucket.tokens -= 1;
  }

  /** Before runs are made. Throws RUNS_LIMITED. */
  newRun({ identity }: Caller, count = 1): void {
    const { runningRuns, queuedRuns } = this.#limits;
    if (queuedRuns === null) return;
    const { alive, executing } = this.#runs.get(identity) ?? { alive: 0, executing: 0 };
    if (runningRuns === null ? alive - executing + count > queuedRuns : alive + count > runningRuns + queuedRuns)
      throw fail('RUNS_LIMITED', { runs: alive, retryAfterS: RETRY_RUN_S });
  }

  /** Whether one more of the caller's runs may execute now. */
  mayExecute({ identity }: Caller): boolean {
    const { runningRuns } = this.#limits;
    return runningRuns === null || (this.#runs.get(identity)?.executing ?? 0) < runningRuns;
  }

  /** A new run, which waits; counted once. */
  began(run: Counted): void {
    if (this.#executing.has(run)) return;
    this.#executing.set(run, false);
    this.#count(run, 1, 0);
  }

  executes(run: Counted): void {
    if (this.#executing.get(run) !== false) return;
    this.#executing.set(run, true);
    this.#count(run, 0, 1);
  }

  ended(run: Counted): void {
    const executed = this.#executing.get(run);
    if (executed === undefined) return;
    this.#executing.delete(run);
    this.#count(run, -1, executed ? -1 : 0);
  }

  #count({ caller: { identity } }: Counted, alive: number, executing: number): void {
    const count = this.#runs.get(identity) ?? { alive: 0, executing: 0 };
    count.alive += alive;
    count.executing += executing;
    if (count.alive === 0) this.#runs.delete(identity);
    else this.#runs.set(identity, count);
  }
}
