import { setImmediate as turn } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import t, { type Test } from 'tap';
import { silentLog } from '../../src/base/log/log.js';
import type { GraphPool, GraphWorker } from '../../src/pool/graphs/graph-pool.js';
import type { OfferedRun } from '../../src/pool/graphs/offered-run.js';
import { PortChannel } from '../../src/pool/graphs/port-channel.js';
import type { RunChannel } from '../../src/pool/graphs/run-channel.js';
import type { RunWorker, RunWorkerHooks } from '../../src/pool/graphs/run-workers.js';
import { AllWorkers } from '../../src/pool/nodes/all-workers.js';
import { NodeWorkers } from '../../src/pool/nodes/node-workers.js';
import { RunHost } from '../../src/pool/nodes/run-host.js';
import { pack, unpack } from '../../src/wire/codec.js';
import type { UsedCode } from '../../src/store/code-versions.js';
import type { RunJob } from '../../src/wire/runs/messages.js';
import { RUN_SIGNALS_BYTES } from '../../src/wire/runs/run-signals.js';
import { linkPair } from '../helpers/link-pair.js';

const log = silentLog();
const JOB = { runId: 'r', graphId: 'echo', lease: 1, seq: 7 } as RunJob;

/** A pool whose workers do what the test does in their place. */
class FakePool {
  readonly workers: GraphWorker[] = [];
  readonly started: { runId: string; port: MessagePort; isListening: boolean }[] = [];
  readonly terminated: number[] = [];

  constructor(ids: readonly number[]) {
    for (const id of ids)
      this.workers.push({
        id,
        name: `graph-${id}`,
        node: null,
        solo: false,
        ready: true,
        lost: false,
        runs: new Set(),
        heartbeat: { isSilent: false },
        probe: { isSuspicious: false },
        codeOf: () => 'h',
      } as unknown as GraphWorker);
  }

  sharedWorkers(): Iterable<GraphWorker> {
    return this.workers;
  }

  pickWorker(preferred: number | null): GraphWorker | null {
    return this.workers.find(({ id }) => id === preferred) ?? this.workers[0] ?? null;
  }

  startPackedRun(worker: GraphWorker, { runId }: { runId: string }, isListening: boolean): PortChannel {
    const { port1, port2 } = new MessageChannel();
    worker.runs.add(runId);
    this.started.push({ runId, port: port2, isListening });
    return new PortChannel(port1, new SharedArrayBuffer(RUN_SIGNALS_BYTES));
  }

  terminate(worker: GraphWorker): void {
    this.terminated.push(worker.id);
  }
}

interface Told {
  capacity: number;
  returned: [worker: RunWorker, runId: string][];
  lost: { worker: RunWorker; runIds: string[]; cause: string }[];
  offered: OfferedRun[];
  code: UsedCode[];
}

/** An owner without workers of its own, and a node with one. */
function connected(t: Test, { hostGraphs = { echo: 'h' } }: { hostGraphs?: Record<string, string> } = {}) {
  const pool = new FakePool([1]);
  const host = new RunHost({
    pool: pool as unknown as GraphPool,
    node: 'b',
    graphs: hostGraphs,
    runsPerWorker: 2,
    readCode: (graphIds) => graphIds.map((graphId) => ({ hash: hostGraphs[graphId]! }) as UsedCode),
    log,
  });
  t.teardown(() => {
    for (const { port } of pool.started) port.close();
  });
  return { pool, host, ...connectOwner(t, host) };
}

