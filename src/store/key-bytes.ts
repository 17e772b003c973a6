import * as lmdb from 'lmdb';
import type { Key } from './keys.js';

/** Exported, and missing in its types (lmdb 3.5.6, index.js). */
const { bufferToKeyValue, keyValueToBuffer } = lmdb as unknown as {
  bufferToKeyValue: (bytes: Buffer) => unknown;
  keyValueToBuffer: (key: Key) => Uint8Array;
};

/** A key as it stands in the file. */
export function keyBytes(key: Key): Buffer {
  return Buffer.from(keyValueToBuffer(key));
}

/** Undefined when the bytes are no key. */
export function keyValue(bytes: Uint8Array): unknown {
  try {
    return bufferToKeyValue(Buffer.from(bytes));
  } catch {
    return undefined;
  }
}

/** A key in words, as errors name it; of bytes that are none, these. */
export function keyText(bytes: Uint8Array): string {
  return JSON.stringify(keyValue(bytes)) ?? `0x${Buffer.from(bytes).toString('hex')}`;
}
