import { restingBackup } from '../../store/files/backup.js';
import { BackupReader } from '../../store/files/backup-format.js';
import { openResting } from '../../store/files/offline-store.js';
import { Client, runCommand } from '../client.js';
import { progress, sizeText } from '../output/progress.js';
import { translateStoreErrors } from './store-errors.js';
import { writeFileAtomically } from '../upload/whole-file.js';

export interface BackupFlags {
  data?: string;
  url: string;
  apiKey?: string;
  force?: boolean;
}

/** Writes a backup to a file that is there whole or not at all. */
export function backup(file: string, flags: BackupFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      if (flags.data === undefined) await write(file, flags, new Client(flags).getStream('/backup'));
      else {
        const store = await openResting(flags.data);
        try {
          await write(file, flags, restingBackup(store));
        } finally {
          store.release();
        }
      }
      return 0;
    }),
  );
}

/** Reads what it writes: what does not hold together never gets the file's name. */
async function write(
  file: string,
  { force }: BackupFlags,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const bar = progress(1, 'records');
  const reader = new BackupReader('backup');
  let [read, records] = [0, 0];
  let bytes: number;
  try {
    bytes = await writeFileAtomically(
      file,
      force === true,
      pieces,
      (piece) => {
        for (const block of reader.take(piece)) {
          if (block.type === 'head') bar.total(block.head.bytes);
          if (block.type === 'records') records += block.records.length;
        }
        bar.update((read += piece.byteLength), records);
      },
      () => {
        reader.finish();
      },
    );
  } finally {
    bar.stop();
  }
  process.stderr.write(`${file}: ${records} records, ${sizeText(bytes)}.\n`);
}
