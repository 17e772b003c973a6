import type { Command } from 'commander';
import type { ClusterFlags } from '../cluster.js';
import { command, GROUPS } from './command.js';

const clusterCommand = (name: string, description: string): Command =>
  command(name, description)
    .option('--cluster <url>', 'PostgreSQL database of the cluster (default: THREADMILL_CLUSTER)')
    .option('--json', 'print JSON');

export const cluster = command('cluster', 'create and inspect a cluster of several nodes over PostgreSQL')
  .helpGroup(GROUPS.operating)
  .addCommand(
    clusterCommand('create', 'create the tables of a cluster, and say what the database promises')
      .addHelpText(
        'after',
        `
THREADMILL_CLUSTER_KEY is required. The first node that starts creates the tables too. A cluster that exists is not
changed.

Exit code: 0 created or there already, 1 not created.`,
      )
      .action(async (flags: ClusterFlags) => (await import('../cluster.js')).createCluster(flags)),
  )
  .addCommand(
    clusterCommand('status', 'list the nodes of a cluster, and how far each copy is behind the log')
      .addHelpText(
        'after',
        '\nIt asks the database, so it also works when no node runs.\n\nExit code: 0 printed, 1 failed.',
      )
      .action(async (flags: ClusterFlags) => (await import('../cluster.js')).showStatus(flags)),
  );
