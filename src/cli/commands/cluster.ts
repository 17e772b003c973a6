import type { Command } from 'commander';
import type { ClusterFlags, MoveFlags } from '../cluster/cluster-command.js';
import type { DrainFlags } from '../cluster/drain.js';
import { command, ENCRYPTION_KEY_FILE, GROUPS } from './command.js';

const clusterCommand = (name: string, description: string): Command =>
  command(name, description)
    .option('--cluster <url>', 'PostgreSQL database of the cluster (default: THREADMILL_CLUSTER)')
    .option('--json', 'print JSON');

export const cluster = command(
  'cluster',
  'create, inspect and operate a cluster of several nodes over PostgreSQL, or move data into it and out of it',
)
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
      .action(async (flags: ClusterFlags) => (await import('../cluster/cluster.js')).createCluster(flags)),
  )
  .addCommand(
    clusterCommand('status', 'list the nodes of a cluster, and how far each copy is behind the log')
      .addHelpText(
        'after',
        '\nIt asks the database, so it also works when no node runs.\n\nExit code: 0 printed, 1 failed.',
      )
      .action(async (flags: ClusterFlags) => (await import('../cluster/cluster.js')).showStatus(flags)),
  )
  .addCommand(
    clusterCommand('drain', 'take a node out of service, or put it back: it takes no more runs, and is not the owner')
      .argument('<node>', 'name of the node, as "cluster status" shows it')
      .option('--undo', 'let the node take runs and the ownership again')
      .option('--no-wait', 'return when the node is asked, and not when it is drained')
      .option('--timeout <time>', 'longest time to wait until it is drained (default: no limit)')
      .addHelpText(
        'after',
        `
The runs of the node go on until they end. If the node is the owner, it then hands over to another node. It stays up and
passes requests on. The request is kept for the name, so a node that starts with this name is drained too, until --undo.

Exit code: 0 drained, asked with --no-wait, or back in service, 1 not asked, 2 asked, but not drained within --timeout.`,
      )
      .action(async (node: string, flags: DrainFlags) => (await import('../cluster/drain.js')).drainNode(node, flags)),
  )
  .addCommand(
    clusterCommand('refill', "append the newest entries of a node's folder that the database has lost")
      .option('-d, --data <folder>', 'data folder of the node', '.threadmill')
      .addHelpText(
        'after',
        `
For a database that has lost its newest changes, for example because PostgreSQL promoted an asynchronous standby. Stop all
nodes, and use the folder with the highest number in the message of CLUSTER_COPY_AHEAD. The entries are appended only if
they continue the log. THREADMILL_CLUSTER_KEY is required.

Exit code: 0 appended, or the log has them, 1 not appended; the log is unchanged then.`,
      )
      .action(async (flags: ClusterFlags & { data: string }) =>
        (await import('../cluster/refill.js')).refillCluster(flags),
      ),
  )
  .addCommand(
    clusterCommand('import', 'put the data of a stopped server into an empty cluster')
      .option('-d, --data <folder>', 'data folder of the server', '.threadmill')
      .option('--encryption-key-file <file>', ENCRYPTION_KEY_FILE)
      .addHelpText(
        'after',
        `
THREADMILL_CLUSTER_KEY is required, and the encryption key of an encrypted folder. A folder of an earlier format is
upgraded first. The folder keeps its data, but changes of the cluster do not reach it.

Exit code: 0 imported, 1 not imported; the cluster is unchanged then.`,
      )
      .action(async (flags: MoveFlags) => (await import('../cluster/import.js')).importIntoCluster(flags)),
  )
  .addCommand(
    clusterCommand('export', 'write the data of a cluster into a new data folder of a server without a cluster')
      .option('-d, --data <folder>', 'data folder to create; it must be missing or empty', '.threadmill')
      .option('--encryption-key-file <file>', ENCRYPTION_KEY_FILE)
      .addHelpText(
        'after',
        `
THREADMILL_CLUSTER_KEY is required, and the encryption key of an encrypted cluster. The folder has all changes up to
the start of the command. Nodes may run or not.

Exit code: 0 exported, 1 not exported; no folder is left then.`,
      )
      .action(async (flags: MoveFlags) => (await import('../cluster/export.js')).exportFromCluster(flags)),
  );
