import type { RootDatabase } from 'lmdb';
import { LIMITS } from '../../base/limits.js';
import type { RawRecord } from '../files/backup-format.js';
import { parseFormat } from '../files/store-format.js';
import { convertRecords } from '../files/upgrade.js';
import type { Journal, StoredOperation } from '../journal.js';
import { decodeKey, encodeKey } from '../key-codec.js';
import { FORMAT_VERSION, keys, type Key } from '../keys.js';

/** Format of the records in a database; null for an empty one. */
export function formatOf(db: RootDatabase<Uint8Array, Key>): number | null {
  const record = db.get(keys.meta('format'));
  const format = record === undefined ? null : parseFormat(record);
  return format === null ? null : Number(format);
}

/**
 * Converts the records of an earlier format, and writes those that change. The format record is the last one, so a
 * node that takes over in the middle converts again: steps leave converted records as they are. Returns the number of
 * records that were written.
 */
export async function upgradeRecords(
  db: RootDatabase<Uint8Array, Key>,
  journal: Pick<Journal, 'write'>,
  from: number,
): Promise<number> {
  const formatKey = encodeKey(keys.meta('format'));
  const transaction = db.useReadTransaction();
  let count = 0;
  let batch: StoredOperation[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    count += batch.length;
    await journal.write(batch);
    batch = [];
    bytes = 0;
  };
  let formatRecord: Uint8Array | null = null;
  try {
    const records = function* (): Generator<RawRecord> {
      // Copies, because the bytes are valid only until the next record is read.
      for (const { key, value } of db.getRange({ transaction })) yield [encodeKey(key), Uint8Array.from(value)];
    };
    for (const [key, record] of changesBetween(records(), convertRecords(records(), from))) {
      if (Buffer.compare(key, formatKey) === 0) {
        formatRecord = record;
        continue;
      }
      batch.push([decodeKey(key) as Key, record]);
      bytes += record?.byteLength ?? 0;
      if (bytes > LIMITS.logEntryBytesMax) await flush();
    }
  } finally {
    transaction.done();
  }
  batch.push([keys.meta('format'), formatRecord]);
  await flush();
  return count;
}

/** What turns one list of records into the other; null removes a record. Both are in key order, as is the result. */
function* changesBetween(
  before: Iterator<RawRecord, undefined>,
  after: Iterable<RawRecord>,
): Generator<[key: Uint8Array, record: Uint8Array | null]> {
  let old = before.next().value;
  for (const [key, record] of after) {
    while (old !== undefined && Buffer.compare(old[0], key) < 0) {
      yield [old[0], null];
      old = before.next().value;
    }
    const isKept = old !== undefined && Buffer.compare(old[0], key) === 0;
    if (!isKept || Buffer.compare(old![1], record) !== 0) yield [key, record];
    if (isKept) old = before.next().value;
  }
  for (; old !== undefined; old = before.next().value) yield [old[0], null];
}

/** True if this release can convert records of the format in a cluster. */
export function canUpgradeFrom(format: number): boolean {
  return format >= OLDEST_FORMAT && format <= FORMAT_VERSION;
}

/** The first format of clusters. Its steps and later ones can be repeated over records of which some are converted. */
const OLDEST_FORMAT = 4;
