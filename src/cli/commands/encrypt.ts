import type { EncryptFlags } from '../data-folder/encrypt.js';
import { command, ENCRYPTION_KEY_FILE, withDataOption, GROUPS } from './command.js';

export const encrypt = withDataOption(
  command('encrypt', 'encrypt a data folder, change its key, or decrypt it; the server must not run'),
)
  .helpGroup(GROUPS.operating)
  .option('--encryption-key-file <file>', ENCRYPTION_KEY_FILE)
  .option('--new-key-file <file>', 'the folder is encrypted: encrypt it with the key in this file instead')
  .option('--off', 'the folder is encrypted: decrypt it')
  .option('--keep-old', 'keep the data file as it was, in before-encrypt-… inside the folder')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    `
The key is 32 bytes as hex or base64, such as "openssl rand -hex 32" makes. Every record is written anew into a file beside
the old one, which takes its place when it is on disk: there must be room for both. Cut off, the folder is as it was.

Exit code: 0 done, 1 not; then the old file stands.`,
  )
  .action(async (flags: EncryptFlags) => (await import('../data-folder/encrypt.js')).encrypt(flags));
