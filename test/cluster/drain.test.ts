import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { cli, cliProcess } from '../helpers/cli.js';
import { startTestNode, until, type TestNode } from '../helpers/cluster.js';
import { TestPostgres } from '../helpers/postgres.js';
import { configWith, temporaryFolder } from '../helpers/server.js';

const postgres = await TestPostgres.start(t);
const config = configWith(t, 'ticker', 'echo');

interface Status {
  epoch: number;
  nodes: { name: string; role: string; drain: string; runs: number; workers: number }[];
}

function start(t: Test, url: string, name: string, dataFolder = temporaryFolder(t)): Promise<TestNode> {
  return startTestNode(t, { config, url, dataFolder, env: { THREADMILL_NODE_NAME: name } });
}

/** The owner `a` and the node `b`, which lends its worker. */
async function startPair(t: Test): Promise<{ a: TestNode; b: TestNode; url: string }> {
  const url = await postgres.createDatabase();
  const a = await start(t, url, 'a');
  await a.owner;
  const b = await start(t, url, 'b');
  await until(async () => /^threadmill_cluster_node_workers\{node="b"\} 1$/m.test(await metrics(a)));
  return { a, b, url };
}

async function metrics({ url }: TestNode): Promise<string> {
  return (await fetch(`${url}/metrics`)).text();
}

async function status(url: string): Promise<Status> {
  return JSON.parse((await cli(['cluster', 'status', '--json', '--cluster', url])).stdout) as Status;
}

async function nodeStatus(url: string, name: string): Promise<Status['nodes'][number] | undefined> {
  return (await status(url)).nodes.find((node) => node.name === name);
}

/** A run that executes until its gate opens. */
async function startTicking(t: Test, { client }: TestNode) {
  const gate = join(temporaryFolder(t), 'gate');
  const { thread_id: threadId } = await client.threads.create();
  const { run_id: runId } = await client.runs.create(threadId, 'ticker', { input: { gate } });
  await until(() => existsSync(`${gate}.reached`));
  return { threadId, runId, open: () => writeFileSync(gate, '') };
}

async function nodeOf({ url }: TestNode, { threadId, runId }: { threadId: string; runId: string }) {
  const response = await fetch(`${url}/threads/${threadId}/runs/${runId}/why`);
  return ((await response.json()) as { node: string | null }).node;
}

t.test('a drained node lets its runs end, takes no more, and answers requests; undo puts it back', async (t) => {
  const { a, b, url } = await startPair(t);
  const runs = [await startTicking(t, a), await startTicking(t, a)];
  const places = await Promise.all(runs.map((run) => nodeOf(a, run)));
  const onB = runs[places.indexOf('b')]!;

  const draining = cliProcess(['cluster', 'drain', 'b', '--cluster', url]);
  await until(async () => (await nodeStatus(url, 'b'))?.drain === 'draining');
  // The node learns of the request with its next heartbeat, and the owner from the node. Of two runs at once, the node
  // would get one, because it has fewer runs than the owner.
  await until(async () => {
    const pair = [await startTicking(t, a), await startTicking(t, a)];
    const nodes = await Promise.all(pair.map((run) => nodeOf(a, run)));
    for (const run of pair) run.open();
    return nodes.every((node) => node === null);
  });
  for (let count = 0; count < 4; count += 1) {
    const run = await startTicking(t, a);
    t.equal(await nodeOf(a, run), null, 'the node takes no more runs');
    run.open();
  }
  await until(async () => (await nodeStatus(url, 'b'))?.runs === 1);
  t.match(await nodeStatus(url, 'b'), { drain: 'draining', runs: 1, workers: 1, role: 'standby' });
  t.equal(await nodeOf(a, onB), 'b', 'its run goes on');
  for (const run of runs) run.open();
  t.match(await draining, { code: 0, stdout: /^b is drained/, stderr: /waits for 1 run to end/ });
  t.match(await a.client.runs.join(onB.threadId, onB.runId), { ticks: Number });
  t.match(await nodeStatus(url, 'b'), { drain: 'drained', runs: 0 });
  t.ok(await b.client.threads.get(onB.threadId), 'it passes requests on');
  t.match(await cli(['cluster', 'status', '--cluster', url]), { stdout: /^b +standby +yes /m });

  t.match(await cli(['cluster', 'drain', 'b', '--undo', '--json', '--cluster', url]), {
    code: 0,
    stdout: '{"node":"b","drain":"none","changed":true}\n',
  });
  t.match(await cli(['cluster', 'drain', 'b', '--undo', '--cluster', url]), { code: 0, stdout: /was not drained/ });
  // The worker of the owner is busy, so others go to the other node.
  const busy = await startTicking(t, a);
  await until(async () => {
    const run = await startTicking(t, a);
    const isOnB = (await nodeOf(a, run)) === 'b';
    run.open();
    return isOnB;
  });
  busy.open();
});

