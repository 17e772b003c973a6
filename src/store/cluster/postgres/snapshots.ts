import { randomUUID } from 'node:crypto';
import { LIMITS } from '../../../base/limits.js';
import type { LogPosition } from '../commit-log.js';
import { PARTITION_ENTRIES, SHARD } from './schema.js';
import type { PostgresConnection } from './connection.js';

/** A whole database at one position of the log, from which a new node starts. */
export interface Snapshot extends LogPosition {
  snapshotId: string;
  bytes: number;
}

/** The newest snapshot; null without one. */
export async function newestSnapshot(connection: PostgresConnection): Promise<Snapshot | null> {
  const { rows } = await connection.query(
    `SELECT snapshot_id, index, hash, bytes FROM threadmill.snapshot WHERE shard = ${SHARD} ORDER BY index DESC LIMIT 1`,
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    snapshotId: row['snapshot_id'] as string,
    index: Number(row['index']),
    hash: row['hash'] as Buffer,
    bytes: Number(row['bytes']),
  };
}

/** Number of the last entry of the log. */
export async function lastEntry(connection: PostgresConnection): Promise<number> {
  const { rows } = await connection.query(`SELECT max(index) AS last FROM threadmill.log WHERE shard = ${SHARD}`);
  return Number(rows[0]!['last']);
}

/** Bytes of the entries after the index. */
export async function logBytes(connection: PostgresConnection, afterIndex: number): Promise<number> {
  const { rows } = await connection.query(
    `SELECT coalesce(sum(length(body)), 0) AS bytes FROM threadmill.log WHERE shard = ${SHARD} AND index > $1`,
    [afterIndex],
  );
  return Number(rows[0]!['bytes']);
}

/** The bytes of a snapshot. */
export async function* snapshotBytes(connection: PostgresConnection, { snapshotId }: Snapshot): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const { rows } = await connection.query(
      'SELECT bytes FROM threadmill.snapshot_chunk WHERE snapshot_id = $1 AND number = $2',
      [snapshotId, number],
    );
    if (rows[0] === undefined) return;
    yield rows[0]['bytes'] as Buffer;
  }
}

/** Stores a snapshot; it counts when all of it is stored. `positionOf` is called at the end. */
export async function storeSnapshot(
  connection: PostgresConnection,
  pieces: Iterable<Buffer>,
  positionOf: () => LogPosition,
): Promise<Snapshot> {
  const { snapshotId, bytes } = await storeChunks(connection, pieces);
  const position = positionOf();
  await connection.query(
    `INSERT INTO threadmill.snapshot (snapshot_id, shard, index, hash, bytes) VALUES ($1, ${SHARD}, $2, $3, $4)`,
    [snapshotId, position.index, position.hash, bytes],
  );
  return { snapshotId, bytes, index: position.index, hash: position.hash };
}

/** Stores the bytes of a snapshot, which does not count yet. Removes them again if that fails. */
export async function storeChunks(
  connection: PostgresConnection,
  pieces: Iterable<Buffer>,
): Promise<Pick<Snapshot, 'snapshotId' | 'bytes'>> {
  const snapshotId = randomUUID();
  let [number, bytes] = [0, 0];
  try {
    for (const chunk of joined(pieces, LIMITS.snapshotChunkBytes)) {
      await connection.query('INSERT INTO threadmill.snapshot_chunk (snapshot_id, number, bytes) VALUES ($1, $2, $3)', [
        snapshotId,
        number,
        chunk,
      ]);
      number += 1;
      bytes += chunk.byteLength;
    }
  } catch (error) {
    await removeChunks(connection, snapshotId).catch(() => undefined);
    throw error;
  }
  return { snapshotId, bytes };
}

/** Removes the bytes of a snapshot that does not count. */
export async function removeChunks(connection: PostgresConnection, snapshotId: string): Promise<void> {
  await connection.query(
    `DELETE FROM threadmill.snapshot_chunk WHERE snapshot_id = $1
     AND NOT EXISTS (SELECT FROM threadmill.snapshot WHERE snapshot.snapshot_id = $1)`,
    [snapshotId],
  );
}

/** Pieces joined into chunks of about this size. */
function* joined(pieces: Iterable<Buffer>, size: number): Generator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.byteLength;
    if (bytes < size) continue;
    yield Buffer.concat(waiting);
    [waiting, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

/**
 * Removes all snapshots but the newest two, chunks of interrupted ones, and the partitions of the log that no kept
 * snapshot needs. Does nothing while a node loads. Returns the number of removed partitions.
 */
export async function removeOld(connection: PostgresConnection): Promise<number> {
  const { count: loading } = await connection.query(
    'SELECT FROM threadmill.node WHERE loading AND seen_at > now() - make_interval(secs => $1)',
    [LIMITS.clusterLoadingNodeMs / 1_000],
  );
  if (loading > 0) return 0;
  const { rows: kept } = await connection.query(
    `SELECT snapshot_id, index FROM threadmill.snapshot WHERE shard = ${SHARD} ORDER BY index DESC LIMIT 2`,
  );
  if (kept.length < 2) return 0;
  const ids = kept.map((row) => row['snapshot_id']);
  const oldest = Math.min(...kept.map((row) => Number(row['index'])));
  await connection.query('DELETE FROM threadmill.snapshot WHERE NOT snapshot_id = ANY($1)', [ids]);
  await connection.query('DELETE FROM threadmill.snapshot_chunk WHERE NOT snapshot_id = ANY($1)', [ids]);
  const { rows: partitions } = await connection.query(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'threadmill.log'::regclass`,
  );
  let removed = 0;
  for (const { name } of partitions) {
    const number = Number(/_(\d+)$/.exec(name as string)?.[1]);
    if ((number + 1) * PARTITION_ENTRIES > oldest) continue;
    await connection.query(`DROP TABLE ${name as string}`);
    removed += 1;
  }
  return removed;
}