/** An owner that uses the workers of the node. */
function connectOwner(t: Test, host: RunHost) {
  const told: Told = { capacity: 0, returned: [], lost: [], offered: [], code: [] };
  const hooks: RunWorkerHooks = {
    onCapacity: () => (told.capacity += 1),
    onRunReturned: (worker, runId) => told.returned.push([worker, runId]),
    onWorkerLost: (worker, runIds, { cause }) => told.lost.push({ worker, runIds, cause }),
  };
  const nodes = new NodeWorkers({
    graphs: () => ({ echo: 'h' }),
    hooks,
    onRunsOffered: (_node, runs) => told.offered.push(...runs),
    wantsCode: (graphs) => Object.keys(graphs).filter((graphId) => graphId !== 'echo'),
    onCode: (code) => told.code.push(code),
    onSuperseded: () => t.fail(),
    log,
  });
  const [atOwner, atNode] = linkPair();
  nodes.accept(atOwner);
  const closed = host.serve(atNode);
  t.teardown(() => atNode.close('the test ends'));
  return { told, nodes, link: atNode, closed };
}

const nextMessage = (port: MessagePort): Promise<unknown> =>
  new Promise((resolve) => port.once('message', (bytes: Uint8Array) => resolve(unpack(bytes))));

t.test('passes the messages of a run between the owner and the worker of another node', async (t) => {
  const { told, nodes, pool } = connected(t);
  t.ok(told.capacity > 0, 'the owner is told that there is a worker');
  const worker = nodes.pickWorker(null, 'echo')!;
  t.equal(worker.name, 'b/graph-1');
  const channel = nodes.startRun(worker, JOB, true);
  t.strictSame([...worker.runs], ['r']);
  const [run] = pool.started;
  t.match(run, { runId: 'r', isListening: true });

  const toWorker = nextMessage(run!.port);
  channel.send({ type: 'run.cancel', reason: 'enough' });
  t.strictSame(await toWorker, { type: 'run.cancel', reason: 'enough' });

  const toOwner = new Promise<unknown>((resolve) => channel.receive((bytes) => resolve(unpack(bytes)), t.fail));
  run!.port.postMessage(pack(['hello']));
  t.strictSame(await toOwner, ['hello']);
  t.strictSame(nodes.facts, [{ node: 'b', workers: 1, runs: 1 }]);
});

t.test('a worker takes runs up to its limit, and others when one has returned', (t) => {
  const { told, nodes, pool, host } = connected(t);
  for (const runId of ['r', 's']) nodes.startRun(nodes.pickWorker(null, 'echo')!, { ...JOB, runId }, false);
  t.equal(nodes.pickWorker(null, 'echo'), null);
  pool.workers[0]!.runs.delete('r');
  host.hooks.onRunReturned(pool.workers[0]!, 'r');
  t.match(told.returned, [[{ name: 'b/graph-1' }, 'r']]);
  t.strictSame([...nodes.pickWorker(null, 'echo')!.runs], ['s']);
  t.end();
});

t.test('the end of a run counts although it arrives after its code has returned', async (t) => {
  const { told, nodes, pool, host } = connected(t);
  const channel = nodes.startRun(nodes.pickWorker(null, 'echo')!, JOB, false);
  const end = new Promise<unknown>((resolve) => channel.receive((bytes) => resolve(unpack(bytes)), t.fail));
  // Both come over ports of their own, in any order.
  pool.workers[0]!.runs.delete('r');
  host.hooks.onRunReturned(pool.workers[0]!, 'r');
  t.equal(told.returned.length, 1);
  pool.started[0]!.port.postMessage(pack(['the end']));
  t.strictSame(await end, ['the end']);
  const closed = new Promise((resolve) => pool.started[0]!.port.once('close', resolve));
  channel.close(false);
  await closed;
  nodes.close();
  t.strictSame(told.lost[0]?.runIds, [], 'nothing is left of it');
});

t.test('messages of a run arrive although its worker has returned before', async (t) => {
  const { told, nodes, pool, host } = connected(t);
  const channel = nodes.startRun(nodes.pickWorker(null, 'echo')!, JOB, true);
  const atOwner = new Promise<unknown>((resolve) => channel.receive((bytes) => resolve(unpack(bytes)), t.fail));
  pool.workers[0]!.runs.delete('r');
  host.hooks.onRunReturned(pool.workers[0]!, 'r');
  t.match(told.returned, [[{ name: 'b/graph-1' }, 'r']]);
  t.strictSame(nodes.facts, [{ node: 'b', workers: 1, runs: 0 }]);
  pool.started[0]!.port.postMessage(pack(['the end']));
  t.strictSame(await atOwner, ['the end']);
});

