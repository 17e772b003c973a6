import type { CompactFlags } from '../data-folder/compact.js';
import { command, withDataOption, GROUPS } from './command.js';

export const compact = withDataOption(
  command('compact', 'shrink the data file and erase the bytes of deleted records; the server must be stopped'),
)
  .helpGroup(GROUPS.operating)
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    `
The new file is written next to the old one and replaces it when it is complete on disk. There must be space for both.

Exit code: 0 done, 1 failed; the old file is unchanged then.`,
  )
  .action(async (flags: CompactFlags) => (await import('../data-folder/compact.js')).compact(flags));
