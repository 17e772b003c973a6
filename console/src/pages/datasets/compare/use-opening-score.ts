import { useQuery } from '@tanstack/react-query';
import { openingScore } from './score-choice.js';
import { COMPARISON_STALE_MS, useComparisonSource } from './source.js';
import type { View } from './view.js';

/** The score that the page opens on. Undefined while the summary loads that tells which score changed most. */
export function useOpeningScore(view: View): { key: string | null | undefined; error: unknown; retry: () => void } {
  const source = useComparisonSource();
  const { experiments, baseline, confidence, correction } = view;
  const summary = useQuery({
    queryKey: [...source.id, 'summary', { experiments, baseline, confidence, correction }],
    queryFn: ({ signal }) => source.summary(view, signal),
    enabled: view.key === null,
    staleTime: COMPARISON_STALE_MS,
  });
  return {
    key: view.key ?? (summary.data === undefined ? undefined : openingScore(summary.data, view)),
    error: summary.error,
    retry: () => {
      void summary.refetch();
    },
  };
}
