import { useRouter } from 'wouter';
import { BASE } from '../api/session.js';

/** The whole path of a page, for what must stand in an address bar. */
export function useHref(path: string): string {
  return useRouter().base + path;
}

/** A page of the console for wouter's links, from within any room: `inConsole('/threads')`. */
export function inConsole(path: string, query: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(query).toString();
  return `~${BASE}${path}${text === '' ? '' : `?${text}`}`;
}
