import type { Item, SearchItem } from '@langchain/langgraph-sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.js';
import { queryClient } from '../../api/queries.js';
import { readJson } from '../../components/json-editor.js';

/** Items of a page. Values may be large, and all of a page come at once. */
export const PAGE = 20;
const NAMESPACES = 100;

export interface ItemSearch {
  namespace: readonly string[];
  query: string;
  filter: Record<string, unknown> | null;
  offset: number;
}

/** Labels have no period: a namespace is written with one between them. */
export function labelsOf(text: string): string[] {
  return text === '' ? [] : text.split('.');
}

export function textOf(namespace: readonly string[]): string {
  return namespace.join('.');
}

/** Those one level below, some at a time. */
export function useNamespaces(above: readonly string[]) {
  return useInfiniteQuery({
    queryKey: ['store', 'namespaces', above],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) =>
      (
        await client.store.listNamespaces({
          ...(above.length === 0 ? {} : { prefix: [...above] }),
          maxDepth: above.length + 1,
          limit: NAMESPACES + 1,
          offset: pageParam,
          signal,
        })
      ).namespaces,
    getNextPageParam: (last, _all, offset) => (last.length > NAMESPACES ? offset + NAMESPACES : null),
    select: ({ pages }) =>
      pages
        .flatMap((page) => page.slice(0, NAMESPACES))
        // A label `*` above would stand for any other, and the namespace itself is listed with those below it.
        .filter(
          (namespace) => namespace.length === above.length + 1 && above.every((label, at) => namespace[at] === label),
        ),
  });
}

/** A page of the items in a namespace and below it. Looking at them from here does not make them live longer. */
export function useItems({ namespace, query, filter, offset }: ItemSearch, enabled: boolean) {
  return useQuery({
    queryKey: ['store', 'items', namespace, query, filter, offset],
    enabled,
    queryFn: async ({ signal }) => {
      const { items } = await client.store.searchItems([...namespace], {
        ...(filter === null ? {} : { filter }),
        ...(query === '' ? {} : { query }),
        limit: PAGE + 1,
        offset,
        refreshTtl: false,
        signal,
      });
      return { items: items.slice(0, PAGE), more: items.length > PAGE };
    },
  });
}

/** Null: there is none. */
export function useItem(namespace: readonly string[], key: string) {
  return useQuery({
    queryKey: ['store', 'item', namespace, key],
    queryFn: ({ signal }): Promise<Item | null> =>
      client.store.getItem([...namespace], key, { refreshTtl: false, signal }),
  });
}

export function changed(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['store'] });
}

/** A text that has to be an object of JSON. Null and no error: there is none. */
export function readObject(text: string): { value: Record<string, unknown> | null; error: string | null } {
  const { value, error } = readJson(text);
  if (error !== null || value === undefined) return { value: null, error };
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { value: value as Record<string, unknown>, error: null };
  return { value: null, error: 'An object is wanted: {"name": "value"}' };
}

export type FoundItem = SearchItem;
