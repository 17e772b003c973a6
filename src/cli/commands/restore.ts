import type { RestoreFlags } from '../data-folder/restore.js';
import { command, GROUPS } from './command.js';

export const restore = command(
  'restore',
  'create a data folder from a backup; a backup with a wrong checksum is refused',
)
  .helpGroup(GROUPS.operating)
  .argument('<file>', 'backup file, written by "threadmill backup"')
  .option('-d, --data <folder>', 'data folder to create; it must be missing or empty', '.threadmill')
  .option('--force', 'accept a folder with content, and move the content to before-restore-… inside it')
  .addHelpText(
    'after',
    `
Exit code: 0 restored, 1 not restored; the folder is unchanged then.`,
  )
  .action(async (file: string, flags: RestoreFlags) =>
    (await import('../data-folder/restore.js')).restore(file, flags),
  );
