import { HASH_BYTES, type NewContent } from './state.js';

const LENGTH_BYTES = 4;

/**
 * Puts the content of a checkpoint into one block for a worker: for each, its hash, its length (little endian) and its
 * bytes. Thousands of byte fields in a list take much longer to pack and unpack (docs/decisions/0011).
 */
export function packContentBlock(contents: readonly NewContent[]): Uint8Array<ArrayBuffer> {
  let length = 0;
  for (const [, content] of contents) length += HASH_BYTES + LENGTH_BYTES + content.byteLength;
  const block = Buffer.from(new ArrayBuffer(length));
  let at = 0;
  for (const [hash, content] of contents) {
    block.set(hash, at);
    block.writeUInt32LE(content.byteLength, at + HASH_BYTES);
    at += HASH_BYTES + LENGTH_BYTES;
    block.set(content, at);
    at += content.byteLength;
  }
  return block;
}

export const NO_CONTENT = packContentBlock([]);

/** The content of a block, by the key of its hash. The bytes are views into the block. */
export function* unpackContentBlock(packed: Uint8Array): Generator<[key: string, content: Uint8Array]> {
  const block = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let at = 0; at < block.length;) {
    const key = block.toString('base64url', at, at + HASH_BYTES);
    const start = at + HASH_BYTES + LENGTH_BYTES;
    at = start + block.readUInt32LE(at + HASH_BYTES);
    yield [key, block.subarray(start, at)];
  }
}
