import type { CompareFlags } from '../compare.js';
import { command, GROUPS, withClientOptions, withComparisonOptions, withUsageExitCode } from './command.js';

export const compare = withComparisonOptions(
  withUsageExitCode(
    3,
    withClientOptions(
      command('compare', 'compare two experiments score by score; the exit code says whether the second one is worse'),
    ),
  )
    .helpGroup(GROUPS.clients)
    .argument('<baseline>', 'name or id of the baseline experiment')
    .argument('<candidate>', 'name or id of the experiment to judge')
    .option('--dataset <name>', 'name or id of the dataset that both experiments must belong to'),
)
  .addHelpText(
    'after',
    `
A score is "better" or "worse" if chance alone would rarely produce such a difference: in at most 5 of 100 comparisons
of equal experiments, with the default confidence. This is decided by a permutation test over the examples that both
experiments scored. At least six of them must have changed. With --fail-on-regression, a worse error rate is a
regression too.

Example:
  threadmill compare main branch --fail-on-regression correct
  threadmill compare main branch --html comparison.html

Exit code:
  0  compared; nothing of --fail-on-regression is worse
  1  something of --fail-on-regression is worse, or the error rate
  2  none of them is worse, but at least one has not enough evidence
  3  not compared: no server, no such experiment or score, different datasets, wrong flags`,
  )
  .action(async (baseline: string, candidate: string, flags: CompareFlags) =>
    (await import('../compare.js')).compare(baseline, candidate, flags),
  );
