import { renameSync, rmSync, statSync } from 'node:fs';
import type { RawRecord } from './backup-format.js';
import { dataFile } from './data-file.js';
import { requireCurrentFormat } from './store-format.js';
import { encodeKey } from '../key-codec.js';
import { storedRecords, syncPath, writeDataFile, type OfflineStore } from './offline-store.js';
import { decodeRawRecord } from '../record-codec.js';
import { keys } from '../keys.js';

export interface CompactionResult {
  bytesBefore: number;
  bytesAfter: number;
  records: number;
  /** Deleted records that a running server would remove in the background. They are still in the file. */
  leftovers: number;
}

/**
 * Replaces the data file by a new one with the same records and nothing else. LMDB's own copy would copy whole pages,
 * including remains of deleted records. The old file stays until the new one is on disk. Throws STORE_DAMAGED or
 * STORE_FILE_DAMAGED.
 */
export async function compact(
  { folder, pages }: OfflineStore,
  onWritten: (records: number) => void,
): Promise<CompactionResult> {
  requireCurrentFormat(pages, folder);
  const file = dataFile(folder);
  const aside = `${file}.compacting`;
  const leftover = encodeKey(keys.leftovers());
  const counts = { records: 0, leftovers: 0 };
  function* sound(): Generator<RawRecord> {
    for (const [key, record] of storedRecords(pages)) {
      decodeRawRecord(key, record);
      counts.records += 1;
      if (isUnder(leftover, key)) counts.leftovers += 1;
      yield [key, record];
    }
  }
  const bytesBefore = statSync(file).size;
  await writeDataFile(aside, sound(), { onWritten });
  renameSync(aside, file);
  // The lock file belongs to the old file.
  rmSync(`${file}-lock`, { force: true });
  syncPath(folder);
  return { bytesBefore, bytesAfter: statSync(file).size, ...counts };
}

/** LMDB separates the parts of a key by a zero byte. */
function isUnder(prefix: Buffer, key: Uint8Array): boolean {
  return key.length > prefix.length && key[prefix.length] === 0 && prefix.equals(key.subarray(0, prefix.length));
}
