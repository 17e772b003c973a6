import { resolve } from 'node:path';
import { encryptFolder } from '../../store/files/encrypt.js';
import { readEncryptionRecord } from '../../store/encryption/encryption.js';
import { openOfflineStore } from '../../store/files/offline-store.js';
import { CommandError, runCommand } from '../client.js';
import { configuredKey, loadNewKey } from './encryption-key.js';
import { createProgressBar } from '../output/progress.js';
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
      if (off && newKeyFile !== undefined)
        throw new CommandError('--off and --new-key-file cannot be combined. Use one of them.');
      const key = configuredKey(flags);
      if (key === null)
        throw new CommandError(
          'No encryption key is set. Name its file with --encryption-key-file, or set THREADMILL_ENCRYPTION_KEY. ' +
            'To create a key, run: openssl rand -hex 32',
        );
      const next = newKeyFile === undefined ? null : loadNewKey(resolve(newKeyFile), flags.data);
      if (next?.equals(key) === true) throw new CommandError('The new key is the same as the current one.');
      const store = await openOfflineStore(flags.data);
      const bar = createProgressBar(store.pages.snapshot.main.entries, 'records');
      try {
        const isEncrypted = readEncryptionRecord(store.pages) !== undefined;
        const changesKey = off || next !== null;
        if (isEncrypted && !changesKey)
          throw new CommandError(
            `${flags.data} is already encrypted. Change its key with --new-key-file, or decrypt it with --off.`,
          );
        const change = { from: isEncrypted || changesKey ? key : null, to: off ? null : (next ?? key), keep };
        const { records, before, older } = await encryptFolder(store, change, (written) =>
          bar.update(written, written),
        );
        bar.stop();
        const result = off ? 'decrypted' : isEncrypted ? 'encrypted with the new key' : 'encrypted';
        process.stdout.write(
          flags.json === true
            ? `${JSON.stringify({ encrypted: !off, records, before })}\n`
            : `${flags.data}: ${records} records are ${result}.\n`,
        );
        if (before !== null) process.stderr.write(`The previous data file is in ${before}.\n`);
        const others = older.filter((one) => one !== before);
        if (!off && others.length > 0)
          process.stderr.write(
            `Older copies of the data are unchanged. Remove them when you no longer need them: ${others.join(', ')}\n`,
          );
        return 0;
      } finally {
        bar.stop();
        store.release();
      }
    }),
  );
}
