import type { QueryResult } from 'pg';
import type { TestHost, TestNetwork } from './network.js';
import { TestPostgres } from './postgres.js';

interface Test {
  teardown(callback: () => unknown): void;
}

/**
 * A PostgreSQL server with a synchronous standby, on two hosts of a test network. Clients use the shared address, which
 * moves to the standby when that is promoted.
 */
export class PostgresPair {
  readonly #t: Test;
  readonly #network: TestNetwork;
  #primary: { server: TestPostgres; host: TestHost };
  #standby!: { server: TestPostgres; host: TestHost };

  private constructor(t: Test, network: TestNetwork, primary: { server: TestPostgres; host: TestHost }) {
    this.#t = t;
    this.#network = network;
    this.#primary = primary;
  }

  static async start(t: Test, network: TestNetwork): Promise<PostgresPair> {
    const [host, other] = [network.addHost(), network.addHost()];
    const server = await TestPostgres.startOn(t, host, [
      'wal_keep_size=64MB',
      'wal_sender_timeout=5s',
      'wal_retrieve_retry_interval=500ms',
    ]);
    const pair = new PostgresPair(t, network, { server, host });
    network.moveSharedAddress(null, host);
    await pair.#attachStandby(other);
    return pair;
  }

  /** The host whose server takes changes. */
  get host(): TestHost {
    return this.#primary.host;
  }

  get primary(): TestPostgres {
    return this.#primary.server;
  }

  get standby(): TestPostgres {
    return this.#standby.server;
  }

  /** The address of a new database, which stays the same when the standby is promoted. */
  async createDatabase(): Promise<string> {
    const url = new URL(await this.primary.createDatabase());
    url.hostname = this.#network.sharedAddress;
    return url.href;
  }

  /** Runs a statement in the database of that address. */
  query(text: string, url: string): Promise<QueryResult> {
    return this.primary.query(text, url);
  }

  /** Promotes the standby of a primary that was stopped. Resolves when it takes changes. Call `rebuildStandby` then. */
  async promote(): Promise<void> {
    [this.#primary, this.#standby] = [this.#standby, this.#primary];
    await this.primary.query('SELECT pg_promote()');
    await this.primary.requireNoStandby();
    this.#network.moveSharedAddress(this.#standby.host, this.host);
  }

  /** Makes a standby anew on the host of the last primary. */
  async rebuildStandby(): Promise<void> {
    await this.#attachStandby(this.#standby.host);
  }

  async #attachStandby(host: TestHost): Promise<void> {
    this.#standby = { host, server: await TestPostgres.startStandby(this.#t, host, this.primary) };
    await this.primary.requireStandby();
  }
}
