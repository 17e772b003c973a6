import type { Item, SearchItem } from '@langchain/langgraph-sdk';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.js';
import { queryClient } from '../../api/query-client.js';
import { readJson } from '../../components/read-json.js';

/** Items per page. Small, because the response contains all values of the page. */
export const PAGE_SIZE = 20;
const NAMESPACES_PER_PAGE = 100;

export interface ItemSearch {
  namespace: readonly string[];
  query: string;
  filter: Record<string, unknown> | null;
  offset: number;
}

/** Splits a namespace at its periods. Labels cannot contain a period. */
export function parseNamespace(text: string): string[] {
  return text === '' ? [] : text.split('.');
}

export function namespaceText(namespace: readonly string[]): string {
  return namespace.join('.');
}

/** Namespaces one level below, in pages. */
export function useNamespaces(above: readonly string[]) {
  return useInfiniteQuery({
    queryKey: ['store', 'namespaces', above],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) =>
      (
        await client.store.listNamespaces({
          ...(above.length === 0 ? {} : { prefix: [...above] }),
          maxDepth: above.length + 1,
          limit: NAMESPACES_PER_PAGE + 1,
          offset: pageParam,
          signal,
        })
      ).namespaces,
    getNextPageParam: (last, _all, offset) => (last.length > NAMESPACES_PER_PAGE ? offset + NAMESPACES_PER_PAGE : null),
    select: ({ pages }) =>
      pages
        .flatMap((page) => page.slice(0, NAMESPACES_PER_PAGE))
        // Drop matches of a label `*`, which is a wildcard for the API, and the parent namespace itself.
        .filter(
          (namespace) => namespace.length === above.length + 1 && above.every((label, at) => namespace[at] === label),
        ),
  });
}

/** A page of items in a namespace and below it. Reading from the console does not extend their time to live. */
export function useItems({ namespace, query, filter, offset }: ItemSearch, enabled: boolean) {
  return useQuery({
    queryKey: ['store', 'items', namespace, query, filter, offset],
    enabled,
    queryFn: async ({ signal }) => {
      const { items } = await client.store.searchItems([...namespace], {
        ...(filter === null ? {} : { filter }),
        ...(query === '' ? {} : { query }),
        limit: PAGE_SIZE + 1,
        offset,
        refreshTtl: false,
        signal,
      });
      return { items: items.slice(0, PAGE_SIZE), hasMore: items.length > PAGE_SIZE };
    },
  });
}

/** One item, or null if it does not exist. */
export function useItem(namespace: readonly string[], key: string) {
  return useQuery({
    queryKey: ['store', 'item', namespace, key],
    queryFn: ({ signal }): Promise<Item | null> =>
      client.store.getItem([...namespace], key, { refreshTtl: false, signal }),
  });
}

export function reloadStore(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ['store'] });
}

/** Parses a JSON object. Null without an error: the text is empty. */
export function parseObject(text: string): { value: Record<string, unknown> | null; error: string | null } {
  const { value, error } = readJson(text);
  if (error !== null || value === undefined) return { value: null, error };
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return { value: value as Record<string, unknown>, error: null };
  return { value: null, error: 'Enter a JSON object, for example {"name": "value"}.' };
}

export type FoundItem = SearchItem;
