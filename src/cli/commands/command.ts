import { Command } from 'commander';

/** A command that says where help is when it is called wrongly. */
export function command(name: string, description: string): Command {
  return new Command(name).description(description).showHelpAfterError('Add --help to see what it takes.');
}

/** What every client of a running server is told. */
export function withServerOptions(withClientOptions: Command, address = 'address of the server'): Command {
  return withClientOptions
    .option('--url <address>', address, 'http://127.0.0.1:8123')
    .option('--api-key <key>', 'sent as x-api-key (default: LANGSMITH_API_KEY of the environment)');
}

/** One that prints what it has got. */
export function client(asking: Command): Command {
  return withServerOptions(asking).option('--json', 'print JSON instead of a table');
}

/** The folder of a server, running or not. */
export function withDataOption(working: Command): Command {
  return working.option('-d, --data <folder>', 'where everything is kept', '.threadmill');
}

/** What `--encryption-key-file` is. */
export const ENCRYPTION_KEY_FILE =
  'file with the key of an encrypted data folder (default: THREADMILL_ENCRYPTION_KEY_FILE)';

/** For flags that may be repeated. */
export const collect = (one: string, all: string[] = []): string[] => [...all, one];

/** Commander's own 1 for a wrong flag would say something else where 1 is an answer. */
export function withUsageExitCode(code: number, one: Command): Command {
  return one.exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : code));
}

/** Headings of the list of commands. */
export const GROUPS = {
  serving: 'Serving:',
  operating: 'Data and keys:',
  clients: 'Clients of a running server:',
  help: 'About this program:',
} as const;
