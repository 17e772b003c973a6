import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, defineBench, verify, type Row } from './bench.js';
import { BenchCluster } from './contenders/cluster.js';
import type { ThreadmillServer } from './contenders/threadmill.js';
import { format, quantile } from './measure.js';
import type { Workbench } from './workbench.js';

const FAILOVER_MS_MAX = 6_000;
const HANDOVER_MS_MAX = 1_000;
const NAMES = ['a', 'b', 'c'];
/** Between two changes of the client. */
const PAUSE_MS = 5;

interface Params {
  /** How often the owner is killed. */
  kills: number;
  /** How often it is ended, and as often drained. */
  handovers: number;
}

export default defineBench<Params>({
  name: 'cluster-failover',
  description: 'Time without acknowledged changes when the owner of a cluster is killed, ended or drained',
  smoke: { kills: 1, handovers: 1 },
  real: { kills: 50, handovers: 20 },
  async run(bench, { kills, handovers }) {
    const nodes = await FailoverNodes.start(bench);
    const repeat = async (count: number, once: () => Promise<number>): Promise<number[]> => {
      const durationsMs: number[] = [];
      for (let round = 0; round < count; round += 1) durationsMs.push(await once());
      return durationsMs;
    };
    const killed = await repeat(kills, () => nodes.killOwner());
    const ended = await repeat(handovers, () => nodes.endOwner());
    const drained = await repeat(handovers, () => nodes.drainOwner());

    const client =
      `One client sends a change every ${PAUSE_MS} ms at the earliest, each when the one before it was answered, to a ` +
      'node that is not the owner.';
    return [
      distributionRow('the owner is killed: until the next acknowledged change, p99', killed, FAILOVER_MS_MAX, [
        `SIGKILL of the owner of three nodes, ${killed.length} times; the node starts again after each. ${client}`,
        'From the signal to the answer of the first change that was sent after it and acknowledged.',
      ]),
      distributionRow('the owner is ended: longest time between two changes, p99', ended, HANDOVER_MS_MAX, [
        `SIGTERM of the owner of three nodes, ${ended.length} times; the node starts again after each. ${client}`,
        'Between the answers of two changes, the longest time from the signal until the next owner has answered. No ' +
          'change fails.',
      ]),
      distributionRow('the owner is drained: longest time between two changes, p99', drained, HANDOVER_MS_MAX, [
        `\`POST /server/nodes/{node}/drain\` for the owner of three nodes, ${drained.length} times; undone after ` +
          `each. ${client}`,
        'Between the answers of two changes, the longest time from the request until the next owner has answered. No ' +
          'change fails.',
      ]),
    ];
  },
});

function distributionRow(what: string, durationsMs: readonly number[], limitMs: number, method: [string, string]): Row {
  const at = (q: number): string => format.ms(quantile(durationsMs, q));
  return {
    what,
    ours: `${at(0.99)} (p50 ${at(0.5)}, longest ${at(1)})`,
    reference: null,
    ratio: null,
    budget: `under ${limitMs / 1_000} s`,
    missed: atMost(quantile(durationsMs, 0.99), limitMs),
    method,
    evidence: `${durationsMs.length} times; shortest ${at(0)}.`,
  };
}

/** Three nodes, of which one after the other is taken away. */
class FailoverNodes {
  readonly #cluster: BenchCluster;
  readonly #running = new Map<string, ThreadmillServer>();
  readonly #folders: Map<string, string>;

  private constructor(bench: Workbench, cluster: BenchCluster) {
    this.#cluster = cluster;
    this.#folders = new Map(NAMES.map((name) => [name, bench.createFolder()]));
  }

  static async start(bench: Workbench): Promise<FailoverNodes> {
    const nodes = new FailoverNodes(bench, await BenchCluster.start(bench));
    for (const name of NAMES) await nodes.#startNode(name);
    return nodes;
  }

  /** Returns the milliseconds until the next acknowledged change. */
  async killOwner(): Promise<number> {
    const { name, owner, other } = await this.#owner();
    await putItem(other);
    process.kill(owner.pid, 'SIGKILL');
    const begun = performance.now();
    // The outcome of the changes that the owner was sent is unknown, so they fail.
    while (
      !(await putItem(other).then(
        () => true,
        () => false,
      ))
    )
      await sleep(PAUSE_MS);
    const failoverMs = performance.now() - begun;
    verify((await this.#cluster.ownerOtherThan(name)) !== name, 'the next owner');
    await owner.close();
    await this.#startNode(name);
    return failoverMs;
  }

  /** Returns the longest time between two acknowledged changes. */
  async endOwner(): Promise<number> {
    const { name, owner, other } = await this.#owner();
    const pauseMs = await longestPauseMs(other, async () => {
      process.kill(owner.pid, 'SIGTERM');
      await this.#cluster.ownerOtherThan(name);
    });
    await owner.close();
    await this.#startNode(name);
    return pauseMs;
  }

  /** Returns the longest time between two acknowledged changes. */
  async drainOwner(): Promise<number> {
    const { name, other } = await this.#owner();
    return longestPauseMs(other, async () => void (await this.#cluster.moveOwnership(other, name)));
  }

  /** The owner and one of the other nodes, when all of them can take over. */
  async #owner(): Promise<{ name: string; owner: ThreadmillServer; other: ThreadmillServer }> {
    const name = await this.#cluster.ownerOtherThan(null);
    const other = [...this.#running].find(([one]) => one !== name)![1];
    await this.#cluster.standbys(NAMES.length - 1);
    return { name, owner: this.#running.get(name)!, other };
  }

  async #startNode(name: string): Promise<void> {
    this.#running.set(name, await this.#cluster.startNode({ name, dataFolder: this.#folders.get(name)! }));
  }
}

/** The longest time between two acknowledged changes while the owner changes. */
async function longestPauseMs({ url }: ThreadmillServer, changeOwner: () => Promise<void>): Promise<number> {
  await putItem({ url });
  let longestMs = 0;
  let isOver = false;
  const client = (async () => {
    let lastMs = performance.now();
    // One more change after the other node has taken over.
    for (let isLast = false; !isLast; await sleep(PAUSE_MS)) {
      isLast = isOver;
      await putItem({ url });
      const nowMs = performance.now();
      longestMs = Math.max(longestMs, nowMs - lastMs);
      lastMs = nowMs;
    }
  })();
  await Promise.all([client, changeOwner().finally(() => (isOver = true))]);
  return longestMs;
}

let changes = 0;

/** Rejects if the change was not acknowledged. */
async function putItem({ url }: { url: string }): Promise<void> {
  changes += 1;
  const response = await fetch(`${url}/store/items`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ namespace: ['bench'], key: 'item', value: { changes } }),
  });
  const text = await response.text();
  verify(response.ok, `PUT /store/items returned ${response.status}: ${text.slice(0, 300)}`);
}
