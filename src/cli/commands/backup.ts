import type { BackupFlags } from '../data-folder/backup.js';
import { command, GROUPS, withServerOptions } from './command.js';

export const backup = withServerOptions(
  command('backup', 'write a full backup to a file, from a running server or from the data folder of a stopped one'),
  'address of the running server',
)
  .helpGroup(GROUPS.operating)
  .argument('<file>', 'file to write; it appears only when it is complete')
  .option('-d, --data <folder>', 'back up this data folder instead of a server; no server may be using it')
  .option('--force', 'overwrite an existing file')
  .addHelpText(
    'after',
    `
If the server has API keys or auth handlers, the key needs the scope server:backup or all scopes.
The backup contains all records and the hashes of API keys. It does not contain seal.key, which you must store
elsewhere, or files that the server recreates.

Exit code: 0 written, 1 not written.`,
  )
  .action(async (file: string, flags: BackupFlags) => (await import('../data-folder/backup.js')).backup(file, flags));
