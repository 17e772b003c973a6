import type { Micros } from '../../base/micros.js';

/** Bytes of the mark that identifies an index configuration. */
export const CONFIG_HASH_BYTES = 8;
const HEADER_BYTES = CONFIG_HASH_BYTES + 8;

/** Stored form of an item's vectors: the mark, the item's `updatedAtUs`, and the float32 numbers of all vectors. */
export function packVectors(mark: Uint8Array, updatedAtUs: Micros, vectors: readonly Float32Array[]): Buffer {
  const numbers = vectors.reduce((sum, { length }) => sum + length, 0);
  const record = Buffer.alloc(HEADER_BYTES + numbers * 4);
  record.set(mark.subarray(0, CONFIG_HASH_BYTES));
  record.writeDoubleLE(updatedAtUs, CONFIG_HASH_BYTES);
  let at = HEADER_BYTES;
  for (const { buffer, byteOffset, byteLength } of vectors) {
    record.set(new Uint8Array(buffer, byteOffset, byteLength), at);
    at += byteLength;
  }
  return record;
}

export function vectorsUpdatedAt(record: Uint8Array): Micros {
  return new DataView(record.buffer, record.byteOffset, record.byteLength).getFloat64(CONFIG_HASH_BYTES, true);
}

/** True if the vectors were made with the configuration of this mark. */
export function hasConfigHash(record: Uint8Array, mark: Uint8Array): boolean {
  for (let at = 0; at < CONFIG_HASH_BYTES; at += 1) if (record[at] !== mark[at]) return false;
  return true;
}

/** Reads records one after another. The returned numbers are valid until the next call. */
export class VectorReader {
  #bytes = new Uint8Array(0);
  #numbers = new Float32Array(0);

  /**
   * All numbers of a record, its vectors adjacent. Copies, because float32 arrays must be aligned and records are
   * not.
   */
  numbers(record: Uint8Array): Float32Array {
    const length = (record.byteLength - HEADER_BYTES) / 4;
    if (length > this.#numbers.length) {
      this.#numbers = new Float32Array(length);
      this.#bytes = new Uint8Array(this.#numbers.buffer);
    }
    this.#bytes.set(record.subarray(HEADER_BYTES));
    return length === this.#numbers.length ? this.#numbers : this.#numbers.subarray(0, length);
  }
}
