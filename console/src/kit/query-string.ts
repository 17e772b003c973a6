import { useCallback } from 'react';
import { useLocation } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';

/** What changes in the query string; null and an empty text take a name out of it. */
export type QueryChanges = Readonly<Record<string, string | null | undefined>>;

/**
 * The query string of the page: what a person would want in a link. `push`: the way back leads to what was before.
 * Not wouter's own hook: that one decodes twice, and a text with `%25` in it comes back as another one.
 */
export function useQueryString(): [URLSearchParams, (changes: QueryChanges, how?: { push?: boolean }) => void] {
  const search = useSearch();
  const [location, navigate] = useLocation();
  const change = useCallback((changes: QueryChanges, { push = false }: { push?: boolean } = {}) => {
    // What stands there now, not what was rendered: two changes may come at once.
    const next = new URLSearchParams(window.location.search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === undefined || value === '') next.delete(name);
      else next.set(name, value);
    }
    const text = next.toString();
    navigate(`${location === '/' ? '' : location}${text === '' ? '' : `?${text}`}`, { replace: !push });
  }, [location, navigate]);
  return [new URLSearchParams(search), change];
}

/** A whole number from 0 on out of the query string. */
export function wholeNumber(text: string | null): number {
  const value = Number(text ?? 0);
  return Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
