import type { DeployFlags } from '../replay/deploy.js';
import { command, GROUPS, withServerOptions, withUnrecordedOptions, withUsageExitCode } from './command.js';

export const deploy = withUsageExitCode(
  3,
  withUnrecordedOptions(
    withServerOptions(command('deploy', 'let a server on this machine load new code, if it is not worse')),
  ),
)
  .helpGroup(GROUPS.clients)
  .argument('<path>', 'langgraph.json, or its folder, with the new code')
  .option('--check', 'first check the threads that wait for an answer, as "threadmill check" does')
  .option('--gate <spec>', 'first replay recorded runs with old and new code: last=200,score=correct,latency')
  .option('--deploy-undecided', 'deploy also if there is not enough evidence')
  .option('--dry-run', 'check and judge only')
  .option('--markdown <file>', 'also append the comparison to a file as Markdown, such as $GITHUB_STEP_SUMMARY')
  .addHelpText(
    'after',
    `
Scores of --gate are evaluators of the new project, same_outputs (the outputs of the recorded run), latency and
error_rate. Both sides are stored as experiments over the dataset "gate GRAPH", where the console compares them.

Exit code: 0 deployed, 1 worse or threads would break, 2 not enough evidence, 3 not deployed for another reason. After
1, 2 and 3 the old code keeps serving.`,
  )
  .action(async (place: string, flags: DeployFlags) => (await import('../replay/deploy.js')).deploy(place, flags));
