import { useCallback, useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';

/** What of a page stands in its link. A value of null or '' is left out. */
export function useQueryString(): [URLSearchParams, (changes: Readonly<Record<string, string | null>>) => void] {
  const search = useSearch();
  const [location, navigate] = useLocation();
  const query = useMemo(() => new URLSearchParams(search), [search]);
  const change = useCallback((changes: Readonly<Record<string, string | null>>) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === '') next.delete(name);
      else next.set(name, value);
    }
    const text = next.toString();
    navigate(text === '' ? location : `${location}?${text}`, { replace: true });
  }, [search, location, navigate]);
  return [query, change];
}

/** A whole number of the link; 0 where there is none. */
export function numberIn(query: URLSearchParams, name: string): number {
  const value = Number(query.get(name));
  return Number.isSafeInteger(value) && value > 0 ? value : 0;
}
