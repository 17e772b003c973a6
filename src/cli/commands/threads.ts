import type { ThreadsFlags } from '../threads.js';
import { command, GROUPS, withServerOptions } from './command.js';

export const threads = command(
  'threads',
  'take a thread from one running server to another, with its state, history and runs',
)
  .helpGroup(GROUPS.clients)
  .addCommand(
    withServerOptions(command('export', 'write a thread to a file'))
      .argument('<thread>', 'id of the thread')
      .argument('[file]', 'where to; it is there whole or not at all (default: the id, and .jsonl)')
      .option('--force', 'replace a file that is there')
      .addHelpText('after', '\nExit code: 0 written, 1 not.')
      .action(async (thread: string, file: string | undefined, flags: ThreadsFlags) =>
        (await import('../threads.js')).exportThread(thread, file, flags),
      ),
  )
  .addCommand(
    withServerOptions(command('import', 'take a thread in, and print its id'))
      .argument('<file>', 'what "threadmill threads export" has written')
      .option('--new-id', 'under another id than it had; needed when that is taken')
      .option('--json', 'print the thread as JSON')
      .addHelpText(
        'after',
        `
A server with keys or handlers wants a key with the scope server:import, or one that may do everything.

Exit code: 0 done, 1 not.`,
      )
      .action(async (file: string, flags: ThreadsFlags) => (await import('../threads.js')).importThread(file, flags)),
  );
