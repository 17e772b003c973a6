import type { InitFlags } from '../init.js';
import { command, GROUPS } from './command.js';

export const init = command('init', 'make a folder with a graph, a test and all that "threadmill dev" wants')
  .helpGroup(GROUPS.serving)
  .argument('[folder]', 'folder to make, or one that has none of the files', '.')
  .option('--force', 'replace files that are there')
  .addHelpText(
    'after',
    `
The graph has a scripted model, so it needs no key and no network: "threadmill dev" in the folder serves it at once.

Example:
  threadmill init my-agent && cd my-agent && threadmill dev

Exit code: 0 made, 1 not; then nothing was written.`,
  )
  .action(async (folder: string, flags: InitFlags) => (await import('../init.js')).init(folder, flags));
