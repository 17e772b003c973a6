import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { childServer, type ChildServer } from '../helpers/child-server.js';
import type { TestHost, TestNetwork } from '../helpers/network.js';
import type { PostgresPair } from '../helpers/postgres-pair.js';
import type { Random } from '../helpers/random.js';
import { temporaryFolder } from '../helpers/server.js';
import { CLUSTER_KEY } from '../helpers/suite-cluster.js';

/** A node that runs on a host of the test network. */
export interface SupervisedNode {
  name: string;
  host: TestHost;
  server: ChildServer;
}

export interface NodesOptions {
  network: TestNetwork;
  postgres: PostgresPair;
  /** Of the database. */
  url: string;
  config: string;
  random: Random;
  count: number;
}

/** Where the nodes' logs go; empty: nowhere. */
const LOG_FOLDER = process.env['CLUSTER_LOGS'] ?? '';

/** Exit code of a node that has lost the ownership. */
export const LOST = '75';

/** The nodes of a cluster, each on its own host. One that has ended is started again, as a supervisor does it. */
export class SupervisedNodes {
  /** Those whose port is open, by name. */
  readonly running = new Map<string, SupervisedNode>();
  /** How nodes have ended, other than by signals and by losing the ownership. */
  readonly failures: string[] = [];
  readonly #t: Test;
  readonly #options: NodesOptions;
  #started = 0;
  #isClosed = false;

  constructor(t: Test, options: NodesOptions) {
    this.#t = t;
    this.#options = options;
    for (let count = 0; count < options.count; count += 1) void this.#supervise(options.network.addHost());
  }

  get all(): SupervisedNode[] {
    return [...this.running.values()];
  }

  /** Any node that runs. Throws when none does. */
  any(): ChildServer {
    if (this.running.size === 0) throw new Error('no node runs');
    return this.#options.random.pick(this.all).server;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Resolves with the node that serves, other than this one, when all nodes run. Throws when a node has failed. */
  async ownerAfter(before: string | null): Promise<SupervisedNode> {
    for (;;) {
      if (this.failures.length > 0) throw new Error(this.failures.join('\n'));
      const name = this.running.size < this.#options.count ? null : await this.#ownerName();
      const owner = name === null || name === before ? undefined : this.running.get(name);
      if (owner !== undefined) return owner;
      await sleep(20);
    }
  }

  /** Resolves when a node other than this one has taken over. Not all nodes need to run. */
  async takeover(before: string): Promise<void> {
    for (let name = null as string | null; name === null || name === before; name = await this.#ownerName())
      await sleep(20);
  }

  /** Null while nobody serves, or the database does not answer. */
  async #ownerName(): Promise<string | null> {
    const { postgres, url } = this.#options;
    const statement = `SELECT name FROM threadmill.node JOIN threadmill.shard ON owner = node_id WHERE address IS NOT NULL`;
    const answer = await postgres.query(statement, url).catch(() => null);
    return (answer?.rows[0]?.['name'] as string | undefined) ?? null;
  }

  async #supervise(host: TestHost): Promise<void> {
    let folder = temporaryFolder(this.#t);
    while (!this.#isClosed) {
      this.#started += 1;
      await this.#run(`node-${this.#started}`, host, folder);
      // Sometimes another machine, whose folder is empty.
      if (this.#options.random.chance(0.3)) folder = temporaryFolder(this.#t);
    }
  }

  async #run(name: string, host: TestHost, dataFolder: string): Promise<void> {
    const { url, config } = this.#options;
    try {
      const server = await childServer(this.#t, {
        dataFolder,
        config,
        prefix: [...host.prefix],
        args: ['--cluster', url, '--host', host.address, '--insecure'],
        env: {
          THREADMILL_CLUSTER_KEY: CLUSTER_KEY,
          THREADMILL_NODE_NAME: name,
          LOG_LEVEL: LOG_FOLDER === '' ? 'error' : 'info',
        },
      });
      if (LOG_FOLDER !== '') server.process.stderr!.pipe(createWriteStream(join(LOG_FOLDER, `${name}.log`)));
      this.running.set(name, { name, host, server });
      const how = await server.exited;
      if (!this.#isClosed && how !== LOST && how !== '0' && how !== 'SIGKILL')
        this.failures.push(`${name} ended with ${how}: ${server.stderr()}`);
    } catch (error) {
      const { message } = error as Error;
      // It is started while the database is away, or is killed while it starts.
      if (!/\(SIG|database of the cluster|ECONN|timeout|starting up|shutting down/i.test(message))
        this.failures.push(`${name}: ${message}`);
      await sleep(100);
    } finally {
      this.running.delete(name);
    }
  }
}
