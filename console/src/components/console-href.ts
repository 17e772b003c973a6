import { useRouter } from 'wouter';
import { CONSOLE_PATH } from '../api/session.js';

/** The full path of a page, including the path of the console. */
export function useFullHref(path: string): string {
  return useRouter().base + path;
}

/** An absolute address for wouter's links that works in any section: `consoleHref('/threads')`. */
export function consoleHref(path: string, query: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(query).toString();
  return `~${CONSOLE_PATH}${path}${text === '' ? '' : `?${text}`}`;
}
