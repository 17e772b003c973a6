import { fail } from '../../base/errors.js';
import { keyBytes } from '../key-bytes.js';
import { FORMAT_VERSION, keys } from '../keys.js';
import type { PageFile } from './page-file.js';
import { PageLookup } from './page-lookup.js';
import { valueIn, valueInFormat1 } from '../stamp.js';

/** The format a data file says it has. Null: it says none, or cannot be read. */
export function storedFormat(pages: PageFile): string | null {
  const record = new PageLookup(pages).record(keys.meta('format'));
  return record === undefined ? null : formatIn(record);
}

/**
 * Of the record that says it; null when that is damaged. Whatever later formats make of checksums, this record keeps the one of
 * format 2: else a flipped bit in it could not be told from a newer version.
 */
export function formatIn(record: Uint8Array): string | null {
  const value = valueIn(keyBytes(keys.meta('format')), record) ?? valueInFormat1(record);
  return value === null ? null : Buffer.from(value).toString('latin1');
}

/** Throws STORE_FORMAT when the file has another one than this version's. Of a file that cannot be read others say so. */
export function expectFormat(pages: PageFile, folder: string): void {
  const found = storedFormat(pages);
  if (found !== null && found !== String(FORMAT_VERSION)) throw otherFormat(folder, found);
}

export function otherFormat(folder: string, found: string): Error {
  return fail('STORE_FORMAT', { folder, found, known: FORMAT_VERSION });
}
