import {
  createReadStream,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fail } from '../../base/errors.js';
import { MiB } from '../../base/limits.js';
import { BackupReader, type BackupBlock, type BackupEnd, type BackupHead, type RawRecord } from './backup-format.js';
import { dataFile } from './data-file.js';
import { lockFolder } from './folder-lock.js';
import { otherFormat } from './format.js';
import { keyText } from '../key-bytes.js';
import { isKeyFile, keyFileNames, keysFolder } from '../access/key-files.js';
import { FORMAT_VERSION } from '../keys.js';
import { makePrivateFolder, tightenFolder } from './private-folder.js';
import { syncPath, writeDataFile } from './offline-store.js';
import { checkedRecord } from '../stamp.js';

/** What a folder may have and still count as empty: what is not in a backup, and what an earlier try has left. */
const NO_CONTENT =
  /^(seal\.key|cache|lock|data\.mdb-lock|data\.mdb\.restoring(-lock)?|before-restore-.*|before-(upgrade|encrypt)-.*|data\.mdb\.(upgrading|encrypting)(-lock)?)$/;
const KEY_PATH = /^keys\/([\w.-]+)$/;

export interface Contents extends BackupEnd {
  head: BackupHead;
}

/** Reads all of a backup and checks every block, every record and that nothing is missing. One of an earlier format is as good: the next start upgrades what is made of it. Throws STORE_FILE_DAMAGED, STORE_FORMAT. */
export async function verifyBackup(file: string, onRead: (bytes: number) => void = () => undefined): Promise<Contents> {
  let head: BackupHead | null = null;
  let before: Buffer | null = null;
  const check = (block: BackupBlock): void => {
    if (block.type === 'head') {
      ({ head } = block);
      if (!(head.storeFormat >= 1 && head.storeFormat <= FORMAT_VERSION))
        throw otherFormat(file, String(head.storeFormat));
    } else if (block.type === 'records') {
      for (const [key, record] of block.records) {
        checkedRecord(key, record, head!.storeFormat);
        if (before !== null && Buffer.compare(before, key) >= 0)
          throw fail('STORE_FILE_DAMAGED', { file, problem: `record ${keyText(key)} is out of order` });
        before = Buffer.from(key);
      }
    } else if (block.type === 'file') keyNameOf(file, block.path);
  };
  const end = await eachBlock(file, check, onRead);
  return { ...end, head: head! };
}

async function eachBlock(
  file: string,
  take: (block: BackupBlock) => void | Promise<void>,
  onRead: (bytes: number) => void,
): Promise<BackupEnd> {
  const reader = new BackupReader(file);
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: MiB })) {
    for (const block of reader.take(chunk as Buffer)) await take(block);
    onRead((bytes += (chunk as Buffer).byteLength));
  }
  return reader.finish();
}

/** A path of a file in a backup leads nowhere but to a key. */
function keyNameOf(file: string, path: string): string {
  const name = KEY_PATH.exec(path)?.[1];
  if (name === undefined || !isKeyFile(name))
    throw fail('STORE_FILE_DAMAGED', { file, problem: `it has a file "${path}", which is none of a data folder` });
  return name;
}

/** What keeps a folder from being restored into. */
export function contentOf(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder).filter(
        (name) => !NO_CONTENT.test(name) && !(name === 'keys' && keyFileNames(keysFolder(folder)).length === 0),
      )
    : [];
}

/**
 * Makes a data folder of a backup that was verified. What is in the folder's place before goes into a folder of its own in
 * it, which is returned (null: there was nothing). At every moment there is the old data file or the new one, whole.
 * Throws STORE_LOCKED, STORE_FILE_DAMAGED.
 */
export async function restore(
  file: string,
  contents: Contents,
  folder: string,
  onWritten: (records: number) => void,
): Promise<string | null> {
  makePrivateFolder(folder);
  const lock = lockFolder(folder);
  try {
    const data = dataFile(folder);
    const made = `${data}.restoring`;
    const keyFiles = new Map<string, Uint8Array>();
    await writeDataFile(made, recordsIn(file, contents, keyFiles), { onWritten });
    const aside = contentOf(folder).length === 0 ? null : putAside(folder);
    // Keys first: a folder without any asks nobody for one. Those of before go when the data that they were for has gone.
    mkdirSync(keysFolder(folder), { recursive: true, mode: 0o700 });
    for (const [name, bytes] of keyFiles) {
      const temporary = join(keysFolder(folder), `.${name}.tmp`);
      writeFileSync(temporary, bytes, { mode: 0o600, flush: true });
      renameSync(temporary, join(keysFolder(folder), name));
    }
    syncPath(keysFolder(folder));
    renameSync(made, data);
    rmSync(`${data}-lock`, { force: true });
    for (const name of keyFileNames(keysFolder(folder)))
      if (!keyFiles.has(name)) rmSync(join(keysFolder(folder), name), { force: true });
    syncPath(folder);
    return aside;
  } finally {
    tightenFolder(folder);
    lock.release();
  }
}

/** Its records; its files are noted. Throws STORE_FILE_DAMAGED when it is not what was verified. */
async function* recordsIn(
  file: string,
  { hash }: Contents,
  keyFiles: Map<string, Uint8Array>,
): AsyncGenerator<RawRecord> {
  const reader = new BackupReader(file);
  for await (const chunk of createReadStream(file, { highWaterMark: MiB })) {
    for (const block of reader.take(chunk as Buffer)) {
      if (block.type === 'records') yield* block.records;
      else if (block.type === 'file') keyFiles.set(keyNameOf(file, block.path), Buffer.from(block.bytes));
    }
  }
  if (reader.finish().hash !== hash)
    throw fail('STORE_FILE_DAMAGED', { file, problem: 'it was changed while it was read' });
}

/** A second name for the data file, so that there is one at every moment, and copies of the keys. */
function putAside(folder: string): string {
  const aside = join(folder, `before-restore-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  mkdirSync(join(aside, 'keys'), { recursive: true, mode: 0o700 });
  if (existsSync(dataFile(folder))) linkSync(dataFile(folder), dataFile(aside));
  for (const name of keyFileNames(keysFolder(folder)))
    copyFileSync(join(keysFolder(folder), name), join(aside, 'keys', name));
  syncPath(join(aside, 'keys'));
  syncPath(aside);
  return aside;
}
