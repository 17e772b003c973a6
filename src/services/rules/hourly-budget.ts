import type { Clock } from '../../base/clock.js';

const HOUR_MS = 3_600_000;

/** How many runs a rule may act on in an hour. */
export class HourlyBudget {
  readonly #clock: Clock;
  #sinceMs = -Infinity;
  #used = 0;
  #isReported = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isUsedUp(max: number): boolean {
    const nowMs = this.#clock.elapsedMs();
    if (nowMs - this.#sinceMs >= HOUR_MS) {
      this.#sinceMs = nowMs;
      this.#used = 0;
      this.#isReported = false;
    }
    return this.#used >= max;
  }

  take(): void {
    this.#used += 1;
  }

  /** True for the first call in an hour. */
  shouldReport(): boolean {
    const isFirst = !this.#isReported;
    this.#isReported = true;
    return isFirst;
  }
}