t.test('a worker is free again when the run was closed before its code returned', (t) => {
  const { nodes, pool, host } = connected(t);
  const worker = nodes.pickWorker(null, 'echo')!;
  nodes.startRun(worker, JOB, false).close(false);
  t.equal(worker.runs.size, 1);
  pool.workers[0]!.runs.delete('r');
  host.hooks.onRunReturned(pool.workers[0]!, 'r');
  t.equal(worker.runs.size, 0);
  t.end();
});

t.test('only nodes with the same code run a graph', (t) => {
  const { nodes } = connected(t, { hostGraphs: { echo: 'other code' } });
  t.equal(nodes.pickWorker(null, 'echo'), null);
  t.end();
});

t.test('tells why the runs of a worker are lost', async (t) => {
  await t.test('the worker died', (t) => {
    const { told, nodes, pool, host } = connected(t);
    nodes.startRun(nodes.pickWorker(null, 'echo')!, JOB, false);
    host.hooks.onWorkerLost(pool.workers[0]!, ['r'], { reason: 'it ended', cause: 'worker' });
    t.match(told.lost, [{ runIds: ['r'], cause: 'worker' }]);
    t.end();
  });

  await t.test('the node is gone', async (t) => {
    const { told, nodes, link, closed } = connected(t);
    nodes.startRun(nodes.pickWorker(null, 'echo')!, JOB, false);
    link.close('cut');
    t.match(told.lost, [{ runIds: ['r'], cause: 'node' }]);
    t.equal(nodes.pickWorker(null, 'echo'), null);
    t.strictSame(nodes.facts, []);
    t.equal(await closed, 'cut');
  });

  await t.test('the node leaves', async (t) => {
    const { told, nodes, host } = connected(t);
    nodes.startRun(nodes.pickWorker(null, 'echo')!, JOB, false);
    await host.leave(performance.now());
    t.match(told.lost, [{ runIds: ['r'], cause: 'withdrawn' }]);
  });

  await t.test('the worker is gone when the run arrives', (t) => {
    const { told, nodes, pool } = connected(t);
    const worker = nodes.pickWorker(null, 'echo')!;
    pool.workers[0]!.lost = true;
    nodes.startRun(worker, JOB, false);
    t.match(told.lost, [{ runIds: ['r'], cause: 'withdrawn' }]);
    t.strictSame(pool.started, []);
    t.end();
  });
});

/** The texts that a channel delivers, in a list that grows. */
function textsOf(channel: RunChannel): string[] {
  const texts: string[] = [];
  channel.receive((bytes) => texts.push(...unpack<string[]>(bytes)), t.fail);
  return texts;
}

/** A run whose owner was lost: it has sent three messages, of which the first is finished. */
async function orphanedRun(t: Test) {
  const connection = connected(t);
  const { nodes, pool, link } = connection;
  const channel = nodes.startRun(nodes.pickWorker(null, 'echo')!, JOB, false);
  const texts = textsOf(channel);
  const { port } = pool.started[0]!;
  const messages = ['one', 'two', 'three'].map((text) => pack([text]));
  const bytes = messages[0]!.byteLength;
  for (const message of messages) port.postMessage(message);
  while (texts.length < 3) await turn();
  const credit = nextMessage(port);
  channel.finish(bytes, 9);
  t.match(await credit, { type: 'run.credit', bytes });
  link.close('cut');
  return { ...connection, port };
}

