import type { EvaluateFlags } from '../evaluate.js';
import { collect, command, GROUPS, withClientOptions, withComparisonOptions, withUsageExitCode } from './command.js';

export const evaluate = withComparisonOptions(
  withUsageExitCode(
    3,
    withClientOptions(command('evaluate', 'let the server run an assistant over a dataset, and score the results')),
  )
    .helpGroup(GROUPS.clients)
    .requiredOption('--dataset <name>', 'name or id of the dataset')
    .requiredOption('--assistant <name>', 'id of an assistant, or name of a graph')
    .option(
      '--evaluators <names>',
      'evaluators of langgraph.json and built-in ones, separated by commas; can be repeated',
      collect,
    )
    .option('--experiment <name>', 'name of the experiment (default: the name of the assistant and a few characters)')
    .option('--description <text>', 'description of the experiment')
    .option('--metadata <json>', 'metadata of the experiment, a JSON object')
    .option('--split <name>', 'only examples of this split; can be repeated', collect)
    .option('--repetitions <n>', 'how often each example runs (default: 1)')
    .option('--concurrency <n>', 'runs at the same time (default: 4)')
    .option('--baseline <name>', 'name or id of an experiment to compare with'),
)
  .addHelpText(
    'after',
    `
The server starts an ordinary run for each example, a few at a time, and scores its outputs. If the server restarts
meanwhile, it goes on with the examples that are left. Ctrl-C cancels the experiment.

Built-in evaluators:
  exact_match    the outputs equal the reference outputs
  contains       the outputs contain the text of the reference, or "text"
  regex_match    "pattern" matches the text of the outputs
  numeric_match  the numbers differ by "tolerance" at most
  json_schema    the outputs match the JSON Schema "schema"
  tool_calls     the messages call the tools that the reference names, in that order
  latency        the run took "max" seconds at most
  cost           the run cost "max" US dollars at most
An evaluator with options is a JSON object. "path" and "reference_path" name the place to look at.

Examples:
  threadmill evaluate --dataset questions --assistant agent --evaluators correct
  threadmill evaluate --dataset questions --assistant agent \\
    --evaluators '{"name": "contains", "path": "messages.-1.content", "reference_path": "answer"}'
  threadmill evaluate --dataset questions --assistant agent --evaluators correct \\
    --baseline main --fail-on-regression correct

Exit code:
  0  evaluated; nothing of --fail-on-regression is worse
  1  something of --fail-on-regression is worse, or the error rate
  2  none of them is worse, but at least one has not enough evidence
  3  not evaluated or not compared: no server, no such dataset or assistant, cancelled, wrong flags`,
  )
  .action(async (flags: EvaluateFlags) => (await import('../evaluate.js')).evaluate(flags));
