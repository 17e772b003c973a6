import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';
const STORAGE_KEY = 'threadmill.theme';
const listeners = new Set<() => void>();

function storedTheme(): Theme {
  const kept = localStorage.getItem(STORAGE_KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Call before the first paint. */
export function applyTheme(): void {
  const theme = storedTheme();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, storedTheme);
  return [
    theme,
    (next) => {
      if (next === 'system') localStorage.removeItem(STORAGE_KEY);
      else localStorage.setItem(STORAGE_KEY, next);
      applyTheme();
      for (const listener of listeners) listener();
    },
  ];
}
