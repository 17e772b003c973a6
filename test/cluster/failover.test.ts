import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { ChildServer } from '../helpers/child-server.js';
import { startChildNode, startTestNode, until, type TestNode } from '../helpers/cluster.js';
import { CutProxy } from '../helpers/cut-proxy.js';
import { Reader, type Event } from '../helpers/events.js';
import { TestPostgres } from '../helpers/postgres.js';
import { configWith, temporaryFolder } from '../helpers/server.js';

const postgres = await TestPostgres.start(t);
const config = configWith(t, 'echo', 'ticker');

/** An owner in a process of its own, which can be killed, and another node in this one. */
async function startPair(t: Test): Promise<{ owner: ChildServer; standby: TestNode }> {
  const url = await postgres.createDatabase();
  const owner = await startChildNode(t, { config, url });
  return { owner, standby: await startTestNode(t, { config, url }) };
}

t.test('an owner that only the database cannot reach ends when another node has taken over', async (t) => {
  const url = await postgres.createDatabase();
  const proxy = await CutProxy.to(t, postgres.port);
  const owner = await startChildNode(t, { config, url: url.replace(String(postgres.port), String(proxy.port)) });
  const standby = await startTestNode(t, { config, url });
  await until(async () => /cluster_node_workers\{.*\} 1/.test(await (await fetch(`${owner.url}/metrics`)).text()));
  proxy.isStalled = true;
  t.equal(await owner.exited, '75', 'although it still cannot reach the database');
  t.ok(standby.isOwner() || (await standby.owner));
});

/** A run that writes numbers until its gate opens. */
async function startTicking(t: Test, { client }: TestNode, options: object) {
  const gate = join(temporaryFolder(t), 'gate');
  const { thread_id: threadId } = await client.threads.create();
  const reader = new Reader(
    client.runs.stream(threadId, 'ticker', { input: { gate }, streamMode: ['custom', 'values'], ...options }),
  );
  await reader.until(({ event }) => event === 'custom');
  return { threadId, reader, open: () => writeFileSync(gate, ''), hasStarted: () => existsSync(`${gate}.reached`) };
}

t.test('a resumable stream outlives its owner: no event is missing or repeated', async (t) => {
  const { owner, standby } = await startPair(t);
  const { reader, open, threadId } = await startTicking(t, standby, { streamResumable: true });
  while (reader.seen.length < 50) await reader.next();
  await owner.kill('SIGKILL');
  await reader.until(({ event }) => event === 'metadata');
  t.ok(standby.isOwner());
  while (reader.seen.length < 100) await reader.next();
  open();
  await reader.rest();
  const ids = reader.seen.map(({ id }) => Number(id));
  t.strictSame(
    ids,
    [...new Set(ids)].sort((one, other) => one - other),
    'in order, once each',
  );
  t.equal(reader.seen.filter(({ event }) => event === 'metadata').length, 2, 'one for each attempt');
  t.equal(reader.seen.filter(({ event }) => event === 'error').length, 0);
  const stored = new Reader(
    standby.client.runs.joinStream(threadId, await lastRun(standby, threadId), { lastEventId: '-1' }),
  );
  t.strictSame(
    (await stored.rest()).map(({ id }) => Number(id)),
    ids,
    'what was shown is what is stored',
  );
  t.match(await standby.client.threads.getState(threadId), { values: { ticks: Number } });
});

async function lastRun({ client }: TestNode, threadId: string): Promise<string> {
  const [run] = await client.runs.list(threadId);
  return run!.run_id;
}

t.test('another stream goes on with the next attempt', async (t) => {
  const { owner, standby } = await startPair(t);
  const { reader, open, threadId } = await startTicking(t, standby, {});
  await owner.kill('SIGKILL');
  await reader.until(({ event }) => event === 'metadata');
  open();
  await reader.rest();
  const metadata = reader.seen.filter(({ event }) => event === 'metadata');
  t.match(metadata, [{ data: { attempt: 1 } }, { data: { attempt: 2 } }]);
  t.equal(reader.seen.at(-1)!.event, 'values');
  t.match(await standby.client.threads.getState(threadId), { values: { ticks: Number } });
});

t.test('a wait outlives its owner', async (t) => {
  const { owner, standby } = await startPair(t);
  const gate = join(temporaryFolder(t), 'gate');
  const { thread_id: threadId } = await standby.client.threads.create();
  const response = await fetch(`${standby.url}/threads/${threadId}/runs/wait`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ assistant_id: 'ticker', input: { gate } }),
  });
  await owner.kill('SIGKILL');
  await until(() => standby.isOwner());
  writeFileSync(gate, '');
  t.match(await response.json(), { ticks: Number });
});

t.test('a stream of a thread outlives its owner', async (t) => {
  const { owner, standby } = await startPair(t);
  const { thread_id: threadId } = await standby.client.threads.create();
  const reader = new Reader(standby.client.threads.joinStream(threadId));
  const first = await runUntilSeen(standby, threadId, reader, null);
  await owner.kill('SIGKILL');
  t.ok(await runUntilSeen(standby, threadId, reader, first));
});

/** Starts runs until the stream tells of one other than `last`: it has no events from before it was read. */
async function runUntilSeen({ client }: TestNode, threadId: string, reader: Reader, last: string | null) {
  const runOf = ({ data }: Event): string => (data as { run_id: string }).run_id;
  const seen = reader.until((event) => event.event === 'metadata' && runOf(event) !== last).then(runOf);
  for (;;) {
    const ended = client.runs.wait(threadId, 'echo', { input: { text: 'x' } }).then(() => null);
    const found = (await Promise.race([seen, ended])) ?? (await ended);
    if (found !== null) return found;
  }
}

t.test('reads are sent again, and changes with an unknown outcome get 502', async (t) => {
  const { owner, standby } = await startPair(t);
  const { thread_id: threadId } = await standby.client.threads.create();
  const path = `${standby.url}/threads/${threadId}`;
  // Opens connections between the nodes. A request sent over an open one may have arrived.
  await Promise.all(Array.from({ length: 4 }, () => fetch(path)));
  owner.process.kill('SIGSTOP');
  const [change, read] = await Promise.all([
    fetch(path, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: '{"metadata": {"a": 1}}',
    }),
    fetch(path),
  ]);
  t.equal(change.status, 502);
  t.match(await change.json(), { detail: /not known/ });
  t.equal(read.status, 200);
  t.ok(standby.isOwner());
});