t.test('the next owner takes a run over, with the messages that are not finished', async (t) => {
  const { host, pool, port } = await orphanedRun(t);
  port.postMessage(pack(['four']));
  const next = connectOwner(t, host);
  t.match(next.told.offered, [{ runId: 'r', lease: 1, nextSeq: 9, framesSent: 2, worker: { name: 'b/graph-1' } }]);
  const channel = next.told.offered[0]!.take(2);
  t.strictSame([...next.nodes.pickWorker(null, 'echo')!.runs], ['r']);
  const texts = textsOf(channel);
  while (!texts.includes('four')) await turn();
  port.postMessage(pack(['five']));
  while (!texts.includes('five')) await turn();
  t.strictSame(texts, ['two', 'three', 'four', 'five']);
  pool.workers[0]!.runs.delete('r');
  host.hooks.onRunReturned(pool.workers[0]!, 'r');
  t.match(next.told.returned, [[{ name: 'b/graph-1' }, 'r']]);

  next.link.close('cut again');
  await next.closed;
  const last = connectOwner(t, host);
  t.match(last.told.offered, [{ runId: 'r', lease: 2, nextSeq: 9 }], 'under the lease of the last owner');
});

t.test('the node takes its own run over when it becomes the owner', async (t) => {
  const { host, port } = await orphanedRun(t);
  const [offer, ...others] = host.takeRuns();
  t.match(offer, { runId: 'r', lease: 1, nextSeq: 9, framesSent: 2, worker: { node: null } });
  t.strictSame(others, []);
  const channel = offer!.take(2);
  const texts = textsOf(channel);
  port.postMessage(pack(['four']));
  while (!texts.includes('four')) await turn();
  t.strictSame(texts, ['two', 'three', 'four']);
  const canceled = nextMessage(port);
  channel.send({ type: 'run.cancel', reason: 'enough' });
  t.match(await canceled, { type: 'run.cancel' });
});

t.test('a run that no owner needs ends', async (t) => {
  const { host, port } = await orphanedRun(t);
  const next = connectOwner(t, host);
  const canceled = nextMessage(port);
  next.told.offered[0]!.refuse();
  t.match(await canceled, { type: 'run.cancel' });
  next.link.close('cut');
  await next.closed;
  t.strictSame(connectOwner(t, host).told.offered, []);
});

t.test('a run that was offered is lost when its worker has died since', async (t) => {
  const { host, pool } = await orphanedRun(t);
  const next = connectOwner(t, host);
  pool.workers[0]!.lost = true;
  host.hooks.onWorkerLost(pool.workers[0]!, ['r'], { reason: 'it ended', cause: 'worker' });
  next.told.offered[0]!.take(2);
  t.match(next.told.lost.at(-1), { runIds: ['r'], cause: 'worker' });
});

t.test('a run that its owner has closed is offered to nobody', async (t) => {
  const { nodes, host, link, closed } = connected(t);
  nodes.startRun(nodes.pickWorker(null, 'echo')!, JOB, false).close(false);
  link.close('cut');
  await closed;
  t.strictSame(connectOwner(t, host).told.offered, []);
});

t.test('a run is lost that was sent to a worker which its node no longer has', (t) => {
  const { told, nodes, pool, host } = connected(t);
  const worker = nodes.pickWorker(null, 'echo')!;
  pool.workers[0] = { ...pool.workers[0]!, id: 2, name: 'graph-2' };
  host.hooks.onCapacity();
  t.equal(nodes.pickWorker(null, 'echo')!.name, 'b/graph-2');
  nodes.startRun(worker, JOB, false);
  t.match(told.lost, [{ worker: { name: 'b/graph-1' }, runIds: ['r'], cause: 'withdrawn' }]);
  t.end();
});

t.test('ends a worker of another node', (t) => {
  const { nodes, pool } = connected(t);
  nodes.terminate(nodes.pickWorker(null, 'echo')!);
  t.strictSame(pool.terminated, [1]);
  t.end();
});

t.test('prefers the worker that knows the thread, then the one with the fewest runs, then the nearer one', (t) => {
  const { nodes } = connected(t);
  const own = new FakePool([7]);
  const all = new AllWorkers(own as unknown as GraphPool, nodes, () => false);
  t.equal(all.pickWorker(null, 'echo')!.name, 'graph-7');
  own.workers[0]!.runs.add('x');
  const other = all.pickWorker(null, 'echo')!;
  t.equal(other.name, 'b/graph-1');
  t.equal(all.pickWorker(7, 'echo')!.name, 'graph-7');
  own.workers[0]!.runs.clear();
  t.equal(all.pickWorker(other.id, 'echo')!.name, 'b/graph-1');
  t.end();
});

