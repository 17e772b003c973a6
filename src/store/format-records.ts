import type { RootDatabase } from 'lmdb';
import { newCipher, openCipher } from './encryption/encryption.js';
import type { RecordCipher } from './encryption/record-cipher.js';
import { formatError, parseFormat } from './files/store-format.js';
import type { StoredOperation } from './journal.js';
import { FORMAT_VERSION, keys, type Key } from './keys.js';
import { Reader } from './reader.js';
import { decodeRecord, encodeRecord } from './record-codec.js';

/** The first records of a new database: its format and, if its values are to be encrypted, the encryption record. */
export function newFormatRecords(encryptionKey: Uint8Array | null): StoredOperation[] {
  const format = keys.meta('format');
  const record = encodeRecord(format, Buffer.from(String(FORMAT_VERSION)));
  if (encryptionKey === null) return [[format, record]];
  return [
    [keys.meta('encryption'), newCipher(encryptionKey).record],
    [format, record],
  ];
}

/** Reads the format and encryption records, or writes them into a new folder. Returns the cipher of the values. */
export function openFormatRecords(
  db: RootDatabase<Uint8Array, Key>,
  folder: string,
  encryptionKey: Uint8Array | null,
): RecordCipher | null {
  const format = keys.meta('format');
  if (db.get(format) === undefined) {
    const [any] = db.getKeys({ limit: 1 });
    if (any !== undefined) throw formatError(folder, 'none');
    const operations = newFormatRecords(encryptionKey);
    if (operations.length === 1) db.putSync(...(operations[0] as [Key, Uint8Array]));
    else
      db.transactionSync(() => {
        for (const [key, record] of operations) db.putSync(key, record!);
      });
  }
  const stored = db.get(format)!;
  const found = parseFormat(stored);
  // An unreadable format record is damage: the next line throws STORE_DAMAGED.
  if (found !== null && found !== String(FORMAT_VERSION)) throw formatError(folder, found);
  decodeRecord(format, stored);
  return openCipher(new Reader(db, null).get(keys.meta('encryption')), folder, encryptionKey);
}
