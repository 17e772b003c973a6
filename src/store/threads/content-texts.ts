import { LRUCache } from 'lru-cache';
import { LIMITS } from '../../base/limits.js';

/** Characters that an entry takes besides its text: key, links and sizes. */
const ENTRY_OVERHEAD_CHARS = 128;

/**
 * JSON of items that were read last. Clients read the state of a thread again after each of its runs, and nearly all of
 * its messages are the same. An item never changes, so entries need not be invalidated.
 */
export class ContentTexts {
  readonly #texts = new LRUCache<string, string>({
    maxSize: LIMITS.contentTextsCharsMax,
    maxEntrySize: LIMITS.contentTextsCharsMax / 16,
    sizeCalculation: (text) => text.length + ENTRY_OVERHEAD_CHARS,
  });

  /** `key` is that of the item's hash, in the thread with this `uid`. */
  get(uid: string, key: string): string | undefined {
    return this.#texts.get(uid + key);
  }

  set(uid: string, key: string, text: string): void {
    this.#texts.set(uid + key, text);
  }
}
