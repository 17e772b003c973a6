import type { Caller } from '../../src/domain/caller.js';
import type { Caches } from './caches.js';

/** A question as the evaluation thread answers it: what it knows, who asks, what was asked. JSON unless it says otherwise. */
export type Read<P> = (caches: Caches, caller: Caller, params: P) => Uint8Array | Answered;

export interface Answered {
  body: Uint8Array;
  contentType?: string;
  headers?: Record<string, string>;
}
