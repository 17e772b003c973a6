import { atLeast, defineBench, type Row } from './bench.js';
import { BenchCluster } from './contenders/cluster.js';
import type { ThreadmillServer } from './contenders/threadmill.js';
import { CpuLimit } from './cpu-limit.js';
import { durationMs, sendLoad, type Length } from './load.js';
import { alternate, format, median, medianRatio } from './measure.js';
import type { Workbench } from './workbench.js';

interface Params {
  clients: number;
  rounds: number;
  length: Length;
  warmUp: Length;
  /** Steps of the graph, of about 1 ms. */
  steps: number;
}

/** CPU time that each node may use. Three of them, PostgreSQL and the clients fit onto two cores. */
const CORES = 0.3;
const NODES = 3;
const BUDGET = 2.5;

export default defineBench<Params>({
  name: 'cluster-scaling',
  description: 'throughput of a graph that computes, on three nodes beside one, each with a limit of CPU time',
  smoke: { clients: 4, rounds: 1, length: { requests: 6 }, warmUp: { requests: 4 }, steps: 2 },
  real: { clients: 12, rounds: 5, length: { seconds: 10 }, warmUp: { seconds: 10 }, steps: 50 },
  async run(bench, { clients, rounds, length, warmUp, steps }) {
    const three = await startNodes(bench, NODES);
    const one = bench.isSmoke ? null : await startNodes(bench, 1);
    const runsPerSecond =
      ([owner]: readonly ThreadmillServer[], of = length) =>
      async (): Promise<number> => {
        const { perSecond } = await sendLoad({
          url: owner!.url,
          clients,
          length: of,
          request: {
            method: 'POST',
            path: '/runs/wait',
            body: JSON.stringify({ assistant_id: 'compute', input: { steps } }),
          },
          check: (body) => /"digest":"[0-9a-f]{64}"/.test(body),
        });
        return perSecond;
      };
    for (const nodes of [three, ...(one === null ? [] : [one])]) await runsPerSecond(nodes, warmUp)();
    const paired = await alternate(rounds, runsPerSecond(three), one === null ? null : runsPerSecond(one));
    const ratio = medianRatio(paired);
    const row: Row = {
      what: `runs of a graph that computes for about ${steps} ms, ${NODES} nodes`,
      ours: format.perSecond(median(paired.ours)),
      reference: one === null ? null : `${format.perSecond(median(paired.reference))} one node`,
      ratio: ratio === null ? null : format.ratio(ratio),
      budget: `${BUDGET} × or more`,
      missed: atLeast(ratio, BUDGET),
      method: [
        `${clients} clients of the owner, ${rounds} rounds of ${durationMs(length) / 1_000} s in turns, after as much ` +
          `warm-up. Each node may use ${CORES} cores, by a control group; PostgreSQL has no limit.`,
        'Median of the rounds; every body has the digest.',
      ],
      evidence: null,
    };
    return [row];
  },
});

/** A cluster whose nodes have a limit of CPU time, the owner first. Smoke runs have no limit, which needs root. */
async function startNodes(bench: Workbench, count: number): Promise<ThreadmillServer[]> {
  const cluster = await BenchCluster.start(bench);
  const nodes: ThreadmillServer[] = [];
  for (let number = 1; number <= count; number += 1) {
    const name = `node-${number}`;
    // Removed after the node has ended.
    const limit = bench.isSmoke ? null : CpuLimit.create(`threadmill-${process.pid}-${count}-${number}`, CORES);
    if (limit !== null) bench.onClose(() => limit.remove());
    const node = await cluster.startNode({ name });
    limit?.add(node.pid);
    nodes.push(node);
  }
  await cluster.standbys(count - 1);
  return nodes;
}
