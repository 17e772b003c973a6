import type { AuditFlags } from '../audit.js';
import { command, GROUPS, withClientOptions } from './command.js';

export const audit = withClientOptions(
  command('audit', 'list what was changed by whom on a server, and who signed in, newest first'),
)
  .helpGroup(GROUPS.clients)
  .option('--action <action>', 'only this action, such as threads:delete or sign-in, or a kind such as assistants')
  .option('--actor <name>', 'only changes of this person or key, by name or id')
  .option('--record <id>', 'only changes of records whose id contains this text')
  .option('--since <time>', 'only entries from this time on, such as 2027-01-31 or 2027-01-31T12:00:00Z')
  .option('--until <time>', 'only entries before this time')
  .option('--failed', 'only what was refused or has failed')
  .option('--limit <count>', 'number of entries', '50')
  .option('--export', 'print all entries as JSON lines')
  .addHelpText(
    'after',
    `
The key needs the scope server:audit, or full access.

Exit code: 0 the entries were read; 1 they could not be read.`,
  )
  .action(async (flags: AuditFlags) => (await import('../audit.js')).listAudit(flags));
