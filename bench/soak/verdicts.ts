import type { SoakResult } from './soak.js';
import { isBack } from './soak.js';
import { afterWarmUp, judge, warmUpSeconds, type Judgement, type Point } from './judge.js';
import { SERIES, type Series } from './series.js';

export interface Verdict {
  series: Series;
  /** Of the first sample under load. */
  start: number;
  judgement: Judgement;
  /** It was still settling when the warm-up was over: what it did then proves nothing. */
  tooShort: boolean;
  rest: { before: number; after: number; back: boolean };
}

const SECONDS_PER_HOUR = 3_600;

export function pointsOf({ samples }: SoakResult, { name }: Series): Point[] {
  return samples.map(({ at, values }) => ({ at, value: values[name] }));
}

/** One of each series, in their order. Throws when the samples are too few to judge. */
export function verdicts(result: SoakResult): Verdict[] {
  return SERIES.map((series) => {
    const [before, after] = [result.rest.before.values[series.name], result.rest.after.values[series.name]];
    const points = pointsOf(result, series);
    return {
      series,
      start: points[0]!.value,
      judgement: judge(points, series.leastRise),
      tooShort: warmUpSeconds(points) < series.settlesS,
      rest: { before, after, back: isBack(before, after, series.atRest) },
    };
  });
}

/** What is wrong, as sentences; none: the soak is passed. */
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

/** In Markdown. Slopes with their standard errors, of the lower envelope after the warm-up. */
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

/** Seconds from the first sample to where the warm-up ends. */
export function warmUpEnd(points: readonly Point[]): number {
  return afterWarmUp(points)[0]!.at;
}

function round(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toFixed(1)));
}
