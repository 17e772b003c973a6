import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { fetchJson } from '../../api/http.js';
import { MetricsSample, METRIC_NAMES, type MetricsResponse } from '../../shared/server-metrics.js';

const SAMPLE_MS = 2_000;
/** Samples kept: ten minutes. */
const SAMPLES_MAX = 300;

/** Metrics sampled every two seconds while the page is visible. Newest last. */
export function useMetrics(): { history: readonly MetricsSample[]; error: unknown; refetch: () => void } {
  const history = useRef<MetricsSample[]>([]);
  const { data, error, refetch } = useQuery({
    queryKey: ['server', 'figures'],
    queryFn: async ({ signal }) => {
      const figures = new MetricsSample(
        await fetchJson<MetricsResponse>('metrics', {
          query: { format: 'json', names: METRIC_NAMES.join(',') },
          signal,
        }),
        Date.now(),
      );
      history.current = [...history.current.slice(1 - SAMPLES_MAX), figures];
      return history.current;
    },
    refetchInterval: SAMPLE_MS,
    structuralSharing: false,
  });
  return { history: data ?? [], error, refetch: () => void refetch() };
}
