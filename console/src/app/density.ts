import { useSyncExternalStore } from 'react';

export type Density = 'comfortable' | 'compact';
const STORAGE_KEY = 'threadmill.density';
const listeners = new Set<() => void>();

export function storedDensity(): Density {
  return localStorage.getItem(STORAGE_KEY) === 'compact' ? 'compact' : 'comfortable';
}

/** Call before the first paint. */
export function applyDensity(): void {
  document.documentElement.dataset['density'] = storedDensity();
}

export function setDensity(density: Density): void {
  localStorage.setItem(STORAGE_KEY, density);
  applyDensity();
  for (const listener of listeners) listener();
}

export function useDensity(): Density {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, storedDensity);
}
