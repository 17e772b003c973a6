import type { ConfigFlags } from '../config.js';
import { command, GROUPS } from './command.js';
import { withServeOptions } from './serve.js';

export const config = withServeOptions(
  command('config', 'print the settings of a server with these flags, and where each value comes from'),
)
  .helpGroup(GROUPS.serving)
  .option('--all', 'also print settings that have their default value')
  .option('--json', 'print JSON: all settings, and warnings about settings without effect')
  .addHelpText(
    'after',
    `
Precedence, highest first: flag, environment variable, langgraph.json, default. Secrets are not shown.

Exit code: 0 the settings are valid, 1 they are not; the reason is printed.`,
  )
  .action(async (flags: ConfigFlags) => (await import('../config.js')).config(flags, config));
