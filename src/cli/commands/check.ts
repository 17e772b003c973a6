import type { CheckFlags } from '../replay/check.js';
import { collect, command, GROUPS, withServerOptions, withUnrecordedOptions, withUsageExitCode } from './command.js';

export const check = withUsageExitCode(
  3,
  withUnrecordedOptions(
    withServerOptions(command('check', 'try new code on copies of the threads that wait for an answer')),
  ),
)
  .helpGroup(GROUPS.clients)
  .argument('<path>', 'langgraph.json, or its folder, with the new code')
  .option('--graph <name>', 'only threads of this graph; can be repeated', collect)
  .option('--limit <n>', 'check at most so many threads, drawn at random if there are more (default: 1000)')
  .option('--minutes <n>', 'stop after this time (default: 10)')
  .option('--timeout <time>', 'a thread that takes longer fails', '1m')
  .option('--answer <json>', 'answer to every question (default: the last answer of a person to the same node)')
  .option('--markdown <file>', 'also append the report to a file as Markdown, such as $GITHUB_STEP_SUMMARY')
  .option('--html <file>', 'also write the report to one HTML file that needs no server')
  .option('--json', 'print JSON instead of text')
  .addHelpText(
    'after',
    `
Each thread is copied to this machine, where it resumes under the new code, cut off from the network. The server's
threads do not change.

Exit code: 0 all threads resume, 1 some fail, 3 not checked.`,
  )
  .action(async (place: string, flags: CheckFlags) => (await import('../replay/check.js')).check(place, flags));
