import type { TailFlags } from '../runs-tail.js';
import { command, GROUPS, withServerOptions } from './command.js';

export const runs = command('runs', 'watch runs')
  .helpGroup(GROUPS.clients)
  .addCommand(
    withServerOptions(command('tail', 'follow the output of the runs of a thread, until Ctrl-C'))
      .argument('<thread>', 'id of the thread')
      .option('--from-start', 'begin with the stored events of earlier runs')
      .option('--last-event-id <id>', 'begin after this event')
      .option('--json', 'print one JSON object per line: {"id", "event", "data"}')
      .addHelpText(
        'after',
        `
It shows the events that the runs stream, which depends on their stream_mode. With "messages-tuple", text appears token
by token. A lost connection is opened again, and continues after the last event.

Examples:
  threadmill runs tail 0199c1de-5a3b-7c44-9c3c-0d1f4a5b6c7d
  threadmill runs tail 0199c1de-5a3b-7c44-9c3c-0d1f4a5b6c7d --json --from-start | jq .event

Exit code: 0 ended by Ctrl-C, 1 no such server or thread, no access with this key, or the thread was deleted.`,
      )
      .action(async (thread: string, flags: TailFlags) => (await import('../runs-tail.js')).tailRuns(thread, flags)),
  );
