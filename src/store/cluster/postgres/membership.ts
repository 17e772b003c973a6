import { LIMITS } from '../../../base/limits.js';
import { formatAddress, parseAddress, type NodeAddress } from '../../../base/node-address.js';
import type { PostgresConnection } from './connection.js';
import { APPENDS_NAME, SHARD } from './schema.js';

export interface NodeInfo {
  nodeId: string;
  /** For people: the host name, or what THREADMILL_NODE_NAME says. */
  name: string;
  /** Of Threadmill. */
  version: string;
}

export interface Owner {
  nodeId: string;
  name: string;
  /** Increases while the owner lives. */
  beat: number;
  /** Where it takes requests of other nodes; null while it does not serve. */
  address: NodeAddress | null;
}

/** Who owns the log. */
export interface Ownership {
  epoch: number;
  owner: Owner | null;
}

/**
 * Ends appends whose last bytes never arrived, because their node was cut off. They have not been committed, and would
 * hold the lock of the shard until PostgreSQL notices that the connection is dead, hours later. An append that waits
 * for a synchronous standby waits for something else.
 */
const END_CUT_OFF_APPENDS = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE datname = current_database() AND usename = current_user AND application_name = $1
  AND state = 'active' AND wait_event = 'ClientRead' AND query_start < now() - interval '1 second'`;

/** The rows in which nodes show that they live, and the row that says which of them is the owner. */
export class Membership {
  readonly #connection: PostgresConnection;
  readonly #node: NodeInfo;
  /** Where this node takes requests of others; null while it does not serve. */
  address: NodeAddress | null = null;

  constructor(connection: PostgresConnection, node: NodeInfo) {
    this.#connection = connection;
    this.#node = node;
  }

  get nodeId(): string {
    return this.#node.nodeId;
  }

  /**
   * Shows that this node lives, and returns who owns the log. `applied`: index of the last entry of its copy; null
   * while it loads a snapshot.
   */
  async beat(applied: number | null): Promise<Ownership> {
    const { nodeId, name, version } = this.#node;
    const { address } = this;
    await this.#connection.query(
      `INSERT INTO threadmill.node (node_id, name, version, address, beat, applied, loading)
       VALUES ($1, $2, $3, $4, 1, $5, $6)
       ON CONFLICT (node_id) DO UPDATE
       SET address = excluded.address, beat = node.beat + 1, applied = excluded.applied, loading = excluded.loading,
           seen_at = now()`,
      [nodeId, name, version, address === null ? null : formatAddress(address), applied ?? 0, applied === null],
    );
    return this.read();
  }

  async read(): Promise<Ownership> {
    const { rows } = await this.#connection.query(
      `SELECT shard.epoch, shard.owner, node.name, node.beat, node.address FROM threadmill.shard
       LEFT JOIN threadmill.node ON node.node_id = shard.owner WHERE shard = ${SHARD}`,
    );
    const row = rows[0]!;
    const nodeId = row['owner'] as string | null;
    return {
      epoch: Number(row['epoch']),
      // An owner whose row is gone has left.
      owner:
        nodeId === null || row['name'] === null
          ? null
          : {
              nodeId,
              name: row['name'] as string,
              beat: Number(row['beat']),
              address: parseAddress((row['address'] as string | null) ?? ''),
            },
    };
  }

  /**
   * Makes this node the owner if the epoch is still this one. Waits for an append that is under way; no later one of
   * an earlier owner succeeds. Commits synchronously: an epoch that PostgreSQL loses might be given to two nodes.
   * Returns the new epoch, or null if another node was faster.
   */
  async takeOver(epoch: number): Promise<number | null> {
    await this.#connection.query(END_CUT_OFF_APPENDS, [APPENDS_NAME]);
    const { rows } = await this.#connection.query(
      `UPDATE threadmill.shard SET epoch = epoch + 1, owner = $1 WHERE shard = ${SHARD} AND epoch = $2
       RETURNING epoch, set_config('synchronous_commit', 'on', true)`,
      [this.#node.nodeId, epoch],
    );
    return rows[0] === undefined ? null : Number(rows[0]['epoch']);
  }

  /** Removes this node, so that another one takes over at once. */
  async leave(): Promise<void> {
    const { nodeId } = this.#node;
    await this.#connection.query(`UPDATE threadmill.shard SET owner = NULL WHERE owner = $1`, [nodeId]);
    await this.#connection.query(`DELETE FROM threadmill.node WHERE node_id = $1`, [nodeId]);
  }

  /** Removes nodes that have not been seen for long. */
  async removeLost(): Promise<void> {
    await this.#connection.query(
      `DELETE FROM threadmill.node WHERE seen_at < now() - make_interval(secs => $1)
       AND NOT EXISTS (SELECT FROM threadmill.shard WHERE owner = node_id)`,
      [LIMITS.clusterLostNodeMs / 1_000],
    );
  }

  /** Milliseconds by which the clock of this machine is ahead of the database's. */
  async clockOffsetMs(): Promise<number> {
    const beforeMs = Date.now();
    const { rows } = await this.#connection.query(`SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now_ms`);
    return (beforeMs + Date.now()) / 2 - Number(rows[0]!['now_ms']);
  }
}
