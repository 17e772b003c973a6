/** A point of a series: time in seconds, value in the unit of the series. */
export interface Point {
  at: number;
  value: number;
}

export interface Line {
  /** Per second. */
  slope: number;
  /** Of the slope, with room for neighbours that resemble each other. */
  standardError: number;
  /** On the line, at the first point. */
  level: number;
}

export interface Judgement extends Line {
  /** On the line, from the first point to the last. */
  rise: number;
  /** Rises below this mean nothing. */
  meaningfulRise: number;
  grows: boolean;
}

const WINDOWS = 20;
/** A server that hung for some windows is judged by the others. */
const WINDOWS_MIN = 15;
/** Of the time: caches fill, code is compiled, the store's file finds its size. */
const WARM_UP = 1 / 3;
const MEANINGFUL_SHARE = 0.05;
/** One in some 250 flat series of 20 normal values lies above: 18 degrees of freedom. */
const STANDARD_ERRORS = 3;
/** What grows without end does so in both halves. What saturates has left most of its rise in the first, a step is in one alone. */
const LATE_SHARE = 0.5;
const EARLY_SHARE = 0.25;

/** Seconds of the warm-up of such a series. */
export function warmUpSeconds(points: readonly Point[]): number {
  return (points.at(-1)!.at - points[0]!.at) * WARM_UP;
}

export function afterWarmUp(points: readonly Point[]): Point[] {
  const [first, last] = [points[0]!.at, points.at(-1)!.at];
  return points.filter(({ at }) => at >= first + (last - first) * WARM_UP);
}

/**
 * Whether a series grows without end. Judged is the lower envelope after the warm-up: a heap goes up and down with its
 * collector, and what it comes back to is what is held. Growth is a rise that means something (5 % of the level over the
 * measured time, and `leastRise`), that noise does not explain, and that goes on in the second half. Throws when the samples
 * are too few.
 */
export function judge(points: readonly Point[], leastRise: number): Judgement {
  const envelope = lowerEnvelope(afterWarmUp(points));
  if (envelope.length < WINDOWS_MIN)
    throw new Error(
      `${points.length} samples are too few to judge: after the warm-up only ${envelope.length} of ${WINDOWS} windows have one`,
    );
  const line = fit(envelope);
  const rise = line.slope * (envelope.at(-1)!.at - envelope[0]!.at);
  const meaningfulRise = Math.max(leastRise, Math.abs(line.level) * MEANINGFUL_SHARE);
  const half = Math.floor(envelope.length / 2);
  const early = fit(envelope.slice(0, half)).slope;
  const late = fit(envelope.slice(half)).slope;
  const grows =
    rise > meaningfulRise &&
    line.slope > STANDARD_ERRORS * line.standardError &&
    late >= LATE_SHARE * line.slope &&
    early >= EARLY_SHARE * line.slope;
  return { ...line, rise, meaningfulRise, grows };
}

/** The least value of each of 20 windows of equal length, at the middle of its window; windows without a sample are left out. */
export function lowerEnvelope(points: readonly Point[]): Point[] {
  const [first, last] = [points[0]!.at, points.at(-1)!.at];
  const length = (last - first) / WINDOWS;
  const least = Array.from({ length: WINDOWS }, () => Infinity);
  for (const { at, value } of points) {
    const window = Math.min(WINDOWS - 1, Math.floor((at - first) / length));
    least[window] = Math.min(least[window]!, value);
  }
  return least.flatMap((value, window) => (value === Infinity ? [] : [{ at: first + (window + 0.5) * length, value }]));
}

/** Least squares. Neighbours that deviate alike tell less than they seem to: as many points fewer count as their correlation says. */
export function fit(points: readonly Point[]): Line {
  const count = points.length;
  const mean = (of: (point: Point) => number): number => points.reduce((sum, point) => sum + of(point), 0) / count;
  const [meanAt, meanValue] = [mean(({ at }) => at), mean(({ value }) => value)];
  const spread = points.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0);
  const slope = points.reduce((sum, { at, value }) => sum + (at - meanAt) * (value - meanValue), 0) / spread;
  const rest = points.map(({ at, value }) => value - meanValue - slope * (at - meanAt));
  const squares = rest.reduce((sum, one) => sum + one ** 2, 0);
  const alike =
    squares === 0 ? 0 : Math.max(0, rest.slice(1).reduce((sum, one, before) => sum + one * rest[before]!, 0) / squares);
  const standardError = Math.sqrt(squares / (count - 2) / spread) * Math.sqrt((1 + alike) / (1 - alike));
  return { slope, standardError, level: meanValue + slope * (points[0]!.at - meanAt) };
}
