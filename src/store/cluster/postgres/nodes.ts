import { LIMITS } from '../../../base/limits.js';
import type { PostgresConnection } from './connection.js';
import type { NodeRole } from '../node-roles.js';
import { SHARD } from './schema.js';

/** Whether a node is taken out of service, on request of an operator. */
export type DrainState =
  | 'none'
  /** It takes no more runs, and still has some, or is still the owner. */
  | 'draining'
  | 'drained';

/** A node as the database knows it. */
export interface NodeStatus {
  nodeId: string;
  name: string;
  /** Of Threadmill. */
  version: string;
  /** The format of records that it writes. */
  storeFormat: number;
  role: NodeRole;
  drain: DrainState;
  /** Where it takes requests of other nodes; null unless it is the owner. */
  address: string | null;
  /** Entries of the log that its copy does not have yet. */
  behind: number;
  /** Time since its copy had all entries; 0 if it has them. By the clock of the database. */
  lagMs: number;
  /** Graph workers. */
  workers: number;
  /** Runs and state updates that its workers hold. */
  runs: number;
  startedAt: Date;
  /** Milliseconds since it last showed that it lives, by the clock of the database. */
  seenMs: number;
  /** Increases while the node lives. */
  beat: number;
}

/** The log of the cluster, its owner and its nodes. */
export interface NodeList {
  /** Of the records, or what an owner is just converting them to. */
  storeFormat: number;
  epoch: number;
  /** Node id; null without an owner. Its node may be gone. */
  ownerId: string | null;
  /** Number of the last entry of the log. */
  lastEntry: number;
  /** By the clock of the database, in milliseconds since 1970. */
  nowMs: number;
  /** Names of nodes that must be drained, whether they run or not. */
  drainedNames: ReadonlySet<string>;
  /** By name. */
  nodes: NodeStatus[];
}

const NODES = `SELECT shard.epoch, shard.owner, node.*,
    (SELECT max(index) FROM threadmill.log WHERE log.shard = ${SHARD}) AS last_entry,
    extract(epoch FROM clock_timestamp()) * 1000 AS now_ms,
    extract(epoch FROM now() - seen_at) * 1000 AS seen_ms,
    extract(epoch FROM now() - coalesce(current_at, started_at)) * 1000 AS lag_ms,
    (SELECT array_agg(name) FROM threadmill.drain) AS drained_names,
    (SELECT store_format FROM threadmill.cluster) AS cluster_format
  FROM threadmill.shard LEFT JOIN threadmill.node ON true WHERE shard.shard = ${SHARD}
  ORDER BY name, started_at`;

/** Throws the error of PostgreSQL where there is no cluster. */
export async function readNodes(connection: PostgresConnection): Promise<NodeList> {
  const { rows } = await connection.query(NODES);
  const first = rows[0]!;
  const list = {
    storeFormat: Number(first['cluster_format']),
    epoch: Number(first['epoch']),
    ownerId: first['owner'] as string | null,
    lastEntry: Number(first['last_entry']),
    nowMs: Number(first['now_ms']),
    drainedNames: new Set((first['drained_names'] as string[] | null) ?? []),
  };
  return { ...list, nodes: rows.filter((row) => row['node_id'] !== null).map((row) => nodeStatus(row, list)) };
}

function nodeStatus(row: Record<string, unknown>, list: Omit<NodeList, 'nodes'>): NodeStatus {
  const seenMs = elapsedMs(row['seen_ms']);
  const behind = Math.max(0, list.lastEntry - Number(row['applied']));
  const name = row['name'] as string;
  return {
    nodeId: row['node_id'] as string,
    name,
    version: row['version'] as string,
    storeFormat: Number(row['store_format']),
    role: roleOf(row, seenMs),
    drain: !list.drainedNames.has(name) ? 'none' : row['is_drained'] === true ? 'drained' : 'draining',
    address: row['address'] as string | null,
    behind,
    lagMs: behind === 0 ? 0 : elapsedMs(row['lag_ms']),
    workers: Number(row['workers']),
    runs: Number(row['runs']),
    startedAt: row['started_at'] as Date,
    seenMs,
    beat: Number(row['beat']),
  };
}

function roleOf(row: Record<string, unknown>, seenMs: number): NodeRole {
  if (seenMs > LIMITS.clusterOwnerSilentMs) return 'lost';
  if (row['owner'] === row['node_id']) return 'owner';
  return row['loading'] === true ? 'loading' : 'standby';
}

function elapsedMs(value: unknown): number {
  return Math.max(0, Math.round(Number(value)));
}

/**
 * A node of an earlier release that lives and can take over. While there is one, the records keep their format; null if
 * there is none.
 */
export function olderNode({ nodes }: NodeList, format: number): NodeStatus | null {
  return (
    nodes.find(({ role, drain, storeFormat }) => role !== 'lost' && drain === 'none' && storeFormat < format) ?? null
  );
}

/** True if another node than this one would take over when the owner leaves. */
export function hasSuccessor({ nodes }: NodeList, nodeId: string): boolean {
  return nodes.some((node) => node.nodeId !== nodeId && node.role === 'standby' && node.drain === 'none');
}

/** Asks all nodes of this name to drain, also those that start later. Does nothing if they are asked already. */
export async function requestDrain(connection: PostgresConnection, name: string): Promise<void> {
  await connection.query('INSERT INTO threadmill.drain (name) VALUES ($1) ON CONFLICT DO NOTHING', [name]);
}

/** Returns false if nobody had asked. */
export async function undoDrain(connection: PostgresConnection, name: string): Promise<boolean> {
  const { count } = await connection.query('DELETE FROM threadmill.drain WHERE name = $1', [name]);
  return count > 0;
}

/** Removes requests for names that no node has had for long, such as those of pods. */
export async function removeOldDrains(connection: PostgresConnection): Promise<void> {
  await connection.query(
    `DELETE FROM threadmill.drain WHERE requested_at < now() - make_interval(secs => $1)
     AND NOT EXISTS (SELECT FROM threadmill.node WHERE node.name = drain.name)`,
    [LIMITS.clusterDrainKeptMs / 1_000],
  );
}
