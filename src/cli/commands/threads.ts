import type { ThreadsFlags } from '../threads.js';
import { command, GROUPS, withServerOptions } from './command.js';

export const threads = command(
  'threads',
  'move a thread from one running server to another, with its state, history and runs',
)
  .helpGroup(GROUPS.clients)
  .addCommand(
    withServerOptions(command('export', 'write a thread to a file'))
      .argument('<thread>', 'id of the thread')
      .argument('[file]', 'file to write; it appears only when it is complete (default: the thread id with .jsonl)')
      .option('--force', 'overwrite an existing file')
      .addHelpText('after', '\nExit code: 0 written, 1 not written.')
      .action(async (thread: string, file: string | undefined, flags: ThreadsFlags) =>
        (await import('../threads.js')).exportThread(thread, file, flags),
      ),
  )
  .addCommand(
    withServerOptions(command('import', 'import a thread from a file and print its id'))
      .argument('<file>', 'file written by "threadmill threads export"')
      .option('--new-id', 'give the thread a new id; needed if its own id is taken')
      .option('--json', 'print the thread as JSON')
      .addHelpText(
        'after',
        `
If the server has API keys or auth handlers, the key needs the scope server:import or all scopes.

Exit code: 0 imported, 1 not imported.`,
      )
      .action(async (file: string, flags: ThreadsFlags) => (await import('../threads.js')).importThread(file, flags)),
  );
