import type { Caller } from '../../domain/caller.js';
import type { ItemFilter } from '../../domain/item-filter.js';
import type { VectorMatch } from './vector-search.js';

export interface VectorQuery {
  caller: Caller;
  prefix: readonly string[];
  filter: ItemFilter | null;
  vector: Float32Array;
  limit: number;
  offset: number;
}

/** Vector index of long-term memory (`store.index` of langgraph.json). The search itself runs elsewhere. */
export interface VectorIndex {
  /** Paths into an item's value that are indexed unless the item names others. */
  readonly fields: readonly string[];
  /** Identifies the configuration on every vector. Vectors of another configuration are never compared. */
  readonly configHash: Buffer;
  /** One vector of length 1 (or 0) per text. Throws EMBED_FAILED, EMBED_UNAVAILABLE or OVERLOADED. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  /** Most similar first. Throws STORE_SCAN_LIMIT or OVERLOADED. */
  search(query: VectorQuery): Promise<VectorMatch[]>;
}
