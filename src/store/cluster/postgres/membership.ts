import { LIMITS } from '../../../base/limits.js';
import { FORMAT_VERSION } from '../../keys.js';
import { formatAddress, parseAddress, type NodeAddress } from '../../../base/node-address.js';
import type { PostgresConnection } from './connection.js';
import { readNodes, removeOldDrains, type NodeList } from './nodes.js';
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

/** Who owns the log, and what all nodes have shown of themselves. */
export interface Ownership extends NodeList {
  owner: Owner | null;
  /** This node must take no runs and no ownership. */
  isDrainRequested: boolean;
  /** Milliseconds by which the clock of this machine is ahead of the database's. */
  clockOffsetMs: number;
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

/** What a node shows of its graph workers. */
export interface NodeLoad {
  workers: number;
  /** Runs and state updates that they hold. */
  runs: number;
  /** It was asked to drain, and has no runs and no ownership any more. */
  isDrained: boolean;
}

const NO_LOAD: NodeLoad = { workers: 0, runs: 0, isDrained: false };

/** The rows in which nodes show that they live, and the row that says which of them is the owner. */
export class Membership {
  readonly #connection: PostgresConnection;
  readonly #node: NodeInfo;
  /** Where this node takes requests of others; null while it does not serve. */
  address: NodeAddress | null = null;
  /** Called for each beat. */
  load: () => NodeLoad = () => NO_LOAD;

  constructor(connection: PostgresConnection, node: NodeInfo) {
    this.#connection = connection;
    this.#node = node;
  }

  get nodeId(): string {
    return this.#node.nodeId;
  }

  /**
   * Shows that this node lives, and returns who owns the log. `applied`: index of the last entry of its copy, which had
   * all entries a moment ago; null while it loads a snapshot.
   */
  async beat(applied: number | null): Promise<Ownership> {
    const { nodeId, name, version } = this.#node;
    const { address } = this;
    const { workers, runs, isDrained } = this.load();
    await this.#connection.query(
      `INSERT INTO threadmill.node
         (node_id, name, version, address, beat, applied, loading, current_at, workers, runs, is_drained, store_format)
       VALUES ($1, $2, $3, $4, 1, $5, $6, CASE WHEN $6 THEN NULL ELSE now() END, $7, $8, $9, $10)
       ON CONFLICT (node_id) DO UPDATE
       SET address = excluded.address, beat = node.beat + 1, applied = excluded.applied, loading = excluded.loading,
           current_at = coalesce(excluded.current_at, node.current_at), workers = excluded.workers,
           runs = excluded.runs, is_drained = excluded.is_drained, seen_at = now()`,
      [
        nodeId,
        name,
        version,
        address === null ? null : formatAddress(address),
        applied ?? 0,
        applied === null,
        workers,
        runs,
        isDrained,
        FORMAT_VERSION,
      ],
    );
    return this.read();
  }

  async read(): Promise<Ownership> {
    const beforeMs = Date.now();
    const list = await readNodes(this.#connection);
    const owner = list.nodes.find(({ nodeId }) => nodeId === list.ownerId);
    return {
      ...list,
      // An owner whose row is gone has left.
      owner:
        owner === undefined
          ? null
          : { nodeId: owner.nodeId, name: owner.name, beat: owner.beat, address: parseAddress(owner.address ?? '') },
      isDrainRequested: list.drainedNames.has(this.#node.name),
      clockOffsetMs: (beforeMs + Date.now()) / 2 - list.nowMs,
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

  /** Gives up the ownership, so that another node takes over at once. */
  async giveUp(): Promise<void> {
    await this.#connection.query(`UPDATE threadmill.shard SET owner = NULL WHERE owner = $1`, [this.#node.nodeId]);
  }

  /** Gives up the ownership, and removes this node. */
  async leave(): Promise<void> {
    const { nodeId } = this.#node;
    await this.giveUp();
    await this.#connection.query(`DELETE FROM threadmill.node WHERE node_id = $1`, [nodeId]);
  }

  /** Removes nodes that have not been seen for long, and requests to drain such nodes. */
  async removeLost(): Promise<void> {
    await this.#connection.query(
      `DELETE FROM threadmill.node WHERE seen_at < now() - make_interval(secs => $1)
       AND NOT EXISTS (SELECT FROM threadmill.shard WHERE owner = node_id)`,
      [LIMITS.clusterLostNodeMs / 1_000],
    );
    await removeOldDrains(this.#connection);
  }
}
