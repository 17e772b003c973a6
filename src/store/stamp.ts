import { crc32 } from 'node:zlib';
import { writeKey } from 'ordered-binary';
import { fail } from '../base/errors.js';
import { keyText } from './key-bytes.js';
import { FORMAT_VERSION, type Key } from './keys.js';
import type { RecordCipher } from './encryption/record-cipher.js';

/**
 * A record is four bytes of checksum and a value. The checksum goes over the key and the value, so that neither a changed value
 * nor one that stands under another key than its own is taken for what was written.
 */
export const CHECKSUM_BYTES = 4;

/** lmdb takes keys of 1978 bytes; ordered-binary wants a few more to write one. */
const scratch = Buffer.alloc(4_096);

/** What a checksum begins with. FNV-1a: of two keys that differ in one byte it always differs. */
function sumOf(key: Uint8Array, length: number): number {
  let sum = 0x811c9dc5;
  for (let at = 0; at < length; at += 1) sum = Math.imul(sum ^ key[at]!, 0x01000193);
  return sum >>> 0;
}

/** The same of a key that lmdb has not encoded yet. */
export function keySum(key: Key): number {
  return sumOf(scratch, writeKey(key, scratch, 0));
}

/** The record of a value. `key` is the stored key; with a cipher the value is encrypted first, so checksums need no key to be checked. */
export function stamped(key: Key, value: Uint8Array, cipher: RecordCipher | null = null): Buffer {
  const length = writeKey(key, scratch, 0);
  return recordOf(cipher === null ? value : cipher.encrypt(scratch.subarray(0, length), value), sumOf(scratch, length));
}

/** What goes under the checksum of a record that is put together elsewhere. */
export function encrypted(key: Key, value: Uint8Array, cipher: RecordCipher): Uint8Array {
  return cipher.encrypt(scratch.subarray(0, writeKey(key, scratch, 0)), value);
}

/** As `stamped`, under a key as LMDB has it. */
export function stampedRecord(key: Uint8Array, value: Uint8Array): Buffer {
  return recordOf(value, sumOf(key, key.length));
}

function recordOf(value: Uint8Array, start: number): Buffer {
  const record = Buffer.allocUnsafe(CHECKSUM_BYTES + value.byteLength);
  record.set(value, CHECKSUM_BYTES);
  record.writeUInt32LE(crc32(value, start), 0);
  return record;
}

/** What a record holds. Throws STORE_DAMAGED when it does not have its checksum, or does not decrypt. */
export function checked(key: Key, stored: Uint8Array, cipher: RecordCipher | null = null): Uint8Array {
  const length = writeKey(key, scratch, 0);
  let value = verified(stored, sumOf(scratch, length));
  if (value !== null && cipher !== null) value = cipher.decrypt(scratch.subarray(0, length), value);
  if (value === null) throw fail('STORE_DAMAGED', { key: JSON.stringify(key) });
  return value;
}

/** The same of a key as LMDB has it, in a folder of this format. */
export function checkedRecord(key: Uint8Array, stored: Uint8Array, format = FORMAT_VERSION): Uint8Array {
  const value = format === 1 ? valueInFormat1(stored) : valueIn(key, stored);
  if (value === null) throw fail('STORE_DAMAGED', { key: keyText(key) });
  return value;
}

/** Null when it does not have its checksum under this key. */
export function valueIn(key: Uint8Array, stored: Uint8Array): Uint8Array | null {
  return verified(stored, sumOf(key, key.length));
}

/** Whether it was written under this key, wherever it stands now. */
export function isOf(key: Key, stored: Uint8Array): boolean {
  return verified(stored, keySum(key)) !== null;
}

/** As records of format 1 were: the checksum of the value alone. Null when it does not have it. */
export function valueInFormat1(stored: Uint8Array): Uint8Array | null {
  return verified(stored, 0);
}

function verified(stored: Uint8Array, start: number): Uint8Array | null {
  const record = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const value = record.subarray(CHECKSUM_BYTES);
  return record.length < CHECKSUM_BYTES || record.readUInt32LE(0) !== crc32(value, start) ? null : value;
}
