import type { InitFlags } from '../init.js';
import { command, GROUPS } from './command.js';

export const init = command('init', 'create a project folder with a graph, a test and a configuration')
  .helpGroup(GROUPS.serving)
  .argument('[folder]', 'folder to create; an existing folder must not contain the same files', '.')
  .option('--force', 'overwrite existing files')
  .addHelpText(
    'after',
    `
The graph uses a scripted model, so it needs no API key. This version of Threadmill is among its dependencies.

Example:
  threadmill init my-agent && cd my-agent && npm install && npm run dev

Exit code: 0 created, 1 not created; nothing was written then.`,
  )
  .action(async (folder: string, flags: InitFlags) => (await import('../init.js')).init(folder, flags));
