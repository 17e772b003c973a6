import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LIMITS } from '../../base/limits.js';
import { VERSION } from '../../base/version.js';
import { BackupWriter, type RawRecord } from './backup-format.js';
import { expectFormat, otherFormat } from './format.js';
import { keyBytes } from '../key-bytes.js';
import { keyFileNames, keysFolder } from '../access/key-files.js';
import { FORMAT_VERSION, keys } from '../keys.js';
import { recordsOf, type RestingStore } from './offline-store.js';
import { openRaw } from '../reader.js';
import { checkedRecord } from '../stamp.js';

/** What a backup is made of. */
interface Source {
  /** Of the records, about. */
  bytes: number;
  /** In the order of keys; all of one commit. */
  records: Iterable<RawRecord>;
}

/**
 * The bytes of a backup, in pieces of some 256 KiB, or of one record that is larger. It holds every record as of the last
 * commit, and the files of API keys; not the sealing key, which would open what is sealed in it, nor what can be made again.
 * Throws STORE_DAMAGED, STORE_FILE_DAMAGED.
 */
function* backup(folder: string, { bytes, records }: Source): Generator<Buffer> {
  const writer = new BackupWriter();
  const counts = { records: 0, files: 0 };
  const format = keyBytes(keys.meta('format'));
  let storeFormat: string | null = null;
  yield writer.begin({ version: VERSION, storeFormat: FORMAT_VERSION, madeAtMs: Date.now(), bytes });
  // Keys before records: one that is made meanwhile is missing, and none that is there is forgotten for it.
  for (const name of keyFileNames(keysFolder(folder))) {
    yield writer.block({ type: 'file', path: `keys/${name}`, bytes: readFileSync(join(keysFolder(folder), name)) });
    counts.files += 1;
  }
  let block: RawRecord[] = [];
  let blockBytes = 0;
  for (const record of records) {
    const value = checkedRecord(record[0], record[1]);
    if (format.equals(record[0])) storeFormat = Buffer.from(value).toString();
    // What is read lasts only until the next one is.
    block.push([Buffer.from(record[0]), Buffer.from(record[1])]);
    blockBytes += record[0].byteLength + record[1].byteLength;
    counts.records += 1;
    if (blockBytes < LIMITS.backupBlockBytes && block.length < LIMITS.backupBlockRecords) continue;
    yield writer.block({ type: 'records', records: block });
    block = [];
    blockBytes = 0;
  }
  if (block.length > 0) yield writer.block({ type: 'records', records: block });
  if (storeFormat !== String(FORMAT_VERSION)) throw otherFormat(folder, storeFormat ?? 'none');
  yield writer.end(counts);
}

/** Of a folder that a server of this process writes to, on another thread. As long as it is not at its end the file grows instead of using its pages again. */
export function* liveBackup(dataFile: string): Generator<Buffer> {
  const raw = openRaw(dataFile, true);
  raw.resetReadTxn();
  const transaction = raw.useReadTransaction();
  try {
    const { pageSize, treeLeafPageCount, overflowPages } = raw.getStats() as Record<
      'pageSize' | 'treeLeafPageCount' | 'overflowPages',
      number
    >;
    const records = raw.getRange({ transaction }).map(({ key, value }): RawRecord => [key, value]);
    yield* backup(dirname(dataFile), { bytes: (treeLeafPageCount + overflowPages) * pageSize, records });
  } finally {
    transaction.done();
  }
}

/** Of a folder that no server uses. */
export function* restingBackup({ folder, pages }: RestingStore): Generator<Buffer> {
  expectFormat(pages, folder);
  const { leafPages, overflowPages } = pages.snapshot.main;
  yield* backup(folder, { bytes: (leafPages + overflowPages) * pages.pageBytes, records: recordsOf(pages) });
}