t.test('a drained owner hands over when its runs have ended, keeps its port, and takes no ownership', async (t) => {
  const { a, b, url } = await startPair(t);
  const { thread_id: threadId } = await a.client.threads.create();
  const runs = [await startTicking(t, a), await startTicking(t, a)];
  const draining = cliProcess(['cluster', 'drain', 'a', '--cluster', url]);
  await until(async () => (await nodeStatus(url, 'a'))?.drain === 'draining');
  await a.client.runs.wait(threadId, 'echo', { input: { text: 'x' } });
  t.ok(a.isOwner(), 'it serves while its runs go on');

  // Requests to both nodes at all times.
  const traffic = new AbortController();
  const clients = [a, b].map(async ({ client }) => {
    let count = 0;
    while (!traffic.signal.aborted) {
      await client.threads.create();
      count += 1;
    }
    return count;
  });
  for (const run of runs) run.open();
  t.match(await draining, { code: 0, stdout: /^a is drained/ });
  traffic.abort();
  for (const count of await Promise.all(clients)) t.ok(count > 0, 'no request failed');
  t.ok(b.isOwner());
  t.notOk(a.isOwner());
  t.match(await status(url), { epoch: 2, nodes: [{ name: 'a', role: 'standby', drain: 'drained' }, { name: 'b' }] });
  for (const { threadId: id, runId } of runs) t.match(await a.client.runs.join(id, runId), { ticks: Number });
  t.equal((await fetch(`${a.url}/ok`)).status, 200);

  t.match(await cli(['cluster', 'drain', 'b', '--cluster', url]), {
    code: 1,
    stderr: /b is the owner, and no other node can take over.*Nothing was changed/,
  });
  t.match(await nodeStatus(url, 'b'), { drain: 'none' });
  await b.close();
  t.equal((await nodeStatus(url, 'a'))?.role, 'standby');
  await cli(['cluster', 'drain', 'a', '--undo', '--cluster', url]);
  await until(() => a.isOwner());
  t.ok(await a.client.threads.get(threadId), 'it is the owner again, in the same process, at the same port');
  t.ok(await a.client.runs.wait(threadId, 'echo', { input: { text: 'y' } }));
});

t.test('a node that starts under a drained name is drained', async (t) => {
  const { b, url } = await startPair(t);
  t.match(await cli(['cluster', 'drain', 'b', '--no-wait', '--cluster', url]), { code: 0 });
  await b.close();
  t.equal(await nodeStatus(url, 'b'), undefined);
  t.match(await cli(['cluster', 'drain', 'b', '--cluster', url]), { code: 0, stdout: /does not run.*when it starts/ });
  await start(t, url, 'b');
  await until(async () => (await nodeStatus(url, 'b'))?.drain === 'drained');
});

t.test('a drain ends with 2 when the runs do not end in time', async (t) => {
  const { a, url } = await startPair(t);
  const runs = [await startTicking(t, a), await startTicking(t, a)];
  const late = await cli(['cluster', 'drain', 'b', '--timeout', '100ms', '--json', '--cluster', url]);
  t.match([late.code, JSON.parse(late.stdout)], [2, { node: 'b', drain: 'draining', is_owner: false }]);
  for (const run of runs) run.open();
  t.match(await cli(['cluster', 'drain', 'b', '--timeout', 'soon', '--cluster', url]), {
    code: 1,
    stderr: /--timeout/,
  });
  t.match(await cli(['cluster', 'drain', 'c', '--cluster', url]), {
    code: 1,
    stderr: /There is no node c\. The nodes are: a, b\./,
  });
});
