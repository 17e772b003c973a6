import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@langchain/langgraph-sdk';
import t, { type Test } from 'tap';
import type { ChildServer } from '../helpers/child-server.js';
import { cli } from '../helpers/cli.js';
import { startChildNode, startTestNode, until } from '../helpers/cluster.js';
import { CutProxy } from '../helpers/cut-proxy.js';
import { lowerLimit } from '../helpers/limits.js';
import { postgresFolder, runPostgresProgram, TestPostgres } from '../helpers/postgres.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';
import { CLUSTER_KEY } from '../helpers/suite-cluster.js';

const config = configWith(t, 'echo');
const postgres = await TestPostgres.start(t);

function startNode(t: Test, url: string, dataFolder: string): Promise<TestServer> {
  return testServer(t, { config, dataFolder, flags: { cluster: url }, env: { THREADMILL_CLUSTER_KEY: CLUSTER_KEY } });
}

async function createThreads({ client }: { client: Client }, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) ids.push((await client.threads.create()).thread_id);
  return ids;
}

async function threadIds({ client }: { client: Client }): Promise<string[]> {
  return (await client.threads.search({ limit: 100 })).map(({ thread_id: id }) => id).toSorted();
}

function refill(url: string, folder: string, key = CLUSTER_KEY) {
  return cli(['cluster', 'refill', '--data', folder], { THREADMILL_CLUSTER: url, THREADMILL_CLUSTER_KEY: key });
}

async function log(url: string): Promise<string[]> {
  const { rows } = await postgres.query(
    `SELECT index || ' ' || hash::text || ' ' || (SELECT epoch FROM threadmill.shard) AS text FROM threadmill.log
     ORDER BY index`,
    url,
  );
  return rows.map((row: { text: string }) => row.text);
}

/** A cluster without nodes, whose database has lost the newest entries. */
async function loseEntries(t: Test, { lost = 3 } = {}): Promise<{ url: string; folder: string; threads: string[] }> {
  const url = await postgres.createDatabase();
  const folder = temporaryFolder(t);
  const node = await startNode(t, url, folder);
  const threads = await createThreads(node, 6);
  await node.close();
  await postgres.query(
    `DELETE FROM threadmill.log WHERE index > (SELECT max(index) - ${lost} FROM threadmill.log)`,
    url,
  );
  return { url, folder, threads: threads.toSorted() };
}

/** An asynchronous standby of PostgreSQL, which is not running. */
async function createStandby(t: Test, primary: TestPostgres): Promise<{ folder: string; settings: string[] }> {
  const folder = postgresFolder(t);
  const source = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', 'postgres'];
  runPostgresProgram('pg_basebackup', [...source, '-D', join(folder, 'data'), '--checkpoint=fast']);
  writeFileSync(join(folder, 'data', 'standby.signal'), '');
  return { folder, settings: [`primary_conninfo=host=127.0.0.1 port=${primary.port} user=postgres`] };
}

function childNode(t: Test, url: string, dataFolder: string): Promise<ChildServer> {
  return startChildNode(t, { config, url, dataFolder, env: { LOG_LEVEL: 'fatal' } });
}

t.test('no change is lost with an asynchronous standby that is promoted, after a refill', async (t) => {
  const primary = await TestPostgres.start(t);
  const proxy = await CutProxy.to(t, primary.port);
  const url = (await primary.createDatabase()).replace(`:${primary.port}/`, `:${proxy.port}/`);
  const [ownerFolder, standbyFolder] = [temporaryFolder(t), temporaryFolder(t)];
  const owner = await childNode(t, url, ownerFolder);
  const node = await startTestNode(t, { config, url, dataFolder: standbyFolder });
  const first = await createThreads(owner, 3);
  const standby = await createStandby(t, primary);
  const later = await createThreads(owner, 3);
  await until(async () => {
    const { stdout } = await cli(['cluster', 'status', '--json', '--cluster', url]);
    return (JSON.parse(stdout) as { nodes: { entries_behind: number }[] }).nodes.every(
      (one) => one.entries_behind === 0,
    );
  });

  await primary.stop('SIGQUIT');
  const promoted = await TestPostgres.startIn(t, standby.folder, standby.settings);
  await promoted.query('SELECT pg_promote()');
  proxy.target = promoted.port;
  await t.rejects(node.owner, { code: 'CLUSTER_COPY_AHEAD' }, 'a node does not take over with a copy that is ahead');
  const write = owner.client.threads.create().catch((error: unknown) => error);
  t.equal(await owner.exited, '75', 'the owner ends');
  t.ok((await write) instanceof Error, 'what it could not append is not acknowledged');
  await t.rejects(startNode(t, url, ownerFolder), { code: 'CLUSTER_COPY_AHEAD', message: /cluster refill/ });

  const filled = await refill(url, ownerFolder);
  t.match(filled, { code: 0, stdout: /^\d+ entries of .* were appended.*Start the nodes/ });
  const nodes = [await startNode(t, url, standbyFolder)];
  t.strictSame(await threadIds(nodes[0]!), [...first, ...later].toSorted());
  await createThreads(nodes[0]!, 1);
  await nodes[0]!.close();
  t.equal((await threadIds(await startNode(t, url, ownerFolder))).length, 7);
});

