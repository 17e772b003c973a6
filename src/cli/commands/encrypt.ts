import type { EncryptFlags } from '../data-folder/encrypt.js';
import { command, ENCRYPTION_KEY_FILE, withDataOption, GROUPS } from './command.js';

export const encrypt = withDataOption(
  command('encrypt', 'encrypt a data folder, change its key, or decrypt it; the server must be stopped'),
)
  .helpGroup(GROUPS.operating)
  .option('--encryption-key-file <file>', ENCRYPTION_KEY_FILE)
  .option('--new-key-file <file>', 'for an encrypted folder: change the key to the one in this file')
  .option('--off', 'for an encrypted folder: decrypt it')
  .option('--keep-old', 'keep the previous data file, in before-encrypt-… inside the folder')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    `
The key is 32 bytes in hex or base64. "openssl rand -hex 32" creates one. All records are written to a new file next to
the old one, and the new file replaces it when it is complete on disk. There must be space for both. If the command is
interrupted, the folder is unchanged.

Exit code: 0 done, 1 failed; the old file is unchanged then.`,
  )
  .action(async (flags: EncryptFlags) => (await import('../data-folder/encrypt.js')).encrypt(flags));
