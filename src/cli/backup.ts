import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { restingBackup } from '../store/backup.js';
import { BackupReader } from '../store/backup-form.js';
import { openResting, syncPath } from '../store/resting.js';
import { Client, CommandError, said } from './client.js';
import { inWords } from './store-errors.js';
import { progress, sizeText } from './progress.js';

export interface BackupFlags {
  data?: string;
  url: string;
  apiKey?: string;
  force?: boolean;
}

/** Writes a backup to a file that is there whole or not at all. */
export function backup(file: string, flags: BackupFlags): Promise<void> {
  return said(1, () => inWords(async () => {
    if (existsSync(file) && flags.force !== true) throw new CommandError(`${file}: there is such a file already. Choose another name, or say --force to replace it.`);
    if (!existsSync(dirname(resolve(file)))) throw new CommandError(`${dirname(file)}: there is no such folder.`);
    const { records, bytes } = flags.data === undefined
      ? await write(file, new Client(flags).getStream('/backup'))
      : await resting(file, flags.data);
    process.stderr.write(`${file}: ${records} records, ${sizeText(bytes)}.\n`);
    return 0;
  }));
}

async function resting(file: string, folder: string): Promise<{ records: number; bytes: number }> {
  const store = await openResting(folder);
  try {
    return await write(file, restingBackup(store));
  } finally {
    store.release();
  }
}

/** Reads what it writes: what does not hold together never gets the file's name. */
async function write(file: string, pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<{ records: number; bytes: number }> {
  const part = `${file}.part`;
  const bar = progress(1, 'records');
  const fd = openSync(part, 'w', 0o600);
  let open = true;
  try {
    const reader = new BackupReader('backup');
    let [bytes, records] = [0, 0];
    for await (const piece of pieces) {
      for (let at = 0; at < piece.byteLength;) at += writeSync(fd, piece, at);
      bytes += piece.byteLength;
      for (const block of reader.take(piece)) {
        if (block.type === 'head') bar.total(block.head.bytes);
        if (block.type === 'records') records += block.records.length;
      }
      bar.update(bytes, records);
    }
    reader.finish();
    fsyncSync(fd);
    closeSync(fd);
    open = false;
    renameSync(part, file);
    syncPath(dirname(resolve(file)));
    return { records, bytes };
  } catch (error) {
    if (open) closeSync(fd);
    rmSync(part, { force: true });
    throw error;
  } finally {
    bar.stop();
  }
}
