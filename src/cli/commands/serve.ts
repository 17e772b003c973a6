import type { Command } from 'commander';
import type { Flags } from '../../config/config.js';
import { command, ENCRYPTION_KEY_FILE, withDataOption, GROUPS } from './command.js';

/** The flags that say how a server is started; `config` prints what becomes of them. */
export function withServeOptions(one: Command): Command {
  return withDataOption(
    one
      .option('-c, --config <file>', 'configuration of the graphs', 'langgraph.json')
      .option('--host <address>', 'address to listen on (default: LANGGRAPH_SERVER_HOST, else 127.0.0.1)')
      .option('-p, --port <number>', 'port to listen on; 0 picks a free one (default: PORT, else 8123)'),
  )
    .option('--tls-cert <file>', 'PEM certificate, with what it was issued by after it: serve https')
    .option('--tls-key <file>', 'PEM private key of the certificate')
    .option(
      '--allowed-hosts <names>',
      'host names to be reached by while nobody is asked for a key, with commas between (default: THREADMILL_ALLOWED_HOSTS, else those of this machine)',
    )
    .option('--encryption-key-file <file>', ENCRYPTION_KEY_FILE)
    .option('--insecure', 'listen on an address that others can reach, although nobody is asked for a key')
    .option('-w, --workers <number>', 'threads that run graphs (default: one per core)');
}

const AFTER_HELP = `
The first line on stdout has the address; the log goes to stderr. SIGINT or SIGTERM stops intake and gives runs time to
end; a second one exits at once. "threadmill config" prints all settings, of flags, environment and file.

Exit code: 0 stopped by a signal, 1 not started, or ended at once by a second signal.`;

export const serve = withServeOptions(command('serve', 'serve the graphs of langgraph.json'))
  .helpGroup(GROUPS.serving)
  .addHelpText('after', AFTER_HELP)
  .action(async (flags: Flags) => (await import('../server/serve.js')).serve(flags, { watch: false }));

export const dev = withServeOptions(command('dev', 'serve, and take up changed graph files without dropping runs'))
  .helpGroup(GROUPS.serving)
  .addHelpText('after', AFTER_HELP)
  .action(async (flags: Flags) => (await import('../server/serve.js')).serve(flags, { watch: true }));
