import { fail } from '../base/errors.js';
import { FORMAT_VERSION, keys } from './keys.js';
import type { PageFile } from './page-file.js';
import { PageLookup } from './page-lookup.js';
import { CHECKSUM_BYTES } from './stamp.js';

/** The format a data file says it has, whatever checksums are made of in it. Null: it says none, or cannot be read. */
export function storedFormat(pages: PageFile): string | null {
  const record = new PageLookup(pages).record(keys.meta('format'));
  return record === undefined ? null : formatIn(record);
}

/** Of the record that says it. */
export function formatIn(record: Uint8Array): string {
  return Buffer.from(record.buffer, record.byteOffset, record.byteLength).toString('latin1', CHECKSUM_BYTES);
}

/** Throws STORE_FORMAT when the file has another one than this version's. Of a file that cannot be read others say so. */
export function expectFormat(pages: PageFile, folder: string): void {
  const found = storedFormat(pages);
  if (found !== null && found !== String(FORMAT_VERSION)) throw otherFormat(folder, found);
}

export function otherFormat(folder: string, found: string): Error {
  return fail('STORE_FORMAT', { folder, found, known: FORMAT_VERSION });
}
