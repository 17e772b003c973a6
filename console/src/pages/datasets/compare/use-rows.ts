import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import type { ComparedRow, Comparison } from '../../../api/evaluation.js';
import { COMPARISON_STALE_MS, ROWS_PER_PAGE, useComparisonSource } from './source.js';
import { useOpeningScore } from './use-opening-score.js';
import type { View } from './view.js';

export interface ComparisonRows {
  /** Comparison without its rows. While a new view loads, that of the previous view. */
  head: Comparison | undefined;
  total: number;
  /** True while this view loads. `head` and `total` then belong to the previous view. */
  isLoading: boolean;
  at: (index: number) => ComparedRow | undefined;
  /** Index of an example's row: null while it is searched, -1 if the view does not contain it. */
  indexOf: (exampleId: string) => number | null;
  error: unknown;
  retry: () => void;
}

/** Loads rows by page. `pages`: page numbers that are needed. */
export function useRows(wanted: View, pages: readonly number[]): ComparisonRows {
  const source = useComparisonSource();
  const opening = useOpeningScore(wanted);
  const isReady = opening.key !== undefined;
  const view: View = { ...wanted, key: opening.key ?? null };
  const { row, cell: _cell, tab: _tab, scores: _scores, allScores: _allScores, hidden: _hidden, ...rowsView } = view;
  const key = [...source.id, rowsView];
  const query = (page: number) => ({
    queryKey: [...key, page],
    queryFn: ({ signal }: { signal: AbortSignal }) => source.page(view, { offset: page * ROWS_PER_PAGE }, signal),
    enabled: isReady,
    staleTime: COMPARISON_STALE_MS,
  });
  const first = useQuery({ ...query(0), placeholderData: keepPreviousData });
  const more = useQueries({ queries: pages.filter((page) => page > 0).map(query) });
  const known = first.isPlaceholderData || !isReady ? undefined : first.data;
  const loaded = new Map<number, Comparison>();
  for (const page of [known, ...more.map(({ data }) => data)])
    if (page !== undefined) loaded.set(page.offset / ROWS_PER_PAGE, page);
  const inSight = row !== null && findIndex(loaded, row) !== null;
  const located = useQuery({
    queryKey: [...key, 'row', row],
    queryFn: ({ signal }) => source.page(view, { example_id: row! }, signal),
    enabled: row !== null && known !== undefined && !inSight,
    staleTime: COMPARISON_STALE_MS,
  });
  if (located.data !== undefined && !loaded.has(located.data.offset / ROWS_PER_PAGE))
    loaded.set(located.data.offset / ROWS_PER_PAGE, located.data);
  const failed = [{ error: opening.error, refetch: opening.retry }, first, located, ...more].find(
    ({ error }) => error !== null,
  );
  return {
    head: first.data,
    total: first.data?.total ?? 0,
    isLoading: known === undefined,
    at: (index) => loaded.get(Math.floor(index / ROWS_PER_PAGE))?.rows[index % ROWS_PER_PAGE],
    indexOf: (exampleId) =>
      findIndex(loaded, exampleId) ?? (located.data === undefined || located.isFetching ? null : -1),
    error: failed?.error ?? null,
    retry: () => {
      void failed?.refetch();
    },
  };
}

function findIndex(loaded: ReadonlyMap<number, Comparison>, exampleId: string): number | null {
  for (const { offset, rows } of loaded.values()) {
    const at = rows.findIndex(({ example }) => example.id === exampleId);
    if (at !== -1) return offset + at;
  }
  return null;
}
