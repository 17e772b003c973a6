import { assert } from '../../src/base/assert.js';
import { setOwn } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { USAGE_FIELDS, type Usage, type UsageField } from '../../src/domain/usage.js';

/**
 * Statistics of an experiment or another set of runs: counts, rates, sums, percentiles, and the feedback per
 * key. All resulting numbers are finite and never -0, so that JSON preserves them. Larger values become the
 * largest double.
 */

/** The parts of a feedback record that statistics use. */
export interface FeedbackFact {
  key: string;
  /** A finite number, with booleans converted to 1 and 0; null without a score. */
  score: number | null;
  /** Label of a categorical `value`; null without one. */
  label: string | null;
  comment: string | null;
  /** True if the evaluator failed. */
  error: boolean;
  source: string | null;
}

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

/** Statistics of the feedback with one key. Null means too few scores. The names are those of the API. */
export interface FeedbackStats {
  /** Number of feedback records, including those without a score. */
  n: number;
  avg: number | null;
  /** Sample deviation (n - 1), so null for fewer than two scores. */
  stdev: number | null;
  min: number | null;
  max: number | null;
  median: number | null;
  errors: number;
  /** Count per label. Only the first labels are counted if there are more than the limit. */
  values: Record<string, number>;
  /** The first ten comments that are not empty. */
  comments: string[];
  /** Distinct sources in order of appearance. */
  sources: string[];
  contains_thread_feedback: false;
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

type Numbers = Float64Array | readonly number[];

/** A summary contains only a few comments. Clients can list the feedback to get all. */
const COMMENTS_MAX = 10;
const US_PER_S = 1e6;

/**
 * Everything except feedback counts only root runs, because a root's tokens and costs include those of its
 * children.
 */
export function experimentStats(runs: Iterable<RunFact>): ExperimentStats {
  const latencies: number[] = [],
    firstTokens: number[] = [];
  const usage = new Map(USAGE_FIELDS.map((field) => [field, [] as number[]]));
  const tallies = new Map<string, KeyFeedback>();
  let roots = 0,
    failed = 0;
  let lastStartUs: number | null = null;
  for (const run of runs) {
    for (const fact of run.feedback) addFeedback(tallies, fact);
    if (!run.root) continue;
    roots += 1;
    if (run.failed) failed += 1;
    if (lastStartUs === null || run.startUs > lastStartUs) lastStartUs = run.startUs;
    if (run.endUs !== null) latencies.push((run.endUs - run.startUs) / US_PER_S);
    if (run.firstTokenUs !== null) firstTokens.push((run.firstTokenUs - run.startUs) / US_PER_S);
    for (const [field, values] of usage) pushFinite(values, run[field]);
  }
  const latency = sorted(latencies),
    firstToken = sorted(firstTokens);
  const totalOf = (field: UsageField): number | null => totalOrNull(usage.get(field)!);
  return {
    run_count: roots,
    latency_p50: quantileOrNull(latency, 0.5),
    latency_p99: quantileOrNull(latency, 0.99),
    first_token_p50: quantileOrNull(firstToken, 0.5),
    first_token_p99: quantileOrNull(firstToken, 0.99),
    total_tokens: totalOf('totalTokens'),
    prompt_tokens: totalOf('promptTokens'),
    completion_tokens: totalOf('completionTokens'),
    total_cost: totalOf('totalCost'),
    prompt_cost: totalOf('promptCost'),
    completion_cost: totalOf('completionCost'),
    last_run_start_us: lastStartUs,
    feedback_stats: summaries(tallies),
    error_rate: roots === 0 ? null : failed / roots,
    streaming_rate: firstTokens.length === 0 ? null : firstTokens.length / roots,
  };
}

/** Statistics per key, in order of appearance. Keys are own properties, whatever their names. */
export function feedbackStats(facts: Iterable<FeedbackFact>): Record<string, FeedbackStats> {
  const tallies = new Map<string, KeyFeedback>();
  for (const fact of facts) addFeedback(tallies, fact);
  return summaries(tallies);
}

/** Values collected in one pass over a key's feedback. All scores are kept, because the median needs them. */
interface KeyFeedback {
  n: number;
  errors: number;
  scores: number[];
  labels: Map<string, number>;
  comments: string[];
  sources: Set<string>;
}

function addFeedback(tallies: Map<string, KeyFeedback>, fact: FeedbackFact): void {
  let tally = tallies.get(fact.key);
  if (tally === undefined) {
    tally = { n: 0, errors: 0, scores: [], labels: new Map(), comments: [], sources: new Set() };
    tallies.set(fact.key, tally);
  }
  tally.n += 1;
  if (fact.error) tally.errors += 1;
  pushFinite(tally.scores, fact.score);
  if (fact.label !== null && (tally.labels.size < LIMITS.labelsMax || tally.labels.has(fact.label)))
    tally.labels.set(fact.label, (tally.labels.get(fact.label) ?? 0) + 1);
  if (tally.comments.length < COMMENTS_MAX) {
    const { comment } = fact;
    if (comment !== null && comment !== '') tally.comments.push(comment);
  }
  if (fact.source !== null) tally.sources.add(fact.source);
}

function summaries(tallies: Map<string, KeyFeedback>): Record<string, FeedbackStats> {
  const stats: Record<string, FeedbackStats> = {};
  for (const [key, tally] of tallies) setOwn(stats, key, summary(tally));
  return stats;
}

function summary(tally: KeyFeedback): FeedbackStats {
  const scores = sorted(tally.scores);
  const avg = scores.length === 0 ? null : mean(scores);
  const values: Record<string, number> = {};
  for (const [label, count] of tally.labels) setOwn(values, label, count);
  return {
    n: tally.n,
    avg,
    stdev: avg === null || scores.length < 2 ? null : deviation(scores, avg),
    min: scores[0] ?? null,
    max: scores.at(-1) ?? null,
    median: quantileOrNull(scores, 0.5),
    errors: tally.errors,
    values,
    comments: tally.comments,
    sources: [...tally.sources],
    contains_thread_feedback: false,
  };
}

/**
 * Interpolates linearly between the closest ranks. `sorted` must be ascending and not empty, `q` from 0 to 1.
 * The result is never outside the two ranks.
 */
export function quantile(sorted: Numbers, q: number): number {
  assert(sorted.length > 0 && q >= 0 && q <= 1, 'a quantile is of something and from 0 to 1');
  const rank = (sorted.length - 1) * q;
  const below = Math.floor(rank);
  const low = sorted[below]!,
    high = sorted[Math.ceil(rank)]!,
    part = rank - below;
  const gap = high - low;
  // The gap of two huge values with opposite signs overflows. The weighted sum does not, but is inexact when
  // both ranks are equal.
  const between = Number.isFinite(gap) ? low + gap * part : low * (1 - part) + high * part;
  return finite(Math.min(Math.max(between, low), high));
}

/**
 * Arithmetic mean of finite numbers; not empty. The result is never outside their range, so equal values have
 * exactly themselves as mean.
 */
export function mean(values: Numbers): number {
  assert(values.length > 0, 'a mean is of something');
  let min = values[0]!,
    max = min;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const scale = scaleFor(Math.max(-min, max));
  return finite(Math.min(Math.max(scaledSum(values, scale) / values.length / scale, min), max));
}

/** Makes a number representable in JSON: 0 for -0, and the largest double for anything larger. */
export function finite(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE) + 0;
}

