import { fetchResponse } from './http.js';

/** One page of a list. */
export interface ResultPage<T> {
  items: T[];
  /** Offset of the next page, or null on the last page. */
  nextOffset: number | null;
}

/** Runs a search and reads the next offset from `X-Pagination-Next`, which the SDK reads for some lists only. */
export async function fetchPage<T>(path: string, body: unknown, signal?: AbortSignal): Promise<ResultPage<T>> {
  const response = await fetchResponse(path, { method: 'POST', body, signal });
  const next = response.headers.get('x-pagination-next');
  return { items: (await response.json()) as T[], nextOffset: next === null ? null : Number(next) };
}
