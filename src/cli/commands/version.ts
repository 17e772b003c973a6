import type { VersionFlags } from '../version.js';
import { command, GROUPS } from './command.js';

export const version = command('version', 'versions of this program and of what it runs on')
  .helpGroup(GROUPS.help)
  .option('-c, --config <file>', 'configuration whose packages are looked at', 'langgraph.json')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    `
LangGraph is the one that graphs of the configuration are run with: that of the project, else the one that came along.

Exit code: 0.`,
  )
  .action(async (flags: VersionFlags) => (await import('../version.js')).version(flags));
