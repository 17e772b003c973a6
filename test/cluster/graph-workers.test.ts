import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import t, { type Test } from 'tap';
import { nodeClientTls, RUNS_PROTOCOL } from '../../src/http/forward/node-tls.js';
import type { ChildServer } from '../helpers/child-server.js';
import { startChildNode, startTestNode, until, type TestNode } from '../helpers/cluster.js';
import { Reader } from '../helpers/events.js';
import { TestPostgres } from '../helpers/postgres.js';
import { configWith, temporaryFolder } from '../helpers/server.js';

const postgres = await TestPostgres.start(t);
const config = configWith(t, 'ticker', 'memory', 'echo');

interface Ticking {
  threadId: string;
  runId: string;
  open: () => void;
  isStarted: () => boolean;
}

/** A run that executes until its gate opens. */
async function startTicking(t: Test, { client }: Pick<TestNode, 'client'>): Promise<Ticking> {
  const gate = join(temporaryFolder(t), 'gate');
  const { thread_id: threadId } = await client.threads.create();
  const { run_id: runId } = await client.runs.create(threadId, 'ticker', {
    input: { gate },
    streamMode: ['custom', 'values'],
    streamResumable: true,
  });
  return { threadId, runId, open: () => writeFileSync(gate, ''), isStarted: () => existsSync(`${gate}.reached`) };
}

interface Why {
  reason: string;
  node: string | null;
  attempt: number;
}

async function why({ url }: Pick<TestNode, 'url'>, { threadId, runId }: Ticking): Promise<Why> {
  return (await (await fetch(`${url}/threads/${threadId}/runs/${runId}/why`)).json()) as Why;
}

/** Starts runs, until one executes on the node. */
async function startOnNode(t: Test, server: Pick<TestNode, 'client' | 'url'>, node: string): Promise<Ticking> {
  for (;;) {
    const run = await startTicking(t, server);
    await until(run.isStarted);
    if ((await why(server, run)).node === node) return run;
    run.open();
  }
}

/** The owner `a` and the node `b`, in this process. */
async function startPair(t: Test, { configOfB = config } = {}): Promise<{ a: TestNode; b: TestNode; url: string }> {
  const url = await postgres.createDatabase();
  const a = await startTestNode(t, { config, url, env: { THREADMILL_NODE_NAME: 'a' } });
  await a.owner;
  const b = await startTestNode(t, { config: configOfB, url, env: { THREADMILL_NODE_NAME: 'b' } });
  await until(async () => (await metric(a, 'threadmill_cluster_node_workers')) === 1);
  return { a, b, url };
}

async function metric({ url }: Pick<TestNode, 'url'>, name: string): Promise<number | null> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = new RegExp(`^${name}\\{node="b"\\} (\\d+)$`, 'm').exec(text);
  return found === null ? null : Number(found[1]);
}

/** The node `b` in a process of its own, beside the owner `a` in this one. */
async function startKillable(t: Test): Promise<{ a: TestNode; b: ChildServer }> {
  const url = await postgres.createDatabase();
  const a = await startTestNode(t, { config, url, env: { THREADMILL_NODE_NAME: 'a' } });
  await a.owner;
  const b = await startChildNode(t, { config, url, env: { THREADMILL_NODE_NAME: 'b' } });
  await until(async () => (await metric(a, 'threadmill_cluster_node_workers')) === 1);
  return { a, b };
}

t.test('runs spread over the workers of all nodes', async (t) => {
  const { a } = await startPair(t);
  const runs = [];
  for (let count = 0; count < 4; count += 1) {
    const run = await startTicking(t, a);
    await until(run.isStarted);
    runs.push(run);
  }
  const places = await Promise.all(runs.map(async (run) => (await why(a, run)).node));
  t.equal(places.filter((node) => node === 'b').length, 2);
  t.equal(places.filter((node) => node === null).length, 2);
  t.equal(await metric(a, 'threadmill_cluster_node_runs'), 2);
  for (const run of runs) run.open();
  for (const { threadId, runId } of runs) t.match(await a.client.runs.join(threadId, runId), { ticks: Number });
});

