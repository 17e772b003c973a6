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
  /** How long it lives, from when it is put and, if so configured, read; null for ever. */
  ttlMs: number | null;
  expiresAtMs: number | null;
  /** What of it a semantic search looks at: the configured fields (null), these, or nothing (false). */
  index: ItemIndex;
  /** What the access handler wanted in its metadata; null: nothing. Shown to nobody, filters look at it. */
  stamp: JsonBytes | null;
}

export function isAlive({ expiresAtMs }: ItemRecord, nowMs: number): boolean {
  return expiresAtMs === null || expiresAtMs > nowMs;
}

/** Filters are about the value's members, what was stamped on it, the namespace and the key. */
export function seesItem(caller: Caller, { value, stamp, namespace, key }: ItemRecord): boolean {
  return sees(caller, 'store', (): JsonObject => ({
    ...asObject(parseJson(value)),
    ...(stamp === null ? {} : asObject(parseJson(stamp))),
    namespace,
    key,
  }));
}
