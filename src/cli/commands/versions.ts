import type { VersionsFlags } from '../versions.js';
import { command, GROUPS, withClientOptions } from './command.js';

export const versions = withClientOptions(
  command('versions', 'list the versions of the code of each graph that a server keeps, the last used ones first'),
)
  .helpGroup(GROUPS.clients)
  .addHelpText(
    'after',
    `
The key needs the scope server:read.

Exit code: 0 the versions were read; 1 they could not be read.`,
  )
  .action(async (flags: VersionsFlags) => (await import('../versions.js')).listVersions(flags));
