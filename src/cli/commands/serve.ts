import type { Command } from 'commander';
import type { Flags } from '../../config/config.js';
import { command, ENCRYPTION_KEY_FILE, withDataOption, GROUPS } from './command.js';

/** Adds the flags of a server. `config` has them too, and prints the settings that result. */
export function withServeOptions(one: Command): Command {
  return withDataOption(
    one
      .option('-c, --config <file>', 'configuration file', 'langgraph.json')
      .option('--host <address>', 'address to listen on (default: LANGGRAPH_SERVER_HOST, else 127.0.0.1)')
      .option('-p, --port <number>', 'port to listen on; 0 picks a free one (default: PORT, else 8123)'),
  )
    .option('--tls-cert <file>', 'PEM certificate, followed by its intermediate certificates; enables https')
    .option('--tls-key <file>', 'PEM private key of the certificate')
    .option(
      '--allowed-hosts <names>',
      'host names that requests may use while no API key is required, separated by commas (default: ' +
        'THREADMILL_ALLOWED_HOSTS, else the names of this machine)',
    )
    .option('--public-shares', 'allow public links to datasets and runs (default: THREADMILL_PUBLIC_SHARES, else off)')
    .option('--encryption-key-file <file>', ENCRYPTION_KEY_FILE)
    .option('--insecure', 'allow an address that others can reach although no API key is required')
    .option('-w, --workers <number>', 'number of threads that run graphs (default: one per core)');
}

const AFTER_HELP = `
The first line on stdout begins with "Threadmill at URL". The log goes to stderr. After SIGINT or SIGTERM the server accepts no new
work and gives runs time to end. A second signal exits at once. "threadmill config" prints all settings.

Exit code: 0 stopped by a signal, 1 did not start, or stopped at once by a second signal.`;

export const serve = withServeOptions(command('serve', 'serve the graphs of langgraph.json'))
  .option('--cluster <url>', 'PostgreSQL database of the cluster to join (default: THREADMILL_CLUSTER)')
  .helpGroup(GROUPS.serving)
  .addHelpText('after', AFTER_HELP)
  .action(async (flags: Flags) => (await import('../server/serve.js')).serve(flags, { watch: false }));

export const dev = withServeOptions(
  command('dev', 'serve the graphs, and reload changed graph files without dropping runs'),
)
  .helpGroup(GROUPS.serving)
  .addHelpText('after', AFTER_HELP)
  .action(async (flags: Flags) => (await import('../server/serve.js')).serve(flags, { watch: true }));
