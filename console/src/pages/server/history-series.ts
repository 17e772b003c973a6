import type { HistoryFigures, ServerHistory } from '../../api/server.js';

/** Values of all steps of a history, also of those in which nothing was written. */
export interface HistorySeries {
  /** Unix time in seconds of the beginning of each step. */
  times: readonly number[];
  /** Zero where nothing happened. */
  counts(of: (figures: HistoryFigures) => number): number[];
  /** Null where it is not known. */
  values(of: (figures: HistoryFigures) => number | null): (number | null)[];
}

export function historySeries({ start, end, step_seconds: step, points }: ServerHistory): HistorySeries {
  const [startS, endS] = [Date.parse(start) / 1_000, Date.parse(end) / 1_000];
  const times = Array.from({ length: Math.max(1, Math.ceil((endS - startS) / step)) }, (_, at) => startS + at * step);
  const found = new Map(points.map((point) => [Date.parse(point.start) / 1_000, point]));
  return {
    times,
    counts: (of) =>
      times.map((time) => {
        const point = found.get(time);
        return point === undefined ? 0 : of(point);
      }),
    values: (of) =>
      times.map((time) => {
        const point = found.get(time);
        return point === undefined ? null : of(point);
      }),
  };
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** The unit in which the axis of these bytes has short numbers. */
export function byteScale(values: readonly (number | null)[]): { unit: string; bytes: number } {
  const max = Math.max(0, ...values.map((value) => value ?? 0));
  const at = Math.min(BYTE_UNITS.length - 1, max < 1 ? 0 : Math.floor(Math.log2(max) / 10));
  return { unit: BYTE_UNITS[at]!, bytes: 1_024 ** at };
}
