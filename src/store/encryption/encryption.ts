import { existsSync } from 'node:fs';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { fail } from '../../base/errors.js';
import { dataFile } from '../files/data-file.js';
import { storedFormat } from '../files/store-format.js';
import { FORMAT_VERSION, keys } from '../keys.js';
import { PageFile } from '../files/page-file.js';
import { PageLookup } from '../files/page-lookup.js';
import { deriveKeys, RecordCipher } from './record-cipher.js';
import { decodeRecord, encodeRecord } from '../record-codec.js';

const RECORD_KEY = keys.meta('encryption');

/** The folder's encryption record, as JSON. Contains no secret. */
interface EncryptionRecord {
  version: 1;
  cipher: 'aes-256-gcm';
  /** Base64. */
  salt: string;
  /** Base64. Derived from the key, to recognize a wrong key before it is used. */
  check: string;
}

/** A new cipher for a folder, and the encryption record with its checksum. */
export function newCipher(secret: Uint8Array): { cipher: RecordCipher; record: Buffer } {
  const salt = randomBytes(16);
  const { check, ...derived } = deriveKeys(secret, salt);
  const content: EncryptionRecord = {
    version: 1,
    cipher: 'aes-256-gcm',
    salt: salt.toString('base64'),
    check: check.toString('base64'),
  };
  return { cipher: new RecordCipher(derived), record: encodeRecord(RECORD_KEY, Buffer.from(JSON.stringify(content))) };
}

/**
 * The cipher of a folder. `stored` is the value of `['!', 'encryption']`. Null when the folder is not encrypted and no
 * key is given. Throws ENCRYPTION_KEY_MISSING, ENCRYPTION_KEY_WRONG, STORE_NOT_ENCRYPTED or STORE_DAMAGED.
 */
export function openCipher(
  stored: Uint8Array | undefined,
  folder: string,
  secret: Uint8Array | null,
): RecordCipher | null {
  if (stored === undefined) {
    if (secret !== null) throw fail('STORE_NOT_ENCRYPTED', { folder });
    return null;
  }
  const { version, salt, check } = parseRecord(stored);
  if (version !== 1) throw fail('STORE_DAMAGED', { key: JSON.stringify(RECORD_KEY) });
  if (secret === null) throw fail('ENCRYPTION_KEY_MISSING', { folder });
  const derived = deriveKeys(secret, Buffer.from(salt, 'base64'));
  const expected = Buffer.from(check, 'base64');
  if (expected.length !== derived.check.length || !timingSafeEqual(expected, derived.check))
    throw fail('ENCRYPTION_KEY_WRONG', { folder });
  return new RecordCipher(derived);
}

function parseRecord(value: Uint8Array): EncryptionRecord {
  try {
    return JSON.parse(Buffer.from(value).toString()) as EncryptionRecord;
  } catch {
    throw fail('STORE_DAMAGED', { key: JSON.stringify(RECORD_KEY) });
  }
}

/** The value of the encryption record. Throws STORE_DAMAGED. */
export function readEncryptionRecord(pages: PageFile): Uint8Array | undefined {
  const record = new PageLookup(pages).rawRecord(RECORD_KEY);
  return record === undefined ? undefined : decodeRecord(RECORD_KEY, record);
}

/**
 * Checks the key before anything in the folder changes. Ignores unreadable files: opening the folder reports them with
 * the reason. Throws like `openCipher`.
 */
export function checkEncryptionKey(folder: string, secret: Uint8Array | null): void {
  if (!existsSync(dataFile(folder))) return;
  let pages: PageFile | null;
  try {
    pages = PageFile.open(dataFile(folder));
  } catch {
    return;
  }
  if (pages === null) return;
  try {
    const format = storedFormat(pages);
    const stored = readEncryptionRecord(pages);
    // A folder without a format record is new or damaged. Behind a damaged page the record is not found either; then
    // `Store.open` decides, because it checks the pages first.
    if (format === null || (stored === undefined && format === String(FORMAT_VERSION))) return;
    openCipher(stored, folder, secret);
  } finally {
    pages.close();
  }
}
