import type { Clock } from '../base/clock.js';
import { fail } from '../base/errors.js';
import { contentHash } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import type { VectorIndex, VectorQuery } from '../store/items/vector-index.js';
import type { VectorMatch } from '../store/items/vector-search.js';
import { CONFIG_HASH_BYTES } from '../store/items/vectors.js';
import { decodeFloats } from '../wire/numbers.js';
import { UserCodeError, type UserCodePool } from './user-code/user-code-pool.js';
import type { VectorSearchPool } from './vector-search-pool.js';

export interface ItemIndexOptions {
  dims: number;
  fields: readonly string[];
  /** Path of the function in the configuration. */
  path: string;
}

interface Dependencies {
  index: ItemIndexOptions;
  userCode: UserCodePool;
  vectorSearch: VectorSearchPool;
  clock: Clock;
}

/**
 * Semantic search with the project's embedding function. The function runs on the user code thread; the search
 * thread compares the vectors.
 */
export class ItemVectorIndex implements VectorIndex {
  readonly fields: readonly string[];
  readonly configHash: Buffer;
  readonly #deps: Dependencies;

  private constructor(deps: Dependencies) {
    const { dims, fields, path } = deps.index;
    this.#deps = deps;
    this.fields = fields;
    this.configHash = contentHash(JSON.stringify([path, dims, fields])).subarray(0, CONFIG_HASH_BYTES);
  }

  /** Throws EMBED_LOAD_FAILED. */
  static async open(deps: Dependencies): Promise<ItemVectorIndex> {
    try {
      await deps.userCode.callHandler('embed', { texts: [] });
    } catch (error) {
      if (!(error instanceof UserCodeError)) throw error;
      throw fail('EMBED_LOAD_FAILED', { file: deps.index.path, reason: error.message }, error);
    }
    return new ItemVectorIndex(deps);
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const batch of this.#batches(texts)) {
      const numbers = await this.#embedBatch(batch);
      for (let at = 0; at < numbers.length; at += this.#deps.index.dims)
        vectors.push(numbers.subarray(at, at + this.#deps.index.dims));
    }
    return vectors;
  }

  search({ caller, ...query }: VectorQuery): Promise<VectorMatch[]> {
    return this.#deps.vectorSearch.search(caller, { ...query, mark: this.configHash, nowMs: this.#deps.clock.nowMs() });
  }

  async #embedBatch(texts: readonly string[]): Promise<Float32Array> {
    try {
      return decodeFloats((await this.#deps.userCode.callHandler('embed', { texts })).numbers);
    } catch (error) {
      if (!(error instanceof UserCodeError)) throw error;
      const { message } = error;
      throw error.kind === 'threw'
        ? fail('EMBED_FAILED', { reason: message }, error)
        : fail('EMBED_UNAVAILABLE', { reason: message }, error);
    }
  }

  /** Splits the texts, so that each batch fits into one call and its vectors into one reply. */
  *#batches(texts: readonly string[]): Generator<string[]> {
    const textsMax = Math.max(
      1,
      Math.min(LIMITS.embedTextsMax, Math.floor(LIMITS.userCodeResultCharsMax / (this.#deps.index.dims * 6))),
    );
    let batch: string[] = [];
    let chars = 0;
    for (const text of texts) {
      if (batch.length > 0 && (batch.length >= textsMax || chars + text.length > LIMITS.embedCharsMax)) {
        yield batch;
        batch = [];
        chars = 0;
      }
      batch.push(text);
      chars += text.length;
    }
    if (batch.length > 0) yield batch;
  }
}
