import { existsSync, statSync } from 'node:fs';
import { contentOf, restore as restoreInto, verifyBackup, type Contents } from '../../store/files/restore.js';
import { CommandError, runCommand } from '../client.js';
import { progress, sizeText } from '../output/progress.js';
import { translateStoreErrors } from './store-errors.js';

export interface RestoreFlags {
  data: string;
  force?: boolean;
}

/** Makes a data folder of a backup. */
export function restore(file: string, flags: RestoreFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      if (!existsSync(file)) throw new CommandError(`${file}: there is no such file.`);
      const there = contentOf(flags.data);
      if (there.length > 0 && flags.force !== true)
        throw new CommandError(
          `${flags.data} is not empty: it has ${there.join(', ')}. Choose another folder, or say --force: what is there is kept beside it.`,
        );
      const contents = await verified(file);
      const bar = progress(contents.records, 'records');
      let aside: string | null;
      try {
        aside = await restoreInto(file, contents, flags.data, (records) => bar.update(records, records));
      } finally {
        bar.stop();
      }
      process.stderr.write(
        [
          `${flags.data}: ${contents.records} records and ${contents.files} API keys of ${new Date(contents.head.madeAtMs).toISOString()}.`,
          ...(aside === null ? [] : [`What was there is in ${aside}.`]),
          ...(existsSync(`${flags.data}/seal.key`) || process.env['THREADMILL_SEAL_KEY']
            ? []
            : [
                'There is no sealing key: put seal.key of the old folder there, or set THREADMILL_SEAL_KEY as it was. Without it unfinished runs and crons of callers cannot go on.',
              ]),
          '',
        ].join('\n'),
      );
      return 0;
    }),
  );
}

async function verified(file: string): Promise<Contents> {
  const { size } = statSync(file);
  const bar = progress(size, `of ${sizeText(size)} checked`);
  try {
    return await verifyBackup(file, (bytes) => bar.update(bytes, bytes));
  } finally {
    bar.stop();
  }
}
