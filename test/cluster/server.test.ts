import { rmSync } from 'node:fs';
import type { Client } from '@langchain/langgraph-sdk';
import t, { type Test } from 'tap';
import { cli } from '../helpers/cli.js';
import { lowerLimit } from '../helpers/limits.js';
import { TestPostgres } from '../helpers/postgres.js';
import { startChildNode } from '../helpers/cluster.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';
import { CLUSTER_KEY } from '../helpers/suite-cluster.js';

const postgres = await TestPostgres.start(t);
const config = configWith(t, 'echo');

/** A node of a cluster in this process; resolves when it is the owner. */
function startNode(t: Test, url: string, dataFolder = temporaryFolder(t)): Promise<TestServer> {
  return testServer(t, {
    config,
    dataFolder,
    flags: { cluster: url },
    env: { THREADMILL_CLUSTER_KEY: CLUSTER_KEY },
  });
}

async function runOn(client: Client, threadId: string, text: string): Promise<unknown> {
  return client.runs.wait(threadId, 'echo', { input: { text } });
}

async function stepsOf(client: Client, threadId: string): Promise<number> {
  const { values } = await client.threads.getState<{ steps: unknown[] }>(threadId);
  return values.steps.length;
}

t.test('a node starts from nothing but the database', async (t) => {
  const url = await postgres.createDatabase();
  const folder = temporaryFolder(t);
  const first = await startNode(t, url, folder);
  const { thread_id: threadId } = await first.client.threads.create();
  await runOn(first.client, threadId, 'one');
  await first.client.store.putItem(['a'], 'b', { c: 1 });
  const count = await stepsOf(first.client, threadId);
  t.ok(count > 0);
  await first.close();
  rmSync(folder, { recursive: true });

  const second = await startNode(t, url);
  t.equal(await stepsOf(second.client, threadId), count);
  t.match(await second.client.store.getItem(['a'], 'b'), { value: { c: 1 } });
  await runOn(second.client, threadId, 'two');
  t.equal(await stepsOf(second.client, threadId), 2 * count);
  await second.close();

  const third = await startNode(t, url, folder);
  t.equal(await stepsOf(third.client, threadId), 2 * count);
});

t.test('a second node waits, and takes over when the first one leaves', async (t) => {
  const url = await postgres.createDatabase();
  const first = await startNode(t, url);
  let isOwner = false;
  const second = startNode(t, url).then((server) => {
    isOwner = true;
    return server;
  });
  const { thread_id: threadId } = await first.client.threads.create();
  for (let count = 0; count < 5; count += 1) await runOn(first.client, threadId, 'one');
  const count = await stepsOf(first.client, threadId);
  t.notOk(isOwner);
  await first.close();
  t.equal(await stepsOf((await second).client, threadId), count);
});

t.test('a node takes over from one that is killed', async (t) => {
  const url = await postgres.createDatabase();
  const first = await startChildNode(t, { config, url });
  const { thread_id: threadId } = await first.client.threads.create();
  await runOn(first.client, threadId, 'one');
  const count = await stepsOf(first.client, threadId);
  await first.kill('SIGKILL');
  const second = await startNode(t, url);
  t.equal(await stepsOf(second.client, threadId), count);
});

t.test('a node that was stopped for long ends when it continues, and nothing that it wrote is lost', async (t) => {
  const url = await postgres.createDatabase();
  const first = await startChildNode(t, { config, url });
  const { thread_id: threadId } = await first.client.threads.create();
  await runOn(first.client, threadId, 'one');
  const count = await stepsOf(first.client, threadId);
  first.process.kill('SIGSTOP');
  const second = await startNode(t, url);
  t.equal(await stepsOf(second.client, threadId), count);
  await runOn(second.client, threadId, 'two');
  const late = runOn(first.client, threadId, 'late').catch((error: unknown) => error);
  first.process.kill('SIGCONT');
  t.equal(await first.exited, '75');
  t.ok((await late) instanceof Error);
  t.equal(await stepsOf(second.client, threadId), 2 * count);
});

t.test('while the database is away, reads continue and changes get 503', async (t) => {
  const own = await TestPostgres.start(t);
  const node = await startNode(t, await own.createDatabase());
  const { thread_id: threadId } = await node.client.threads.create();
  await runOn(node.client, threadId, 'one');
  const count = await stepsOf(node.client, threadId);
  await own.stop('SIGQUIT');
  const body = { assistant_id: 'echo', input: { text: '' } };
  for (;;) {
    const response = await node
      .post(`/threads/${threadId}/runs`, body, { signal: AbortSignal.timeout(2_000) })
      .catch(() => null);
    if (response?.status !== 503) continue;
    t.match(await response.json(), { detail: /database of the cluster/ });
    t.ok(response.headers.get('retry-after'));
    break;
  }
  t.equal(await stepsOf(node.client, threadId), count);
  await own.start();
  while ((await runOn(node.client, threadId, 'two').catch(() => null)) === null)
    await new Promise((resolve) => setTimeout(resolve, 100));
  t.ok((await stepsOf(node.client, threadId)) > count);
});

t.test('a node ends although the database is away, and starts again with its copy', async (t) => {
  const own = await TestPostgres.start(t);
  const url = await own.createDatabase();
  const folder = temporaryFolder(t);
  const node = await startNode(t, url, folder);
  const { thread_id: threadId } = await node.client.threads.create();
  await runOn(node.client, threadId, 'one');
  const count = await stepsOf(node.client, threadId);
  await own.stop('SIGQUIT');
  const unknown = node.client.threads.create().catch((error: unknown) => error);
  await node.close();
  t.ok((await unknown) instanceof Error);
  await own.start();
  const next = await startNode(t, url, folder);
  t.equal(await stepsOf(next.client, threadId), count);
});

