/** Entry of the thread that looks through all pages of a large data file once, after a start: it reads the file and not LMDB's view of it, and changes nothing. */
import { PageFile, type Damage } from '../../src/store/files/page-file.js';
import { walkEntries } from '../../src/store/files/page-walk.js';
import { lastTxnId, openFile } from '../../src/store/reader.js';

/** Commits may come between the look at the number of one and the look at its head. */
const TRIES = 1_000;

/** The first thing that is wrong with the pages of the newest commit; null when nothing is. Throws STORE_FILE_DAMAGED when the file's heads do not stand. */
export default async function walk(file: string): Promise<Damage | null> {
  const db = openFile(file, true);
  try {
    return damageOf(file, db);
  } finally {
    await db.close();
  }
}

function damageOf(file: string, db: ReturnType<typeof openFile>): Damage | null {
  for (let tries = 1; ; tries += 1) {
    db.resetReadTxn();
    const before = lastTxnId(db);
    // As long as it is held no page of it is used again.
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
