import { USAGE_FIELDS } from '../../src/domain/usage.js';
import { ROOT_COLUMNS, type StatisticsParts, type StoredTally } from '../../src/store/evaluation/experiments.js';
import { Facets } from './facets.js';
import type { FeedbackTally } from './feedback-statistics.js';
import type { RunFact, RunTotals } from './run-statistics.js';

/** What the statistics of an experiment or project are computed from. A project has one for each of its lists. */
export interface ListTotals {
  totals: RunTotals;
  /** Feedback on the experiment as a whole. */
  ofExperiment: ReadonlyMap<string, FeedbackTally>;
  facets: Facets;
}

/** A root run without its feedback. */
export type RootFact = Omit<RunFact, 'feedback' | 'root'>;

/** `roots`: newest first. */
export function packRoots(roots: readonly RootFact[]): Uint8Array {
  const columns = new Float64Array(roots.length * ROOT_COLUMNS.length);
  ROOT_COLUMNS.forEach((name, column) => {
    for (const [at, root] of roots.entries()) columns[column * roots.length + at] = Number(root[name] ?? NaN);
  });
  return new Uint8Array(columns.buffer);
}

/** The root runs that started between the bounds, newest first. */
export function* rootsOf({ roots }: StatisticsParts, fromUs = -Infinity, toUs = Infinity): Generator<RunFact> {
  // The bytes are a view at any offset, and doubles need a multiple of eight.
  const columns = new Float64Array(new Uint8Array(roots).buffer);
  const count = columns.length / ROOT_COLUMNS.length;
  const column = (name: (typeof ROOT_COLUMNS)[number]): Float64Array => {
    const at = ROOT_COLUMNS.indexOf(name);
    return columns.subarray(at * count, (at + 1) * count);
  };
  const [startUs, endUs, firstTokenUs, failed] = [
    column('startUs'),
    column('endUs'),
    column('firstTokenUs'),
    column('failed'),
  ];
  const usage = USAGE_FIELDS.map((field) => [field, column(field)] as const);
  for (let at = 0; at < count; at += 1) {
    if (startUs[at]! > toUs) continue;
    if (startUs[at]! < fromUs) return;
    const run: RunFact = {
      startUs: startUs[at]!,
      endUs: orNull(endUs[at]!),
      firstTokenUs: orNull(firstTokenUs[at]!),
      failed: failed[at] === 1,
      root: true,
      promptTokens: null,
      completionTokens: null,
      totalTokens: null,
      promptCost: null,
      completionCost: null,
      totalCost: null,
      feedback: [],
    };
    for (const [field, values] of usage) run[field] = orNull(values[at]!);
    yield run;
  }
}

function orNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

export function packTallies(tallies: ReadonlyMap<string, FeedbackTally>): StoredTally[] {
  return [...tallies].map(([key, { labels, sources, ...tally }]) => ({
    key,
    ...tally,
    labels: [...labels],
    sources: [...sources],
  }));
}

export function unpackTallies(stored: readonly StoredTally[]): Map<string, FeedbackTally> {
  return new Map(
    stored.map(({ key, labels, sources, ...tally }) => [
      key,
      { ...tally, labels: new Map(labels), sources: new Set(sources) },
    ]),
  );
}

export function unpackFacets({ facets }: StatisticsParts): Facets {
  return new Facets(Object.entries(facets));
}
