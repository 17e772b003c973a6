import { statusOf } from '../api/http.js';

const FORBIDDEN = 403;

export function isForbidden(error: unknown): boolean {
  return error !== null && statusOf(error) === FORBIDDEN;
}

/** Refresh interval of a query, which stops when the server does not permit it. */
export function refreshUnlessForbidden(intervalMs: number) {
  return ({ state: { error } }: { state: { error: unknown } }): number | false =>
    isForbidden(error) ? false : intervalMs;
}
