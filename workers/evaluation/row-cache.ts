import { LIMITS } from '../../src/base/limits.js';

/** Values made of rows. The least recently used are evicted while there are too many rows. */
export class RowCache<K, V extends { rows: number }> {
  /** The least recently used first. */
  readonly #entries = new Map<K, { value: V; usedMs: number }>();

  get(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** Adds or replaces a value, or marks it as the last one that was used. It stays even if it is too large alone. */
  put(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, usedMs: performance.now() });
    let rows = 0;
    for (const one of this.#entries.values()) rows += one.value.rows;
    for (const [oldest, one] of this.#entries) {
      if (rows <= LIMITS.cachedRowsMax || oldest === key) return;
      this.#entries.delete(oldest);
      rows -= one.value.rows;
    }
  }

  /** Removes values that were not used for a while. Returns the number of their rows. */
  dropUnused(): number {
    const usedBefore = performance.now() - LIMITS.cachedUnusedMs;
    let rows = 0;
    for (const [key, { value, usedMs }] of this.#entries) {
      if (usedMs > usedBefore) break;
      this.#entries.delete(key);
      rows += value.rows;
    }
    return rows;
  }

  clear(): void {
    this.#entries.clear();
  }
}
