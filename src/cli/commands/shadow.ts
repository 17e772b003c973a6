import type { ShadowFlags } from '../replay/shadow.js';
import { collect, command, GROUPS, withServerOptions, withUnrecordedOptions, withUsageExitCode } from './command.js';

export const shadow = withUsageExitCode(
  3,
  withUnrecordedOptions(
    withServerOptions(command('shadow', 'replay runs that have just ended under new code, and judge it by them')),
  ),
)
  .helpGroup(GROUPS.clients)
  .argument('<path>', 'langgraph.json, or its folder, with the new code')
  .option('--share <percent>', 'share of the runs to replay, such as 5%', '100')
  .option('--graph <name>', 'only runs of this graph; can be repeated', collect)
  .option('--minutes <n>', 'stop after this time (default: at Ctrl-C)')
  .option('--score <names>', 'scores that must not get worse, separated by commas', 'same_outputs')
  .option('--timeout <time>', 'cancel a replay that takes longer', '5m')
  .option('--upload', 'store the traces of the replays on the server, to compare them in the console')
  .option('--json', 'print JSON lines instead of text')
  .addHelpText(
    'after',
    `
Runs on the server need "traces": {"record_calls": ...}. Scores of --score are evaluators of the new project,
same_outputs (the outputs of the run), latency and error_rate. Both sides are stored as experiments over the dataset
"shadow GRAPH", where the console compares them.

Exit code: 0 nothing is worse, 1 something is worse, 2 not enough evidence or no run, 3 not possible.`,
  )
  .action(async (place: string, flags: ShadowFlags) => (await import('../replay/shadow.js')).shadow(place, flags));
