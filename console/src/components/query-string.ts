import { useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';

/** What changes in the query string; null and an empty text take a name out of it. */
export type QueryChanges = Readonly<Record<string, string | null | undefined>>;

/** `push`: the way back leads to what was before. */
export type ChangeQuery = (changes: QueryChanges, how?: { push?: boolean }) => void;

/** The query string of the page, as it stands there. wouter's own hooks decode it before it is read: a text with `%25` in it comes back from them as another one. */
export { useSearch };

/** What of a page a person would want in a link: its query string. */
export function useQueryString(): [URLSearchParams, ChangeQuery] {
  const search = useSearch();
  const [location, navigate] = useLocation();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback<ChangeQuery>(
    (changes, { push = false } = {}) => {
      // What stands there now, not what was rendered: two changes may come at once.
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

/** A whole number from 0 on out of the query string; 0 where there is none. */
export function numberIn(query: URLSearchParams, name: string): number {
  const value = Number(query.get(name));
  return Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
