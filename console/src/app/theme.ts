import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';
const KEPT = 'threadmill.theme';
const listeners = new Set<() => void>();

function current(): Theme {
  const kept = localStorage.getItem(KEPT);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Before anything is painted. */
export function applyTheme(): void {
  const theme = current();
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, current);
  return [
    theme,
    (next) => {
      if (next === 'system') localStorage.removeItem(KEPT);
      else localStorage.setItem(KEPT, next);
      applyTheme();
      for (const listener of listeners) listener();
    },
  ];
}
