/**
 * Counts of durations by upper bounds, and their sum. Plain numbers, so that an observation costs almost nothing;
 * metrics read them when needed (http/monitoring/metrics.ts).
 */
export class Histogram {
  /** Upper bounds in seconds, increasing. `counts` has one more element, for values above the last bound. */
  readonly bounds: readonly number[];
  readonly counts: number[];
  sum = 0;
  count = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  /** A histogram with counts from elsewhere. */
  static of(bounds: readonly number[], counts: readonly number[], sum: number): Histogram {
    const histogram = new Histogram(bounds);
    for (const [at, count] of counts.entries()) {
      histogram.counts[at] = count;
      histogram.count += count;
    }
    histogram.sum = sum;
    return histogram;
  }

  /** Adds a value. Returns the index in `counts` that it was added to. */
  observe(seconds: number): number {
    const { bounds } = this;
    let at = 0;
    while (at < bounds.length && seconds > bounds[at]!) at += 1;
    this.counts[at]! += 1;
    this.sum += seconds;
    this.count += 1;
    return at;
  }
}

/**
 * A quantile of counted durations in seconds, evenly spread within their bounds as in Prometheus; the last bound if it
 * lies above. Null without values, or if the counts have other bounds.
 */
export function quantileOf(bounds: readonly number[], counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0 || counts.length !== bounds.length + 1) return null;
  const rank = share * total;
  let below = 0;
  for (const [at, bound] of bounds.entries()) {
    const count = counts[at]!;
    const lower = at === 0 ? 0 : bounds[at - 1]!;
    if (count > 0 && below + count >= rank) return lower + ((rank - below) / count) * (bound - lower);
    below += count;
  }
  return bounds.at(-1)!;
}

/** Bounds of the histograms, in seconds. Samples in the store count by `queue` and `run` (store/history.ts). */
export const HISTOGRAM_BOUNDS = {
  request: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 300],
  queue: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 1_800],
  run: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600],
  delay: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
  commit: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
} as const;
