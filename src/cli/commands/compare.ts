import type { CompareFlags } from '../compare.js';
import { collect, command, GROUPS, withClientOptions, withUsageExitCode } from './command.js';

export const compare = withUsageExitCode(
  3,
  withClientOptions(
    command('compare', 'compare two experiments score by score; the exit code says whether the second one is worse'),
  ),
)
  .helpGroup(GROUPS.clients)
  .argument('<baseline>', 'name or id of the baseline experiment')
  .argument('<candidate>', 'name or id of the experiment to judge')
  .option('--dataset <name>', 'name or id of the dataset that both experiments must belong to')
  .option(
    '--fail-on-regression <keys>',
    'scores that must not get worse, separated by commas; can be repeated',
    collect,
  )
  .option('--confidence <number>', 'confidence level of the intervals', '0.95')
  .option('--html <file>', 'also write the comparison with all rows to one HTML file that needs no server')
  .addHelpText(
    'after',
    `
A score is "better" or "worse" if the confidence interval of its mean difference excludes 0. The interval is a paired
bootstrap over the examples that both experiments scored. It needs at least five examples.

Example:
  threadmill compare main branch --fail-on-regression correct
  threadmill compare main branch --html comparison.html

Exit code:
  0  compared; no score of --fail-on-regression is worse
  1  a score of --fail-on-regression is worse
  2  none of them is worse, but at least one has not enough evidence
  3  not compared: no server, no such experiment or score, different datasets, wrong flags`,
  )
  .action(async (baseline: string, candidate: string, flags: CompareFlags) =>
    (await import('../compare.js')).compare(baseline, candidate, flags),
  );
