import type { AlertCondition, AlertMetric, Measurement } from '../../src/domain/alert-condition.js';
import type { Caller } from '../../src/domain/caller.js';
import { visibleExperiments, type ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import type { Caches } from './caches.js';
import type { KeptRun } from './list-facts.js';
import type { QueryHandler } from './read.js';
import { quantile } from './numbers.js';
import { experimentOf } from './reads-experiments.js';
import { testOf } from './reads-runs.js';
import { jsonObject } from './records-json.js';
import { experimentStats } from './run-statistics.js';

type Params = AlertCondition & { fromUs: number; toUs: number };

/** The present value of a condition. Throws EXPERIMENT_NOT_FOUND, and INVALID_REQUEST with the place in the filter. */
const measure: QueryHandler<Params> = (caches, caller, condition) => {
  const { filter, treeFilter, isRoot, fromUs, toUs } = condition;
  const test = testOf(caches, { filter, tree_filter: treeFilter, is_root: isRoot });
  const runs: KeptRun[] = [];
  for (const experiment of projectsOf(caches, caller, condition)) {
    // The newest run is the first.
    for (const run of caches.facts(experiment.list).derived.runs) {
      if (run.startUs < fromUs) break;
      if (run.startUs <= toUs && test({ run, experiment })) runs.push(run);
    }
  }
  const measured: Measurement = { value: valueOf(runs, condition), runCount: runs.length };
  return jsonObject({ ...measured });
};

function projectsOf(caches: Caches, caller: Caller, { projectId }: AlertCondition): ExperimentRecord[] {
  if (projectId !== null) return [experimentOf(caches, caller, projectId)];
  return [...visibleExperiments(caches.reader, caller)].filter(({ assistantId }) => assistantId !== undefined);
}

const QUANTILES: Readonly<Partial<Record<AlertMetric, readonly [timeOf: (run: KeptRun) => number | null, q: number]>>> =
  {
    latency_p50: [({ endUs }) => endUs, 0.5],
    latency_p95: [({ endUs }) => endUs, 0.95],
    latency_p99: [({ endUs }) => endUs, 0.99],
    first_token_p50: [({ firstTokenUs }) => firstTokenUs, 0.5],
    first_token_p95: [({ firstTokenUs }) => firstTokenUs, 0.95],
    first_token_p99: [({ firstTokenUs }) => firstTokenUs, 0.99],
  };

/** Counts and totals of no runs are 0. Rates, times and scores of none are null. */
function valueOf(runs: readonly KeptRun[], { metric, feedbackKey }: AlertCondition): number | null {
  const timed = QUANTILES[metric];
  if (timed !== undefined) return secondsAt(runs, ...timed);
  if (metric === 'run_count') return runs.length;
  if (metric === 'error_count') return runs.filter(({ failed }) => failed).length;
  const stats = experimentStats(runs.map(countedRun));
  if (metric === 'error_rate') return stats.error_rate;
  if (metric === 'total_tokens') return stats.total_tokens ?? 0;
  if (metric === 'total_cost') return stats.total_cost ?? 0;
  const scores = stats.feedback_stats;
  return Object.hasOwn(scores, feedbackKey!) ? scores[feedbackKey!]!.avg : null;
}

/** Statistics count root runs. Feedback of pairwise comparisons does not count. */
function countedRun(run: KeptRun): KeptRun {
  return { ...run, root: true, feedback: run.feedback.filter(({ comparative }) => !comparative) };
}

function secondsAt(runs: readonly KeptRun[], timeOf: (run: KeptRun) => number | null, q: number): number | null {
  const seconds: number[] = [];
  for (const run of runs) {
    const atUs = timeOf(run);
    if (atUs !== null) seconds.push((atUs - run.startUs) / 1e6);
  }
  return seconds.length === 0 ? null : quantile(Float64Array.from(seconds).sort(), q);
}

export const alertReads = { 'alerts.measure': measure };
