import type { RestoreFlags } from '../data-folder/restore.js';
import { command, GROUPS } from './command.js';

export const restore = command('restore', 'make a data folder of a backup; what does not have its checksums is refused')
  .helpGroup(GROUPS.operating)
  .argument('<file>', 'what "threadmill backup" has written')
  .option('-d, --data <folder>', 'folder to make: none, or an empty one', '.threadmill')
  .option('--force', 'also into a folder that has something; that is kept in a folder before-restore-… in it')
  .addHelpText(
    'after',
    `
Exit code: 0 restored, 1 not; then the folder is as it was.`,
  )
  .action(async (file: string, flags: RestoreFlags) =>
    (await import('../data-folder/restore.js')).restore(file, flags),
  );
