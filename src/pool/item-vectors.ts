import type { Clock } from '../base/clock.js';
import { fail } from '../base/errors.js';
import { contentHash } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import type { Meaning, NearestQuery } from '../store/items/vector-index.js';
import type { NearItem } from '../store/items/nearest.js';
import { MARK_BYTES } from '../store/items/vectors.js';
import { numbersOf } from '../wire/numbers.js';
import { DeskError, type DeskPool } from './user-code/user-code-pool.js';
import type { NearestPool } from './vector-search-pool.js';

export interface ItemIndexOptions {
  dims: number;
  fields: readonly string[];
  /** As the configuration names the function. */
  path: string;
}

interface Parts {
  index: ItemIndexOptions;
  desk: DeskPool;
  nearest: NearestPool;
  clock: Clock;
}

/** The meaning of items by the project's function: it runs on the desk, what it returned is compared on the search thread. */
export class ItemMeaning implements Meaning {
  readonly fields: readonly string[];
  readonly mark: Buffer;
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    const { dims, fields, path } = parts.index;
    this.#parts = parts;
    this.fields = fields;
    this.mark = contentHash([Buffer.from(JSON.stringify([path, dims, fields]))]).subarray(0, MARK_BYTES);
  }

  /** Throws EMBED_LOAD_FAILED. */
  static async open(parts: Parts): Promise<ItemMeaning> {
    try {
      await parts.desk.ask('embed', { texts: [] });
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      throw fail('EMBED_LOAD_FAILED', { file: parts.index.path, reason: error.message }, error);
    }
    return new ItemMeaning(parts);
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    const vectors: Float32Array[] = [];
    for (const batch of this.#batches(texts)) {
      const numbers = await this.#ask(batch);
      for (let at = 0; at < numbers.length; at += this.#parts.index.dims)
        vectors.push(numbers.subarray(at, at + this.#parts.index.dims));
    }
    return vectors;
  }

  nearest({ caller, ...query }: NearestQuery): Promise<NearItem[]> {
    return this.#parts.nearest.ask(caller, { ...query, mark: this.mark, nowMs: this.#parts.clock.nowMs() });
  }

  async #ask(texts: readonly string[]): Promise<Float32Array> {
    try {
      return numbersOf((await this.#parts.desk.ask('embed', { texts })).numbers);
    } catch (error) {
      if (!(error instanceof DeskError)) throw error;
      const { message } = error;
      throw error.why === 'threw'
        ? fail('EMBED_FAILED', { reason: message }, error)
        : fail('EMBED_UNAVAILABLE', { reason: message }, error);
    }
  }

  /** What goes into one ask, and its answer into one message. */
  *#batches(texts: readonly string[]): Generator<string[]> {
    const textsMax = Math.max(
      1,
      Math.min(LIMITS.embedTextsMax, Math.floor(LIMITS.deskAnswerCharsMax / (this.#parts.index.dims * 6))),
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
