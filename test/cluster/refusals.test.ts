import { createServer, type AddressInfo } from 'node:net';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { databaseError, PostgresConnection } from '../../src/store/cluster/postgres/connection.js';
import { readDurability } from '../../src/store/cluster/postgres/durability.js';
import { openTables, TABLES_VERSION } from '../../src/store/cluster/postgres/schema.js';
import { cli } from '../helpers/cli.js';
import { startChildNode, startTestCluster, startTestNode, until, type TestNode } from '../helpers/cluster.js';
import { lowerLimit } from '../helpers/limits.js';
import { postgresFolder, runPostgresProgram, TestPostgres } from '../helpers/postgres.js';
import { configWith, temporaryFolder } from '../helpers/server.js';
import { CLUSTER_KEY } from '../helpers/suite-cluster.js';

const postgres = await TestPostgres.start(t);
const config = configWith(t, 'echo', 'ticker');
const FINGERPRINT = 'f'.repeat(32);

function connect(t: Test, url: string): PostgresConnection {
  const connection = new PostgresConnection(url, { name: 'threadmill test' });
  t.teardown(() => connection.close());
  return connection;
}

function create(url: string, key = CLUSTER_KEY) {
  return cli(['cluster', 'create', '--cluster', url], { THREADMILL_CLUSTER_KEY: key });
}

async function hasSchema(url: string): Promise<boolean> {
  const { rows } = await postgres.query(`SELECT to_regnamespace('threadmill') IS NOT NULL AS found`, url);
  return (rows[0] as { found: boolean }).found;
}

