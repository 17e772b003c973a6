/** What an alert can watch, by its name in the API. */
export const ALERT_METRICS = [
  'run_count',
  'error_count',
  'error_rate',
  'latency_p50',
  'latency_p95',
  'latency_p99',
  'first_token_p50',
  'first_token_p95',
  'first_token_p99',
  'total_tokens',
  'total_cost',
  'feedback_score',
] as const;
export type AlertMetric = (typeof ALERT_METRICS)[number];

/** `no_data`: nothing to compare, or not checked yet. `error`: the check is not possible. */
export const ALERT_STATES = ['ok', 'firing', 'no_data', 'error'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** The runs that count, the number that is made of them, and when it is a reason to fire. */
export interface AlertCondition {
  /** Null: the projects of all assistants. */
  projectId: string | null;
  filter: string | null;
  treeFilter: string | null;
  /** True: whole traces. False: the steps inside of traces. */
  isRoot: boolean;
  metric: AlertMetric;
  /** Only for `feedback_score`. */
  feedbackKey: string | null;
  windowSeconds: number;
  operator: 'above' | 'below';
  threshold: number;
  /** With fewer runs, there is no data. */
  minimumRuns: number;
}

export interface Measurement {
  /** Null: the runs have no such number. */
  value: number | null;
  runCount: number;
}

export function stateOf(
  { operator, threshold, minimumRuns }: AlertCondition,
  { value, runCount }: Measurement,
): AlertState {
  if (value === null || runCount < minimumRuns) return 'no_data';
  return (operator === 'above' ? value > threshold : value < threshold) ? 'firing' : 'ok';
}

/** False between `ok` and `no_data`, which change often where there are few runs. */
export function isNotable(before: AlertState, after: AlertState): boolean {
  const isCalm = (state: AlertState): boolean => state === 'ok' || state === 'no_data';
  return before !== after && !(isCalm(before) && isCalm(after));
}
