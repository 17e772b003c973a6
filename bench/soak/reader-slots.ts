import { dataFile } from '../../src/store/files/data-file.js';
import { openFile } from '../../src/store/reader.js';

/** The list has these columns: process, thread, and the transaction that is read, or `-`. */
const LINE = /^\s*(\d+)\s+\S+\s+(-|\d+)\s*$/gm;

/** The table of readers that all processes of a data folder share, seen from outside; it reads no record itself. */
export class ReaderSlots {
  readonly #db: ReturnType<typeof openFile>;

  constructor(dataFolder: string) {
    this.#db = openFile(dataFile(dataFolder), true);
    // Opening has read; a read that stays open would keep every page from being used again, and the file would grow for our sake.
    this.#db.resetReadTxn();
  }

  /** Slots that the process has, and how many of them hold a read open now. */
  of(pid: number): { slots: number; reading: number } {
    const own = [...this.#db.readerList().matchAll(LINE)].filter(([, process]) => Number(process) === pid);
    return { slots: own.length, reading: own.filter(([, , txn]) => txn !== '-').length };
  }

  async close(): Promise<void> {
    await this.#db.close();
  }
}