t.test('names a database that cannot be reached, and the reason', async (t) => {
  t.match(await create('postgres://me:secret@no-such-host.invalid/db'), {
    code: 1,
    stderr: /^(?!.*secret).*no-such-host\.invalid\/db, cannot be used: .*ENOTFOUND|EAI_AGAIN/s,
  });
  t.match(await create('postgres://me@127.0.0.1:1/db'), { code: 1, stderr: /127\.0\.0\.1:1\/db.*ECONNREFUSED/ });
  const both = new AggregateError([
    new Error('connect ECONNREFUSED ::1:1'),
    new Error('connect ECONNREFUSED 127.0.0.1:1'),
  ]);
  t.match(databaseError('postgres://localhost:1/db', both), {
    code: 'CLUSTER_DATABASE',
    message: /ECONNREFUSED ::1:1; connect ECONNREFUSED 127/,
  });

  lowerLimit(t, 'clusterConnectMs', 300);
  const silent = createServer();
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.teardown(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  t.match(await create(`postgres://me@127.0.0.1:${port}/db`), { code: 1, stderr: /nothing answered within/ });
});

t.test('refuses an older PostgreSQL and creates nothing', async (t) => {
  const url = await postgres.createDatabase();
  await t.rejects(openTables(connect(t, url), FINGERPRINT, { oldest: 990_000 }), {
    code: 'CLUSTER_FORMAT',
    message: /its PostgreSQL has version 1\d.*, and 99 or newer is required.*Nothing was changed/,
  });
  t.notOk(await hasSchema(url));
  await openTables(connect(t, url), FINGERPRINT, { oldest: 150_000 });
  t.ok(await hasSchema(url));
});

t.test('refuses a standby of PostgreSQL', async (t) => {
  const folder = postgresFolder(t);
  const url = await postgres.createDatabase();
  const source = ['-h', '127.0.0.1', '-p', String(postgres.port), '-U', 'postgres'];
  runPostgresProgram('pg_basebackup', [...source, '-D', join(folder, 'data'), '--checkpoint=fast']);
  writeFileSync(join(folder, 'data', 'standby.signal'), '');
  const standby = await TestPostgres.startIn(t, folder);
  t.match(await create(url.replace(`:${postgres.port}/`, `:${standby.port}/`)), {
    code: 1,
    stderr: /is a standby of PostgreSQL, which accepts no changes\. Name the primary/,
  });
});

t.test('warns of settings with which acknowledged changes can be lost', async (t) => {
  const unsafe = await TestPostgres.start(t, ['full_page_writes=off', 'synchronous_commit=off']);
  const url = await unsafe.createDatabase();
  t.match(await create(url), {
    code: 0,
    stdout: /Warning: fsync is off: .*Warning: full_page_writes is off: /s,
  });
  const safe = await TestPostgres.start(t, ['fsync=on']);
  const durability = await readDurability(connect(t, await safe.createDatabase()));
  t.match(durability, { machines: 1, problems: [] });
});

t.test('waits for the synchronous standby although synchronous_commit is off', async (t) => {
  const own = await TestPostgres.start(t, ['synchronous_commit=off']);
  const url = await own.createDatabase();
  const [node] = await startTestCluster(t, 1, { config, url });
  await own.query(`ALTER SYSTEM SET synchronous_standby_names = 'none'`);
  await own.query('SELECT pg_reload_conf()');
  // With a standby that never answers, a change that waits for it is not acknowledged.
  await until(async () => {
    const { rows } = await own.query(`SHOW synchronous_standby_names`);
    return (rows[0] as Record<string, string>)['synchronous_standby_names'] === 'none';
  });
  let isAcknowledged = false;
  const created = node!.client.threads.create().then(() => (isAcknowledged = true));
  await until(async () => {
    const { rows } = await own.query(`SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
    return rows.length > 0;
  });
  t.notOk(isAcknowledged);
  await own.query('ALTER SYSTEM RESET synchronous_standby_names');
  await own.query('SELECT pg_reload_conf()');
  t.ok(await created);
});

t.test('refuses tables and records of another release', async (t) => {
  const url = await postgres.createDatabase();
  await openTables(connect(t, url), FINGERPRINT);
  const open = () => openTables(connect(t, url), FINGERPRINT);
  await postgres.query('UPDATE threadmill.cluster SET tables_version = 99', url);
  await t.rejects(open(), { code: 'CLUSTER_FORMAT', message: /its tables have version 99, and this release knows/ });
  await postgres.query(`UPDATE threadmill.cluster SET tables_version = ${TABLES_VERSION}, store_format = 99`, url);
  await t.rejects(open(), { code: 'CLUSTER_FORMAT', message: /its records have format 99, and this release knows/ });
});

t.test('a second cluster does not come into the same schema', async (t) => {
  const url = await postgres.createDatabase();
  const [node] = await startTestCluster(t, 1, { config, url });
  const { thread_id: threadId } = await node!.client.threads.create();
  const otherKey = 'ff'.repeat(32);
  t.match(await create(url, otherKey), { code: 1, stderr: /different THREADMILL_CLUSTER_KEY.*Nothing was changed/ });
  await t.rejects(startTestNode(t, { config, url, env: { THREADMILL_CLUSTER_KEY: otherKey } }), {
    code: 'CLUSTER_KEY_WRONG',
  });
  t.ok(await node!.client.threads.get(threadId));
  const { rows } = await postgres.query('SELECT name FROM threadmill.node', url);
  t.equal(rows.length, 1);
  await t.rejects(startTestNode(t, { config, url, env: { THREADMILL_CLUSTER_KEY: '' } }), { code: 'CONFIG_INVALID' });
});

t.test('a node whose clock differs by more than 250 ms does not become the owner', async (t) => {
  const url = await postgres.createDatabase();
  const realNow = Date.now;
  t.teardown(() => (Date.now = realNow));
  Date.now = () => realNow() + 1_000;
  // The port is open, although there is no owner.
  const node = await startTestNode(t, { config, url });
  t.notOk(node.isOwner());
  const { rows } = await postgres.query('SELECT owner FROM threadmill.shard', url);
  t.strictSame(rows, [{ owner: null }]);
  Date.now = realNow;
  await node.owner;
  t.ok(await node.client.threads.create());
});

interface Ticking {
  threadId: string;
  runId: string;
  open: () => void;
}

/** A run that executes until its gate opens. */
async function startTicking(t: Test, { client }: Pick<TestNode, 'client'>): Promise<Ticking> {
  const gate = join(temporaryFolder(t), 'gate');
  const { thread_id: threadId } = await client.threads.create();
  const { run_id: runId } = await client.runs.create(threadId, 'ticker', { input: { gate } });
  await until(() => existsSync(`${gate}.reached`));
  return { threadId, runId, open: () => writeFileSync(gate, '') };
}

async function why({ url }: TestNode, { threadId, runId }: Ticking): Promise<{ reason: string; attempt: number }> {
  const response = await fetch(`${url}/threads/${threadId}/runs/${runId}/why`);
  return (await response.json()) as { reason: string; attempt: number };
}

t.test('while the database is away, every node answers reads, changes get 503, and runs wait and go on', async (t) => {
  const own = await TestPostgres.start(t);
  const url = await own.createDatabase();
  const [owner, standby] = await startTestCluster(t, 2, { config, url });
  const nodes = [owner!, standby!];
  const { thread_id: threadId } = await owner!.client.threads.create({ metadata: { a: 'b' } });
  const runs = [await startTicking(t, owner!), await startTicking(t, owner!)];

  await own.stop('SIGQUIT');
  for (const node of nodes) {
    let refused: Response | null = null;
    await until(async () => {
      refused = await fetch(`${node.url}/threads`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
        signal: AbortSignal.timeout(2_000),
      }).catch(() => null);
      return refused?.status === 503;
    });
    t.match(await refused!.json(), { detail: /database of the cluster/ });
    t.ok(refused!.headers.get('retry-after'));
    t.match(await node.client.threads.get(threadId), { metadata: { a: 'b' } });
  }
  // They end, and cannot store that.
  for (const run of runs) run.open();
  for (const run of runs) t.match(await why(standby!, run), { reason: 'running', attempt: 1 });
  await own.start();
  for (const { threadId: id, runId } of runs) {
    await until(async () => {
      const run = await owner!.client.runs.get(id, runId).catch(() => null);
      return run?.status === 'success';
    });
    t.match(await owner!.client.threads.getState(id), { values: { ticks: Number } });
  }
  for (const run of runs) t.match(await why(owner!, run), { reason: 'ended', attempt: 1 }, 'no attempt is used up');
  t.ok(owner!.isOwner());
});

t.test('runs of a graph that the next owner does not have wait for a node that has it', async (t) => {
  const url = await postgres.createDatabase();
  const first = await startChildNode(t, { config, url, env: { THREADMILL_NODE_NAME: 'a' } });
  const next = await startTestNode(t, { config: configWith(t, 'echo'), url, env: { THREADMILL_NODE_NAME: 'b' } });
  const run = await startTicking(t, first);
  await first.kill('SIGKILL');
  await until(() => next.isOwner());
  await until(async () => (await why(next, run)).reason === 'workers');
  t.match(await why(next, run), { message: /No node of the cluster .* has the graph ticker/ });
  t.ok(await next.client.runs.wait(null, 'echo', { input: { text: 'x' } }), 'runs of other graphs pass it');
  await startTestNode(t, { config, url, env: { THREADMILL_NODE_NAME: 'c' } });
  run.open();
  t.match(await next.client.runs.join(run.threadId, run.runId), { ticks: Number });
});
