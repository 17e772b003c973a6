import { randomBytes, randomUUID } from 'node:crypto';
import { LIMITS } from '../../../base/limits.js';
import type { LogPosition } from '../commit-log.js';
import { FORMAT_VERSION } from '../../keys.js';
import { LOG_START } from '../entry.js';
import type { PostgresConnection } from './connection.js';
import { SHARD } from './schema.js';
import type { Snapshot } from './snapshots.js';

// The log of a new cluster has only entry 0, which is created with the tables.

const UNUSED = `(NOT EXISTS (SELECT FROM threadmill.log WHERE shard = ${SHARD} AND index > 0)
  AND NOT EXISTS (SELECT FROM threadmill.snapshot WHERE shard = ${SHARD}))`;
const HAS_NODES = `EXISTS (SELECT FROM threadmill.node
  WHERE seen_at > now() - make_interval(secs => ${LIMITS.clusterOwnerSilentMs / 1_000}))`;

/** Why the log cannot start from a snapshot, as the end of a sentence about the cluster; null if it can. */
export async function whyInUse(connection: PostgresConnection): Promise<string | null> {
  const { rows } = await connection.query(`SELECT ${UNUSED} AS is_unused, ${HAS_NODES} AS has_nodes`);
  if (rows[0]!['is_unused'] !== true) return 'has data already';
  return rows[0]!['has_nodes'] === true ? 'has nodes that are running' : null;
}

/**
 * The first entry of a log that starts from a snapshot. Its hash is random, because no copy has an entry before it: a
 * copy of the empty log is not continued, but made again from the snapshot.
 */
export function createStart(): LogPosition {
  return { index: LOG_START.index + 1, hash: randomBytes(32) };
}

/**
 * Makes the snapshot count, whose bytes are stored, and replaces the beginning of the log by its position. Returns
 * false, with nothing changed, if the log is in use: by a commit, another snapshot, or a node that runs.
 */
export async function startLogFrom(connection: PostgresConnection, snapshot: Snapshot): Promise<boolean> {
  try {
    await connection.query(startStatement(snapshot));
  } catch (error) {
    // The statement may have taken effect although its answer was lost. The lock waits for its end.
    await connection.query(`SELECT FROM threadmill.shard WHERE shard = ${SHARD} FOR UPDATE`);
    if (await isStored(connection, snapshot)) return true;
    throw error;
  }
  return isStored(connection, snapshot);
}

/**
 * A node inserts its row before it looks for a snapshot, and takes over and appends under the lock of the shard. So no
 * node is between those steps while both are locked. The next epoch refuses what an earlier owner would still append.
 */
function startStatement({ snapshotId, index, hash, bytes }: Snapshot): string {
  const hashLiteral = `'\\x${Buffer.from(hash).toString('hex')}'`;
  return `DO $threadmill$ BEGIN
    PERFORM set_config('synchronous_commit', 'on', true);
    LOCK TABLE threadmill.node IN SHARE ROW EXCLUSIVE MODE;
    PERFORM FROM threadmill.shard WHERE shard = ${SHARD} FOR UPDATE;
    IF ${UNUSED} AND NOT ${HAS_NODES} THEN
      INSERT INTO threadmill.snapshot (snapshot_id, shard, index, hash, bytes)
        VALUES ('${snapshotId}', ${SHARD}, ${index}, ${hashLiteral}, ${bytes});
      DELETE FROM threadmill.log WHERE shard = ${SHARD};
      INSERT INTO threadmill.log (shard, index, epoch, entry_id, hash, body)
        VALUES (${SHARD}, ${index}, 0, '${randomUUID()}', ${hashLiteral}, '');
      UPDATE threadmill.cluster SET store_format = ${FORMAT_VERSION};
      UPDATE threadmill.shard SET epoch = epoch + 1, owner = NULL WHERE shard = ${SHARD};
    END IF;
  END $threadmill$`;
}

async function isStored(connection: PostgresConnection, { snapshotId }: Snapshot): Promise<boolean> {
  const { count } = await connection.query('SELECT FROM threadmill.snapshot WHERE snapshot_id = $1', [snapshotId]);
  return count === 1;
}
