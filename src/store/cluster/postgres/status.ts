import type { PostgresConnection } from './connection.js';
import { readDurability, type Durability } from './durability.js';
import { readNodes, type NodeList } from './nodes.js';
import { logBytes, newestSnapshot } from './snapshots.js';

/** What the database knows about a cluster. */
export interface ClusterStatus extends NodeList {
  clusterId: string;
  createdAt: Date;
  /** Bytes of the log that a new node applies after the newest snapshot. */
  logBytes: number;
  snapshot: { entry: number; bytes: number } | null;
  durability: Durability;
}

/** Throws the error of PostgreSQL where there is no cluster. */
export async function readStatus(connection: PostgresConnection): Promise<ClusterStatus> {
  const { rows } = await connection.query('SELECT cluster_id, created_at FROM threadmill.cluster');
  const cluster = rows[0]!;
  const snapshot = await newestSnapshot(connection);
  return {
    ...(await readNodes(connection)),
    clusterId: cluster['cluster_id'] as string,
    createdAt: cluster['created_at'] as Date,
    logBytes: await logBytes(connection, snapshot?.index ?? 0),
    snapshot: snapshot === null ? null : { entry: snapshot.index, bytes: snapshot.bytes },
    durability: await readDurability(connection),
  };
}
