import type { ReplayFlags } from '../replay/replay.js';
import { command, GROUPS, withServerOptions, withUnrecordedOptions, withUsageExitCode } from './command.js';

export const replay = withUsageExitCode(
  3,
  withUnrecordedOptions(
    withServerOptions(
      command('replay', 'execute a run again on this machine, with the answers that it got from outside'),
    ),
  ),
)
  .helpGroup(GROUPS.clients)
  .argument('<run>', 'id of a run that was recorded as a trace')
  .option('--graph <path>', 'langgraph.json, or its folder, with the code and the packages', '.')
  .option('--code <version>', 'execute a version that the server keeps; recorded: the one that executed the run')
  .option('--from <checkpoint>', 'start from this checkpoint of the thread, not from the one that the run started from')
  .option('--timing', 'let answers arrive as slowly as they were recorded')
  .option('--upload', 'store the trace of the replay on the server, to compare both in the console')
  .option('--inspect-brk [port]', 'wait for a debugger, and stop before the code of the graph')
  .option('--json', 'print JSON instead of text')
  .addHelpText('after', '\nExit code: 0 all steps are equal, 1 some differ, 3 not replayed.')
  .action(async (run: string, flags: ReplayFlags) => (await import('../replay/replay.js')).replay(run, flags));