t.test('a node that is drained takes no runs, also those under way to it, and keeps its own', (t) => {
  const { told, nodes, host, pool } = connected(t);
  const worker = nodes.pickWorker(null, 'echo')!;
  nodes.startRun(worker, JOB, false);
  host.isDraining = true;
  t.equal(nodes.pickWorker(null, 'echo'), null);
  nodes.startRun(worker, { ...JOB, runId: 'late' }, false);
  t.match(told.lost, [{ runIds: ['late'], cause: 'withdrawn' }]);
  t.strictSame([...worker.runs], ['r']);
  t.equal(pool.started.length, 1);
  const { capacity } = told;
  host.isDraining = false;
  t.equal(told.capacity, capacity + 1, 'the owner is told that there is a worker again');
  t.ok(nodes.pickWorker(null, 'echo'));
  t.end();
});

t.test('a drained owner uses the workers of other nodes only', (t) => {
  const { nodes } = connected(t);
  const own = new FakePool([7]);
  const all = new AllWorkers(own as unknown as GraphPool, nodes, () => true);
  t.equal(all.pickWorker(7, 'echo')!.name, 'b/graph-1');
  t.equal(all.pickSoloWorker('echo'), null);
  t.end();
});

t.test('a graph that the owner does not have runs on the nodes that have it', (t) => {
  const { nodes } = connected(t, { hostGraphs: { echo: 'h', other: 'any code' } });
  const own = new FakePool([7]);
  const all = new AllWorkers(own as unknown as GraphPool, nodes, () => false);
  t.equal(all.pickWorker(7, 'other')!.name, 'b/graph-1');
  t.ok(all.canRun('other'));
  t.equal(all.pickWorker(7, 'nowhere'), null);
  t.notOk(all.canRun('nowhere'));
  t.equal(all.pickSoloWorker('other')!.name, 'b/graph-1');
  t.equal(all.pickSoloWorker('nowhere'), null);
  t.end();
});

t.test('an old version runs on workers of the owner, which has it, and on nodes where it is the newest', (t) => {
  const { nodes } = connected(t, { hostGraphs: { echo: 'old', other: 'its code' } });
  const own = new FakePool([7]);
  const all = new AllWorkers(own as unknown as GraphPool, nodes, () => false);
  const kept = { hash: 'old', isKept: true };
  t.equal(all.pickWorker(null, 'echo')!.id, 7, 'the newest code is that of the owner');
  t.equal(all.pickWorker(null, 'echo', kept)!.id, 7);
  own.workers[0]!.runs.add('busy');
  const remote = all.pickWorker(null, 'echo', kept)!;
  t.equal(remote.name, 'b/graph-1');
  t.equal(remote.codeOf('echo'), 'old');
  t.equal(all.pickWorker(null, 'echo', { hash: 'older', isKept: true })!.id, 7, 'no node has it');
  t.equal(all.pickWorker(null, 'echo', { hash: 'old', isKept: false })!.name, 'b/graph-1', 'only the node has it');
  t.equal(all.pickWorker(null, 'echo', { hash: 'gone', isKept: false })!.id, 7, 'the owner ends it with an error');
  t.equal(all.pickWorker(null, 'other', { hash: 'its code', isKept: true })!.name, 'b/graph-1');
  const drained = new AllWorkers(own as unknown as GraphPool, nodes, () => true);
  t.ok(drained.canRun('echo', kept));
  t.notOk(drained.canRun('echo', { hash: 'older', isKept: true }));
  t.end();
});

t.test('a node sends the code of graphs that the owner does not have', (t) => {
  const { told } = connected(t, { hostGraphs: { echo: 'h', other: 'its code' } });
  t.match(told.code, [{ hash: 'its code' }]);
  t.equal(told.code.length, 1);
  t.end();
});
