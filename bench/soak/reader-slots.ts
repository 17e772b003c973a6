import { dataFile } from '../../src/store/files/data-file.js';
import { openDatabase } from '../../src/store/reader.js';

/** Columns of the list: process, thread, and the transaction of the open read, or `-`. */
const SLOT_LINE = /^\s*(\d+)\s+\S+\s+(-|\d+)\s*$/gm;

/** Reads the LMDB reader table, which all processes of a data folder share. Reads no records. */
export class ReaderSlots {
  readonly #db: ReturnType<typeof openDatabase>;

  constructor(dataFolder: string) {
    this.#db = openDatabase(dataFile(dataFolder), true);
    // Opening starts a read. An open read keeps pages from being reused, so the file would grow because of this reader.
    this.#db.resetReadTxn();
  }

  /** Slots of the process, and how many of them have an open read now. */
  usedBy(pid: number): { slots: number; reading: number } {
    const own = [...this.#db.readerList().matchAll(SLOT_LINE)].filter(([, process]) => Number(process) === pid);
    return { slots: own.length, reading: own.filter(([, , txn]) => txn !== '-').length };
  }

  async close(): Promise<void> {
    await this.#db.close();
  }
}
