import type { Caller } from '../../domain/caller.js';
import type { ItemFilter } from '../../domain/item-filter.js';
import type { NearItem } from './nearest.js';

export interface NearestQuery {
  caller: Caller;
  prefix: readonly string[];
  filter: ItemFilter | null;
  vector: Float32Array;
  limit: number;
  offset: number;
}

/** How items are found by their meaning (`store.index` of langgraph.json): what is found where, the store does not know. */
export interface Meaning {
  /** Paths into an item's value that count when the item names none. */
  readonly fields: readonly string[];
  /** Of the configuration, on every vector: one that was made by another is never compared. */
  readonly mark: Buffer;
  /** One vector of length 1 (or 0) for each text. Throws EMBED_FAILED, EMBED_UNAVAILABLE, OVERLOADED. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** Nearest first. Throws STORE_SCAN_LIMIT, OVERLOADED. */
  nearest(query: NearestQuery): Promise<NearItem[]>;
}
