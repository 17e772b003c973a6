import { askResponse } from './http.js';

/** A page of a list; `next` is where the one after it begins, null at the end. */
export interface PageOf<T> {
  items: T[];
  next: number | null;
}

/** Asks a search of the Agent Server that says in a header where the next page begins. The SDK reads it for some lists only. */
export async function askPage<T>(path: string, body: unknown, signal?: AbortSignal): Promise<PageOf<T>> {
  const response = await askResponse(path, { method: 'POST', body, signal });
  const next = response.headers.get('x-pagination-next');
  return { items: (await response.json()) as T[], next: next === null ? null : Number(next) };
}