/**
 * A power of two that scales `size` to about 1. Sums and squares of scaled values cannot overflow, and the
 * scaling causes no relevant rounding.
 */
export function scaleFor(size: number): number {
  // Up to 2 ** 1000, the power and its inverse are both normal doubles. Larger values need no more scaling.
  return size === 0 ? 1 : 2 ** -Math.min(Math.max(Math.floor(Math.log2(size)), -1000), 1000);
}

/** Sample deviation of at least two ascending values. Uses two passes and corrects the rounding error of the mean. */
function deviation(sorted: Float64Array, mean: number): number {
  const scale = scaleFor(Math.max(-sorted[0]!, sorted.at(-1)!));
  const center = mean * scale;
  let squares = 0,
    rest = 0;
  for (const value of sorted) {
    const apart = value * scale - center;
    squares += apart * apart;
    rest += apart;
  }
  const variance = Math.max(0, squares - (rest * rest) / sorted.length) / (sorted.length - 1);
  return finite(Math.sqrt(variance) / scale);
}

/** Sum of values times scale, with Neumaier's compensation: a hundred thousand costs of one cent add up exactly. */
function scaledSum(values: Numbers, scale: number): number {
  let sum = 0,
    lost = 0;
  for (const value of values) {
    const term = value * scale,
      next = sum + term;
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  }
  return sum + lost;
}

function totalOrNull(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  let size = 0;
  for (const value of values) size = Math.max(size, Math.abs(value));
  const scale = scaleFor(size);
  return finite(scaledSum(values, scale) / scale);
}

function quantileOrNull(sorted: Float64Array, q: number): number | null {
  return sorted.length === 0 ? null : quantile(sorted, q);
}

/** A typed array sorts numerically, and several times faster than with a comparator. */
function sorted(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}

function pushFinite(column: number[], value: number | null): void {
  if (value !== null && Number.isFinite(value)) column.push(value + 0);
}
