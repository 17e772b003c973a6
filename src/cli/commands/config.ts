import type { ConfigFlags } from '../config.js';
import { command, GROUPS } from './command.js';
import { withServeOptions } from './serve.js';

export const config = withServeOptions(
  command('config', 'print what a server started with these flags would go by, and where each value comes from'),
)
  .helpGroup(GROUPS.serving)
  .option('--all', 'also what holds by default')
  .option('--json', 'print JSON: all settings, and what is set and changes nothing')
  .addHelpText(
    'after',
    `
A flag goes before a variable, a variable before langgraph.json, and that before what holds by default. Secrets are not shown.

Exit code: 0 a server would take it, 1 not; then it says why.`,
  )
  .action(async (flags: ConfigFlags) => (await import('../config.js')).config(flags, config));
