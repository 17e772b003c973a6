import { LIMITS } from '../../../base/limits.js';
import type { PostgresConnection } from './connection.js';
import { readDurability, type Durability } from './durability.js';
import { SHARD } from './schema.js';
import { logBytes, newestSnapshot } from './snapshots.js';

export interface NodeStatus {
  nodeId: string;
  name: string;
  /** Of Threadmill. */
  version: string;
  role: 'owner' | 'standby' | 'loading' | 'lost';
  /** Where it takes requests of other nodes; null unless it is the owner. */
  address: string | null;
  /** Entries of the log that its copy does not have yet. */
  behind: number;
  startedAt: Date;
  /** Milliseconds since it last showed that it lives, by the clock of the database. */
  seenMs: number;
}

/** What the database knows about a cluster. */
export interface ClusterStatus {
  clusterId: string;
  createdAt: Date;
  epoch: number;
  /** Number of the last entry of the log. */
  lastEntry: number;
  /** Bytes of the log that a new node applies after the newest snapshot. */
  logBytes: number;
  snapshot: { entry: number; bytes: number } | null;
  /** By name. */
  nodes: NodeStatus[];
  durability: Durability;
}

const NODES = `SELECT node.node_id, name, version, address, applied, loading, started_at,
    extract(epoch FROM now() - seen_at) * 1000 AS seen_ms, shard.owner IS NOT NULL AS is_owner
  FROM threadmill.node LEFT JOIN threadmill.shard ON shard.owner = node.node_id AND shard.shard = ${SHARD}
  ORDER BY name, started_at`;

/** Throws the error of PostgreSQL where there is no cluster. */
export async function readStatus(connection: PostgresConnection): Promise<ClusterStatus> {
  const { rows } = await connection.query(
    `SELECT cluster_id, created_at, epoch, (SELECT max(index) FROM threadmill.log WHERE shard = ${SHARD}) AS last_entry
     FROM threadmill.cluster, threadmill.shard WHERE shard = ${SHARD}`,
  );
  const cluster = rows[0]!;
  const lastEntry = Number(cluster['last_entry']);
  const snapshot = await newestSnapshot(connection);
  const nodes = await connection.query(NODES);
  return {
    clusterId: cluster['cluster_id'] as string,
    createdAt: cluster['created_at'] as Date,
    epoch: Number(cluster['epoch']),
    lastEntry,
    logBytes: await logBytes(connection, snapshot?.index ?? 0),
    snapshot: snapshot === null ? null : { entry: snapshot.index, bytes: snapshot.bytes },
    nodes: nodes.rows.map((row) => nodeStatus(row, lastEntry)),
    durability: await readDurability(connection),
  };
}

function nodeStatus(row: Record<string, unknown>, lastEntry: number): NodeStatus {
  const seenMs = Math.max(0, Math.round(Number(row['seen_ms'])));
  return {
    nodeId: row['node_id'] as string,
    name: row['name'] as string,
    version: row['version'] as string,
    role: roleOf(row, seenMs),
    address: row['address'] as string | null,
    behind: Math.max(0, lastEntry - Number(row['applied'])),
    startedAt: row['started_at'] as Date,
    seenMs,
  };
}

function roleOf(row: Record<string, unknown>, seenMs: number): NodeStatus['role'] {
  if (seenMs > LIMITS.clusterOwnerSilentMs) return 'lost';
  if (row['is_owner'] === true) return 'owner';
  return row['loading'] === true ? 'loading' : 'standby';
}
