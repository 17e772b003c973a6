import type { Caller } from '../../src/domain/caller.js';
import type { Caches } from './caches.js';

/**
 * Answers a query on the evaluation thread, with the thread's caches, the caller and the parameters. The result
 * is JSON unless it has a content type.
 */
export type QueryHandler<P> = (caches: Caches, caller: Caller, params: P) => Uint8Array | QueryResult;

export interface QueryResult {
  body: Uint8Array;
  contentType?: string;
  headers?: Record<string, string>;
}
