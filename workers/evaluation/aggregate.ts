import type { JsonBytes } from '../../src/base/json/json.js';
import { isoMicros } from '../../src/base/micros.js';
import type { StatisticsRecord } from '../../src/store/evaluation/experiments.js';
import type { Caches } from './caches.js';
import type { KeptRun, ListFacts } from './list-facts.js';
import { jsonObject } from './records-json.js';
import { experimentStats, feedbackStats, type ExperimentStats, type FeedbackFact } from './statistics.js';

/** Number of values per facet. */
const FACET_VALUES_MAX = 10;

/**
 * Computes the statistics of a list; `seq` is the change they include. Feedback of pairwise comparisons does
 * not count.
 */
export function statisticsOf(caches: Caches, list: number): StatisticsRecord {
  const facts = caches.facts(list);
  const { runs, ofExperiment } = facts.derived;
  const { last_run_start_us: lastUs, ...stats } = statsOf(facts);
  const facets = new Facets();
  for (const run of runs) facets.add(run);
  return {
    seq: facts.seq,
    runCount: stats.run_count,
    fields: statisticsFields({
      stats,
      lastUs,
      ofExperiment: ofExperiment.filter(({ comparative }) => !comparative),
      facets,
    }),
  };
}

/** The stored form of statistics. */
export function statisticsFields({
  stats,
  lastUs,
  ofExperiment,
  facets,
}: {
  stats: Omit<ExperimentStats, 'last_run_start_us'>;
  lastUs: number | null;
  /** Feedback on the experiment as a whole, newest first. */
  ofExperiment: readonly FeedbackFact[];
  facets: Facets;
}): JsonBytes {
  return jsonObject({
    ...stats,
    last_run_start_time: lastUs === null ? null : isoMicros(lastUs),
    last_run_start_time_live: null,
    session_feedback_stats: feedbackStats(ofExperiment),
    run_facets: facets.json(),
  });
}

const known = new WeakMap<object, ExperimentStats>();

/** Computed once for every state of the list. */
export function statsOf(facts: ListFacts): ExperimentStats {
  const { derived } = facts;
  let stats = known.get(derived);
  if (stats === undefined) {
    stats = experimentStats(derived.runs.map(withoutComparative));
    known.set(derived, stats);
  }
  return stats;
}

function withoutComparative(run: KeptRun): KeptRun {
  return run.feedback.some(({ comparative }) => comparative)
    ? { ...run, feedback: run.feedback.filter(({ comparative }) => !comparative) }
    : run;
}

/** Counts names, types and statuses of runs. */
export class Facets {
  readonly #counts = { name: new Map<string, number>(), run_type: new Map(), status: new Map() };

  add(run: { name: string; runType: string; failed: boolean; endUs: number | null }): void {
    const { name, run_type: runType, status } = this.#counts;
    increment(name, run.name);
    increment(runType, run.runType);
    increment(status, statusOf(run));
  }

  /** The most frequent ones, with the filter that selects each. */
  json(): { key: string; value: string; query: string; n: number }[] {
    return Object.entries<Map<string, number>>(this.#counts).flatMap(([key, counts]) =>
      [...counts]
        .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
        .slice(0, FACET_VALUES_MAX)
        .map(([value, n]) => ({ key, value, query: `eq(${key}, ${JSON.stringify(value)})`, n })),
    );
  }
}

function increment(counts: Map<string, number>, value: string): void {
  counts.set(value, (counts.get(value) ?? 0) + 1);
}

export function statusOf(run: { failed: boolean; endUs: number | null }): 'error' | 'success' | 'pending' {
  return run.failed ? 'error' : run.endUs === null ? 'pending' : 'success';
}
