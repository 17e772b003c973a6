import { useCallback, useMemo, useSyncExternalStore } from 'react';
import { readJson } from './read-json.js';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Changes of other tabs.
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** A value that this browser keeps. `parse` gets whatever is stored there, or undefined. */
export function useStoredValue<T>(key: string, parse: (stored: unknown) => T): [T, (next: T) => void] {
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key) ?? '');
  const value = useMemo(() => parse(readJson(text).value), [text, parse]);
  const set = useCallback(
    (next: T) => {
      localStorage.setItem(key, JSON.stringify(next));
      for (const listener of listeners) listener();
    },
    [key],
  );
  return [value, set];
}
