import { useMemo } from 'react';
import type { ServerHistory } from '../../api/server.js';
import { Select } from '../../components/field.js';
import { formatBytes, formatCount, formatDuration, formatNumber, formatPercent } from '../../components/format.js';
import { EmptyState, ErrorNote, Loading } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { useQueryString } from '../../components/query-string.js';
import { ChartFigures, wholeCount, type ChartFigure } from '../../shared/chart-figures.js';
import { DAY, SPANS, useServerHistory } from './history-data.js';
import { byteScale, historySeries } from './history-series.js';

/** Charts of the last hour, day, week or quarter, from the history that the server keeps. */
export function HistoryCharts() {
  const [query, change] = useQueryString();
  const span = SPANS.find(({ id }) => id === query.get('time')) ?? DAY;
  const { data, error, refetch } = useServerHistory(span);
  const charts = useMemo(() => (data === undefined ? null : chartsOf(data)), [data]);
  return (
    <Panel
      title="History"
      actions={
        <Select
          label="Time of the charts"
          hideLabel
          value={span.id}
          options={SPANS.map(({ id, name }) => ({ id, name }))}
          onChange={(id) => change({ time: id === DAY.id ? null : id })}
        />
      }
    >
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {charts === null ? (
        error === null ? (
          <Loading />
        ) : null
      ) : charts.figures.length === 0 ? (
        <EmptyState title="Nothing happened in this time">
          <p>The server adds a point at the end of each minute in which it is used.</p>
        </EmptyState>
      ) : (
        <ChartFigures times={charts.times} intervalSeconds={charts.step} charts={charts.figures} />
      )}
    </Panel>
  );
}

function chartsOf(history: ServerHistory): {
  times: readonly number[];
  step: number;
  figures: readonly ChartFigure[];
} {
  const { total, step_seconds: step } = history;
  const { times, counts, values } = historySeries(history);
  if (total === null) return { times, step, figures: [] };
  const { runs_failed: failed, requests, requests_failed: failedRequests } = total;
  const ended = total.runs_succeeded + failed + total.runs_interrupted;
  const every = `each ${stepName(step)}`;
  return {
    times,
    step,
    figures: [
      {
        name: `Runs that ended, ${every}`,
        figure: formatCount(ended),
        note: ended === 0 ? '' : failed === 0 ? 'none failed' : `${formatPercent(failed / ended)} failed`,
        series: [
          {
            name: 'all',
            values: counts((one) => one.runs_succeeded + one.runs_failed + one.runs_interrupted),
            color: 'main',
            bars: true,
          },
          { name: 'failed', values: counts((one) => one.runs_failed), color: 'bad', bars: true },
        ],
        format: wholeCount,
      },
      {
        name: 'Duration of runs',
        figure: secondsText(total.run_duration_p50_seconds),
        note:
          total.run_duration_p95_seconds === null ? '' : `95 % within ${secondsText(total.run_duration_p95_seconds)}`,
        series: [
          { name: '95 %', values: values((one) => one.run_duration_p95_seconds), color: 'soft' },
          { name: 'median', values: values((one) => one.run_duration_p50_seconds), color: 'main' },
        ],
        format: secondsText,
      },
      {
        name: 'Wait for a worker',
        figure: secondsText(total.queue_wait_p95_seconds),
        note: total.queue_wait_p95_seconds === null ? '' : '95 % waited less',
        series: [{ name: '95 %', values: values((one) => one.queue_wait_p95_seconds), color: 'main' }],
        format: secondsText,
      },
      {
        name: `Requests, ${every}`,
        figure: formatCount(requests),
        note: requests === 0 ? '' : failedRequests === 0 ? 'none failed' : `${formatCount(failedRequests)} failed`,
        series: [
          { name: 'all', values: counts((one) => one.requests), color: 'main', bars: true },
          { name: 'failed', values: counts((one) => one.requests_failed), color: 'bad', bars: true },
        ],
        format: wholeCount,
      },
      {
        name: 'Runs at the same time',
        figure: formatCount(total.runs_running),
        note: `at most, and ${formatCount(total.runs_queued)} queued`,
        series: [
          { name: 'running', values: values((one) => one.runs_running), color: 'main' },
          { name: 'queued', values: values((one) => one.runs_queued), color: 'soft' },
        ],
        format: wholeCount,
      },
      {
        name: 'CPU cores in use',
        figure: hundredths(average(counts((one) => one.cpu_seconds)) / step),
        note: 'on average',
        series: [
          {
            name: 'cores',
            values: values((one) => one.cpu_seconds / step),
            color: 'main',
          },
        ],
        format: formatNumber,
      },
      bytesChart(
        'Memory',
        total.memory_bytes,
        'at most',
        values((one) => one.memory_bytes),
      ),
      bytesChart(
        'Storage',
        total.storage_bytes,
        'of the data file',
        values((one) => one.storage_bytes),
      ),
    ],
  };
}

function bytesChart(name: string, bytes: number, note: string, all: readonly (number | null)[]): ChartFigure {
  const scale = byteScale(all);
  return {
    name,
    figure: formatBytes(bytes),
    note,
    series: [{ name: 'all', values: all.map((value) => (value === null ? null : value / scale.bytes)), color: 'main' }],
    format: (value) => `${formatNumber(value)} ${scale.unit}`,
  };
}

function secondsText(seconds: number | null): string {
  return seconds === null ? '–' : formatDuration(seconds * 1_000);
}

function stepName(seconds: number): string {
  if (seconds < 3_600) return seconds === 60 ? 'minute' : `${seconds / 60} minutes`;
  if (seconds < 86_400) return seconds === 3_600 ? 'hour' : `${seconds / 3_600} hours`;
  return 'day';
}

function hundredths(value: number): string {
  return formatNumber(Math.round(value * 100) / 100);
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
