import { resolve } from 'node:path';
import { encryptFolder } from '../../store/files/encrypt.js';
import { encryptionIn } from '../../store/encryption/encryption.js';
import { openResting } from '../../store/files/offline-store.js';
import { CommandError, runCommand } from '../client.js';
import { givenKey, newKey } from './encryption-key.js';
import { progress } from '../output/progress.js';
import { translateStoreErrors } from './store-errors.js';

export interface EncryptFlags {
  data: string;
  encryptionKeyFile?: string;
  newKeyFile?: string;
  off?: boolean;
  keepOld?: boolean;
  json?: boolean;
}

/** Encrypts a data folder, changes its key, or decrypts it. */
export function encrypt(flags: EncryptFlags): Promise<void> {
  return runCommand(1, () =>
    translateStoreErrors(async () => {
      const { newKeyFile, off = false, keepOld: keep = false } = flags;
      if (off && newKeyFile !== undefined) throw new CommandError('--off and --new-key-file exclude each other.');
      const key = givenKey(flags);
      if (key === null)
        throw new CommandError(
          'No encryption key is set: name its file with --encryption-key-file, or set THREADMILL_ENCRYPTION_KEY. A new key is made with: openssl rand -hex 32',
        );
      const next = newKeyFile === undefined ? null : newKey(resolve(newKeyFile), flags.data);
      if (next?.equals(key) === true) throw new CommandError('The new key is the same as the current one.');
      const store = await openResting(flags.data);
      const bar = progress(store.pages.snapshot.main.entries, 'records');
      try {
        const isEncrypted = encryptionIn(store.pages) !== undefined;
        const changesKey = off || next !== null;
        if (isEncrypted && !changesKey)
          throw new CommandError(
            `${flags.data} is encrypted already. Change its key with --new-key-file, or decrypt it with --off.`,
          );
        const change = { from: isEncrypted || changesKey ? key : null, to: off ? null : (next ?? key), keep };
        const { records, before, older } = await encryptFolder(store, change, (written) =>
          bar.update(written, written),
        );
        bar.stop();
        const what = off ? 'decrypted' : isEncrypted ? 'encrypted with the new key' : 'encrypted';
        process.stdout.write(
          flags.json === true
            ? `${JSON.stringify({ encrypted: !off, records, before })}\n`
            : `${flags.data}: ${records} records are ${what}.\n`,
        );
        if (before !== null) process.stderr.write(`The data file as it was is in ${before}.\n`);
        const others = older.filter((one) => one !== before);
        if (!off && others.length > 0)
          process.stderr.write(
            `Older copies of the data are as they were: remove ${others.join(', ')} when you no longer need them.\n`,
          );
        return 0;
      } finally {
        bar.stop();
        store.release();
      }
    }),
  );
}
