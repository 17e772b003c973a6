import { useQuery } from '@tanstack/react-query';
import { fetchJson } from '../../api/http.js';
import { consoleHref } from '../../components/console-href.js';
import { formatCount, formatDuration } from '../../components/format.js';
import { ErrorNote } from '../../components/note.js';
import { Panel } from '../../components/page.js';
import { StatTile, StatTiles } from '../../components/stat-tile.js';
import { MetricsSample, quantile, type MetricName, type MetricsResponse } from '../../shared/server-metrics.js';
import { isForbidden, refreshUnlessForbidden } from '../../shared/forbidden.js';

const REFRESH_MS = 10_000;
const NAMES: readonly MetricName[] = ['threadmill_runs_ended_total', 'threadmill_run_duration_seconds'];

/** In place of charts where no traces exist: what the server has counted since its start. */
export function ServerFigures() {
  const metrics = useQuery({
    queryKey: ['home', 'metrics'],
    queryFn: async ({ signal }) =>
      new MetricsSample(
        await fetchJson<MetricsResponse>('metrics', { query: { format: 'json', names: NAMES.join(',') }, signal }),
        Date.now(),
      ),
    refetchInterval: refreshUnlessForbidden(REFRESH_MS),
    structuralSharing: false,
  });
  if (isForbidden(metrics.error)) return null;
  if (metrics.data === undefined)
    return metrics.error === null ? null : <ErrorNote error={metrics.error} onRetry={() => void metrics.refetch()} />;
  const ended = (status: string): number => metrics.data.sum('threadmill_runs_ended_total', { status });
  const durations = metrics.data.histogram('threadmill_run_duration_seconds');
  const duration = (share: number): string => {
    const seconds = quantile(durations, share);
    return seconds === null || !Number.isFinite(seconds) ? '–' : `≤ ${formatDuration(seconds * 1_000)}`;
  };
  const failed = ended('error') + ended('timeout');
  const to = consoleHref('/server');
  return (
    <Panel title="Runs since the server was started">
      <StatTiles label="Runs since the server was started">
        <StatTile name="Succeeded" value={formatCount(ended('success'))} to={to} />
        <StatTile name="Failed" value={formatCount(failed)} to={to} variant={failed === 0 ? 'neutral' : 'bad'} />
        <StatTile name="Median duration" value={duration(0.5)} to={to} />
        <StatTile name="95th percentile" value={duration(0.95)} to={to} />
      </StatTiles>
      <p className="soft">
        For latency, tokens and cost over time, add <code>&quot;traces&quot;: true</code> to langgraph.json.
      </p>
    </Panel>
  );
}