t.test('a run on another node streams, is joined late, and is canceled', async (t) => {
  const { a } = await startPair(t);
  const run = await startOnNode(t, a, 'b');
  const reader = new Reader(a.client.runs.joinStream(run.threadId, run.runId, { lastEventId: '-1' }));
  await reader.until(({ event }) => event === 'custom');
  await reader.until(({ event }) => event === 'custom');
  await a.client.runs.cancel(run.threadId, run.runId, true);
  await reader.rest();
  t.match(await a.client.runs.get(run.threadId, run.runId), { status: 'interrupted' });

  const other = await startOnNode(t, a, 'b');
  other.open();
  t.match(await a.client.runs.join(other.threadId, other.runId), { ticks: Number });
  t.match(await a.client.threads.getState(other.threadId), { values: { ticks: Number } });
});

t.test('graphs on another node use the long-term memory', async (t) => {
  const { a } = await startPair(t);
  // The worker of the owner is busy, so others go to the other node.
  const busy = await startTicking(t, a);
  await until(busy.isStarted);
  t.equal((await why(a, busy)).node, null);
  t.match(await a.client.runs.wait(null, 'memory', { input: { name: 'Ada' } }), { found: { names: ['Ada'] } });
  t.match(await a.client.store.getItem(['people', 'names'], 'Ada'), { value: { name: 'Ada' } });
  busy.open();
});

t.test('nothing of a run stays on the node that has executed it', async (t) => {
  const { a } = await startPair(t);
  const ports = (): number => process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
  const before = ports();
  for (let count = 0; count < 10; count += 1)
    await Promise.all(Array.from({ length: 20 }, () => a.client.runs.wait(null, 'echo', { input: { text: 'x' } })));
  await until(() => ports() <= before);
});

t.test('a run of a node that dies is retried', async (t) => {
  const { a, b } = await startKillable(t);
  const run = await startOnNode(t, a, 'b');
  await b.kill('SIGKILL');
  await until(async () => (await why(a, run)).attempt === 2);
  run.open();
  t.match(await a.client.runs.join(run.threadId, run.runId), { ticks: Number });
});

t.test('a node that leaves lets its runs end, and others go on elsewhere without using up an attempt', async (t) => {
  const { a, b } = await startPair(t);
  const ending = await startOnNode(t, a, 'b');
  const leaving = b.close();
  await until(async () => (await why(a, ending)).node !== 'b');
  await leaving;
  t.equal((await why(a, ending)).attempt, 1);
  ending.open();
  t.match(await a.client.runs.join(ending.threadId, ending.runId), { ticks: Number });
});

t.test('a node with other code of a graph runs none of its runs', async (t) => {
  const { a } = await startPair(t, { configOfB: configWith(t, 'echo') });
  const runs = [];
  for (let count = 0; count < 3; count += 1) {
    const run = await startTicking(t, a);
    await until(run.isStarted);
    runs.push(run);
  }
  for (const run of runs) t.equal((await why(a, run)).node, null);
  const echoes = await Promise.all(
    Array.from({ length: 4 }, () => a.client.runs.wait(null, 'echo', { input: { text: 'x' } })),
  );
  t.equal(echoes.length, 4);
  for (const run of runs) run.open();
});

t.test('whoever does not have the key cannot offer workers', async (t) => {
  const { url } = await startPair(t);
  const { rows } = await postgres.query('SELECT address FROM threadmill.node WHERE address IS NOT NULL', url);
  const [host, port] = (rows[0] as { address: string }).address.split(':');
  const socket = connect({
    host: host!,
    port: Number(port),
    ALPNProtocols: [RUNS_PROTOCOL],
    ...nodeClientTls(Buffer.alloc(32, 7)),
  });
  t.match(await new Promise((resolve) => socket.once('error', resolve)), Error);
});
