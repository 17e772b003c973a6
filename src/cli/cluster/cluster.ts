import ms from 'ms';
import { nodeJson } from '../../services/cluster/nodes.js';
import { withoutPassword } from '../../store/cluster/postgres/connection.js';
import { describeDurability, readDurability, type Durability } from '../../store/cluster/postgres/durability.js';
import { openTables } from '../../store/cluster/postgres/schema.js';
import type { DrainState } from '../../store/cluster/postgres/nodes.js';
import { readStatus, type ClusterStatus } from '../../store/cluster/postgres/status.js';
import { formatSize } from '../output/progress.js';
import { formatTable } from '../output/table.js';
import {
  requireCluster,
  requireClusterUrl,
  runClusterCommand,
  withConnection,
  type ClusterFlags,
} from './cluster-command.js';

/** Creates the tables of a cluster, or checks those that are there, and says what the database promises. */
export function createCluster(flags: ClusterFlags): Promise<void> {
  return runClusterCommand(flags, async () => {
    const config = requireCluster(flags);
    await withConnection(config.url, async (connection) => {
      const { clusterId } = await openTables(connection, config.keyFingerprint);
      const durability = await readDurability(connection);
      if (flags.json === true) {
        process.stdout.write(`${JSON.stringify({ cluster_id: clusterId, ...durabilityJson(durability) })}\n`);
        return;
      }
      process.stdout.write(
        `${[
          `Cluster ${clusterId} is in ${withoutPassword(config.url)}, PostgreSQL ${durability.version}.`,
          ...durabilityLines(durability),
          'Start its nodes with: threadmill serve --cluster URL',
        ].join('\n')}\n`,
      );
    });
  });
}

/** Prints the nodes and the log of a cluster. Needs the database, but no node. */
export function showStatus(flags: ClusterFlags): Promise<void> {
  return runClusterCommand(flags, async () => {
    const status = await withConnection(requireClusterUrl(flags), readStatus);
    process.stdout.write(`${flags.json === true ? JSON.stringify(statusJson(status)) : statusText(status)}\n`);
  });
}

function statusText({ clusterId, createdAt, epoch, lastEntry, logBytes, snapshot, nodes, durability }: ClusterStatus) {
  const owner = nodes.find(({ role }) => role === 'owner');
  return [
    `Cluster ${clusterId}, created ${createdAt.toISOString()}, PostgreSQL ${durability.version}`,
    `Owner    ${owner === undefined ? 'none' : `${owner.name}, in epoch ${epoch}`}`,
    `Log      ${lastEntry} entries, ${formatSize(logBytes)} after the newest snapshot`,
    `Snapshot ${snapshot === null ? 'none yet' : `${formatSize(snapshot.bytes)}, up to entry ${snapshot.entry}`}`,
    ...durabilityLines(durability),
    '',
    nodes.length === 0
      ? 'No node has joined.'
      : formatTable(
          ['node', 'role', 'drained', 'version', 'behind', 'workers', 'runs', 'last seen', 'running for'],
          nodes.map((node) => [
            node.name,
            node.role,
            DRAIN_TEXTS[node.drain],
            node.version,
            node.behind === 0 ? 'nothing' : `${node.behind} entries, ${ms(node.lagMs)}`,
            String(node.workers),
            String(node.runs),
            `${ms(node.seenMs)} ago`,
            ms(Math.max(0, Date.now() - node.startedAt.getTime())),
          ]),
        ),
  ].join('\n');
}

const DRAIN_TEXTS: Readonly<Record<DrainState, string>> = { none: 'no', draining: 'not yet', drained: 'yes' };

function statusJson({ clusterId, createdAt, epoch, lastEntry, logBytes, snapshot, nodes, durability }: ClusterStatus) {
  return {
    cluster_id: clusterId,
    created_at: createdAt.toISOString(),
    epoch,
    last_entry: lastEntry,
    log_bytes: logBytes,
    snapshot,
    nodes: nodes.map(nodeJson),
    ...durabilityJson(durability),
  };
}

function durabilityLines(durability: Durability): string[] {
  return [describeDurability(durability), ...durability.problems.map((problem) => `Warning: ${problem}.`)];
}

function durabilityJson({ version, machines, problems }: Durability): object {
  return { postgres_version: version, machines, problems };
}
