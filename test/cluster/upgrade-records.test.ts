import { cpSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { formatOf, upgradeRecords } from '../../src/store/cluster/upgrade-records.js';
import { dataFile } from '../../src/store/files/data-file.js';
import { upgradeFolder } from '../../src/store/files/upgrade.js';
import { putAll, type StoredOperation } from '../../src/store/journal.js';
import { FORMAT_VERSION, keys } from '../../src/store/keys.js';
import { openDatabase } from '../../src/store/reader.js';
import { lowerLimit } from '../helpers/limits.js';
import { ROOT, temporaryFolder } from '../helpers/server.js';

/** The records of a cluster are converted by commits of its log. */

/** Format 2, with checkpoints whose places change in format 3. */
const SAVED = join(ROOT, 'test', 'store', 'skewed-clock', 'data.mdb');

function copyOf(t: Test): { folder: string; open: () => ReturnType<typeof openDatabase> } {
  const folder = temporaryFolder(t);
  cpSync(SAVED, dataFile(folder));
  return {
    folder,
    open: () => {
      const db = openDatabase(dataFile(folder), false);
      t.teardown(() => db.close());
      return db;
    },
  };
}

const recordsOf = (db: ReturnType<typeof openDatabase>): string[] =>
  [...db.getRange()].map(({ key, value }) => `${JSON.stringify(key)} ${Buffer.from(value).toString('hex')}`);

t.test('converts the records as the upgrade of a folder does, the format last', async (t) => {
  const expected = copyOf(t);
  await upgradeFolder(expected.folder, { onBegin: () => undefined, onWritten: () => undefined });

  const db = copyOf(t).open();
  lowerLimit(t, 'logEntryBytesMax', 200);
  const entries: (readonly StoredOperation[])[] = [];
  const write = (operations: readonly StoredOperation[]): Promise<unknown> => {
    entries.push(operations);
    return putAll(db, operations);
  };
  const count = await upgradeRecords(db, { write }, formatOf(db)!);
  t.equal(formatOf(db), FORMAT_VERSION);
  t.strictSame(recordsOf(db), recordsOf(expected.open()));
  t.ok(entries.length > 1);
  t.equal(count, entries.flat().length);
  t.ok(count < recordsOf(db).length, 'only what changes is written');
  t.strictSame(entries.at(-1)!.at(-1)![0], keys.meta('format'));
});

t.test('the format stays until the last entry', async (t) => {
  const db = copyOf(t).open();
  lowerLimit(t, 'logEntryBytesMax', 200);
  const from = formatOf(db)!;
  let left = 2;
  const write = (operations: readonly StoredOperation[]): Promise<unknown> => {
    left -= 1;
    return left < 0 ? Promise.reject(new Error('fenced')) : putAll(db, operations);
  };
  await t.rejects(upgradeRecords(db, { write }, from), { message: 'fenced' });
  t.equal(formatOf(db), from);
});
