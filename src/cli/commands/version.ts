import type { VersionFlags } from '../version.js';
import { command, GROUPS } from './command.js';

export const version = command('version', 'print the versions of this program, of Node and of its main libraries')
  .helpGroup(GROUPS.help)
  .option('-c, --config <file>', 'configuration file of the project whose packages are reported', 'langgraph.json')
  .option('--json', 'print JSON')
  .addHelpText(
    'after',
    `
LangGraph is the copy that runs the graphs: the one installed in the project, else the one included in Threadmill.

Exit code: 0.`,
  )
  .action(async (flags: VersionFlags) => (await import('../version.js')).version(flags));
