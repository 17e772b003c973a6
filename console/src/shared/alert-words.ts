import type { Alert, AlertCondition, AlertMetric, AlertState } from '../api/alerts.js';
import type { BadgeVariant } from '../components/badge.js';
import { formatDuration, formatNumber, formatPercent, pluralize } from '../components/format.js';
import { consoleHref } from '../components/console-href.js';

/** How a metric is named and written. `scale`: how much larger the shown number is than that of the API. */
interface MetricWords {
  name: string;
  unit: string;
  scale: number;
}

const COUNT = { unit: '', scale: 1 };
const SECONDS = { unit: 'seconds', scale: 1 };

export const METRICS: Readonly<Record<AlertMetric, MetricWords>> = {
  error_rate: { name: 'Error rate', unit: '%', scale: 100 },
  error_count: { name: 'Number of errors', ...COUNT },
  run_count: { name: 'Number of runs', ...COUNT },
  latency_p50: { name: 'Median latency', ...SECONDS },
  latency_p95: { name: '95th percentile of latency', ...SECONDS },
  latency_p99: { name: '99th percentile of latency', ...SECONDS },
  first_token_p50: { name: 'Median time to first token', ...SECONDS },
  first_token_p95: { name: '95th percentile of time to first token', ...SECONDS },
  first_token_p99: { name: '99th percentile of time to first token', ...SECONDS },
  total_tokens: { name: 'Tokens in total', ...COUNT },
  total_cost: { name: 'Cost in total', unit: 'US dollars', scale: 1 },
  feedback_score: { name: 'Average score', ...COUNT },
};

export function formatAlertValue(metric: AlertMetric, value: number | null): string {
  if (value === null) return '–';
  if (metric === 'error_rate') return formatPercent(value);
  if (METRICS[metric].unit === 'seconds') return formatDuration(value * 1_000);
  return metric === 'total_cost' ? `$${formatNumber(value)}` : formatNumber(value);
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** "15 minutes", "1 hour". */
export function formatPeriod(seconds: number): string {
  const unit = UNITS.find(([, size]) => seconds % size === 0);
  return unit === undefined ? pluralize(seconds, 'second') : pluralize(seconds / unit[1], unit[0]);
}

/** "Error rate of answers above 5 % over 15 minutes". */
export function describeCondition(condition: AlertCondition, projectName: string | null): string {
  const { metric, feedback_key: key, project_id: id, operator, threshold, window_seconds: seconds } = condition;
  const what = metric === 'feedback_score' ? `Average score “${key ?? ''}”` : METRICS[metric].name;
  const where = id === null ? 'all assistants' : (projectName ?? 'a deleted project');
  return `${what} of ${where} ${operator} ${formatAlertValue(metric, threshold)} over ${formatPeriod(seconds)}`;
}

const STATES: Readonly<Record<AlertState, readonly [name: string, variant: BadgeVariant]>> = {
  firing: ['Firing', 'bad'],
  error: ['Not checked', 'warn'],
  ok: ['OK', 'good'],
  no_data: ['No data', 'neutral'],
};

export function stateWords(state: AlertState): readonly [name: string, variant: BadgeVariant] {
  return STATES[state];
}

const ORDER: readonly AlertState[] = ['firing', 'error', 'ok', 'no_data'];

/** Those that need attention first, disabled ones last. */
export function byUrgency(one: Alert, other: Alert): number {
  const rank = ({ is_enabled: enabled, state }: Alert): number => (enabled ? ORDER.indexOf(state) : ORDER.length);
  return rank(one) - rank(other) || one.name.localeCompare(other.name);
}

/** The list of the traces that count. The filter of steps finds the traces that contain them. */
export function tracesHref(condition: AlertCondition, nowMs = Date.now()): string {
  const { project_id: project, filter, tree_filter: ofTree, is_root: isRoot, metric } = condition;
  const query: Record<string, string | null> = {
    project,
    filter: isRoot ? filter : null,
    tree_filter: isRoot ? ofTree : (filter ?? ofTree),
    from: new Date(nowMs - condition.window_seconds * 1_000).toISOString(),
    errors: isRoot && (metric === 'error_rate' || metric === 'error_count') ? 'only' : null,
  };
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null);
  return consoleHref('/traces', Object.fromEntries(given));
}
