import type { Command } from 'commander';
import type { CreateFlags, KeysFlags } from '../keys.js';
import { command, withDataOption, collect, GROUPS } from './command.js';

const keyCommand = (name: string, description: string): Command =>
  withDataOption(command(name, description)).option('--json', 'print JSON');

export const keys = command(
  'keys',
  'make, list and revoke API keys; works on the data folder, whether a server runs on it or not',
)
  .helpGroup(GROUPS.operating)
  .addCommand(
    keyCommand('create', 'make a key and print it, once')
      .requiredOption('--name <name>', 'what it is for; two valid keys have different names')
      .option(
        '--expires <when>',
        'a duration (90d, 12h), a day (2027-01-31: its first moment, UTC) or a time (default: never)',
      )
      .option('--scope <scope>', 'what it may do; may be repeated (default: everything)', collect)
      .addHelpText(
        'after',
        `
Scopes:
  *                    everything
  read                 *:read and *:search
  <resource>           everything with assistants, threads, crons, store, datasets or experiments
  <resource>:<action>  one action with it: create, read, update, delete, search or create_run
  *:<action>           one action with all of them
  metrics:read         the figures of /metrics; read has them too
  server:read          what waits and why, and how much is stored of what; read has it too
  server:keys          to make and revoke keys, with no scope that the key itself has not
  server:backup        a backup of everything
  server:import        threads from files

Example:
  threadmill keys create --name ci --scope threads --expires 90d

The key goes to stdout, all else to stderr. Only its hash is kept. Exit code: 0 made, 1 not.`,
      )
      .action(async (flags: CreateFlags) => (await import('../keys.js')).create(flags)),
  )
  .addCommand(
    keyCommand('list', 'list the keys, those that expired or were revoked too')
      .addHelpText('after', '\nExit code: 0 listed, 1 not.')
      .action(async (flags: KeysFlags) => (await import('../keys.js')).list(flags)),
  )
  .addCommand(
    keyCommand('revoke', 'revoke a key; a running server ends what it is used for at once')
      .argument('<id-or-name>', 'id of the key, or the name of one that is not revoked')
      .addHelpText('after', '\nExit code: 0 revoked, 1 not.')
      .action(async (idOrName: string, flags: KeysFlags) => (await import('../keys.js')).revoke(idOrName, flags)),
  );
