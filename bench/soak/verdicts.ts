import type { SoakResult } from './soak.js';
import { hasRecovered } from './soak.js';
import { afterWarmUp, judge, warmUpSeconds, type Judgement, type Point } from './judge.js';
import { SERIES, type Series } from './series.js';

export interface Verdict {
  series: Series;
  /** Value of the first sample under load. */
  start: number;
  judgement: Judgement;
  /** True if the value was not stable yet at the end of the warm-up, so that it cannot be judged. */
  tooShort: boolean;
  rest: { before: number; after: number; back: boolean };
}

const SECONDS_PER_HOUR = 3_600;

export function pointsOf({ samples }: SoakResult, { name }: Series): Point[] {
  return samples.map(({ at, values }) => ({ at, value: values[name] }));
}

/** One verdict for each series. Throws if there are too few samples. */
export function verdicts(result: SoakResult): Verdict[] {
  return SERIES.map((series) => {
    const [before, after] = [result.rest.before.values[series.name], result.rest.after.values[series.name]];
    const points = pointsOf(result, series);
    return {
      series,
      start: points[0]!.value,
      judgement: judge(points, series.riseMin),
      tooShort: warmUpSeconds(points) < series.settleSeconds,
      rest: { before, after, back: hasRecovered(before, after, series.restTolerance) },
    };
  });
}

/** Sentences about what failed. Empty if the soak passed. */
export function failures(result: SoakResult, all: readonly Verdict[]): string[] {
  return [
    ...all
      .filter(({ judgement, tooShort }) => judgement.grows && !tooShort)
      .map(
        ({ series, judgement }) =>
          `${series.title} grows: ${round(judgement.rise)} ${series.unit} in the measured time.`,
      ),
    ...all
      .filter(({ rest }) => !rest.back)
      .map(
        ({ series, rest }) =>
          `${series.title}: ${round(rest.before)} at rest before the load, ${round(rest.after)} after it.`,
      ),
    ...[...result.errors].map(([what, count]) => `${count} times ${what}`),
  ];
}

/** A Markdown table. Slopes and standard errors are of the lower envelope after the warm-up. */
export function table(all: readonly Verdict[]): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(['Series', 'Unit', 'Start', 'After warm-up', 'End', 'Slope per hour', 'At rest before, after', '']),
    row(['---', '---', '---:', '---:', '---:', '---:', '---:', '---']),
    ...all.map(({ series, start, judgement: { level, rise, slope, standardError, grows }, tooShort, rest }) =>
      row([
        series.title,
        series.unit,
        round(start),
        round(level),
        round(level + rise),
        `${round(slope * SECONDS_PER_HOUR)} ± ${round(standardError * SECONDS_PER_HOUR)}`,
        `${round(rest.before)}, ${round(rest.after)}`,
        [tooShort ? 'too short to tell' : grows ? 'grows' : '', rest.back ? '' : 'does not come back']
          .filter((one) => one !== '')
          .join(', ') || 'holds',
      ]),
    ),
  ].join('\n');
}

/** Time at which the warm-up ends. */
export function warmUpEnd(points: readonly Point[]): number {
  return afterWarmUp(points)[0]!.at;
}

function round(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toFixed(1)));
}
