import type { AlertListFlags } from '../alerts.js';
import { command, GROUPS, withClientOptions } from './command.js';

export const alerts = command('alerts', 'list the alerts of a server')
  .helpGroup(GROUPS.clients)
  .addCommand(
    withClientOptions(command('list', 'list alerts with their states; the exit code says whether one is firing'))
      .option('--firing', 'only those that are firing or cannot be checked')
      .addHelpText(
        'after',
        `
Disabled alerts do not count for the exit code.

Exit code: 0 none is firing; 1 one is firing or cannot be checked; 2 the alerts could not be read.`,
      )
      .action(async (flags: AlertListFlags) => (await import('../alerts.js')).listAlerts(flags)),
  );
