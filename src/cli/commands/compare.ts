import type { CompareFlags } from '../compare.js';
import { client, command, withUsageExitCode, collect, GROUPS } from './command.js';

export const compare = withUsageExitCode(
  3,
  client(command('compare', 'compare two experiments, score by score; the exit code says whether the second is worse')),
)
  .helpGroup(GROUPS.clients)
  .argument('<baseline>', 'name or id of the experiment to compare with')
  .argument('<candidate>', 'name or id of the experiment in question')
  .option('--dataset <name>', 'dataset that both must belong to, by name or id')
  .option('--fail-on-regression <keys>', 'scores that must not be worse, separated by commas; may be repeated', collect)
  .option('--confidence <number>', 'confidence of the intervals', '0.95')
  .option('--html <file>', 'write the comparison with all its rows as one HTML file that needs no server')
  .addHelpText(
    'after',
    `
The verdict of a score is better or worse when the interval of the mean difference, by paired bootstrap over the examples that
both experiments scored, leaves out 0. From five examples on there is a verdict.

Example:
  threadmill compare main branch --fail-on-regression correct
  threadmill compare main branch --html comparison.html

Exit code:
  0  compared; no score of --fail-on-regression is worse
  1  a score of --fail-on-regression is worse
  2  none is worse, but for one of them there is not enough evidence
  3  not compared: no server, no such experiment or score, different datasets, wrong flags`,
  )
  .action(async (baseline: string, candidate: string, flags: CompareFlags) =>
    (await import('../compare.js')).compare(baseline, candidate, flags),
  );
