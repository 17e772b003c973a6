import type { SinceFlags } from '../replay/since.js';
import { command, GROUPS, withServerOptions, withUnrecordedOptions, withUsageExitCode } from './command.js';

export const since = withUsageExitCode(
  3,
  withUnrecordedOptions(
    withServerOptions(command('since', 'find the version of the code since which a run gives its result')),
  ),
)
  .helpGroup(GROUPS.clients)
  .argument('<run>', 'id of a run that was recorded as a trace')
  .option('--graph <path>', 'langgraph.json, or its folder, with the packages', '.')
  .option('--json', 'print JSON instead of text')
  .addHelpText(
    'after',
    '\nExit code: 0 found, 1 all versions that are kept give the same result, or the newest gives another, ' +
      '3 not possible.',
  )
  .action(async (run: string, flags: SinceFlags) => (await import('../replay/since.js')).since(run, flags));
