import type { TailFlags } from '../runs-tail.js';
import { command, GROUPS, withServerOptions } from './command.js';

export const runs = command('runs', 'look at runs')
  .helpGroup(GROUPS.clients)
  .addCommand(
    withServerOptions(command('tail', 'follow what the runs of a thread say, until Ctrl-C'))
      .argument('<thread>', 'id of the thread')
      .option('--from-start', 'first what is kept of earlier runs')
      .option('--last-event-id <id>', 'first what came after this event')
      .option('--json', 'print a JSON object a line: {"id", "event", "data"}')
      .addHelpText(
        'after',
        `
It shows what the runs stream: their stream_mode says what that is. With "messages-tuple" text comes token by token.
A connection that breaks off is made again, from the last event on.

Examples:
  threadmill runs tail 0199c1de-5a3b-7c44-9c3c-0d1f4a5b6c7d
  threadmill runs tail 0199c1de-5a3b-7c44-9c3c-0d1f4a5b6c7d --json --from-start | jq .event

Exit code: 0 ended by Ctrl-C, 1 the thread is gone, or there is no such server or thread, or none for this key.`,
      )
      .action(async (thread: string, flags: TailFlags) => (await import('../runs-tail.js')).tail(thread, flags)),
  );
