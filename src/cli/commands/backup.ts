import type { BackupFlags } from '../data-folder/backup.js';
import { command, GROUPS, withServerOptions } from './command.js';

export const backup = withServerOptions(
  command(
    'backup',
    'write a backup of everything to a file, from a running server or from the data folder of one that does not run',
  ),
  'address of the running server',
)
  .helpGroup(GROUPS.operating)
  .argument('<file>', 'where to; it is there whole or not at all')
  .option('-d, --data <folder>', 'instead of a server: the data folder that no server uses now')
  .option('--force', 'replace a file that is there')
  .addHelpText(
    'after',
    `
A server with keys or handlers wants a key with the scope server:backup, or one that may do everything.
The backup has all records and the hashes of API keys. It has neither seal.key, which must be kept elsewhere, nor what the
server makes again by itself.

Exit code: 0 written, 1 not.`,
  )
  .action(async (file: string, flags: BackupFlags) => (await import('../data-folder/backup.js')).backup(file, flags));
