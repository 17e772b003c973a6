import ms from 'ms';
import { ThreadmillError } from '../base/errors.js';
import { readCluster, readClusterUrl } from '../config/cluster.js';
import { databaseError, PostgresConnection, withoutPassword } from '../store/cluster/postgres/connection.js';
import { describeDurability, readDurability, type Durability } from '../store/cluster/postgres/durability.js';
import { openTables } from '../store/cluster/postgres/schema.js';
import { readStatus, type ClusterStatus } from '../store/cluster/postgres/status.js';
import { CommandError, runCommand } from './client.js';
import { formatSize } from './output/progress.js';
import { formatTable } from './output/table.js';

export interface ClusterFlags {
  cluster?: string;
  json?: boolean;
}

/** Creates the tables of a cluster, or checks those that are there, and says what the database promises. */
export function createCluster(flags: ClusterFlags): Promise<void> {
  return runClusterCommand(async () => {
    const config = readCluster(flags, process.env);
    if (config === null) throw missingUrl();
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
  return runClusterCommand(async () => {
    const url = readClusterUrl(flags, process.env);
    if (url === null) throw missingUrl();
    const status = await withConnection(url, readStatus);
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
          ['node', 'role', 'version', 'behind', 'last seen', 'running for'],
          nodes.map((node) => [
            node.name,
            node.role,
            node.version,
            `${node.behind} entries`,
            `${ms(node.seenMs)} ago`,
            ms(Math.max(0, Date.now() - node.startedAt.getTime())),
          ]),
        ),
  ].join('\n');
}

function statusJson({ clusterId, createdAt, epoch, lastEntry, logBytes, snapshot, nodes, durability }: ClusterStatus) {
  return {
    cluster_id: clusterId,
    created_at: createdAt.toISOString(),
    epoch,
    last_entry: lastEntry,
    log_bytes: logBytes,
    snapshot,
    nodes: nodes.map((node) => ({
      node_id: node.nodeId,
      name: node.name,
      role: node.role,
      version: node.version,
      address: node.address,
      entries_behind: node.behind,
      started_at: node.startedAt.toISOString(),
      seen_ms_ago: node.seenMs,
    })),
    ...durabilityJson(durability),
  };
}

function durabilityLines(durability: Durability): string[] {
  return [describeDurability(durability), ...durability.problems.map((problem) => `Warning: ${problem}.`)];
}

function durabilityJson({ version, machines, problems }: Durability): object {
  return { postgres_version: version, machines, problems };
}

function missingUrl(): Error {
  return new CommandError('Name the database with --cluster or THREADMILL_CLUSTER.');
}

async function withConnection<T>(url: string, work: (connection: PostgresConnection) => Promise<T>): Promise<T> {
  const connection = new PostgresConnection(url, { name: 'command' });
  try {
    return await work(connection);
  } catch (error) {
    if (error instanceof ThreadmillError) throw error;
    // PostgreSQL's code of a table that does not exist.
    if ((error as { code?: string }).code === '42P01')
      throw new CommandError(
        `There is no cluster in ${withoutPassword(url)}. Create it with "threadmill cluster create".`,
      );
    throw databaseError(url, error);
  } finally {
    await connection.close();
  }
}

function runClusterCommand(work: () => Promise<void>): Promise<void> {
  return runCommand(1, async () => {
    try {
      await work();
    } catch (error) {
      throw error instanceof ThreadmillError ? new CommandError(error.message) : error;
    }
    return 0;
  });
}
