import { Badge } from '../../components/badge.js';
import { formatBytes, formatCount, formatDuration, formatNumber, pluralize } from '../../components/format.js';
import { ErrorNote, Loading, Note } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import { Trend } from '../../components/trend.js';
import {
  quantile,
  histogramSince,
  type MetricName,
  type MetricsSample,
  type Histogram,
} from '../../shared/server-metrics.js';
import { useMetrics } from './use-metrics.js';
import styles from './server.module.css';

/** Number of samples over which rates and histograms are computed: half a minute. */
const WINDOW_SAMPLES = 15;

/** Load of runs, workers, threads and the store, now and over the last minutes. */
export function Load() {
  const { history, error, refetch } = useMetrics();
  const now = history.at(-1);
  if (now === undefined) return error === null ? <Loading /> : <ErrorNote error={error} onRetry={refetch} />;
  const before = history.at(-1 - WINDOW_SAMPLES) ?? history[0]!;
  const series = (value: (figures: MetricsSample, at: number) => number | null): (number | null)[] =>
    history.map(value);
  const rate =
    (name: MetricName) =>
    (figures: MetricsSample, at: number): number | null => {
      const earlier = history[at - 1];
      return earlier === undefined
        ? null
        : Math.max(0, (figures.sum(name) - earlier.sum(name)) / ((figures.atMs - earlier.atMs) / 1_000));
    };
  const cpu = rate('threadmill_cpu_seconds_total');
  const tiles: { name: string; text: string; values: (number | null)[]; format?: (value: number) => string }[] = [
    {
      name: 'Running',
      text: formatCount(now.sum('threadmill_runs_running')),
      values: series((one) => one.sum('threadmill_runs_running')),
    },
    {
      name: 'Queued for a worker',
      text: formatCount(now.sum('threadmill_runs_queued')),
      values: series((one) => one.sum('threadmill_runs_queued')),
    },
    {
      name: 'Waiting for other reasons',
      text: formatCount(now.sum('threadmill_runs_waiting')),
      values: series((one) => one.sum('threadmill_runs_waiting')),
    },
    {
      name: 'Runs per second',
      text: lastValue(series(rate('threadmill_runs_ended_total'))),
      values: series(rate('threadmill_runs_ended_total')),
    },
    {
      name: 'Requests per second',
      text: lastValue(series(rate('threadmill_http_requests_total'))),
      values: series(rate('threadmill_http_requests_total')),
    },
    { name: 'CPU cores in use', text: lastValue(series(cpu)), values: series(cpu) },
    {
      name: 'Memory',
      text: formatBytes(now.sum('threadmill_memory_resident_bytes')),
      values: series((one) => one.sum('threadmill_memory_resident_bytes')),
      format: formatBytes,
    },
    {
      name: 'Open streams',
      text: formatCount(now.sum('threadmill_stream_readers') + now.sum('threadmill_websockets_open')),
      values: series((one) => one.sum('threadmill_stream_readers') + one.sum('threadmill_websockets_open')),
    },
  ];
  const commits = histogramSince(
    now.histogram('threadmill_store_commit_seconds'),
    before.histogram('threadmill_store_commit_seconds'),
  );
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={refetch} />}
      {now.sum('threadmill_store_failed') === 0 ? null : (
        <Note variant="warn">
          A commit has failed and the server rejects all writes. Check the disk, then restart the server.
        </Note>
      )}
      <div className={styles['tiles']}>
        {tiles.map(({ name, text, values, format }) => (
          <div key={name} className={styles['tile']}>
            <div className={styles['tileName']}>{name}</div>
            <div className={styles['tileValue']}>{text}</div>
            <Trend label={name} values={values} width={150} height={32} {...(format === undefined ? {} : { format })} />
          </div>
        ))}
      </div>
      <Panel title="Runs by graph" flush>
        <Table
          label="Runs by graph"
          items={now.labels('threadmill_runs_running', 'graph')}
          idOf={(graph) => graph}
          empty={<p className={styles['none']}>No runs since the server was started.</p>}
          columns={[
            { id: 'graph', name: 'Graph', cell: (graph) => graph },
            {
              id: 'running',
              name: 'Running',
              numbers: true,
              cell: (graph) => formatCount(now.sum('threadmill_runs_running', { graph })),
            },
            {
              id: 'queued',
              name: 'Queued',
              numbers: true,
              cell: (graph) => formatCount(now.sum('threadmill_runs_queued', { graph })),
            },
            {
              id: 'waiting',
              name: 'Waiting',
              numbers: true,
              cell: (graph) => formatCount(now.sum('threadmill_runs_waiting', { graph })),
            },
            ...(['success', 'error', 'interrupted', 'timeout'] as const).map((status) => ({
              id: status,
              name: STATUS_COLUMNS[status],
              numbers: true,
              wideOnly: status !== 'error',
              cell: (graph: string) => formatCount(now.sum('threadmill_runs_ended_total', { graph, status })),
            })),
            {
              id: 'retries',
              name: 'Retries',
              numbers: true,
              wideOnly: true,
              cell: (graph) => formatCount(now.sum('threadmill_run_retries_total', { graph })),
            },
            {
              id: 'duration',
              name: 'Duration p50',
              numbers: true,
              wideOnly: true,
              cell: (graph) => quantileText(now.histogram('threadmill_run_duration_seconds', { graph }), 0.5),
            },
            {
              id: 'duration99',
              name: 'Duration p99',
              numbers: true,
              wideOnly: true,
              cell: (graph) => quantileText(now.histogram('threadmill_run_duration_seconds', { graph }), 0.99),
            },
          ]}
        />
      </Panel>
      <Panel title="Process threads" flush>
        <Table
          label="Process threads"
          items={now.labels('threadmill_event_loop_delay_seconds', 'thread')}
          idOf={(thread) => thread}
          columns={[
            {
              id: 'thread',
              name: 'Thread',
              cell: (thread) => (
                <>
                  {thread}
                  {/^(graph|solo)-/.test(thread) ? (
                    <>
                      {' '}
                      <Badge>Worker</Badge>
                    </>
                  ) : null}
                </>
              ),
            },
            {
              id: 'runs',
              name: 'Runs',
              numbers: true,
              cell: (thread) =>
                /^(graph|solo)-/.test(thread) ? formatCount(now.sum('threadmill_worker_runs', { thread })) : '',
            },
            {
              id: 'late',
              name: 'Event loop delay p50',
              numbers: true,
              wideOnly: true,
              cell: (thread) => quantileText(recentDelay(now, before, thread), 0.5),
            },
            {
              id: 'late99',
              name: 'Event loop delay p99',
              numbers: true,
              cell: (thread) => quantileText(recentDelay(now, before, thread), 0.99),
            },
            {
              id: 'heap',
              name: 'Heap',
              numbers: true,
              cell: (thread) => formatBytes(now.sum('threadmill_heap_bytes', { thread })),
            },
            {
              id: 'trend',
              name: 'Heap trend',
              wideOnly: true,
              cell: (thread) => (
                <Trend
                  label={`Heap of ${thread}`}
                  values={series((one) => one.sum('threadmill_heap_bytes', { thread }))}
                  format={formatBytes}
                />
              ),
            },
          ]}
        />
      </Panel>
      <Panel title="Store">
        <p>
          {formatBytes(now.sum('threadmill_store_file_bytes'))} on disk.{' '}
          {commits.count === 0
            ? 'No commits in the last 30 s.'
            : `${pluralize(commits.count, 'commit')} in the last 30 s, p99 ${quantileText(commits, 0.99)}.`}{' '}
          {now.sum('threadmill_workers_lost_total') === 0
            ? 'No workers lost since the start.'
            : `${pluralize(now.sum('threadmill_workers_lost_total'), 'worker')} lost since the start.`}
        </p>
      </Panel>
    </>
  );
}

const STATUS_COLUMNS = {
  success: 'Succeeded',
  error: 'Failed',
  interrupted: 'Cancelled',
  timeout: 'Timed out',
} as const;

function recentDelay(now: MetricsSample, before: MetricsSample, thread: string): Histogram {
  const all = now.histogram('threadmill_event_loop_delay_seconds', { thread });
  return now === before
    ? all
    : histogramSince(all, before.histogram('threadmill_event_loop_delay_seconds', { thread }));
}

function quantileText(spread: Histogram, share: number): string {
  const seconds = quantile(spread, share);
  if (seconds === null) return '–';
  return Number.isFinite(seconds)
    ? formatDuration(seconds * 1_000)
    : `over ${formatDuration(spread.bounds.at(-1)! * 1_000)}`;
}

function lastValue(values: readonly (number | null)[]): string {
  const value = values.at(-1) ?? null;
  return value === null ? '–' : formatNumber(Math.round(value * 100) / 100);
}
