import type { CipherKeys } from '../base/cipher-keys.js';
import type { ItemFilter } from '../domain/item-filter.js';

export interface VectorSearchWorkerData {
  dataFile: string;
  /** Null when the data folder is not encrypted. */
  encryption: CipherKeys | null;
  env: Record<string, string>;
}

/** A search, sent as JSON. */
export interface VectorSearchCall {
  serial: number;
  /** In the format that `deserializeCaller` reads. */
  caller: unknown;
  prefix: readonly string[];
  filter: ItemFilter | null;
  /** Base64 of float32. */
  vector: string;
  /** Base64. */
  mark: string;
  limit: number;
  offset: number;
  nowMs: number;
}

export type VectorSearchReply = { serial: number } &
  /** Namespace and key in the format of the store's keys. */
  (
    | { type: 'done'; near: [namespace: string, key: string, updatedAtUs: number, score: number][] }
    | { type: 'limit' }
    | { type: 'failed'; message: string; stack: string | null }
  );
