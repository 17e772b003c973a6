/**
 * How often something took how long: counts below bounds, and a sum. Plain numbers, so that noting one costs nothing that
 * could be measured; whoever wants to show them reads them (http/monitoring/metrics.ts).
 */
export class Tally {
  /** Upper bounds in seconds, rising. What is above the last is counted after them. */
  readonly bounds: readonly number[];
  readonly counts: number[];
  sum = 0;
  count = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  /** One that was counted elsewhere. */
  static of(bounds: readonly number[], counts: readonly number[], sum: number): Tally {
    const tally = new Tally(bounds);
    for (const [at, count] of counts.entries()) {
      tally.counts[at] = count;
      tally.count += count;
    }
    tally.sum = sum;
    return tally;
  }

  /** Returns which of `counts` it went to. */
  note(seconds: number): number {
    const { bounds } = this;
    let at = 0;
    while (at < bounds.length && seconds > bounds[at]!) at += 1;
    this.counts[at]! += 1;
    this.sum += seconds;
    this.count += 1;
    return at;
  }
}

/** Bounds of the tallies, in seconds. */
export const BOUNDS = {
  request: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 300],
  queue: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1_800],
  run: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600],
  delay: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  commit: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
} as const;
