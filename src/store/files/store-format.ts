import { fail } from '../../base/errors.js';
import { encodeKey } from '../key-codec.js';
import { FORMAT_VERSION, keys } from '../keys.js';
import type { PageFile } from './page-file.js';
import { PageLookup } from './page-lookup.js';
import { valueOfRawRecord, valueOfFormat1Record } from '../record-codec.js';

/** Format of a data file. Null when it has no format record or cannot be read. */
export function storedFormat(pages: PageFile): string | null {
  const record = new PageLookup(pages).rawRecord(keys.meta('format'));
  return record === undefined ? null : parseFormat(record);
}

/**
 * Format number in the format record; null when the record is damaged. This record keeps the checksum of format 2 in
 * all later formats. Otherwise a flipped bit in it would look like a newer version.
 */
export function parseFormat(record: Uint8Array): string | null {
  const value = valueOfRawRecord(encodeKey(keys.meta('format')), record) ?? valueOfFormat1Record(record);
  return value === null ? null : Buffer.from(value).toString('latin1');
}

/** Throws STORE_FORMAT when the file has another format. Ignores an unreadable file, which later checks report. */
export function requireCurrentFormat(pages: PageFile, folder: string): void {
  const found = storedFormat(pages);
  if (found !== null && found !== String(FORMAT_VERSION)) throw formatError(folder, found);
}

export function formatError(folder: string, found: string): Error {
  return fail('STORE_FORMAT', { folder, found, known: FORMAT_VERSION });
}
