import type { CompactFlags } from '../data-folder/compact.js';
import { command, withDataOption, GROUPS } from './command.js';

export const compact = withDataOption(
  command(
    'compact',
    'shrink the data file to what is in it, and drop the bytes of what was deleted; the server must not run',
  ),
)
  .helpGroup(GROUPS.operating)
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    `
The new file is written beside the old one and takes its place when it is on disk: there must be room for both.

Exit code: 0 done, 1 not; then the old file stands.`,
  )
  .action(async (flags: CompactFlags) => (await import('../data-folder/compact.js')).compact(flags));
