import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { evaluation, type RunNumbers, type RunSeries } from '../api/evaluation.js';
import { Select } from '../components/field.js';
import { formatCount, formatDuration, formatNumber, formatPercent } from '../components/format.js';
import { ErrorNote } from '../components/note.js';
import { Panel } from '../components/page.js';
import { Time } from '../components/time.js';
import { ChartFigures, wholeCount, type ChartFigure } from './chart-figures.js';

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;

/** Lengths of time, with the interval of their charts. */
const SPANS: readonly { id: string; name: string; seconds: number; interval: number }[] = [
  { id: 'hour', name: 'Last hour', seconds: HOUR_S, interval: 2 * MINUTE_S },
  { id: 'day', name: 'Last 24 hours', seconds: DAY_S, interval: HOUR_S },
  { id: 'week', name: 'Last 7 days', seconds: 7 * DAY_S, interval: 6 * HOUR_S },
  { id: 'month', name: 'Last 30 days', seconds: 30 * DAY_S, interval: DAY_S },
];
const DEFAULT_SPAN = 'day';
const REFRESH_MS = 30_000;

export interface ActivityFilter {
  sessions: readonly string[];
  /** A condition on any step of a trace. */
  treeFilter: string | null;
  /** A condition on the trace itself. */
  filter: string | null;
}

/** Charts of the traces that a filter selects. `hrefOf`: where a chart leads, with the time that it shows. */
export function Activity({
  filter: { sessions, treeFilter, filter },
  spanId,
  onSpan,
  hrefOf,
}: {
  filter: ActivityFilter;
  spanId: string | null;
  onSpan: (id: string | null) => void;
  hrefOf?: (query: Readonly<Record<string, string>>) => string;
}) {
  const span = SPANS.find(({ id }) => id === (spanId ?? DEFAULT_SPAN)) ?? SPANS[1]!;
  const found = useQuery({
    queryKey: ['traces', 'series', { sessions, treeFilter, filter, span: span.id }],
    queryFn: ({ signal }) => {
      // The last interval ends now or later, and the first one is whole.
      const endS = (Math.floor(Date.now() / 1_000 / span.interval) + 1) * span.interval;
      return evaluation.runSeries(
        {
          session: sessions,
          start_time: new Date((endS - span.seconds) * 1_000).toISOString(),
          end_time: new Date(endS * 1_000).toISOString(),
          interval_seconds: span.interval,
          filter,
          tree_filter: treeFilter,
        },
        signal,
      );
    },
    placeholderData: keepPreviousData,
    // A text is searched in all steps of the time.
    refetchInterval: treeFilter === null ? REFRESH_MS : false,
  });
  return (
    <Panel
      title="Activity"
      actions={
        <Select
          label="Time of the charts"
          hideLabel
          value={span.id}
          options={SPANS.map(({ id, name }) => ({ id, name }))}
          onChange={(id) => onSpan(id === DEFAULT_SPAN ? null : id)}
        />
      }
    >
      {found.error === null ? null : <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
      {found.data === undefined ? null : (
        <Charts
          found={found.data}
          hrefOf={hrefOf === undefined ? undefined : (query) => hrefOf({ time: span.id, ...query })}
        />
      )}
    </Panel>
  );
}

function Charts({
  found: { interval_seconds: intervalSeconds, complete_from: completeFrom, series },
  hrefOf,
}: {
  found: RunSeries;
  hrefOf: ((query: Readonly<Record<string, string>>) => string) | undefined;
}) {
  const [all] = series;
  const charts = useMemo(() => (all === undefined ? [] : chartsOf(all.points, all.total)), [all]);
  const times = useMemo(() => (all?.points ?? []).map(({ start_time: time }) => Date.parse(time) / 1_000), [all]);
  if (all === undefined) return <p className="soft">No traces in this time.</p>;
  const isPartial = Date.parse(completeFrom) / 1_000 > times[0]! + intervalSeconds;
  return (
    <>
      <ChartFigures
        times={times}
        intervalSeconds={intervalSeconds}
        charts={charts.map(({ noteQuery, ...chart }) => ({
          ...chart,
          ...(hrefOf === undefined ? {} : { to: hrefOf({}) }),
          ...(hrefOf === undefined || noteQuery === undefined ? {} : { noteTo: hrefOf(noteQuery) }),
        }))}
      />
      {isPartial ? (
        <p className="soft">
          Counting took too long. Traces before <Time at={completeFrom} /> are not in the charts.
        </p>
      ) : null}
    </>
  );
}

interface ActivityChart extends ChartFigure {
  /** Query of the traces that the note is about. */
  noteQuery?: Readonly<Record<string, string>>;
}

function chartsOf(points: readonly RunNumbers[], total: RunNumbers): ActivityChart[] {
  const values = (of: (point: RunNumbers) => number | string | null): (number | null)[] =>
    points.map((point) => {
      const value = of(point);
      return value === null ? null : Number(value);
    });
  const { run_count: count, error_count: errors } = total;
  const hasCosts = (total.total_cost ?? 0) > 0;
  return [
    {
      name: 'Traces',
      figure: formatCount(count),
      note: errors === 0 ? 'none failed' : `${formatPercent(errors / count)} failed`,
      ...(errors === 0 ? {} : { noteQuery: { errors: 'only' } }),
      series: [
        { name: 'all', values: values((point) => point.run_count), color: 'main', bars: true },
        { name: 'failed', values: values((point) => point.error_count), color: 'bad', bars: true },
      ],
      format: wholeCount,
    },
    {
      name: 'Latency',
      figure: total.latency_p50 === null ? '–' : seconds(total.latency_p50),
      note: total.latency_p95 === null ? '' : `95 % within ${seconds(total.latency_p95)}`,
      series: [
        { name: '95 %', values: values((point) => point.latency_p95), color: 'soft' },
        { name: 'median', values: values((point) => point.latency_p50), color: 'main' },
      ],
      format: seconds,
    },
    {
      name: 'Tokens',
      figure: formatCount(total.total_tokens ?? 0),
      note: total.completion_tokens === null ? '' : `${formatCount(total.completion_tokens)} of them output`,
      series: [
        { name: 'all', values: values((point) => point.total_tokens ?? 0), color: 'main', bars: true },
        { name: 'output', values: values((point) => point.completion_tokens ?? 0), color: 'soft', bars: true },
      ],
      format: wholeCount,
    },
    ...(hasCosts
      ? [
          {
            name: 'Cost',
            figure: dollars(total.total_cost ?? 0),
            note: `${dollars((total.total_cost ?? 0) / count)} a trace`,
            series: [
              { name: 'all', values: values((point) => point.total_cost ?? 0), color: 'main' as const, bars: true },
            ],
            format: dollars,
          },
        ]
      : []),
  ];
}

function seconds(value: number): string {
  return formatDuration(value * 1_000);
}

function dollars(value: number): string {
  return `$${formatNumber(value)}`;
}
