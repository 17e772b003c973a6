import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';

/** Limits of one caller. Null: no limit. */
export interface QuotaLimits {
  requestsPerSecond: number | null;
  /** Maximum of executing runs. Further runs wait. */
  runningRuns: number | null;
  /** Maximum of waiting runs. Further runs are refused. */
  queuedRuns: number | null;
}

/** A run, reduced to what quotas need. */
interface CountedRun {
  readonly caller: Caller;
  /** As what it counts. Null: it does not. Only `Quotas` changes it. */
  counted: 'waiting' | 'executing' | null;
}

/** Maximum number of remembered buckets. A caller without a bucket starts with a full one. */
const BUCKETS_MAX = 10_000;
const RETRY_AFTER_S = 1;

/** Usage of each caller: a token bucket of requests and a count of runs. */
export class Quotas {
  readonly #limits: QuotaLimits;
  readonly #nowMs: () => number;
  readonly #buckets = new Map<string, { tokens: number; atMs: number }>();
  readonly #runs = new Map<string, { alive: number; executing: number }>();

  constructor(limits: QuotaLimits, nowMs: () => number) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  /** Counts a request. Throws RATE_LIMITED. */
  countRequest({ identity }: Caller): void {
    const rate = this.#limits.requestsPerSecond;
    if (rate === null) return;
    const now = this.#nowMs();
    const capacity = Math.max(1, rate);
    const bucket = this.#buckets.get(identity) ?? { tokens: capacity, atMs: now };
    bucket.tokens = Math.min(capacity, bucket.tokens + (Math.max(0, now - bucket.atMs) / 1_000) * rate);
    bucket.atMs = now;
    // Callers with the oldest requests are forgotten first.
    this.#buckets.delete(identity);
    this.#buckets.set(identity, bucket);
    if (this.#buckets.size > BUCKETS_MAX) this.#buckets.delete(this.#buckets.keys().next().value!);
    if (bucket.tokens < 1)
      throw fail('RATE_LIMITED', { perSecond: rate, retryAfterS: Math.max(1, Math.ceil((1 - bucket.tokens) / rate)) });
    bucket.tokens -= 1;
  }

  /** Checks the limits before runs are created. Throws RUNS_LIMITED. */
  checkNewRun({ identity }: Caller, count = 1): void {
    const { runningRuns, queuedRuns } = this.#limits;
    if (queuedRuns === null) return;
    const { alive, executing } = this.#runs.get(identity) ?? { alive: 0, executing: 0 };
    if (runningRuns === null ? alive - executing + count > queuedRuns : alive + count > runningRuns + queuedRuns)
      throw fail('RUNS_LIMITED', { runs: alive, retryAfterS: RETRY_AFTER_S });
  }

  /** True if another run of the caller may start executing. */
  canExecute({ identity }: Caller): boolean {
    const { runningRuns } = this.#limits;
    return runningRuns === null || (this.#runs.get(identity)?.executing ?? 0) < runningRuns;
  }

  /** Counts a new, waiting run. Repeated calls have no effect. */
  onRunCreated(run: CountedRun): void {
    if (run.counted !== null) return;
    run.counted = 'waiting';
    this.#count(run, 1, 0);
  }

  onRunStarted(run: CountedRun): void {
    if (run.counted !== 'waiting') return;
    run.counted = 'executing';
    this.#count(run, 0, 1);
  }

  onRunEnded(run: CountedRun): void {
    if (run.counted === null) return;
    this.#count(run, -1, run.counted === 'executing' ? -1 : 0);
    run.counted = null;
  }

  #count({ caller: { identity } }: CountedRun, alive: number, executing: number): void {
    const count = this.#runs.get(identity) ?? { alive: 0, executing: 0 };
    count.alive += alive;
    count.executing += executing;
    if (count.alive === 0) this.#runs.delete(identity);
    else this.#runs.set(identity, count);
  }
}
