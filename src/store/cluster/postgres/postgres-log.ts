import { setTimeout as sleep } from 'node:timers/promises';
import { fail } from '../../../base/errors.js';
import { LIMITS } from '../../../base/limits.js';
import type { AppendResult, CommitLog, LogEntry, LogPosition } from '../commit-log.js';
import { PostgresConnection, PreparedStatement } from './connection.js';
import { APPENDS_NAME, ensurePartition, PARTITION_ENTRIES, SHARD } from './schema.js';

/**
 * One statement in a transaction of its own, so that it works behind poolers of transactions. The row of the shard is
 * locked where the epoch is still ours; a new owner raises the epoch under the same lock, so nothing of an earlier
 * owner follows. The row is not changed: that would bloat the table at every append.
 */
export const APPEND = `
  WITH owned AS (
    SELECT set_config('synchronous_commit', 'on', true) FROM threadmill.shard
    WHERE shard = ${SHARD} AND epoch = $2 FOR NO KEY UPDATE
  ), previous AS (
    SELECT FROM threadmill.log WHERE shard = ${SHARD} AND index = $1::bigint - 1 AND hash = $6
  )
  INSERT INTO threadmill.log (shard, index, epoch, entry_id, hash, body)
  SELECT ${SHARD}, $1::bigint, $2, $3, $4, $5 FROM owned, previous`;

/**
 * Locks the row that every append locks, and commits synchronously. After it, an append that was under way has ended,
 * and what it wrote has reached every synchronous standby, because its WAL precedes that of this transaction.
 */
const BARRIER = `
  SELECT epoch, set_config('synchronous_commit', 'on', true) FROM threadmill.shard
  WHERE shard = ${SHARD} FOR NO KEY UPDATE`;

const PREPARED_APPEND = new PreparedStatement(APPEND);

/** The commit log of a cluster, in a table of PostgreSQL. */
export class PostgresLog implements CommitLog {
  readonly #appends: PostgresConnection;
  readonly #reads: PostgresConnection;
  readonly #onTrouble: (error: Error) => void;
  onUnreachable: () => void = () => undefined;
  #isReachable = true;
  #isClosed = false;

  /** `onTrouble` is called with each error that makes an append try again. */
  constructor(url: string, onTrouble: (error: Error) => void) {
    this.#appends = new PostgresConnection(url, { name: APPENDS_NAME });
    this.#reads = new PostgresConnection(url, { name: 'threadmill reads' });
    this.#onTrouble = onTrouble;
  }

  get isReachable(): boolean {
    return this.#isReachable;
  }

  async append(entry: LogEntry, previous: LogPosition): Promise<AppendResult> {
    for (let waitMs: number = LIMITS.clusterRetryMinMs; ; waitMs = Math.min(2 * waitMs, LIMITS.clusterRetryMaxMs)) {
      if ((await this.#tryAppend(entry, previous)) === 'inserted') return 'appended';
      // No answer, a warning, or no row: only the log tells what has happened.
      const outcome = await this.#readOutcome(entry, previous);
      if (outcome !== 'absent') return outcome;
      // The database answers, but cannot take the entry: its disk is full, for example.
      await sleep(waitMs);
    }
  }

  async read(afterIndex: number, bytes: number): Promise<LogEntry[]> {
    const { rows } = await this.#reads.query(
      `SELECT index, epoch, entry_id, hash, body FROM (
         SELECT *, sum(length(body)) OVER (ORDER BY index) - length(body) AS before FROM (
           SELECT * FROM threadmill.log WHERE shard = ${SHARD} AND index > $1 ORDER BY index LIMIT $3
         ) AS next
       ) AS entries WHERE before <= $2 ORDER BY index`,
      [afterIndex, bytes, LIMITS.logReadEntries],
    );
    return rows.map(toEntry);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#appends.close(), this.#reads.close()]);
  }

  async #tryAppend(entry: LogEntry, previous: LogPosition): Promise<'inserted' | 'unknown'> {
    try {
      if (entry.index % PARTITION_ENTRIES === 0) await ensurePartition(this.#appends, entry.index / PARTITION_ENTRIES);
      const { count, notices } = await this.#appends.query(PREPARED_APPEND, [
        entry.index,
        entry.epoch,
        entry.entryId,
        entry.hash,
        entry.body,
        previous.hash,
      ]);
      // PostgreSQL warns when it stopped to wait for a synchronous standby, and reports success all the same.
      if (count === 1 && notices.length === 0) {
        this.#isReachable = true;
        return 'inserted';
      }
    } catch (error) {
      this.#trouble(error as Error);
    }
    return 'unknown';
  }

  /** Finds out whether an append with an unknown outcome is in the log. Tries until the database answers. */
  async #readOutcome(entry: LogEntry, previous: LogPosition): Promise<AppendResult | 'absent'> {
    for (let waitMs: number = LIMITS.clusterRetryMinMs; ; waitMs = Math.min(2 * waitMs, LIMITS.clusterRetryMaxMs)) {
      if (this.#isClosed) throw fail('CLUSTER_UNREACHABLE', {});
      try {
        const barrier = await this.#appends.query(BARRIER);
        if (barrier.notices.length > 0) throw new Error(barrier.notices.join('; '));
        const { rows } = await this.#appends.query(
          `SELECT index, entry_id, hash FROM threadmill.log WHERE shard = ${SHARD} AND index >= $1 ORDER BY index LIMIT 2`,
          [previous.index],
        );
        const [before, found] = rows;
        if (found !== undefined && found['entry_id'] === entry.entryId) {
          this.#isReachable = true;
          return 'appended';
        }
        if (Number(barrier.rows[0]!['epoch']) !== entry.epoch) return 'fenced';
        const isAtPrevious =
          before !== undefined && Number(before['index']) === previous.index && sameHash(before['hash'], previous.hash);
        if (found === undefined && isAtPrevious) return 'absent';
      } catch (error) {
        this.#trouble(error as Error);
        await sleep(waitMs);
        continue;
      }
      throw fail('CLUSTER_LOG_DAMAGED', { index: entry.index });
    }
  }

  #trouble(error: Error): void {
    const wasReachable = this.#isReachable;
    this.#isReachable = false;
    if (wasReachable) this.onUnreachable();
    // The backend of a connection that did not answer may still be executing the append. The barrier waits for it.
    this.#appends.break();
    this.#onTrouble(error);
  }
}

function sameHash(one: unknown, other: Uint8Array): boolean {
  return Buffer.isBuffer(one) && one.equals(other);
}

function toEntry(row: Record<string, unknown>): LogEntry {
  return {
    index: Number(row['index']),
    epoch: Number(row['epoch']),
    entryId: row['entry_id'] as string,
    hash: row['hash'] as Buffer,
    body: row['body'] as Buffer,
  };
}
