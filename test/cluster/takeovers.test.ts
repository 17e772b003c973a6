import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { childServer, type ChildServer } from '../helpers/child-server.js';
import { TestPostgres } from '../helpers/postgres.js';
import { Random } from '../helpers/random.js';
import { configWith, temporaryFolder } from '../helpers/server.js';
import { CLUSTER_KEY } from '../helpers/suite-cluster.js';

/**
 * Nodes of a cluster are killed, stopped and ended while clients write, each request to any node. Everything that was
 * acknowledged must be there afterwards, once. `CLUSTER_ROUNDS=500` makes it longer, `CLUSTER_SEED` begins elsewhere.
 */
const ROUNDS = Number(process.env['CLUSTER_ROUNDS'] ?? 4);
const SEED = Number(process.env['CLUSTER_SEED'] ?? 1);
const NODES = 3;

t.setTimeout(3_600_000);

const config = configWith(t, 'echo');

/** The nodes. One that has ended is started again, as a supervisor does it. */
class Nodes {
  /** Those whose port is open, by name. */
  readonly running = new Map<string, ChildServer>();
  readonly #t: Test;
  readonly #postgres: TestPostgres;
  readonly #url: string;
  readonly #random: Random;
  #started = 0;
  #isClosed = false;

  constructor(t: Test, { postgres, url, random }: { postgres: TestPostgres; url: string; random: Random }) {
    this.#t = t;
    this.#postgres = postgres;
    this.#url = url;
    this.#random = random;
  }

  async supervise(): Promise<void> {
    let folder = temporaryFolder(this.#t);
    while (!this.#isClosed) {
      this.#started += 1;
      const name = `node-${this.#started}`;
      try {
        const node = await childServer(this.#t, {
          dataFolder: folder,
          config,
          args: ['--cluster', this.#url],
          env: { THREADMILL_CLUSTER_KEY: CLUSTER_KEY, THREADMILL_NODE_NAME: name, LOG_LEVEL: 'fatal' },
        });
        this.running.set(name, node);
        await node.exited;
      } catch (error) {
        if (!this.#isClosed) this.#t.fail((error as Error).message);
        return;
      } finally {
        this.running.delete(name);
      }
      // Sometimes another machine, whose folder is empty.
      if (this.#random.chance(0.3)) folder = temporaryFolder(this.#t);
    }
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Any node that runs. */
  any(): ChildServer {
    const all = [...this.running.values()];
    if (all.length === 0) throw new Error('no node runs');
    return this.#random.pick(all);
  }

  async owner(): Promise<string | null> {
    const { rows } = await this.#postgres.query(
      'SELECT name FROM threadmill.node JOIN threadmill.shard ON owner = node_id WHERE address IS NOT NULL',
      this.#url,
    );
    return (rows[0]?.['name'] as string | undefined) ?? null;
  }

  /** Resolves with the name of a node that serves, other than this one, when all nodes run. */
  async ownerAfter(before: string | null): Promise<string> {
    for (;;) {
      // The first node creates the tables.
      const owner = this.running.size < NODES ? null : await this.owner();
      if (owner !== null && owner !== before && this.running.has(owner)) return owner;
      await sleep(20);
    }
  }
}

/** A client that runs a graph on a thread and changes an item, and remembers what it was told. */
class Writer {
  readonly threadId = randomUUID();
  readonly #nodes: Nodes;
  acknowledgedRuns = 0;
  attemptedRuns = 0;
  acknowledgedItem = 0;
  attemptedItem = 0;
  #isClosed = false;

  constructor(nodes: Nodes) {
    this.#nodes = nodes;
  }

  async work(): Promise<void> {
    while (!this.#isClosed) {
      try {
        this.attemptedItem += 1;
        await this.#nodes.any().client.store.putItem(['writers'], this.threadId, { count: this.attemptedItem }, {
          signal: soon(),
        } as never);
        this.acknowledgedItem = this.attemptedItem;
        this.attemptedRuns += 1;
        await this.#nodes.any().client.runs.wait(this.threadId, 'echo', {
          input: { text: String(this.attemptedRuns) },
          ifNotExists: 'create',
          signal: soon(),
        });
        this.acknowledgedRuns += 1;
      } catch {
        await sleep(50);
      }
    }
  }

  close(): void {
    this.#isClosed = true;
  }
}

const soon = (): AbortSignal => AbortSignal.timeout(10_000);

t.test(`loses nothing that was acknowledged: ${ROUNDS} rounds from seed ${SEED}`, async (t) => {
  const postgres = await TestPostgres.start(t);
  const random = new Random(SEED);
  const nodes = new Nodes(t, { postgres, url: await postgres.createDatabase(), random });
  for (let count = 0; count < NODES; count += 1) void nodes.supervise();
  await nodes.ownerAfter(null);
  const writers = [new Writer(nodes), new Writer(nodes)];
  const working = writers.map((writer) => writer.work());

  const done: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep(random.below(2_000));
    const owner = await nodes.ownerAfter(null);
    const name = random.chance(0.75) ? owner : random.pick([...nodes.running.keys()]);
    const { process: child, exited } = nodes.running.get(name)!;
    const signal = random.pick(['SIGKILL', 'SIGSTOP', 'SIGTERM', 'SIGKILL'] as const);
    done.push(`${signal} ${name === owner ? 'owner' : 'standby'}`);
    child.kill(signal);
    if (name !== owner) await sleep(random.below(1_000));
    else if (signal === 'SIGSTOP') await nodes.ownerAfter(owner);
    child.kill('SIGCONT');
    if (signal === 'SIGSTOP' && name === owner)
      t.equal(await exited, '75', `round ${round}: a node that lost its place ends`);
  }
  await nodes.ownerAfter(null);
  for (const writer of writers) {
    const runs = writer.acknowledgedRuns;
    while (writer.acknowledgedRuns < runs + 2) await sleep(50);
    writer.close();
  }
  await Promise.all(working);
  const { client } = nodes.any();
  for (const { threadId, acknowledgedRuns, attemptedRuns, acknowledgedItem, attemptedItem } of writers) {
    const { values } = await client.threads.getState<{ steps: string[] }>(threadId);
    const sent = values.steps
      .filter((step) => step.startsWith('first '))
      .map((step) => Number(step.slice('first '.length)));
    t.equal(new Set(sent).size, sent.length, 'no run has taken effect twice');
    t.ok(
      sent.length >= acknowledgedRuns && sent.length <= attemptedRuns,
      `${sent.length} runs, of ${acknowledgedRuns} acknowledged and ${attemptedRuns} attempted: ${done.join(' ')}`,
    );
    const item = await client.store.getItem(['writers'], threadId);
    const count = item!.value['count'] as number;
    t.ok(count >= acknowledgedItem && count <= attemptedItem, `item ${count} of ${acknowledgedItem}`);
  }
  nodes.close();
});
