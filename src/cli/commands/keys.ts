import type { Command } from 'commander';
import type { CreateFlags, KeysFlags } from '../keys.js';
import { command, withDataOption, collect, GROUPS } from './command.js';

const keyCommand = (name: string, description: string): Command =>
  withDataOption(command(name, description)).option('--json', 'print JSON');

export const keys = command(
  'keys',
  'create, list and revoke the API keys of a data folder, whether or not a server is using it',
)
  .helpGroup(GROUPS.operating)
  .addCommand(
    keyCommand('create', 'create an API key and print it once')
      .requiredOption('--name <name>', 'what the key is for; unique among valid keys')
      .option('--expires <when>', 'a duration (90d, 12h), a day (2027-01-31, at 00:00 UTC) or a time (default: never)')
      .option('--scope <scope>', 'what the key may do; can be repeated (default: everything)', collect)
      .addHelpText(
        'after',
        `
Scopes:
  *                    everything
  read                 *:read and *:search
  <resource>           all actions on assistants, threads, crons, store, datasets or experiments
  <resource>:<action>  one action on the resource: create, read, update, delete, search or create_run
  *:<action>           one action on all resources
  reviews              give feedback, and edit annotation queues with their runs; included in experiments
  metrics:read         read /metrics; included in read
  server:read          read the queue with reasons for waiting, storage use, and the nodes of a cluster; included in read
  server:keys          create and revoke keys with at most the scopes of this key
  server:audit         read the audit log
  server:code          read the code of the graphs
  server:deploy        load new code of the graphs
  server:nodes         drain nodes of a cluster, and put them back
  server:backup        download a full backup
  server:import        import threads from files

Example:
  threadmill keys create --name ci --scope threads --expires 90d

The key is printed to stdout, everything else to stderr. Only its hash is stored.

Exit code: 0 created, 1 not created.`,
      )
      .action(async (flags: CreateFlags) => (await import('../keys.js')).createApiKey(flags)),
  )
  .addCommand(
    keyCommand('list', 'list all keys, including expired and revoked ones')
      .addHelpText('after', '\nExit code: 0 listed, 1 failed.')
      .action(async (flags: KeysFlags) => (await import('../keys.js')).listApiKeys(flags)),
  )
  .addCommand(
    keyCommand('revoke', 'revoke a key; a running server also ends its open requests at once')
      .argument('<id-or-name>', 'id of the key, or its name if it is not revoked yet')
      .addHelpText('after', '\nExit code: 0 revoked, 1 not revoked.')
      .action(async (idOrName: string, flags: KeysFlags) => (await import('../keys.js')).revokeApiKey(idOrName, flags)),
  );
