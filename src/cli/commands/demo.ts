import { command, GROUPS } from './command.js';
import type { DemoFlags } from '../server/demo.js';

export const demo = command(
  'demo',
  'serve example graphs that need no API key and no network, and print commands to try',
)
  .helpGroup(GROUPS.serving)
  .option('-p, --port <number>', 'port to listen on; 0 picks a free one (default: PORT, else 8123)')
  .option('-d, --data <folder>', 'data folder (default: a temporary folder, removed at the end)')
  .addHelpText(
    'after',
    `
Exit code: 0 stopped by a signal, 1 did not start.`,
  )
  .action(async (flags: DemoFlags) => (await import('../server/demo.js')).demo(flags));
