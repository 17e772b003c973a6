import { Command, Option } from 'commander';
import { UNRECORDED_POLICIES } from '../../wire/user-code/graph-source.js';

/** Help text of --api-key. */
export const API_KEY = 'sent as x-api-key (default: LANGSMITH_API_KEY from the environment)';

/** Creates a command whose usage errors point to --help. */
export function command(name: string, description: string): Command {
  return new Command(name).description(description).showHelpAfterError('Add --help to see its arguments and flags.');
}

/** Adds the options of a command that connects to a running server. */
export function withServerOptions(one: Command, address = 'address of the server'): Command {
  return one.option('--url <address>', address, 'http://127.0.0.1:8123').option('--api-key <key>', API_KEY);
}

/** Adds the options of a command that connects to a running server and prints a table. */
export function withClientOptions(one: Command): Command {
  return withServerOptions(one).option('--json', 'print JSON instead of a table');
}

/** Adds --data, the data folder of a running or stopped server. */
export function withDataOption(one: Command): Command {
  return one.option('-d, --data <folder>', 'data folder', '.threadmill');
}

/** Help text of --encryption-key-file. */
export const ENCRYPTION_KEY_FILE =
  'file with the key of an encrypted data folder (default: THREADMILL_ENCRYPTION_KEY_FILE)';

/** Argument parser for flags that can be repeated. */
export const collect = (one: string, all: string[] = []): string[] => [...all, one];

/** Adds the options of a command that compares two experiments. */
export function withComparisonOptions(one: Command): Command {
  return one
    .option(
      '--fail-on-regression <keys>',
      'scores that must not get worse, also latency and error_rate, separated by commas; can be repeated',
      collect,
    )
    .option('--allow-more-errors', 'let --fail-on-regression pass although the error rate is worse')
    .option('--confidence <number>', 'confidence of the verdicts and intervals', '0.95')
    .option('--correction <method>', 'holm: the confidence applies to all verdicts together, not to each', 'none')
    .option('--html <file>', 'also write the comparison with all rows to one HTML file that needs no server')
    .option('--markdown <file>', 'also append the comparison to a file as Markdown, such as $GITHUB_STEP_SUMMARY');
}

/** Adds the options of a command that executes runs with recorded answers. */
export function withUnrecordedOptions(one: Command): Command {
  return one
    .addOption(
      new Option(
        '--unrecorded <policy>',
        'what a request that was not recorded gets: an error (refuse), the next recorded answer of its address ' +
          '(nearest), an answer of --stubs (stub), or one of the network (live)',
      )
        .choices(UNRECORDED_POLICIES)
        .default('refuse'),
    )
    .option('--stubs <file>', 'JSON list of answers: [{"method", "url", "status", "headers", "body"}]');
}

/** Exits with `code` on usage errors. For commands in which Commander's default, 1, is already a result. */
export function withUsageExitCode(code: number, one: Command): Command {
  return one.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : code));
}

/** Headings in the list of commands. */
export const GROUPS = {
  serving: 'Serving:',
  operating: 'Data and keys:',
  clients: 'Clients of a running server:',
  help: 'About this program:',
} as const;
