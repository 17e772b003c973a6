import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import type { ComparedRow, Comparison } from '../../../api/evaluation.js';
import { PAGE, useSource } from './source.js';
import type { View } from './view.js';

/** The numbers of a comparison change only when someone uploads or scores. */
const STALE_MS = 30_000;

export interface Rows {
  /** Everything but rows: of the view before while a new one is on its way. */
  head: Comparison | undefined;
  total: number;
  /** The rows of this view are still on the way; what `head` and `total` say is of the view before. */
  isComing: boolean;
  at: (index: number) => ComparedRow | undefined;
  /** Where the example of the opened cell stands: null while that is being found, -1 when this view has no row of it. */
  placeOf: (exampleId: string) => number | null;
  error: unknown;
  retry: () => void;
}

/** Pages of rows, as far as they have been wanted: `pages` are numbers of those in sight. */
export function useRows(view: View, pages: readonly number[]): Rows {
  const source = useSource();
  const { row, cell: _cell, tab: _tab, ...asked } = view;
  const key = [...source.id, asked];
  const query = (page: number) => ({
    queryKey: [...key, page],
    queryFn: ({ signal }: { signal: AbortSignal }) => source.page(view, { offset: page * PAGE }, signal),
    staleTime: STALE_MS,
  });
  const first = useQuery({ ...query(0), placeholderData: keepPreviousData });
  const more = useQueries({ queries: pages.filter((page) => page > 0).map(query) });
  const known = first.isPlaceholderData ? undefined : first.data;
  const loaded = new Map<number, Comparison>();
  for (const page of [known, ...more.map(({ data }) => data)])
    if (page !== undefined) loaded.set(page.offset / PAGE, page);
  const inSight = row !== null && placeIn(loaded, row) !== null;
  const located = useQuery({
    queryKey: [...key, 'row', row],
    queryFn: ({ signal }) => source.page(view, { example_id: row! }, signal),
    enabled: row !== null && known !== undefined && !inSight,
    staleTime: STALE_MS,
  });
  if (located.data !== undefined && !loaded.has(located.data.offset / PAGE))
    loaded.set(located.data.offset / PAGE, located.data);
  const failed = [first, located, ...more].find(({ error }) => error !== null);
  return {
    head: first.data,
    total: first.data?.total ?? 0,
    isComing: known === undefined,
    at: (index) => loaded.get(Math.floor(index / PAGE))?.rows[index % PAGE],
    placeOf: (exampleId) =>
      placeIn(loaded, exampleId) ?? (located.data === undefined || located.isFetching ? null : -1),
    error: failed?.error ?? null,
    retry: () => {
      void failed?.refetch();
    },
  };
}

function placeIn(loaded: ReadonlyMap<number, Comparison>, exampleId: string): number | null {
  for (const { offset, rows } of loaded.values()) {
    const at = rows.findIndex(({ example }) => example.id === exampleId);
    if (at !== -1) return offset + at;
  }
  return null;
}
