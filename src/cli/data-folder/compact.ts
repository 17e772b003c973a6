import { compact as compactStore } from '../../store/files/compact.js';
import { openOfflineStore } from '../../store/files/offline-store.js';
import { runCommand } from '../client.js';
import { createProgressBar, formatSize } from '../output/progress.js';
import { translateStoreErrors } from './store-errors.js';

export interface CompactFlags {
  data: string;
  json?: boolean;
}

/** Rewrites the data file without its free pages and without the bytes of deleted records. */
export function compact(flags: CompactFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      const store = await openOfflineStore(flags.data);
      const bar = createProgressBar(store.pages.snapshot.main.entries, 'records');
      try {
        const { bytesBefore, bytesAfter, records, leftovers } = await compactStore(store, (written) =>
          bar.update(written, written),
        );
        bar.stop();
        process.stdout.write(
          flags.json === true
            ? `${JSON.stringify({ bytes_before: bytesBefore, bytes_after: bytesAfter, records, leftovers })}\n`
            : `${bytesBefore} bytes before (${formatSize(bytesBefore)}), ${bytesAfter} after (${formatSize(bytesAfter)}); ${records} records.\n`,
        );
        if (leftovers > 0)
          process.stderr.write(
            `${leftovers} deletions are not finished, and their records are still stored. Start the server, let ` +
              `it finish them, stop it, and compact again.\n`,
          );
        return 0;
      } finally {
        bar.stop();
        store.release();
      }
    }),
  );
}
