import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { serverApi } from '../../api/server.js';
import { refreshUnlessForbidden } from '../../shared/forbidden.js';

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const REFRESH_MS = 30_000;

export interface HistorySpan {
  id: string;
  name: string;
  seconds: number;
  /** Length of a step: a multiple of the samples that the server still has of this time. */
  step: number;
}

export const HOUR: HistorySpan = { id: 'hour', name: 'Last hour', seconds: HOUR_S, step: MINUTE_S };
export const DAY: HistorySpan = { id: 'day', name: 'Last 24 hours', seconds: DAY_S, step: 20 * MINUTE_S };
export const SPANS: readonly HistorySpan[] = [
  HOUR,
  DAY,
  { id: 'week', name: 'Last 7 days', seconds: 7 * DAY_S, step: 2 * HOUR_S },
  { id: 'quarter', name: 'Last 90 days', seconds: 90 * DAY_S, step: DAY_S },
];

/** The history of the server over this time. */
export function useServerHistory({ id, seconds, step }: HistorySpan) {
  return useQuery({
    queryKey: ['server', 'history', id],
    queryFn: ({ signal }) => serverApi.history(seconds, step, signal),
    placeholderData: keepPreviousData,
    refetchInterval: refreshUnlessForbidden(REFRESH_MS),
  });
}
