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
import { BackupReader, type BackupBlock, type BackupEnd, type BackupHeader, type RawRecord } from './backup-format.js';
import { dataFile } from './data-file.js';
import { lockFolder } from './folder-lock.js';
import { formatError } from './store-format.js';
import { keyToText } from '../key-codec.js';
import { isKeyFile, keyFileNames, keysFolder } from '../access/key-files.js';
import { FORMAT_VERSION } from '../keys.js';
import { makePrivateFolder, restrictAccess } from './private-folder.js';
import { syncPath, writeDataFile } from './offline-store.js';
import { decodeRawRecord } from '../record-codec.js';

/** Names that a folder may contain and still count as empty: not part of a backup, or left by an earlier attempt. */
const IGNORED_ENTRY =
  /^(seal\.key|cache|lock|data\.mdb-lock|data\.mdb\.restoring(-lock)?|before-restore-.*|before-(upgrade|encrypt)-.*|data\.mdb\.(upgrading|encrypting)(-lock)?)$/;
const KEY_PATH = /^keys\/([\w.-]+)$/;

export interface VerifiedBackup extends BackupEnd {
  head: BackupHeader;
}

/**
 * Reads a whole backup and verifies every block and record, and that none is missing. A backup of an earlier format is
 * accepted: the next start upgrades the restored folder. Throws STORE_FILE_DAMAGED or STORE_FORMAT.
 */
export async function verifyBackup(
  file: string,
  onRead: (bytes: number) => void = () => undefined,
): Promise<VerifiedBackup> {
  let head: BackupHeader | null = null;
  let before: Buffer | null = null;
  const check = (block: BackupBlock): void => {
    if (block.type === 'head') {
      ({ head } = block);
      if (!(head.storeFormat >= 1 && head.storeFormat <= FORMAT_VERSION))
        throw formatError(file, String(head.storeFormat));
    } else if (block.type === 'records') {
      for (const [key, record] of block.records) {
        decodeRawRecord(key, record, head!.storeFormat);
        if (before !== null && Buffer.compare(before, key) >= 0)
          throw fail('STORE_FILE_DAMAGED', { file, problem: `record ${keyToText(key)} is out of order` });
        before = Buffer.from(key);
      }
    } else if (block.type === 'file') keyFileName(file, block.path);
  };
  const end = await readBlocks(file, check, onRead);
  return { ...end, head: head! };
}

async function readBlocks(
  file: string,
  take: (block: BackupBlock) => void | Promise<void>,
  onRead: (bytes: number) => void,
): Promise<BackupEnd> {
  const reader = new BackupReader(file);
  let bytes = 0;
  for await (const chunk of createReadStream(file, { highWaterMark: MiB })) {
    for (const block of reader.push(chunk as Buffer)) await take(block);
    onRead((bytes += (chunk as Buffer).byteLength));
  }
  return reader.finish();
}

/** The name of the key file that a path in a backup refers to. Throws for every other path. */
function keyFileName(file: string, path: string): string {
  const name = KEY_PATH.exec(path)?.[1];
  if (name === undefined || !isKeyFile(name))
    throw fail('STORE_FILE_DAMAGED', {
      file,
      problem: `it has a file "${path}", which does not belong to a data folder`,
    });
  return name;
}

/** Names in the folder that prevent a restore into it. */
export function existingContent(folder: string): string[] {
  return existsSync(folder)
    ? readdirSync(folder).filter(
        (name) => !IGNORED_ENTRY.test(name) && !(name === 'keys' && keyFileNames(keysFolder(folder)).length === 0),
      )
    : [];
}

/**
 * Creates a data folder from a verified backup. The previous content goes into a folder inside it, whose path is
 * returned (null when there was none). At every moment either the old or the new data file exists completely. Throws
 * STORE_LOCKED or STORE_FILE_DAMAGED.
 */
export async function restore(
  file: string,
  contents: VerifiedBackup,
  folder: string,
  onWritten: (records: number) => void,
): Promise<string | null> {
  makePrivateFolder(folder);
  const lock = lockFolder(folder);
  try {
    const data = dataFile(folder);
    const made = `${data}.restoring`;
    const keyFiles = new Map<string, Uint8Array>();
    await writeDataFile(made, readRecords(file, contents, keyFiles), { onWritten });
    const aside = existingContent(folder).length === 0 ? null : savePrevious(folder);
    // New key files come first, because a folder without keys needs no authentication. Old ones go after the old data.
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
    restrictAccess(folder);
    lock.release();
  }
}

/** The records; key files are added to `keyFiles`. Throws STORE_FILE_DAMAGED when it is not the verified backup. */
async function* readRecords(
  file: string,
  { hash }: VerifiedBackup,
  keyFiles: Map<string, Uint8Array>,
): AsyncGenerator<RawRecord> {
  const reader = new BackupReader(file);
  for await (const chunk of createReadStream(file, { highWaterMark: MiB })) {
    for (const block of reader.push(chunk as Buffer)) {
      if (block.type === 'records') yield* block.records;
      else if (block.type === 'file') keyFiles.set(keyFileName(file, block.path), Buffer.from(block.bytes));
    }
  }
  if (reader.finish().hash !== hash)
    throw fail('STORE_FILE_DAMAGED', { file, problem: 'it was changed while it was read' });
}

/** Keeps a hard link to the data file, so that one exists at every moment, and copies of the key files. */
function savePrevious(folder: string): string {
  const aside = join(folder, `before-restore-${new Date().toISOString().replace(/[:.]/g, '-')}`);
  mkdirSync(join(aside, 'keys'), { recursive: true, mode: 0o700 });
  if (existsSync(dataFile(folder))) linkSync(dataFile(folder), dataFile(aside));
  for (const name of keyFileNames(keysFolder(folder)))
    copyFileSync(join(keysFolder(folder), name), join(aside, 'keys', name));
  syncPath(join(aside, 'keys'));
  syncPath(aside);
  return aside;
}
