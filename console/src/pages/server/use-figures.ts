import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { fetchJson } from '../../api/http.js';
import { Figures, NAMES, type MetricsAnswer } from './figures.js';

const EVERY_MS = 2_000;
/** Samples kept: ten minutes. */
const KEPT = 300;

/** Metrics sampled every two seconds while the page is visible. Newest last. */
export function useFigures(): { history: readonly Figures[]; error: unknown; refetch: () => void } {
  const history = useRef<Figures[]>([]);
  const { data, error, refetch } = useQuery({
    queryKey: ['server', 'figures'],
    queryFn: async ({ signal }) => {
      const figures = new Figures(
        await fetchJson<MetricsAnswer>('metrics', { query: { format: 'json', names: NAMES.join(',') }, signal }),
        Date.now(),
      );
      history.current = [...history.current.slice(1 - KEPT), figures];
      return history.current;
    },
    refetchInterval: EVERY_MS,
    structuralSharing: false,
  });
  return { history: data ?? [], error, refetch: () => void refetch() };
}
