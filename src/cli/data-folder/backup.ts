import { offlineBackup } from '../../store/files/backup.js';
import { BackupReader } from '../../store/files/backup-format.js';
import { openOfflineStore } from '../../store/files/offline-store.js';
import { Client, runCommand } from '../client.js';
import { createProgressBar, formatSize } from '../output/progress.js';
import { translateStoreErrors } from './store-errors.js';
import { writeFileAtomically } from '../output/atomic-file.js';

export interface BackupFlags {
  data?: string;
  url: string;
  apiKey?: string;
  force?: boolean;
}

/** Writes a backup to a file, atomically. */
export function backup(file: string, flags: BackupFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      if (flags.data === undefined) await writeBackup(file, flags, new Client(flags).getStream('/backup'));
      else {
        const store = await openOfflineStore(flags.data);
        try {
          await writeBackup(file, flags, offlineBackup(store));
        } finally {
          store.release();
        }
      }
      return 0;
    }),
  );
}

/** Verifies the backup while it is written. A damaged one never gets the name of the file. */
async function writeBackup(
  file: string,
  { force }: BackupFlags,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const bar = createProgressBar(1, 'records');
  const reader = new BackupReader('backup');
  let [read, records] = [0, 0];
  let bytes: number;
  try {
    bytes = await writeFileAtomically(file, chunks, {
      force: force === true,
      onChunk(chunk) {
        for (const block of reader.push(chunk)) {
          if (block.type === 'head') bar.setTotal(block.head.bytes);
          if (block.type === 'records') records += block.records.length;
        }
        bar.update((read += chunk.byteLength), records);
      },
      verify() {
        reader.finish();
      },
    });
  } finally {
    bar.stop();
  }
  process.stderr.write(`${file}: ${records} records, ${formatSize(bytes)}.\n`);
}
