/** Reads metrics from `/metrics?format=json`. */

interface Value {
  value: number;
  labels: Readonly<Record<string, string | number>>;
  metricName?: string;
}
interface Metric {
  name: string;
  values: readonly Value[];
}
export interface MetricsResponse {
  metrics: readonly Metric[];
}

/** A histogram: for each bound in seconds, the number of values at or below it. */
export interface Histogram {
  bounds: readonly number[];
  counts: readonly number[];
  count: number;
  sum: number;
}

export const METRIC_NAMES = [
  'threadmill_runs_started_total',
  'threadmill_runs_ended_total',
  'threadmill_run_retries_total',
  'threadmill_runs_running',
  'threadmill_runs_queued',
  'threadmill_runs_waiting',
  'threadmill_run_queue_wait_seconds',
  'threadmill_run_duration_seconds',
  'threadmill_workers_silent',
  'threadmill_workers_lost_total',
  'threadmill_worker_runs',
  'threadmill_event_loop_delay_seconds',
  'threadmill_heap_bytes',
  'threadmill_memory_resident_bytes',
  'threadmill_cpu_seconds_total',
  'threadmill_stream_readers',
  'threadmill_websockets_open',
  'threadmill_sockets_open',
  'threadmill_http_requests_total',
  'threadmill_store_file_bytes',
  'threadmill_store_disk_free_bytes',
  'threadmill_store_commit_seconds',
  'threadmill_store_commits_pending',
  'threadmill_store_failed',
  'threadmill_evaluation_tasks_waiting',
  'threadmill_evaluation_statistics_waiting',
] as const;
export type MetricName = (typeof METRIC_NAMES)[number];

/** Metrics at one moment. */
export class MetricsSample {
  readonly atMs: number;
  readonly #metrics: ReadonlyMap<string, Metric>;

  constructor(answer: MetricsResponse, atMs: number) {
    this.atMs = atMs;
    this.#metrics = new Map(answer.metrics.map((metric) => [metric.name, metric]));
  }

  /** Sum of all values with these labels. */
  sum(name: MetricName, labels: Readonly<Record<string, string>> = {}): number {
    return this.#values(name)
      .filter((one) => hasLabels(one, labels))
      .reduce((total, { value }) => total + value, 0);
  }

  /** Distinct values of a label, sorted. */
  labels(name: MetricName, label: string): string[] {
    return [...new Set(this.#values(name).map(({ labels }) => String(labels[label] ?? '')))]
      .filter((value) => value !== '')
      .toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  }

  /** A histogram, summed over all rows with these labels. */
  histogram(name: MetricName, labels: Readonly<Record<string, string>> = {}): Histogram {
    const below = new Map<number, number>();
    let [sum, count] = [0, 0];
    for (const one of this.#values(name)) {
      if (!hasLabels(one, labels)) continue;
      if (one.metricName?.endsWith('_sum')) sum += one.value;
      else if (one.metricName?.endsWith('_count')) count += one.value;
      else if (one.labels['le'] !== '+Inf')
        below.set(Number(one.labels['le']), (below.get(Number(one.labels['le'])) ?? 0) + one.value);
    }
    const bounds = [...below.keys()].toSorted((a, b) => a - b);
    return { bounds, counts: bounds.map((bound) => below.get(bound)!), count, sum };
  }

  #values(name: string): readonly Value[] {
    return this.#metrics.get(name)?.values ?? [];
  }
}

/** Values since an earlier moment, or all values if the server was restarted in between. */
export function histogramSince(now: Histogram, before: Histogram | null): Histogram {
  if (before === null || before.count > now.count || before.bounds.length !== now.bounds.length) return now;
  return {
    bounds: now.bounds,
    counts: now.counts.map((count, at) => count - before.counts[at]!),
    count: now.count - before.count,
    sum: now.sum - before.sum,
  };
}

/** Upper bound of a quantile in seconds. Null without values, Infinity above the last bound. */
export function quantile({ bounds, counts, count }: Histogram, share: number): number | null {
  if (count <= 0) return null;
  const target = share * count;
  const at = counts.findIndex((one) => one >= target);
  return at === -1 ? Number.POSITIVE_INFINITY : bounds[at]!;
}

function hasLabels({ labels }: Value, expected: Readonly<Record<string, string>>): boolean {
  return Object.entries(expected).every(([name, value]) => String(labels[name]) === value);
}
