import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { RawRecord } from './backup-format.js';
import { dataFile, removeDataFile } from './data-file.js';
import { lockFolder } from './folder-lock.js';
import { PageFile, readMetaPages } from './page-file.js';
import { verifiedEntries } from './page-walk.js';
import { restrictAccess } from './private-folder.js';
import { lastTxnId, openDatabase, openRawDatabase } from '../reader.js';

/** Fills pages completely. The types of lmdb 3.5.6 declare a number, but these options are accepted too (write.js). */
const APPEND = { append: true } as unknown as number;

/** A data folder that is locked so that no server uses it. */
export interface OfflineStore {
  folder: string;
  pages: PageFile;
  release(): void;
}

/** Locks the folder. Throws STORE_LOCKED when a server uses it, STORE_FILE_DAMAGED when it cannot be read. */
export async function openOfflineStore(folder: string): Promise<OfflineStore> {
  const file = dataFile(folder);
  if (!existsSync(file)) throw fail('STORE_FILE_DAMAGED', { file, problem: 'it does not exist' });
  const lock = lockFolder(folder);
  // Before other files are written into the folder.
  restrictAccess(folder);
  try {
    const pages = PageFile.open(file, await validTxnId(file));
    if (pages === null) throw fail('STORE_FILE_DAMAGED', { file, problem: 'it is empty' });
    return {
      folder,
      pages,
      release() {
        pages.close();
        restrictAccess(folder);
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Number of the valid commit. After a power failure the newest one may be incomplete; LMDB knows which one counts. */
async function validTxnId(file: string): Promise<number> {
  const fd = openSync(file, 'r');
  try {
    readMetaPages(file, fd);
  } finally {
    closeSync(fd);
  }
  const db = openDatabase(file, false);
  try {
    return lastTxnId(db);
  } finally {
    await db.close();
  }
}

/** Every record in key order. Throws STORE_FILE_DAMAGED at the first damaged page. */
export function* storedRecords(pages: PageFile): Generator<RawRecord> {
  for (const { key, value } of verifiedEntries(pages)) yield [key, value];
}

export interface WriteOptions {
  /** False when some records are not in key order. */
  sorted?: boolean;
  /** Called after every part that is on disk. */
  onWritten?: (records: number, bytes: number) => void;
}

/**
 * Creates a data file with exactly these records, whose keys must be distinct. When the promise resolves, the file is
 * on disk; when it rejects, there is no file.
 */
export async function writeDataFile(
  file: string,
  records: AsyncIterable<RawRecord> | Iterable<RawRecord>,
  { sorted = true, onWritten = () => undefined }: WriteOptions = {},
): Promise<void> {
  removeDataFile(file);
  const db = openRawDatabase(file, false);
  let [count, bytes, unwritten, unwrittenBytes] = [0, 0, 0, 0];
  const failures: unknown[] = [];
  let last = Buffer.alloc(0);
  const flush = async (): Promise<void> => {
    await db.flushed;
    if (failures.length > 0) throw failures[0];
  };
  try {
    for await (const [key, record] of records) {
      // Copies, because the bytes are valid only until the next record is read but are written later.
      const at = Buffer.from(key);
      const isLast = sorted || Buffer.compare(last, at) < 0;
      if (isLast) last = at;
      (isLast ? db.put(at, Buffer.from(record), APPEND) : db.put(at, Buffer.from(record))).catch((error: unknown) => {
        failures.push(error);
      });
      const size = key.byteLength + record.byteLength;
      [count, bytes, unwritten, unwrittenBytes] = [count + 1, bytes + size, unwritten + 1, unwrittenBytes + size];
      if (unwritten < LIMITS.rewriteRecords && unwrittenBytes < LIMITS.rewriteBytes) continue;
      await flush();
      [unwritten, unwrittenBytes] = [0, 0];
      onWritten(count, bytes);
    }
    await flush();
    const stored = (db.getStats() as { entryCount: number }).entryCount;
    if (stored !== count) throw new Error(`${file}: ${count} records were written, but the file has ${stored}`);
    await db.close();
    syncPath(file);
    rmSync(`${file}-lock`, { force: true });
  } catch (error) {
    await db.close().catch(() => undefined);
    removeDataFile(file);
    throw error;
  }
  syncPath(dirname(file));
}

/** Flushes a file's content, or a folder's entries, to disk. */
export function syncPath(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
