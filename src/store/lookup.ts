import type { Key } from './keys.js';

/** Reads single keys. */
export interface Lookup {
  get(key: Key): Uint8Array | undefined;
}