t.test('a new node starts from a snapshot when the log before it is gone', async (t) => {
  const url = await postgres.createDatabase();
  lowerLimit(t, 'snapshotLogBytes', 1_000);
  const first = await startNode(t, url);
  const { thread_id: threadId } = await first.client.threads.create();
  await runOn(first.client, threadId, 'one');
  const count = await stepsOf(first.client, threadId);
  for (;;) {
    const { rows } = await postgres.query('SELECT index FROM threadmill.snapshot', url);
    if (rows.length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await runOn(first.client, threadId, 'two');
  await first.close();
  await postgres.query('DELETE FROM threadmill.log WHERE index < (SELECT min(index) FROM threadmill.snapshot)', url);
  const second = await startNode(t, url);
  t.equal(await stepsOf(second.client, threadId), 2 * count);
});

t.test('API keys are valid on every node', async (t) => {
  const url = await postgres.createDatabase();
  const first = await startNode(t, url);
  const made = (await (await first.post('/server/keys', { name: 'one' })).json()) as { key: string; key_id: string };
  const headers = { 'x-api-key': made.key };
  const other = (await (await first.post('/server/keys', { name: 'two' }, { headers })).json()) as typeof made;
  t.equal((await first.get('/server/keys')).status, 401);
  const revoked = await fetch(`${first.url}/server/keys/${other.key_id}`, { method: 'DELETE', headers });
  t.equal(revoked.status, 200);
  await first.close();

  const folder = temporaryFolder(t);
  const second = await startNode(t, url, folder);
  t.equal((await second.get('/server/keys')).status, 401, 'required from the start');
  t.equal((await second.get('/server/keys', { headers })).status, 200);
  t.equal((await second.get('/server/keys', { headers: { 'x-api-key': other.key } })).status, 401);
  const command = await cli(['keys', 'create', '--name', 'three', '--data', folder]);
  t.match(command, { code: 1, stderr: /belongs to a node of a cluster/ });
});

t.test('refuses a folder that is not its own', async (t) => {
  const folder = temporaryFolder(t);
  await (await testServer(t, { config, dataFolder: folder })).close();
  const url = await postgres.createDatabase();
  await t.rejects(startNode(t, url, folder), { code: 'CLUSTER_FOLDER' });
  const own = temporaryFolder(t);
  await (await startNode(t, url, own)).close();
  await t.rejects(startNode(t, await postgres.createDatabase(), own), { code: 'CLUSTER_FOLDER' });
  await t.rejects(testServer(t, { config, dataFolder: own }), { code: 'CLUSTER_FOLDER' }, 'nor without the cluster');
});

t.test('says what is wrong with the database', async (t) => {
  await t.rejects(startNode(t, 'postgres://postgres:secret@127.0.0.1:1/none'), {
    code: 'CLUSTER_DATABASE',
    message: /^(?!.*secret).*127\.0\.0\.1:1.*ECONNREFUSED/s,
  });
  await t.rejects(startNode(t, `postgres://postgres@127.0.0.1:${postgres.port}/missing`), {
    code: 'CLUSTER_DATABASE',
    message: /"missing" does not exist/,
  });
});

t.test('needs only a schema of its own in the database', async (t) => {
  const url = await postgres.createDatabase();
  await postgres.query('CREATE ROLE restricted LOGIN', url);
  const own = url.replace('postgres@', 'restricted@');
  await t.rejects(startNode(t, own), { code: 'CLUSTER_DATABASE', message: /permission denied/ });
  await postgres.query('CREATE SCHEMA threadmill AUTHORIZATION restricted', url);
  const node = await startNode(t, own);
  await node.client.threads.create();
});

t.test('the commands create a cluster and show its nodes', async (t) => {
  const url = await postgres.createDatabase();
  const env = { THREADMILL_CLUSTER: url, THREADMILL_CLUSTER_KEY: CLUSTER_KEY };
  t.match(await cli(['cluster', 'status'], env), { code: 1, stderr: /There is no cluster in .*cluster create/ });
  const created = await cli(['cluster', 'create'], env);
  t.match(created, { code: 0, stdout: /^Cluster \S+ is in .*synchronous_standby_names is empty.*fsync is off/s });
  t.match(await cli(['cluster', 'create', '--json'], env), { code: 0, stdout: /"machines":1/ });
  t.match(await cli(['cluster', 'status'], env), { code: 0, stdout: /Owner +none.*No node has joined/s });
  const node = await startNode(t, url);
  const status = await cli(['cluster', 'status', '--cluster', url, '--json']);
  t.match(JSON.parse(status.stdout), {
    epoch: 1,
    nodes: [{ role: 'owner', entries_behind: Number, address: /^127\.0\.0\.1:\d+$/ }],
  });
  t.match((await cli(['cluster', 'status'], env)).stdout, /Owner +\S+, in epoch 1/);
  const metrics = await (await node.get('/metrics')).text();
  for (const [name, value] of Object.entries({ epoch: '1', last_entry: '[1-9]', database_away: '0' }))
    t.match(metrics, new RegExp(`^threadmill_cluster_${name} ${value}`, 'm'));
  t.match(metrics, /^threadmill_cluster_append_seconds_count [1-9]/m);
  t.match(await cli(['cluster', 'status']), { code: 1, stderr: /--cluster or THREADMILL_CLUSTER/ });
});
