import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';

/** New values of query parameters. Null, undefined and empty text remove a parameter. */
export type QueryChanges = Readonly<Record<string, string | null | undefined>>;

/** `push`: adds a history entry, so that the back button undoes the change. */
export type ChangeQuery = (changes: QueryChanges, how?: { push?: boolean }) => void;

/** The raw query string. wouter's own hook decodes it first, which changes text that contains `%25`. */
export { useSearch };

/** Page state that belongs in a link. */
export function useQueryString(): [URLSearchParams, ChangeQuery] {
  const search = useSearch();
  const [location, navigate] = useLocation();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback<ChangeQuery>(
    (changes, { push = false } = {}) => {
      // Read the current address, not the rendered one: two changes can happen before a render.
      const next = new URLSearchParams(window.location.search);
      for (const [name, value] of Object.entries(changes)) {
        if (value === null || value === undefined || value === '') next.delete(name);
        else next.set(name, value);
      }
      const text = next.toString();
      navigate(`${location === '/' ? '' : location}${text === '' ? '' : `?${text}`}`, { replace: !push });
    },
    [location, navigate],
  );
  return [query, change];
}

/** A non-negative integer parameter; 0 if missing or invalid. */
export function queryNumber(query: URLSearchParams, name: string): number {
  const value = Number(query.get(name));
  return Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
