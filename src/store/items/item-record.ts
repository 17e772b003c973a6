import { sees, type Caller } from '../../domain/caller.js';
import { asObject, parseJson, type JsonBytes, type JsonObject } from '../../base/json/json.js';
import type { Micros } from '../../base/micros.js';
import type { ItemIndex } from '../../wire/runs/messages.js';

export interface ItemRecord {
  namespace: string[];
  key: string;
  /** A JSON object. */
  value: JsonBytes;
  createdAtUs: Micros;
  updatedAtUs: Micros;
  /** Time to live from the last put, or from the last read if so configured; null for unlimited. */
  ttlMs: number | null;
  expiresAtMs: number | null;
  /** Fields for semantic search: the configured ones (null), these, or none (false). */
  index: ItemIndex;
  /** Metadata that the access handler added; null for none. Never returned, but filters match on it. */
  stamp: JsonBytes | null;
}

export function isAlive({ expiresAtMs }: ItemRecord, nowMs: number): boolean {
  return expiresAtMs === null || expiresAtMs > nowMs;
}

/** Filters match the members of the value, the metadata of the access handler, the namespace and the key. */
export function seesItem(caller: Caller, { value, stamp, namespace, key }: ItemRecord): boolean {
  return sees(caller, 'store', (): JsonObject => ({
    ...asObject(parseJson(value)),
    ...(stamp === null ? {} : asObject(parseJson(stamp))),
    namespace,
    key,
  }));
}
