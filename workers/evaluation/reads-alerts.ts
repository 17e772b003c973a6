import type { AlertCondition, AlertMetric, Measurement } from '../../src/domain/alert-condition.js';
import type { Caller } from '../../src/domain/caller.js';
import { visibleExperiments, type ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import { withoutComparative } from './aggregate.js';
import type { Caches } from './caches.js';
import { quantileOrNull } from './numbers.js';
import type { QueryHandler } from './read.js';
import { experimentOf } from './reads-experiments.js';
import { testOf } from './reads-runs.js';
import { jsonObject } from './records-json.js';
import { rootFacts } from './root-facts.js';
import { statsOfTotals, totalsOf, type RunFact, type RunTotals } from './run-statistics.js';
import { runsInOrder } from './runs-in-order.js';

type Params = AlertCondition & { fromUs: number; toUs: number };

/** The present value of a condition. Throws EXPERIMENT_NOT_FOUND, and INVALID_REQUEST with the place in the filter. */
const measure: QueryHandler<Params> = (caches, caller, condition) => {
  const totals = totalsOf(countedRuns(caches, caller, condition));
  const measured: Measurement = { value: valueOf(totals, condition), runCount: totals.roots };
  return jsonObject({ ...measured });
};

/** All selected runs count like roots. */
function* countedRuns(caches: Caches, caller: Caller, condition: Params): Generator<RunFact> {
  const { filter, treeFilter, isRoot, fromUs, toUs, feedbackKey } = condition;
  const projects = projectsOf(caches, caller, condition);
  if (isRoot && filter === null && treeFilter === null && feedbackKey === null) {
    yield* rootFacts(caches, projects, { fromUs, toUs });
    return;
  }
  const test = testOf(caches, { filter, tree_filter: treeFilter, is_root: isRoot });
  for (const one of runsInOrder(caches, projects, { fromUs, toUs }))
    if (test(one)) yield { ...withoutComparative(one.run), root: true };
}

function projectsOf(caches: Caches, caller: Caller, { projectId }: AlertCondition): ExperimentRecord[] {
  if (projectId !== null) return [experimentOf(caches, caller, projectId)];
  return [...visibleExperiments(caches.reader, caller)].filter(({ assistantId }) => assistantId !== undefined);
}

const QUANTILES: Readonly<Partial<Record<AlertMetric, readonly [times: 'latencies' | 'firstTokens', q: number]>>> = {
  latency_p50: ['latencies', 0.5],
  latency_p95: ['latencies', 0.95],
  latency_p99: ['latencies', 0.99],
  first_token_p50: ['firstTokens', 0.5],
  first_token_p95: ['firstTokens', 0.95],
  first_token_p99: ['firstTokens', 0.99],
};

/** Counts and totals of no runs are 0. Rates, times and scores of none are null. */
function valueOf(totals: RunTotals, { metric, feedbackKey }: AlertCondition): number | null {
  const quantile = QUANTILES[metric];
  if (quantile !== undefined) return quantileOrNull(totals[quantile[0]], quantile[1]);
  if (metric === 'run_count') return totals.roots;
  if (metric === 'error_count') return totals.failed;
  const stats = statsOfTotals([totals]);
  if (metric === 'error_rate') return stats.error_rate;
  if (metric === 'total_tokens') return stats.total_tokens ?? 0;
  if (metric === 'total_cost') return stats.total_cost ?? 0;
  const scores = stats.feedback_stats;
  return Object.hasOwn(scores, feedbackKey!) ? scores[feedbackKey!]!.avg : null;
}

export const alertReads = { 'alerts.measure': measure };
