import { command, GROUPS } from './command.js';
import type { DemoFlags } from '../server/demo.js';

export const demo = command('demo', 'serve example graphs and sample data, without an API key and without a network')
  .helpGroup(GROUPS.serving)
  .option('-p, --port <number>', 'port to listen on; 0 picks a free one (default: PORT, else 8123)')
  .option('-d, --data <folder>', 'data folder (default: a temporary folder, removed at the end)')
  .addHelpText(
    'after',
    `
Exit code: 0 stopped by a signal, 1 did not start.`,
  )
  .action(async (flags: DemoFlags) => (await import('../server/demo.js')).demo(flags));
