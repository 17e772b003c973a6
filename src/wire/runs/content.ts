import { unpack } from '../codec.js';
import { compress, decompress, isCompressed } from '../compression.js';
import { splitHashes, type StoredContent } from './state.js';

/** An item is packed as an array of four. */
const ARRAY_OF_FOUR = 0x94;

/**
 * The stored form of packed content. Items are compressed, chunks are not: hashes do not get smaller. The address of
 * content is the hash of `packed`, so that it does not depend on the compression.
 */
export function compressContent(packed: Uint8Array): Uint8Array {
  return packed[0] === ARRAY_OF_FOUR ? compress(packed) : packed;
}

/** Throws when the bytes are not packed content. */
export function unpackContent(stored: Uint8Array): StoredContent {
  const packed = decompress(stored);
  // `hashesIn` relies on it.
  if (packed !== stored && packed[0] !== ARRAY_OF_FOUR) throw new Error('Only items can be compressed.');
  return unpack<StoredContent>(packed);
}

/**
 * The hashes in stored content, or null if it is an item. Our own items are not unpacked. Content of an imported file
 * may have another form.
 */
export function hashesIn(stored: Uint8Array): Uint8Array[] | null {
  if (stored[0] === ARRAY_OF_FOUR || isCompressed(stored)) return null;
  const content = unpack<StoredContent>(stored);
  return content[0] === 'chunk' ? splitHashes(content[2]) : null;
}
