/**
 * Entry point of the thread that checks all pages of a large data file once after startup. It reads the file
 * directly and not through LMDB, and changes nothing.
 */
import { PageFile, type Damage } from '../../src/store/files/page-file.js';
import { walkEntries } from '../../src/store/files/page-walk.js';
import { lastTxnId, openDatabase } from '../../src/store/reader.js';

/** Number of tries, because a commit may happen between reading the transaction id and reading its head. */
const TRIES = 1_000;

/**
 * Returns the first damage in the pages of the newest commit; null if there is none. Throws STORE_FILE_DAMAGED
 * when the file's heads are invalid.
 */
export default async function walk(file: string): Promise<Damage | null> {
  const db = openDatabase(file, true);
  try {
    return damageOf(file, db);
  } finally {
    await db.close();
  }
}

function damageOf(file: string, db: ReturnType<typeof openDatabase>): Damage | null {
  for (let tries = 1; ; tries += 1) {
    db.resetReadTxn();
    const before = lastTxnId(db);
    // While this transaction is open, none of its pages is reused.
    const held = db.useReadTransaction();
    let pages: PageFile | null = null;
    try {
      if (lastTxnId(db) === before) pages = PageFile.open(file, before);
      if (pages !== null) return firstDamage(pages);
    } catch (error) {
      if (pages !== null || tries === TRIES) throw error;
    } finally {
      pages?.close();
      held.done();
    }
    if (tries === TRIES) return null;
  }
}

function firstDamage(pages: PageFile): Damage | null {
  let found: Damage | null = null;
  for (const _ of walkEntries(pages, {
    values: false,
    onDamage: (damage) => {
      found ??= damage;
    },
  }))
    if (found !== null) break;
  return found;
}
