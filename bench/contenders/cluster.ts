import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestPostgres } from '../../test/helpers/postgres.js';
import { sendJson } from '../load.js';
import { processUs } from '../measure.js';
import type { Workbench } from '../workbench.js';
import { GRAPHS, type ThreadmillServer } from './threadmill.js';

/** As PostgreSQL is installed, except for a WAL that is large enough for rounds without checkpoints. */
const SETTINGS = ['fsync=on', 'max_wal_size=4GB', 'shared_buffers=128MB'];

const CLUSTER_KEY = '00112233445566778899aabbccddeeff'.repeat(2);

/** Configuration of a node that has no graph but `pause`. */
export const PAUSE_ONLY = join(GRAPHS, 'pause.json');

interface NodeOptions {
  name: string;
  config?: string;
  dataFolder?: string;
}

/** A cluster over a PostgreSQL server of its own. Every node is a process with one graph worker. */
export class BenchCluster {
  readonly postgres: TestPostgres;
  /** Of the database. */
  readonly url: string;
  readonly #bench: Workbench;

  private constructor(bench: Workbench, postgres: TestPostgres, url: string) {
    this.#bench = bench;
    this.postgres = postgres;
    this.url = url;
  }

  /** Starts PostgreSQL, which flushes every commit. With a standby, each commit is on its disk too. */
  static async start(bench: Workbench, { hasStandby = false } = {}): Promise<BenchCluster> {
    const scope = { teardown: (callback: () => unknown) => bench.onClose(async () => void (await callback())) };
    const postgres = await TestPostgres.start(scope, SETTINGS);
    if (hasStandby) {
      await TestPostgres.startStandby(scope, null, postgres);
      await postgres.requireStandby();
    }
    return new BenchCluster(bench, postgres, await postgres.createDatabase());
  }

  /** A cluster without nodes in another database of the same PostgreSQL. */
  async another(): Promise<BenchCluster> {
    return new BenchCluster(this.#bench, this.postgres, await this.postgres.createDatabase());
  }

  /** Resolves when the port of the node is open. The first node of a cluster becomes the owner. */
  async startNode({ name, config, dataFolder }: NodeOptions): Promise<ThreadmillServer> {
    const node = await this.#bench.startServer({
      fresh: true,
      workers: 1,
      dataFolder: dataFolder ?? this.#bench.createFolder(),
      ...(config === undefined ? {} : { config }),
      env: { THREADMILL_CLUSTER: this.url, THREADMILL_CLUSTER_KEY: CLUSTER_KEY, THREADMILL_NODE_NAME: name },
    });
    await this.ownerOtherThan(null);
    return node;
  }

  /** Resolves with the name of the node that serves, when it is another one than this. */
  async ownerOtherThan(before: string | null): Promise<string> {
    for (;;) {
      const name = await this.#ownerName();
      if (name !== null && name !== before) return name;
      await sleep(20);
    }
  }

  /** Resolves when so many nodes can take over. */
  async standbys(count: number): Promise<void> {
    const statement = `SELECT count(*) AS count FROM threadmill.node JOIN threadmill.shard ON owner <> node_id
      WHERE NOT loading AND seen_at > now() - interval '1 second'
      AND NOT EXISTS (SELECT FROM threadmill.drain WHERE drain.name = node.name)`;
    for (;;) {
      const { rows } = await this.postgres.query(statement, this.url);
      if (Number(rows[0]!['count']) >= count) return;
      await sleep(20);
    }
  }

  async #ownerName(): Promise<string | null> {
    const { rows } = await this.postgres.query(
      'SELECT name FROM threadmill.node JOIN threadmill.shard ON owner = node_id WHERE address IS NOT NULL',
      this.url,
    );
    return (rows[0]?.['name'] as string | undefined) ?? null;
  }

  /** Moves the ownership away from this node, which takes runs again afterwards. Returns the name of the next owner. */
  async moveOwnership(node: ThreadmillServer, name: string): Promise<string> {
    await sendJson(node.url, 'POST', `/server/nodes/${name}/drain`);
    const next = await this.ownerOtherThan(name);
    await sendJson(node.url, 'DELETE', `/server/nodes/${name}/drain`);
    return next;
  }

  /** Number of the last entry of the log. */
  async lastEntry(): Promise<number> {
    const { rows } = await this.postgres.query('SELECT max(index) AS last FROM threadmill.log', this.url);
    return Number(rows[0]!['last']);
  }

  /** Number and bytes of the entries after this one. */
  async entriesAfter(index: number): Promise<{ entries: number; bytes: number }> {
    const { rows } = await this.postgres.query(
      `SELECT count(*) AS entries, sum(length(body)) AS bytes FROM threadmill.log WHERE index > ${index}`,
      this.url,
    );
    return { entries: Number(rows[0]!['entries']), bytes: Number(rows[0]!['bytes']) };
  }

  /** Bytes of WAL since PostgreSQL was created. */
  async walBytes(): Promise<number> {
    const { rows } = await this.postgres.query("SELECT pg_current_wal_lsn() - '0/0' AS bytes");
    return Number(rows[0]!['bytes']);
  }

  /**
   * CPU time of PostgreSQL in microseconds, without its standby: of all processes, of those that append to the log, and
   * of those that read it for the copies of nodes.
   */
  async postgresUs(): Promise<{ all: number; appends: number; reads: number }> {
    const { rows } = await this.postgres.query('SELECT pid, application_name AS name FROM pg_stat_activity');
    // A process that has ended since it was listed, such as autovacuum, counts with the one that started it.
    const total = (pids: readonly number[]): number =>
      pids
        .map(processUs)
        .filter((us) => !Number.isNaN(us))
        .reduce((sum, us) => sum + us, 0);
    const of = (name: string): number =>
      total(rows.filter((row) => row['name'] === name).map((row) => row['pid'] as number));
    return {
      all: total(this.postgres.processIds),
      appends: of('threadmill appends'),
      reads: of('threadmill reads'),
    };
  }
}
