import { renameSync, rmSync, statSync } from 'node:fs';
import type { RawRecord } from './backup-format.js';
import { dataFile } from './data-file.js';
import { expectFormat } from './format.js';
import { keyBytes } from '../key-bytes.js';
import { recordsOf, syncPath, writeDataFile, type RestingStore } from './offline-store.js';
import { checkedRecord } from '../stamp.js';
import { keys } from '../keys.js';

export interface Compacted {
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
  { folder, pages }: RestingStore,
  onWritten: (records: number) => void,
): Promise<Compacted> {
  expectFormat(pages, folder);
  const file = dataFile(folder);
  const aside = `${file}.compacting`;
  const leftover = keyBytes(keys.leftovers());
  const counts = { records: 0, leftovers: 0 };
  function* sound(): Generator<RawRecord> {
    for (const [key, record] of recordsOf(pages)) {
      checkedRecord(key, record);
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
