import { randomBytes, randomUUID } from 'node:crypto';
import { keys } from '../../src/store/keys.js';
import { ClusterNode } from '../../src/store/cluster/cluster-node.js';
import { Commit } from '../../src/store/store.js';

/** Measures commits of the store of a cluster's owner: each loop awaits its commit before the next one. */
const [url, folder] = process.argv.slice(2);
const RECORD = randomBytes(1_000);

function fail(error: unknown): void {
  throw error;
}

const node = await ClusterNode.join(
  folder!,
  { url: url!, keyFingerprint: 'bench', nodeId: randomUUID(), nodeName: 'bench', version: '0' },
  { onUpgraded: () => undefined, onTrouble: fail, onLost: fail },
);
await node.becomeOwner(new AbortController().signal, () => undefined);
const store = await node.openStore(null);

process.on('message', ({ loops, ms }: { loops: number; ms: number }) => {
  const latenciesMs: number[] = [];
  const appendsBefore = node.journal!.appendSeconds.sum;
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  const loop = async (): Promise<void> => {
    while (performance.now() - begun < ms) {
      const commit = new Commit();
      commit.put(keys.thread(randomUUID()), RECORD);
      const commitBegun = performance.now();
      await store.write(commit);
      latenciesMs.push(performance.now() - commitBegun);
    }
  };
  void Promise.all(Array.from({ length: loops }, loop)).then(() => {
    const wallMs = performance.now() - begun;
    const { user, system } = process.cpuUsage(cpuBefore);
    const appendMs = (node.journal!.appendSeconds.sum - appendsBefore) * 1_000;
    process.send!({ latenciesMs, wallMs, cpuUs: user + system, appendMs });
  });
});

process.send!('ready');
