import { existsSync, statSync } from 'node:fs';
import {
  existingContent,
  restore as restoreInto,
  verifyBackup,
  type VerifiedBackup,
} from '../../store/files/restore.js';
import { CommandError, runCommand } from '../client.js';
import { createProgressBar, formatSize } from '../output/progress.js';
import { translateStoreErrors } from './store-errors.js';

export interface RestoreFlags {
  data: string;
  force?: boolean;
}

/** Creates a data folder from a backup. */
export function restore(file: string, flags: RestoreFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      if (!existsSync(file)) throw new CommandError(`${file}: the file does not exist.`);
      const existing = existingContent(flags.data);
      if (existing.length > 0 && flags.force !== true)
        throw new CommandError(
          `${flags.data} is not empty: it contains ${existing.join(', ')}. Choose another folder, or add ` +
            '--force, which keeps the existing content in a folder inside it.',
        );
      const contents = await verify(file);
      const bar = createProgressBar(contents.records, 'records');
      let movedTo: string | null;
      try {
        movedTo = await restoreInto(file, contents, flags.data, (records) => bar.update(records, records));
      } finally {
        bar.stop();
      }
      process.stderr.write(
        [
          `${flags.data}: restored ${contents.records} records and ${contents.files} API keys from a backup of ` +
            `${new Date(contents.head.madeAtMs).toISOString()}.`,
          ...(movedTo === null ? [] : [`The previous content is in ${movedTo}.`]),
          ...(existsSync(`${flags.data}/seal.key`) || process.env['THREADMILL_SEAL_KEY']
            ? []
            : [
                'The sealing key is missing. Copy seal.key from the old folder, or set THREADMILL_SEAL_KEY to ' +
                  'its old value. Without it, unfinished runs and crons of authenticated users cannot continue.',
              ]),
          '',
        ].join('\n'),
      );
      return 0;
    }),
  );
}

async function verify(file: string): Promise<VerifiedBackup> {
  const { size } = statSync(file);
  const bar = createProgressBar(size, `of ${formatSize(size)} checked`);
  try {
    return await verifyBackup(file, (bytes) => bar.update(bytes, bytes));
  } finally {
    bar.stop();
  }
}
