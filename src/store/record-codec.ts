import { crc32 } from 'node:zlib';
import { writeKey } from 'ordered-binary';
import { fail } from '../base/errors.js';
import { keyToText } from './key-codec.js';
import { FORMAT_VERSION, type Key } from './keys.js';
import type { RecordCipher } from './encryption/record-cipher.js';

/**
 * A record consists of a four-byte checksum and a value. The checksum covers the key and the value. It therefore
 * detects a changed value, and a value that is stored under another key than its own.
 */
export const CHECKSUM_BYTES = 4;

/** lmdb accepts keys of up to 1978 bytes; ordered-binary needs a few more bytes to write one. */
const scratch = Buffer.alloc(4_096);

/** Start value for the checksum: FNV-1a of the key. It always differs for two keys that differ in one byte. */
function fnv1a(key: Uint8Array, length: number): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < length; at += 1) sum = Math.imul(sum ^ key[at]!, 0x01000193);
  return sum >>> 0;
}

/** The same for a decoded key. */
export function keyChecksumStart(key: Key): number {
  return fnv1a(scratch, writeKey(key, scratch, 0));
}

/**
 * The record for a value. `key` is the stored key. With a cipher the value is encrypted first, so verifying a checksum
 * needs no encryption key.
 */
export function encodeRecord(key: Key, value: Uint8Array, cipher: RecordCipher | null = null): Buffer {
  const length = writeKey(key, scratch, 0);
  return withChecksum(
    cipher === null ? value : cipher.encrypt(scratch.subarray(0, length), value),
    fnv1a(scratch, length),
  );
}

/** The encrypted value, for records that are assembled elsewhere. */
export function encryptValue(key: Key, value: Uint8Array, cipher: RecordCipher): Uint8Array {
  return cipher.encrypt(scratch.subarray(0, writeKey(key, scratch, 0)), value);
}

/** Like `stamped`, for a key in LMDB's encoding. */
export function encodeRawRecord(key: Uint8Array, value: Uint8Array): Buffer {
  return withChecksum(value, fnv1a(key, key.length));
}

function withChecksum(value: Uint8Array, start: number): Buffer {
  const record = Buffer.allocUnsafe(CHECKSUM_BYTES + value.byteLength);
  record.set(value, CHECKSUM_BYTES);
  record.writeUInt32LE(crc32(value, start), 0);
  return record;
}

/** The value of a record. Throws STORE_DAMAGED when the checksum does not match or decryption fails. */
export function decodeRecord(key: Key, stored: Uint8Array, cipher: RecordCipher | null = null): Uint8Array {
  const length = writeKey(key, scratch, 0);
  let value = verifiedValue(stored, fnv1a(scratch, length));
  if (value !== null && cipher !== null) value = cipher.decrypt(scratch.subarray(0, length), value);
  if (value === null) throw fail('STORE_DAMAGED', { key: JSON.stringify(key) });
  return value;
}

/** The same for a key in LMDB's encoding and a folder of this format. Does not decrypt. */
export function decodeRawRecord(key: Uint8Array, stored: Uint8Array, format = FORMAT_VERSION): Uint8Array {
  const value = format === 1 ? valueOfFormat1Record(stored) : valueOfRawRecord(key, stored);
  if (value === null) throw fail('STORE_DAMAGED', { key: keyToText(key) });
  return value;
}

/** Null when the checksum does not match under this key. */
export function valueOfRawRecord(key: Uint8Array, stored: Uint8Array): Uint8Array | null {
  return verifiedValue(stored, fnv1a(key, key.length));
}

/** True if the record was written under this key, wherever it is stored now. */
export function wasWrittenUnder(key: Key, stored: Uint8Array): boolean {
  return verifiedValue(stored, keyChecksumStart(key)) !== null;
}

/** The value of a record of format 1, whose checksum covers the value alone. Null when it does not match. */
export function valueOfFormat1Record(stored: Uint8Array): Uint8Array | null {
  return verifiedValue(stored, 0);
}

function verifiedValue(stored: Uint8Array, start: number): Uint8Array | null {
  const record = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const value = record.subarray(CHECKSUM_BYTES);
  return record.length < CHECKSUM_BYTES || record.readUInt32LE(0) !== crc32(value, start) ? null : value;
}
