import * as lmdb from 'lmdb';
import type { Key } from './keys.js';

/** lmdb exports these but its types omit them (lmdb 3.5.6, index.js). */
const { bufferToKeyValue, keyValueToBuffer } = lmdb as unknown as {
  bufferToKeyValue: (bytes: Buffer) => unknown;
  keyValueToBuffer: (key: Key) => Uint8Array;
};

/** A key in LMDB's encoding. */
export function encodeKey(key: Key): Buffer {
  return Buffer.from(keyValueToBuffer(key));
}

/** Decodes a key. Undefined when the bytes are not a key. */
export function decodeKey(bytes: Uint8Array): unknown {
  try {
    return bufferToKeyValue(Buffer.from(bytes));
  } catch {
    return undefined;
  }
}

/** A key as JSON for error messages; bytes that are not a key as hexadecimal digits. */
export function keyToText(bytes: Uint8Array): string {
  return JSON.stringify(decodeKey(bytes)) ?? `0x${Buffer.from(bytes).toString('hex')}`;
}
