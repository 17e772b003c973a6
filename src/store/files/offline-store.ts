import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { RawRecord } from './backup-format.js';
import { dataFile, removeDataFile } from './data-file.js';
import { lockFolder } from './folder-lock.js';
import { PageFile, readHeads } from './page-file.js';
import { soundEntries } from './page-walk.js';
import { tightenFolder } from './private-folder.js';
import { lastTxnId, openFile, openRaw } from '../reader.js';

/** Fills pages to the end. The types of lmdb 3.5.6 say number where it takes this too (write.js). */
const APPEND = { append: true } as unknown as number;

/** A data folder that no server uses, for as long as it is held. */
export interface RestingStore {
  folder: string;
  pages: PageFile;
  release(): void;
}

/** Takes the folder's lock. Throws STORE_LOCKED when a server has it, STORE_FILE_DAMAGED when nothing can be read. */
export async function openResting(folder: string): Promise<RestingStore> {
  const file = dataFile(folder);
  if (!existsSync(file)) throw fail('STORE_FILE_DAMAGED', { file, problem: 'there is no such file' });
  const lock = lockFolder(folder);
  // Before anything is written beside the data.
  tightenFolder(folder);
  try {
    const pages = PageFile.open(file, await settledTxnId(file));
    if (pages === null) throw fail('STORE_FILE_DAMAGED', { file, problem: 'it is empty' });
    return {
      folder,
      pages,
      release() {
        pages.close();
        tightenFolder(folder);
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** After a loss of power the newest commit may not be whole: LMDB says which one counts. */
async function settledTxnId(file: string): Promise<number> {
  const fd = openSync(file, 'r');
  try {
    readHeads(file, fd);
  } finally {
    closeSync(fd);
  }
  const db = openFile(file, false);
  try {
    return lastTxnId(db);
  } finally {
    await db.close();
  }
}

/** Every record of a sound file, in order. Throws STORE_FILE_DAMAGED at the first thing that is wrong with its pages. */
export function* recordsOf(pages: PageFile): Generator<RawRecord> {
  for (const { key, value } of soundEntries(pages)) yield [key, value];
}

export interface WriteOptions {
  /** False: some do not come in the order of their keys. */
  sorted?: boolean;
  /** Called after every part. */
  onWritten?: (records: number, bytes: number) => void;
}

/**
 * Makes a data file of its own of these records, each with another key: nothing is in it but these. When it resolves the file is
 * on disk; when it rejects there is none.
 */
export async function writeDataFile(
  file: string,
  records: AsyncIterable<RawRecord> | Iterable<RawRecord>,
  { sorted = true, onWritten = () => undefined }: WriteOptions = {},
): Promise<void> {
  removeDataFile(file);
  const db = openRaw(file, false);
  let [count, bytes, unwritten, unwrittenBytes] = [0, 0, 0, 0];
  const failures: unknown[] = [];
  let last = Buffer.alloc(0);
  const flush = async (): Promise<void> => {
    await db.flushed;
    if (failures.length > 0) throw failures[0];
  };
  try {
    for await (const [key, record] of records) {
      // The bytes must stand until they are written, and what is read lasts only until the next one is.
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
    if (stored !== count) throw new Error(`${file}: ${count} records were written, and ${stored} are there`);
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

/** A file's content, or a folder's names, on disk. */
export function syncPath(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
