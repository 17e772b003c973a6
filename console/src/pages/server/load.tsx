import { Badge } from '../../components/badge.js';
import { bytes, count, duration, figure } from '../../components/format.js';
import { ErrorNote, Loading, Note } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { Table } from '../../components/table.js';
import { Trend } from '../../components/trend.js';
import { quantile, since, type FigureName, type Figures, type Spread } from './figures.js';
import { useFigures } from './use-figures.js';
import styles from './server.module.css';

/** Looks over which what is a rate, or a distribution, is told: half a minute. */
const WINDOW = 15;

/** Runs, workers, threads and the store, now and over the last minutes. */
export function Load() {
  const { history, error, refetch } = useFigures();
  const now = history.at(-1);
  if (now === undefined) return error === null ? <Loading /> : <ErrorNote error={error} onRetry={refetch} />;
  const before = history.at(-1 - WINDOW) ?? history[0]!;
  const series = (value: (figures: Figures, at: number) => number | null): (number | null)[] => history.map(value);
  const rate =
    (name: FigureName) =>
    (figures: Figures, at: number): number | null => {
      const earlier = history[at - 1];
      return earlier === undefined
        ? null
        : Math.max(0, (figures.sum(name) - earlier.sum(name)) / ((figures.atMs - earlier.atMs) / 1_000));
    };
  const cpu = rate('threadmill_cpu_seconds_total');
  const tiles: { name: string; says: string; values: (number | null)[]; format?: (value: number) => string }[] = [
    {
      name: 'Running',
      says: count(now.sum('threadmill_runs_running')),
      values: series((one) => one.sum('threadmill_runs_running')),
    },
    {
      name: 'Waiting for a worker',
      says: count(now.sum('threadmill_runs_queued')),
      values: series((one) => one.sum('threadmill_runs_queued')),
    },
    {
      name: 'Waiting for something else',
      says: count(now.sum('threadmill_runs_waiting')),
      values: series((one) => one.sum('threadmill_runs_waiting')),
    },
    {
      name: 'Runs a second',
      says: last(series(rate('threadmill_runs_ended_total'))),
      values: series(rate('threadmill_runs_ended_total')),
    },
    {
      name: 'Requests a second',
      says: last(series(rate('threadmill_http_requests_total'))),
      values: series(rate('threadmill_http_requests_total')),
    },
    { name: 'Processor, cores', says: last(series(cpu)), values: series(cpu) },
    {
      name: 'Memory',
      says: bytes(now.sum('threadmill_memory_resident_bytes')),
      values: series((one) => one.sum('threadmill_memory_resident_bytes')),
      format: bytes,
    },
    {
      name: 'Open streams',
      says: count(now.sum('threadmill_stream_readers') + now.sum('threadmill_websockets_open')),
      values: series((one) => one.sum('threadmill_stream_readers') + one.sum('threadmill_websockets_open')),
    },
  ];
  const commits = since(
    now.spread('threadmill_store_commit_seconds'),
    before.spread('threadmill_store_commit_seconds'),
  );
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={refetch} />}
      {now.sum('threadmill_store_failed') === 0 ? null : (
        <Note look="warn">
          A commit has failed, and nothing more is accepted. Look at the disk, then start the server again.
        </Note>
      )}
      <div className={styles['tiles']}>
        {tiles.map(({ name, says, values, format }) => (
          <div key={name} className={styles['tile']}>
            <div className={styles['tileName']}>{name}</div>
            <div className={styles['tileValue']}>{says}</div>
            <Trend label={name} values={values} width={150} height={32} {...(format === undefined ? {} : { format })} />
          </div>
        ))}
      </div>
      <Panel title="Runs by graph" flush>
        <Table
          label="Runs by graph"
          items={now.labels('threadmill_runs_running', 'graph')}
          idOf={(graph) => graph}
          empty={<p className={styles['none']}>No graph has run since the server was started.</p>}
          columns={[
            { id: 'graph', name: 'Graph', cell: (graph) => graph },
            {
              id: 'running',
              name: 'Running',
              numbers: true,
              cell: (graph) => count(now.sum('threadmill_runs_running', { graph })),
            },
            {
              id: 'queued',
              name: 'Queued',
              numbers: true,
              cell: (graph) => count(now.sum('threadmill_runs_queued', { graph })),
            },
            {
              id: 'waiting',
              name: 'Waiting',
              numbers: true,
              cell: (graph) => count(now.sum('threadmill_runs_waiting', { graph })),
            },
            ...(['success', 'error', 'interrupted', 'timeout'] as const).map((status) => ({
              id: status,
              name: ENDED[status],
              numbers: true,
              wideOnly: status !== 'error',
              cell: (graph: string) => count(now.sum('threadmill_runs_ended_total', { graph, status })),
            })),
            {
              id: 'retries',
              name: 'Retries',
              numbers: true,
              wideOnly: true,
              cell: (graph) => count(now.sum('threadmill_run_retries_total', { graph })),
            },
            {
              id: 'duration',
              name: 'Half within',
              numbers: true,
              wideOnly: true,
              cell: (graph) => below(now.spread('threadmill_run_duration_seconds', { graph }), 0.5),
            },
            {
              id: 'duration99',
              name: '99 % within',
              numbers: true,
              wideOnly: true,
              cell: (graph) => below(now.spread('threadmill_run_duration_seconds', { graph }), 0.99),
            },
          ]}
        />
      </Panel>
      <Panel title="Threads of the process" flush>
        <Table
          label="Threads of the process"
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
                      <Badge>worker</Badge>
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
                /^(graph|solo)-/.test(thread) ? count(now.sum('threadmill_worker_runs', { thread })) : '',
            },
            {
              id: 'late',
              name: 'Loop late, half below',
              numbers: true,
              wideOnly: true,
              cell: (thread) => below(recent(now, before, thread), 0.5),
            },
            {
              id: 'late99',
              name: '99 % below',
              numbers: true,
              cell: (thread) => below(recent(now, before, thread), 0.99),
            },
            {
              id: 'heap',
              name: 'Heap',
              numbers: true,
              cell: (thread) => bytes(now.sum('threadmill_heap_bytes', { thread })),
            },
            {
              id: 'trend',
              name: 'Heap, last minutes',
              wideOnly: true,
              cell: (thread) => (
                <Trend
                  label={`Heap of ${thread}`}
                  values={series((one) => one.sum('threadmill_heap_bytes', { thread }))}
                  format={bytes}
                />
              ),
            },
          ]}
        />
      </Panel>
      <Panel title="Store">
        <p>
          {bytes(now.sum('threadmill_store_file_bytes'))} on disk.{' '}
          {commits.count === 0
            ? 'No commit in the last half minute.'
            : `${count(commits.count)} commits in the last half minute, 99 % on disk within ${below(commits, 0.99)}.`}{' '}
          {now.sum('threadmill_workers_lost_total') === 0
            ? 'No worker was lost since the start.'
            : `${count(now.sum('threadmill_workers_lost_total'))} workers were lost since the start.`}
        </p>
      </Panel>
    </>
  );
}

const ENDED = { success: 'Succeeded', error: 'Failed', interrupted: 'Cancelled', timeout: 'Timed out' } as const;

function recent(now: Figures, before: Figures, thread: string): Spread {
  const all = now.spread('threadmill_event_loop_delay_seconds', { thread });
  return now === before ? all : since(all, before.spread('threadmill_event_loop_delay_seconds', { thread }));
}

function below(spread: Spread, share: number): string {
  const seconds = quantile(spread, share);
  if (seconds === null) return '–';
  return Number.isFinite(seconds) ? duration(seconds * 1_000) : `over ${duration(spread.bounds.at(-1)! * 1_000)}`;
}

function last(values: readonly (number | null)[]): string {
  const value = values.at(-1) ?? null;
  return value === null ? '–' : figure(Math.round(value * 100) / 100);
}
