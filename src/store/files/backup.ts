import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LIMITS } from '../../base/limits.js';
import { VERSION } from '../../base/version.js';
import { BackupWriter, type RawRecord } from './backup-format.js';
import { requireCurrentFormat, formatError } from './store-format.js';
import { encodeKey } from '../key-codec.js';
import { keyFileNames, keysFolder } from '../access/key-files.js';
import { FORMAT_VERSION, keys, type Key } from '../keys.js';
import { storedRecords, type OfflineStore } from './offline-store.js';
import { openRawDatabase } from '../reader.js';
import { decodeRawRecord } from '../record-codec.js';

/** Content of a backup. */
interface BackupSource {
  /** Approximate bytes of the records. */
  bytes: number;
  /** In key order, all of one commit. */
  records: Iterable<RawRecord>;
}

/**
 * The bytes of a backup, in pieces of about 256 KiB or one larger record. Contains every record of the last commit and
 * the files of API keys. Excludes the seal key, which would decrypt sealed values, and everything that can be rebuilt.
 * Throws STORE_DAMAGED or STORE_FILE_DAMAGED.
 */
function* backupBytes(folder: string, { bytes, records }: BackupSource): Generator<Buffer> {
  const writer = new BackupWriter();
  const counts = { records: 0, files: 0 };
  const format = encodeKey(keys.meta('format'));
  let storeFormat: string | null = null;
  yield writer.begin({ version: VERSION, storeFormat: FORMAT_VERSION, madeAtMs: Date.now(), bytes });
  // Keys go before records: a key created meanwhile is missing, but no key of the records' commit is lost.
  for (const name of keyFileNames(keysFolder(folder))) {
    yield writer.block({ type: 'file', path: `keys/${name}`, bytes: readFileSync(join(keysFolder(folder), name)) });
    counts.files += 1;
  }
  let block: RawRecord[] = [];
  let blockBytes = 0;
  for (const record of records) {
    const value = decodeRawRecord(record[0], record[1]);
    if (format.equals(record[0])) storeFormat = Buffer.from(value).toString();
    // Copies, because the bytes are valid only until the next record is read.
    block.push([Buffer.from(record[0]), Buffer.from(record[1])]);
    blockBytes += record[0].byteLength + record[1].byteLength;
    counts.records += 1;
    if (blockBytes < LIMITS.backupBlockBytes && block.length < LIMITS.backupBlockRecords) continue;
    yield writer.block({ type: 'records', records: block });
    block = [];
    blockBytes = 0;
  }
  if (block.length > 0) yield writer.block({ type: 'records', records: block });
  if (storeFormat !== String(FORMAT_VERSION)) throw formatError(folder, storeFormat ?? 'none');
  yield writer.end(counts);
}

/**
 * Backup of a folder that a server of this process writes to, for use on another thread. Until it ends, LMDB cannot
 * reuse freed pages, and the file grows instead. `onOpen` may read records of the commit that is backed up.
 */
export function* liveBackup(
  dataFile: string,
  onOpen: (get: (key: Key) => Uint8Array | undefined) => void = () => undefined,
): Generator<Buffer> {
  const raw = openRawDatabase(dataFile, true);
  raw.resetReadTxn();
  const transaction = raw.useReadTransaction();
  try {
    onOpen((key) => raw.get(encodeKey(key), { transaction }));
    const { pageSize, treeLeafPageCount, overflowPages } = raw.getStats() as Record<
      'pageSize' | 'treeLeafPageCount' | 'overflowPages',
      number
    >;
    const records = raw.getRange({ transaction }).map(({ key, value }): RawRecord => [key, value]);
    yield* backupBytes(dirname(dataFile), { bytes: (treeLeafPageCount + overflowPages) * pageSize, records });
  } finally {
    transaction.done();
  }
}

/** Backup of a folder that no server uses. `change`: the records to store instead, in key order. */
export function* offlineBackup(
  { folder, pages }: OfflineStore,
  change: (records: Iterable<RawRecord>) => Iterable<RawRecord> = (records) => records,
): Generator<Buffer> {
  requireCurrentFormat(pages, folder);
  const { leafPages, overflowPages } = pages.snapshot.main;
  yield* backupBytes(folder, {
    bytes: (leafPages + overflowPages) * pages.pageBytes,
    records: change(storedRecords(pages)),
  });
}
