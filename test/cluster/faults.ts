import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@langchain/langgraph-sdk';
import type { Test } from 'tap';
import type { TestHost, TestNetwork } from '../helpers/network.js';
import type { TestPostgres } from '../helpers/postgres.js';
import type { PostgresPair } from '../helpers/postgres-pair.js';
import type { Random } from '../helpers/random.js';
import { LOST, type SupervisedNode, type SupervisedNodes } from './supervised-nodes.js';

/** What faults act on. */
export interface FaultScene {
  t: Test;
  network: TestNetwork;
  postgres: PostgresPair;
  nodes: SupervisedNodes;
  random: Random;
  /** Milliseconds from each fault until the first change that was begun after it was acknowledged, by fault. */
  durations: Map<string, number[]>;
}

/** How often each fault is drawn. */
const WEIGHTS = {
  'owner killed': 4,
  'owner stopped': 2,
  'owner ended': 2,
  'owner cut from the database': 2,
  'owner cannot send to the database': 1,
  'database cannot send to the owner': 1,
  'owner cut from everything': 2,
  'standby killed': 1,
  'standby stopped': 1,
  'standby ended': 1,
  'standby cut from the owner': 1,
  'standby cut from the database': 1,
  'database restarted': 1,
  'database killed': 1,
  'database stopped for a moment': 1,
  'synchronous standby delayed': 1,
  'synchronous standby promoted': 2,
} as const;

export type Fault = keyof typeof WEIGHTS;
export const ALL_FAULTS = Object.keys(WEIGHTS) as Fault[];

export function drawFault(random: Random): Fault {
  return random.weighted<Fault>(WEIGHTS);
}

/** Causes a fault, and resolves when nothing is broken any more. Not everything may be started again yet. */
export async function cause(fault: Fault, scene: FaultScene): Promise<void> {
  const { nodes, postgres, network, random } = scene;
  const owner = await nodes.ownerAfter(null);
  const standby = random.pick(nodes.all.filter((node) => node !== owner));
  const others = nodes.all.filter((node) => node !== owner);
  const database = network.sharedAddress;
  switch (fault) {
    case 'owner killed':
      await measure(scene, fault, others, () => void owner.server.process.kill('SIGKILL'));
      break;
    case 'owner ended':
      owner.server.process.kill('SIGTERM');
      await measureHandover(scene, fault, owner);
      // A node that gets the signal again, while it leaves, ends at once.
      await owner.server.exited;
      break;
    case 'owner stopped':
      await measure(scene, fault, others, () => void owner.server.process.kill('SIGSTOP'));
      owner.server.process.kill('SIGCONT');
      await endsAsLost(scene, owner, fault);
      break;
    case 'owner cut from the database':
      await isolate(scene, owner, fault, () => cutBoth(owner.host, postgres.host, database));
      break;
    case 'owner cannot send to the database':
      await isolate(scene, owner, fault, () => owner.host.cut(database));
      break;
    case 'database cannot send to the owner':
      await isolate(scene, owner, fault, () => postgres.host.cut(owner.host.address));
      break;
    case 'owner cut from everything':
      await isolate(scene, owner, fault, () => {
        cutBoth(owner.host, postgres.host, database);
        for (const { host } of others) cutBoth(owner.host, host);
      });
      break;
    case 'standby killed':
      await standby.server.kill('SIGKILL');
      break;
    case 'standby ended':
      await standby.server.kill('SIGTERM');
      break;
    case 'standby stopped':
      standby.server.process.kill('SIGSTOP');
      await sleep(random.below(5_000));
      standby.server.process.kill('SIGCONT');
      break;
    case 'standby cut from the owner':
      cutBoth(standby.host, owner.host);
      await sleep(random.below(6_000));
      network.restore();
      break;
    case 'standby cut from the database':
      cutBoth(standby.host, postgres.host, database);
      await sleep(random.below(6_000));
      network.restore();
      break;
    case 'database restarted':
    case 'database killed':
      await postgres.primary.stop(fault === 'database killed' ? 'SIGQUIT' : 'SIGINT');
      await measure(scene, fault, nodes.all, async () => {
        await sleep(random.below(2_000));
        await postgres.primary.start();
      });
      break;
    case 'database stopped for a moment':
      await pause(postgres.primary, random.below(4_000));
      break;
    case 'synchronous standby delayed':
      // Commits wait for it, so they are late. The link itself cannot be slowed down everywhere.
      for (let count = 0; count < 5; count += 1) await pause(postgres.standby, random.below(500));
      break;
    case 'synchronous standby promoted':
      await postgres.primary.stop('SIGQUIT');
      await measure(scene, fault, nodes.all, () => postgres.promote());
      await postgres.rebuildStandby();
  }
}

/** Loses what the two send to each other. */
function cutBoth(one: TestHost, other: TestHost, otherAddress = other.address): void {
  one.cut(otherAddress);
  other.cut(one.address);
}

/** Cuts the owner off until another node has taken over. The first one must notice. */
async function isolate(scene: FaultScene, owner: SupervisedNode, fault: Fault, cut: () => void): Promise<void> {
  const others = scene.nodes.all.filter((node) => node !== owner);
  await measure(scene, fault, others, cut);
  await scene.nodes.takeover(owner.name);
  await sleep(scene.random.below(3_000));
  scene.network.restore();
  await endsAsLost(scene, owner, fault);
}

async function endsAsLost({ t }: FaultScene, { server }: SupervisedNode, fault: Fault): Promise<void> {
  const how = await server.exited;
  if (how !== LOST) t.equal(how, LOST, `${fault}: a node that lost its place ends`);
}

/** Stops a server of PostgreSQL for a while. */
async function pause(server: TestPostgres, ms: number): Promise<void> {
  const stopped = server.processIds;
  for (const pid of stopped) trySignal(pid, 'SIGSTOP');
  await sleep(ms);
  for (const pid of stopped) trySignal(pid, 'SIGCONT');
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/** Measures from the fault to the first acknowledged change of those that clients begin afterwards. */
async function measure(
  { durations }: FaultScene,
  fault: Fault,
  nodes: readonly SupervisedNode[],
  act: () => void | Promise<void>,
): Promise<void> {
  const clients = nodes.map(
    ({ server: { url } }) => new Client({ apiUrl: url, apiKey: null, callerOptions: { maxRetries: 0 } }),
  );
  const beganMs = performance.now();
  const acting = act();
  const isDone = new AbortController();
  const acknowledged = new Promise<void>((resolve) => {
    void (async () => {
      for (let count = 0; !isDone.signal.aborted; count += 1) {
        clients[count % clients.length]!.store.putItem(['failover'], fault, { count }, { signal: isDone.signal }).then(
          resolve,
          () => undefined,
        );
        await sleep(50);
      }
    })();
  });
  await acknowledged;
  isDone.abort();
  durations.set(fault, [...(durations.get(fault) ?? []), performance.now() - beganMs]);
  await acting;
}

/** Measures the longest time that a change takes until another node has taken over from one that ends. */
async function measureHandover({ nodes, durations }: FaultScene, fault: Fault, owner: SupervisedNode): Promise<void> {
  const client = nodes.all.find((node) => node !== owner)!.server.client;
  let longestMs = 0;
  const isDone = new AbortController();
  void nodes.takeover(owner.name).then(() => isDone.abort());
  while (!isDone.signal.aborted) {
    const beganMs = performance.now();
    await client.store.putItem(['failover'], fault, { beganMs });
    longestMs = Math.max(longestMs, performance.now() - beganMs);
  }
  durations.set(fault, [...(durations.get(fault) ?? []), longestMs]);
}
