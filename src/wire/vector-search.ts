import type { CipherKeys } from '../base/cipher-keys.js';
import type { ItemFilter } from '../domain/item-filter.js';

export interface NearestWorkerData {
  dataFile: string;
  /** Null: the folder is not encrypted. */
  encryption: CipherKeys | null;
  env: Record<string, string>;
}

/** What the search thread is asked, as JSON. */
export interface NearestAskText {
  serial: number;
  /** As `revivedCaller` takes it. */
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

export type NearestAnswer = { serial: number } &
  /** Namespace and key as they stand in the store's keys. */
  (
    | { type: 'done'; near: [namespace: string, key: string, updatedAtUs: number, score: number][] }
    | { type: 'limit' }
    | { type: 'failed'; message: string; stack: string | null }
  );