t.test('appends nothing when the log has all entries', async (t) => {
  const { url, folder } = await loseEntries(t, { lost: 0 });
  const before = await log(url);
  t.match(await refill(url, folder), { code: 0, stdout: /has all entries of .*nothing was appended/ });
  t.strictSame(await log(url), before);
});

t.test('raises the epoch, so that no earlier owner can append', async (t) => {
  const { url, folder, threads } = await loseEntries(t);
  // The ownership of the entries is lost too.
  await postgres.query('UPDATE threadmill.shard SET epoch = 0', url);
  t.match(await refill(url, folder), { code: 0, stdout: /^3 entries/ });
  const { rows } = await postgres.query('SELECT epoch, owner FROM threadmill.shard', url);
  t.strictSame(rows, [{ epoch: '2', owner: null }]);
  t.strictSame(await threadIds(await startNode(t, url, folder)), threads);
});

t.test('works although the copy itself is not usable after a failure of the machine', async (t) => {
  const { url, folder, threads } = await loseEntries(t);
  const file = join(folder, 'replica.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), openUnder: 'an earlier start' }));
  await t.rejects(startNode(t, url, folder), { code: 'CLUSTER_COPY_AHEAD' }, 'the entries are kept');
  t.match(await refill(url, folder), { code: 0 });
  t.strictSame(await threadIds(await startNode(t, url, folder)), threads);
});

t.test('refuses entries that do not continue the log, and changes nothing', async (t) => {
  const refuse = async (t: Test, url: string, folder: string, stderr: RegExp): Promise<void> => {
    const before = await log(url);
    t.match(await refill(url, folder), { code: 1, stderr });
    t.strictSame(await log(url), before);
    const { rows } = await postgres.query('SELECT FROM threadmill.snapshot_chunk', url);
    t.equal(rows.length, 0);
  };

  await t.test('a node has gone on', async (t) => {
    const { url, folder } = await loseEntries(t);
    const other = await startNode(t, url, temporaryFolder(t));
    await createThreads(other, 1);
    await other.close();
    await refuse(t, url, folder, /does not follow entry \d+ of the log.*Nothing was changed/);
    const longer = await startNode(t, url, temporaryFolder(t));
    await createThreads(longer, 5);
    await longer.close();
    await refuse(t, url, folder, /another entry has number \d+ in the log.*Nothing was changed/);
  });

  await t.test('older entries are not kept any more', async (t) => {
    lowerLimit(t, 'tailFileBytes', 1);
    lowerLimit(t, 'tailBytes', 1);
    const { url, folder } = await loseEntries(t, { lost: 5 });
    t.ok(readdirSync(join(folder, 'tail')).length <= 2);
    await refuse(t, url, folder, /the folder keeps entries from \d+ on.*missing/);
  });

  await t.test('the kept entries are missing or damaged', async (t) => {
    const { url, folder } = await loseEntries(t);
    const [name] = readdirSync(join(folder, 'tail'));
    const file = join(folder, 'tail', name!);
    const bytes = readFileSync(file);
    const damaged = Buffer.from(bytes);
    damaged[damaged.byteLength - 1]! ^= 1;
    writeFileSync(file, damaged);
    await refuse(t, url, folder, /entry \d+ of the folder is damaged/);
    writeFileSync(file, bytes.subarray(0, -1));
    await refuse(t, url, folder, /entry \d+ is in the copy, but not among the entries/);
    rmSync(join(folder, 'tail'), { recursive: true });
    await refuse(t, url, folder, /entry \d+ is in the copy, but not among the entries/);
  });

  await t.test('the folder is in use, or is not one of this cluster', async (t) => {
    const { url, folder } = await loseEntries(t, { lost: 0 });
    const node = await startNode(t, url, folder);
    await refuse(t, url, folder, /in use by another threadmill process/);
    await node.close();
    const alone = temporaryFolder(t);
    await (await testServer(t, { config, dataFolder: alone })).close();
    await refuse(t, url, alone, /contains no copy of a cluster's data/);
    const { folder: foreign } = await loseEntries(t);
    await refuse(t, url, foreign, /contains a copy of another cluster/);
    t.match(await refill(url, folder, 'f'.repeat(64)), { code: 1, stderr: /different THREADMILL_CLUSTER_KEY/ });
    t.match(await refill(url, join(folder, 'none')), { code: 1, stderr: /does not exist.*--data/ });
  });
});
