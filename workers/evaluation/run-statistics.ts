import { USAGE_FIELDS, type Usage } from '../../src/domain/usage.js';
import {
  addFeedback,
  feedbackStatsOf,
  mergedTallies,
  type FeedbackFact,
  type FeedbackStats,
  type FeedbackTally,
} from './feedback-statistics.js';
import { pushFinite, quantileOfAll, sorted, totalOrNull } from './numbers.js';

/**
 * Statistics of an experiment or another set of runs: counts, rates, sums, percentiles, and the feedback per key.
 * Larger numbers than JSON can have become the largest double.
 */

/** The parts of a run that statistics use. Times are microseconds of one clock. Missing values are null. */
export interface RunFact extends Usage {
  startUs: number;
  endUs: number | null;
  /** True if the run has an error text. */
  failed: boolean;
  root: boolean;
  firstTokenUs: number | null;
  feedback: readonly FeedbackFact[];
}

/** All times are in seconds, except `last_run_start_us`. Null means that no run has the value. */
export interface ExperimentStats {
  run_count: number;
  latency_p50: number | null;
  latency_p99: number | null;
  first_token_p50: number | null;
  first_token_p99: number | null;
  total_tokens: number | null;
  prompt_tokens: number | null;
  completion_tokens: number | null;
  total_cost: number | null;
  prompt_cost: number | null;
  completion_cost: number | null;
  last_run_start_us: number | null;
  feedback_stats: Record<string, FeedbackStats>;
  error_rate: number | null;
  /**
   * Null instead of 0 when no run has a first token, because then it is unknown whether any run should have
   * streamed.
   */
  streaming_rate: number | null;
}

/** Values of some of the runs, from which statistics of all are computed. */
export interface RunTotals {
  /** Number of root runs. */
  roots: number;
  failed: number;
  lastStartUs: number | null;
  /** In seconds, ascending. */
  latencies: Float64Array;
  firstTokens: Float64Array;
  usage: Usage;
  feedback: ReadonlyMap<string, FeedbackTally>;
}

const US_PER_S = 1e6;

/**
 * Everything except feedback counts only root runs, because a root's tokens and costs include those of its
 * children.
 */
export function totalsOf(runs: Iterable<RunFact>): RunTotals {
  const totals = new TotalsBuilder();
  for (const run of runs) totals.add(run);
  return totals.finish();
}

/** Adds up runs one at a time. */
export class TotalsBuilder {
  readonly #latencies: number[] = [];
  readonly #firstTokens: number[] = [];
  /** In the order of USAGE_FIELDS. */
  readonly #usage = USAGE_FIELDS.map(() => [] as number[]);
  readonly #feedback = new Map<string, FeedbackTally>();
  #roots = 0;
  #failed = 0;
  #lastStartUs: number | null = null;

  get roots(): number {
    return this.#roots;
  }

  add(run: RunFact): void {
    const { startUs, endUs, firstTokenUs } = run;
    for (const fact of run.feedback) addFeedback(this.#feedback, fact);
    if (!run.root) return;
    this.#roots += 1;
    if (run.failed) this.#failed += 1;
    if (this.#lastStartUs === null || startUs > this.#lastStartUs) this.#lastStartUs = startUs;
    if (endUs !== null) this.#latencies.push((endUs - startUs) / US_PER_S);
    if (firstTokenUs !== null) this.#firstTokens.push((firstTokenUs - startUs) / US_PER_S);
    for (let at = 0; at < USAGE_FIELDS.length; at += 1) pushFinite(this.#usage[at]!, run[USAGE_FIELDS[at]!]);
  }

  finish(): RunTotals {
    return {
      roots: this.#roots,
      failed: this.#failed,
      lastStartUs: this.#lastStartUs,
      latencies: sorted(this.#latencies),
      firstTokens: sorted(this.#firstTokens),
      usage: Object.fromEntries(USAGE_FIELDS.map((field, at) => [field, totalOrNull(this.#usage[at]!)])) as Usage,
      feedback: this.#feedback,
    };
  }
}

/** Statistics of all runs whose totals these are, the newest first. */
export function statsOfTotals(totals: readonly RunTotals[]): ExperimentStats {
  let roots = 0,
    failed = 0,
    streamed = 0;
  let lastStartUs: number | null = null;
  for (const part of totals) {
    roots += part.roots;
    failed += part.failed;
    streamed += part.firstTokens.length;
    if (part.lastStartUs !== null && (lastStartUs === null || part.lastStartUs > lastStartUs))
      lastStartUs = part.lastStartUs;
  }
  const quantileOf = (values: (part: RunTotals) => Float64Array, q: number): number | null =>
    quantileOfAll(totals.map(values), q);
  const latencies = (part: RunTotals): Float64Array => part.latencies;
  const firstTokens = (part: RunTotals): Float64Array => part.firstTokens;
  return {
    run_count: roots,
    latency_p50: quantileOf(latencies, 0.5),
    latency_p99: quantileOf(latencies, 0.99),
    first_token_p50: quantileOf(firstTokens, 0.5),
    first_token_p99: quantileOf(firstTokens, 0.99),
    total_tokens: sumOf(totals, 'totalTokens'),
    prompt_tokens: sumOf(totals, 'promptTokens'),
    completion_tokens: sumOf(totals, 'completionTokens'),
    total_cost: sumOf(totals, 'totalCost'),
    prompt_cost: sumOf(totals, 'promptCost'),
    completion_cost: sumOf(totals, 'completionCost'),
    last_run_start_us: lastStartUs,
    feedback_stats: feedbackStatsOf(mergedTallies(totals.map(({ feedback }) => feedback))),
    error_rate: roots === 0 ? null : failed / roots,
    streaming_rate: streamed === 0 ? null : streamed / roots,
  };
}

export function experimentStats(runs: Iterable<RunFact>): ExperimentStats {
  return statsOfTotals([totalsOf(runs)]);
}

/** Null if no part has a value. */
function sumOf(totals: readonly RunTotals[], field: keyof Usage): number | null {
  return totalOrNull(totals.map(({ usage }) => usage[field]).filter((value) => value !== null));
}
