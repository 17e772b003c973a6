import type { Experiment } from '../../api/evaluation.js';
import { columnFormat, formatNumber, formatPercent } from '../../components/format.js';
import { ownProperty } from '../../shared/scores.js';

/** One measure over the experiments of a dataset, or over its versions. */
export interface TrendLine {
  name: string;
  /** Describes the values and their unit. */
  about: string;
  values: (number | null)[];
  format: (value: number) => string;
}

/** The experiments that ran on one version of the dataset. */
export interface VersionGroup {
  /** Time of the version in milliseconds. */
  at: number;
  experiments: Experiment[];
}

/** The versions that experiments ran on, oldest first. Experiments that name no version are left out. */
export function versionGroups(experiments: readonly Experiment[]): VersionGroup[] {
  const groups = new Map<number, Experiment[]>();
  for (const one of experiments) {
    const version = (one.extra?.['metadata'] as Readonly<Record<string, unknown>> | null | undefined)?.[
      'dataset_version'
    ];
    const at = typeof version === 'string' ? Date.parse(version) : NaN;
    if (!Number.isNaN(at)) groups.set(at, [...(groups.get(at) ?? []), one]);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([at, found]) => ({ at, experiments: found }));
}

/** A line for each score, the latency and the error rate. Each value is the mean of a group of experiments. */
export function trendLines(groups: readonly (readonly Experiment[])[]): TrendLine[] {
  const keys = [...new Set(groups.flat().flatMap(({ feedback_stats: stats }) => Object.keys(stats ?? {})))].sort();
  const valuesOf = (valueOf: (experiment: Experiment) => number | null): (number | null)[] =>
    groups.map((group) => mean(group.map(valueOf)));
  const line = (about: Omit<TrendLine, 'values'>, valueOf: (experiment: Experiment) => number | null): TrendLine => ({
    ...about,
    values: valuesOf(valueOf),
  });
  const scores = keys.map((key) =>
    line(
      { name: key, about: 'mean score', format: formatNumber },
      ({ feedback_stats: stats }) => ownProperty(stats, key)?.avg ?? null,
    ),
  );
  const latencies = valuesOf((one) => one.latency_p50);
  // The difference to the experiment before has the same decimals.
  const formatLatency = columnFormat(latencies);
  return [
    // Feedback with labels only has no trend.
    ...scores.filter(({ values }) => values.some((value) => value !== null)),
    { name: 'Latency p50', about: 'seconds', values: latencies, format: (value) => `${formatLatency(value)} s` },
    line({ name: 'Error rate', about: 'share of runs', format: formatPercent }, (one) => one.error_rate),
  ];
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}
