import { useQuery } from '@tanstack/react-query';
import { alerts } from '../../api/alerts.js';
import { evaluation } from '../../api/evaluation.js';
import { fetchQueue } from '../../api/queue.js';
import { countThreads, DEFAULT_SORT, searchThreads, type Filters } from '../../shared/thread-search.js';
import { refreshUnlessForbidden } from '../../shared/forbidden.js';

const REFRESH_MS = 5_000;
const SLOW_REFRESH_MS = 30_000;
/** More than are shown: the experiment before one is its baseline if the dataset has none. */
const EXPERIMENTS_READ = 20;
const NO_FILTERS: Filters = { text: '', status: '', owner: '', metadata: '', sort: DEFAULT_SORT };

export function useQueueState() {
  return useQuery({
    queryKey: ['server', 'queue'],
    queryFn: ({ signal }) => fetchQueue(signal),
    refetchInterval: refreshUnlessForbidden(REFRESH_MS),
  });
}

/** `status` empty: all threads. */
export function useThreadCount(status: string) {
  return useQuery({
    queryKey: ['threads', 'count', { ...NO_FILTERS, status }],
    queryFn: async ({ signal }) => (await countThreads({ ...NO_FILTERS, status }, signal)) ?? 0,
    refetchInterval: refreshUnlessForbidden(REFRESH_MS),
  });
}

export function useRecentThreads() {
  return useQuery({
    queryKey: ['threads', 'recent'],
    queryFn: async ({ signal }) => (await searchThreads(NO_FILTERS, null, signal)).rows,
    refetchInterval: refreshUnlessForbidden(REFRESH_MS),
  });
}

export function useRecentExperiments() {
  return useQuery({
    queryKey: ['experiments', 'recent'],
    queryFn: ({ signal }) =>
      evaluation.experiments(
        {
          reference_free: false,
          include_stats: false,
          limit: EXPERIMENTS_READ,
          sort_by: 'start_time',
          sort_by_desc: true,
        },
        signal,
      ),
    refetchInterval: refreshUnlessForbidden(SLOW_REFRESH_MS),
  });
}

export function useFiringAlerts() {
  return useQuery({
    queryKey: ['alerts', 'firing'],
    queryFn: ({ signal }) => alerts.firing(signal),
    refetchInterval: refreshUnlessForbidden(SLOW_REFRESH_MS),
  });
}
