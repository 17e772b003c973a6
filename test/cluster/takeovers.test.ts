import t from 'tap';
import { TestNetwork } from '../helpers/network.js';
import { PostgresPair } from '../helpers/postgres-pair.js';
import { projectOf } from '../helpers/project.js';
import { Random } from '../helpers/random.js';
import { CountingClients } from './counting-clients.js';
import { ALL_FAULTS, cause, drawFault, type Fault, type FaultScene } from './faults.js';
import { SupervisedNodes } from './supervised-nodes.js';

/**
 * Nodes of a cluster are killed, stopped and ended, their links are cut, and their database is restarted and failed
 * over, while clients work, each request to any node. Everything that was acknowledged must be there afterwards, once.
 * Without `CLUSTER_ROUNDS`, each fault comes once. `CLUSTER_SEED` draws others, and `CLUSTER_FAULT` names the only one.
 */
const ROUNDS = Number(process.env['CLUSTER_ROUNDS'] ?? ALL_FAULTS.length);
const IS_LONG = process.env['CLUSTER_ROUNDS'] !== undefined;
const SEED = Number(process.env['CLUSTER_SEED'] ?? 1);
const FAULT = process.env['CLUSTER_FAULT'] as Fault | undefined;

t.setTimeout(24 * 3_600_000);

t.test(`loses nothing that was acknowledged: ${ROUNDS} rounds from seed ${SEED}`, async (t) => {
  const network = TestNetwork.open(t);
  const postgres = await PostgresPair.start(t, network);
  const random = new Random(SEED);
  const url = await postgres.createDatabase();
  const config = projectOf(t, ['echo', 'approval', 'counter'], {});
  const nodes = new SupervisedNodes(t, { network, postgres, url, config, random, count: 3 });
  await nodes.ownerAfter(null);
  const clients = new CountingClients(() => nodes.any().client);

  const durations: FaultScene['durations'] = new Map();
  for (let round = 0; round < ROUNDS; round += 1) {
    const fault = FAULT ?? (IS_LONG ? drawFault(random) : ALL_FAULTS[round % ALL_FAULTS.length]!);
    const beganMs = performance.now();
    await cause(fault, { t, network, postgres, nodes, random, durations });
    await nodes.ownerAfter(null);
    await clients.progress((slow) => t.comment(`round ${round}: ${slow}`));
    t.comment(`round ${round}: ${fault}, ${Math.round(performance.now() - beganMs)} ms`);
  }
  const counts = await clients.verify(t, nodes.any().client);
  t.comment(
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', '),
  );
  for (const fault of ALL_FAULTS) if (durations.has(fault)) t.comment(`${fault}: ${summary(durations.get(fault)!)}`);
  t.strictSame(nodes.failures, [], 'no node has failed');
  nodes.close();
});

/** Times from a fault to the first acknowledged change. */
function summary(durations: readonly number[]): string {
  const sorted = durations.toSorted((one, other) => one - other);
  const at = (part: number): number =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms, of ${sorted.length}`;
}
