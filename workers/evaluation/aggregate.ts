import { isoMicros } from '../../src/base/micros.js';
import type { StatisticsRecord } from '../../src/store/evaluation/experiments.js';
import type { Caches } from './caches.js';
import type { KeptRun, ListFacts } from './list-facts.js';
import { jsonObject } from './records-json.js';
import { experimentStats, feedbackStats, type ExperimentStats } from './statistics.js';

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
  return {
    seq: facts.seq,
    runCount: stats.run_count,
    fields: jsonObject({
      ...stats,
      last_run_start_time: lastUs === null ? null : isoMicros(lastUs),
      last_run_start_time_live: null,
      session_feedback_stats: feedbackStats(ofExperiment.filter(({ comparative }) => !comparative)),
      run_facets: facetsOf(runs),
    }),
  };
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

/** The most frequent names, types and statuses, with the filter that selects each. */
function facetsOf(runs: readonly KeptRun[]): { key: string; value: string; query: string; n: number }[] {
  const facets: { key: string; of: (run: KeptRun) => string }[] = [
    { key: 'name', of: (run) => run.name },
    { key: 'run_type', of: (run) => run.runType },
    { key: 'status', of: statusOf },
  ];
  return facets.flatMap(({ key, of }) => {
    const counts = new Map<string, number>();
    for (const run of runs) counts.set(of(run), (counts.get(of(run)) ?? 0) + 1);
    return [...counts]
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
      .slice(0, FACET_VALUES_MAX)
      .map(([value, n]) => ({ key, value, query: `eq(${key}, ${JSON.stringify(value)})`, n }));
  });
}

export function statusOf(run: { failed: boolean; endUs: number | null }): 'error' | 'success' | 'pending' {
  return run.failed ? 'error' : run.endUs === null ? 'pending' : 'success';
}
