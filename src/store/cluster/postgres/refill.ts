import { randomUUID } from 'node:crypto';
import type { LogEntry, LogPosition } from '../commit-log.js';
import { LOG_START } from '../entry.js';
import type { PostgresConnection } from './connection.js';
import { ensurePartition, PARTITION_ENTRIES, SHARD } from './schema.js';
import { removeChunks } from './snapshots.js';

/** The last entry of the log. */
export async function logEnd(connection: PostgresConnection): Promise<LogPosition> {
  const { rows } = await connection.query(
    `SELECT index, hash FROM threadmill.log WHERE shard = ${SHARD} ORDER BY index DESC LIMIT 1`,
  );
  return toPosition(rows[0]) ?? LOG_START;
}

/** Null if the log does not have the entry, or not any more. */
export async function findEntry(connection: PostgresConnection, index: number): Promise<LogPosition | null> {
  const { rows } = await connection.query(
    `SELECT index, hash FROM threadmill.log WHERE shard = ${SHARD} AND index = $1`,
    [index],
  );
  return toPosition(rows[0]);
}

function toPosition(row: Record<string, unknown> | undefined): LogPosition | null {
  return row === undefined ? null : { index: Number(row['index']), hash: row['hash'] as Buffer };
}

/**
 * One statement in one transaction. The bodies are stored before, as those of a snapshot are. The next epoch fences
 * every owner, also one whose takeover the database has lost. If an append ends while this waits for the lock, the
 * index exists already, and everything fails.
 */
const APPEND_ALL = `
  WITH staged AS (
    SELECT entry.index, entry.epoch, entry.entry_id, entry.hash, chunk.bytes
    FROM unnest($1::bigint[], $2::bigint[], $3::uuid[], $4::bytea[])
      WITH ORDINALITY AS entry (index, epoch, entry_id, hash, number)
    JOIN threadmill.snapshot_chunk AS chunk ON chunk.snapshot_id = $5 AND chunk.number = entry.number
  ), continued AS (
    UPDATE threadmill.shard SET epoch = greatest(epoch, $6) + 1, owner = NULL
    WHERE shard = ${SHARD} AND (SELECT count(*) FROM staged) = cardinality($1::bigint[])
      AND (SELECT index = $7 AND hash = $8 FROM threadmill.log WHERE log.shard = ${SHARD} ORDER BY index DESC LIMIT 1)
    RETURNING set_config('synchronous_commit', 'on', true)
  )
  INSERT INTO threadmill.log (shard, index, epoch, entry_id, hash, body)
  SELECT ${SHARD}, index, epoch, entry_id, hash, bytes FROM staged, continued`;

const UNIQUE_VIOLATION = '23505';

/**
 * Appends entries that follow `end`, all or none. Returns false if the log has been changed meanwhile. Rejects when the
 * outcome cannot be found out.
 */
export async function appendAll(
  connection: PostgresConnection,
  entries: readonly LogEntry[],
  end: LogPosition,
): Promise<boolean> {
  const last = entries.at(-1)!;
  const partitionOf = ({ index }: LogEntry): number => Math.floor(index / PARTITION_ENTRIES);
  for (let number = partitionOf(entries[0]!); number <= partitionOf(last); number += 1)
    await ensurePartition(connection, number);
  const stagingId = randomUUID();
  try {
    for (const [at, { body }] of entries.entries())
      await connection.query('INSERT INTO threadmill.snapshot_chunk (snapshot_id, number, bytes) VALUES ($1, $2, $3)', [
        stagingId,
        at + 1,
        body,
      ]);
    let failure: Error | null = null;
    await connection
      .query(APPEND_ALL, [
        entries.map(({ index }) => index),
        entries.map(({ epoch }) => epoch),
        entries.map(({ entryId }) => entryId),
        entries.map(({ hash }) => hash),
        stagingId,
        Math.max(...entries.map(({ epoch }) => epoch)),
        end.index,
        end.hash,
      ])
      .catch((error: unknown) => {
        failure = error as Error;
      });
    // Its answer may be lost. The lock waits for its end, and this commit for every synchronous standby.
    await connection.query(
      `SELECT set_config('synchronous_commit', 'on', true) FROM threadmill.shard WHERE shard = ${SHARD} FOR UPDATE`,
    );
    const found = await findEntry(connection, last.index);
    if (found !== null && Buffer.from(found.hash).equals(last.hash)) return true;
    if (failure !== null && (failure as { code?: string }).code !== UNIQUE_VIOLATION) throw failure;
    return false;
  } finally {
    await removeChunks(connection, stagingId).catch(() => undefined);
  }
}
