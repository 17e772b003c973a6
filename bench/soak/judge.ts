/** A point of a series: time in seconds, value in the unit of the series. */
export interface Point {
  at: number;
  value: number;
}

export interface Line {
  /** Change per second. */
  slope: number;
  /** Standard error of the slope, corrected for correlated neighbors. */
  standardError: number;
  /** Value of the line at the first point. */
  level: number;
}

export interface Judgement extends Line {
  /** Rise of the line from the first point to the last. */
  rise: number;
  /** Smaller rises are ignored. */
  meaningfulRise: number;
  grows: boolean;
}

const WINDOWS = 20;
/** Fewer windows with samples are too few to judge. A server may hang during some windows. */
const WINDOWS_MIN = 15;
/** Share of the time in which caches fill, code is compiled, and the store's file reaches its size. */
const WARM_UP = 1 / 3;
const MEANINGFUL_SHARE = 0.05;
/** About one in 250 flat series of 20 normal values exceeds this (18 degrees of freedom). */
const STANDARD_ERRORS = 3;
/**
 * Unbounded growth continues in both halves. A series that saturates rises mostly in the first half, and a step is in
 * only one of them.
 */
const LATE_SHARE = 0.5;
const EARLY_SHARE = 0.25;

/** Length of the warm-up of a series, in seconds. */
export function warmUpSeconds(points: readonly Point[]): number {
  return (points.at(-1)!.at - points[0]!.at) * WARM_UP;
}

export function afterWarmUp(points: readonly Point[]): Point[] {
  const [first, last] = [points[0]!.at, points.at(-1)!.at];
  return points.filter(({ at }) => at >= first + (last - first) * WARM_UP);
}

/**
 * Judges whether a series grows without bound. It uses the lower envelope after the warm-up, because a heap rises and
 * falls with garbage collection, and only its minima show what is held. A series grows if its rise is meaningful
 * (over `riseMin` and over 5 % of the level), is not explained by noise, and continues in the second half. Throws if
 * there are too few samples.
 */
export function judge(points: readonly Point[], riseMin: number): Judgement {
  const envelope = lowerEnvelope(afterWarmUp(points));
  if (envelope.length < WINDOWS_MIN)
    throw new Error(
      `${points.length} samples are too few to judge: only ${envelope.length} of ${WINDOWS} windows after the ` +
        'warm-up have one',
    );
  const line = fit(envelope);
  const rise = line.slope * (envelope.at(-1)!.at - envelope[0]!.at);
  const meaningfulRise = Math.max(riseMin, Math.abs(line.level) * MEANINGFUL_SHARE);
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

/**
 * The minimum of each of 20 windows of equal length, at the middle of the window. Windows without samples are left
 * out.
 */
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

/**
 * Fits a line by least squares. Correlated neighbors carry less information, so the standard error assumes fewer
 * points, according to their correlation.
 */
export function fit(points: readonly Point[]): Line {
  const count = points.length;
  const mean = (of: (point: Point) => number): number => points.reduce((sum, point) => sum + of(point), 0) / count;
  const [meanAt, meanValue] = [mean(({ at }) => at), mean(({ value }) => value)];
  const spread = points.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0);
  const slope = points.reduce((sum, { at, value }) => sum + (at - meanAt) * (value - meanValue), 0) / spread;
  const residuals = points.map(({ at, value }) => value - meanValue - slope * (at - meanAt));
  const squares = residuals.reduce((sum, one) => sum + one ** 2, 0);
  const correlation =
    squares === 0
      ? 0
      : Math.max(0, residuals.slice(1).reduce((sum, one, before) => sum + one * residuals[before]!, 0) / squares);
  const standardError = Math.sqrt(squares / (count - 2) / spread) * Math.sqrt((1 + correlation) / (1 - correlation));
  return { slope, standardError, level: meanValue + slope * (points[0]!.at - meanAt) };
}
