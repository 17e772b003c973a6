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
  /** What was deleted and not removed yet, for a server that runs removes it in the background: it is still there. */
  leftovers: number;
}

/**
 * Puts a new data file in the place of the old one, with the same records and nothing else: LMDB's own copy takes whole
 * pages, and with them what was in them before. Until the new file is on disk the old one stands. Throws STORE_DAMAGED,
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
  // It is of the old file.
  rmSync(`${file}-lock`, { force: true });
  syncPath(folder);
  return { bytesBefore, bytesAfter: statSync(file).size, ...counts };
}

/** LMDB has a zero between the parts of a key. */
function isUnder(prefix: Buffer, key: Uint8Array): boolean {
  return key.length > prefix.length && key[prefix.length] === 0 && prefix.equals(key.subarray(0, prefix.length));
}
