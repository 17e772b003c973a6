import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@langchain/langgraph-sdk';
import t, { type Test } from 'tap';
import { createKey, listKeys } from '../../src/store/access/api-keys.js';
import { PostgresLog } from '../../src/store/cluster/postgres/postgres-log.js';
import { Replica } from '../../src/store/cluster/replica.js';
import { cli } from '../helpers/cli.js';
import { fill, shown } from '../helpers/filled.js';
import { TestPostgres } from '../helpers/postgres.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';
import { CLUSTER_KEY } from '../helpers/suite-cluster.js';

const postgres = await TestPostgres.start(t);
const config = configWith(t, 'echo', 'approval');
const YEARLY = '0 0 1 1 *';

/** A server over a folder; a node of a cluster if `url` is given. */
function start(t: Test, dataFolder: string, env: Record<string, string> = {}, url?: string): Promise<TestServer> {
  return testServer(t, {
    config,
    dataFolder,
    ...(url === undefined
      ? { env }
      : { flags: { cluster: url }, env: { ...env, THREADMILL_CLUSTER_KEY: CLUSTER_KEY } }),
  });
}

function move(command: 'import' | 'export', folder: string, url: string, env: Record<string, string> = {}) {
  return cli(['cluster', command, '--data', folder, '--cluster', url], { THREADMILL_CLUSTER_KEY: CLUSTER_KEY, ...env });
}

interface Content {
  threadIds: string[];
  /** Waits for an answer. */
  interruptedId: string;
  cronId: string;
  /** A run that is due in an hour. */
  delayed: { threadId: string; runId: string };
  feedbackPath: string;
}

async function makeContent(server: TestServer): Promise<Content> {
  const { client } = server;
  const { threadIds } = await fill(server);
  const { thread_id: interruptedId } = await client.threads.create();
  await client.runs.wait(interruptedId, 'approval', { input: {} });
  const { cron_id: cronId } = (await client.crons.create('echo', { schedule: YEARLY, input: {} })) as unknown as {
    cron_id: string;
  };
  const { thread_id: threadId } = await client.threads.create();
  const { run_id: runId } = await client.runs.create(threadId, 'echo', {
    input: { text: 'late' },
    afterSeconds: 3_600,
  });
  const [run] = await client.runs.list(threadIds[0]!);
  const token = (await (
    await server.post('/api/v1/feedback/tokens', { run_id: run!.run_id, feedback_key: 'liked' })
  ).json()) as { url: string };
  return { threadIds, interruptedId, cronId, delayed: { threadId, runId }, feedbackPath: new URL(token.url).pathname };
}

/** The server as its clients with this key see it. */
function withKey(server: TestServer, key: string) {
  const client = new Client({ apiUrl: server.url, apiKey: key, callerOptions: { maxRetries: 0 } });
  return { client, url: server.url, headers: { 'x-api-key': key } };
}

async function contentOf(server: TestServer, key: string, { threadIds, ...made }: Content): Promise<string> {
  const { headers, ...seen } = withKey(server, key);
  const { client } = seen;
  const { threadId, runId } = made.delayed;
  return JSON.stringify([
    await shown(seen, threadIds, headers),
    await client.threads.getState(made.interruptedId),
    await (await fetch(`${server.url}/runs/crons/${made.cronId}`, { headers })).json(),
    await client.runs.get(threadId, runId),
  ]);
}

for (const isEncrypted of [false, true]) {
  t.test(`moves ${isEncrypted ? 'encrypted' : 'plain'} data into a cluster and back`, async (t) => {
    const env: Record<string, string> = isEncrypted
      ? { THREADMILL_ENCRYPTION_KEY: randomBytes(32).toString('hex') }
      : {};
    const folder = temporaryFolder(t);
    const first = await start(t, folder, env);
    const content = await makeContent(first);
    await first.close();
    const { key, text } = createKey(folder, { name: 'app' });
    const again = await start(t, folder, env);
    const before = await contentOf(again, text, content);
    await again.close();
    const url = await postgres.createDatabase();

    const imported = await move('import', folder, url, env);
    t.equal(imported.code, 0, imported.stderr);
    t.match(imported.stdout, /: \d+ records and 1 API keys \(.*\) are in cluster .*threadmill serve --cluster/s);
    t.notOk(existsSync(join(folder, 'lock')), 'the lock is given back');
    t.match(await move('import', folder, url, env), { code: 1, stderr: /has data already/ });

    const node = await start(t, temporaryFolder(t), env, url);
    t.equal((await node.get('/threads')).status, 401, 'API keys are required');
    t.equal(await contentOf(node, text, content), before);
    const { client } = withKey(node, text);
    await client.runs.wait(content.interruptedId, 'approval', { command: { resume: 'yes' } });
    t.equal((await fetch(`${node.url}${content.feedbackPath}?score=1`)).status, 200, 'feedback tokens stay valid');
    await client.store.putItem(['notes', 'later'], 'key', { text: 'of the cluster' });
    const changed = await contentOf(node, text, content);

    const target = join(temporaryFolder(t), 'exported');
    const exported = await move('export', target, url, env);
    t.equal(exported.code, 0, exported.stderr);
    t.match(exported.stdout, /: \d+ records and 1 API keys of cluster .* up to entry \d+/);
    t.strictSame(readdirSync(target).toSorted(), ['data.mdb', 'keys', 'seal.key']);
    t.equal(readFileSync(join(target, 'seal.key'), 'utf8'), readFileSync(join(folder, 'seal.key'), 'utf8'));
    t.strictSame(
      listKeys(target, () => undefined).map(({ keyId }) => keyId),
      [key.keyId],
    );
    t.strictSame((await (await fetch(`${node.url}/ok`)).json()) as unknown, { ok: true }, 'the node goes on');
    await node.close();

    const check = await cli(['doctor', '--store', '--data', target], env);
    t.match(check, { code: 0, stdout: /no problems/ });
    const last = await start(t, target, env);
    t.equal(await contentOf(last, text, content), changed);
    t.equal((await fetch(`${last.url}${content.feedbackPath}?score=0`)).status, 200);
    const { client: lastClient } = withKey(last, text);
    await lastClient.runs.wait(content.interruptedId, 'approval', { command: { resume: 'yes' } });
    await lastClient.runs.cancel(content.delayed.threadId, content.delayed.runId);
    await last.close();

    const empty = temporaryFolder(t);
    const offline = await cli(['cluster', 'export', '--data', empty, '--cluster', url, '--json'], {
      THREADMILL_CLUSTER_KEY: CLUSTER_KEY,
      ...env,
    });
    t.equal(offline.code, 0, 'also into an empty folder, and while no node runs');
    t.match(JSON.parse(offline.stdout), { last_entry: Number, api_keys: 1 });
    if (!isEncrypted) return;
    const missing = join(temporaryFolder(t), 'missing');
    t.match(await move('export', missing, url), { code: 1, stderr: /is encrypted/ });
    t.match(await move('export', missing, url, { THREADMILL_ENCRYPTION_KEY: randomBytes(32).toString('hex') }), {
      code: 1,
      stderr: /encrypted with a different key/,
    });
    t.strictSame(readdirSync(join(missing, '..')), [], 'nothing is left');
    t.match(await move('import', folder, await postgres.createDatabase()), { code: 1, stderr: /is encrypted/ });
  });
}

t.test('refuses what it cannot move, and changes nothing', async (t) => {
  const folder = temporaryFolder(t);
  const server = await start(t, folder);
  const { cronId } = await makeContent(server);
  const url = await postgres.createDatabase();
  t.match(await move('import', folder, url), { code: 1, stderr: /is in use by another threadmill process/ });
  await server.close();

  t.match(await move('import', temporaryFolder(t), url), { code: 1, stderr: /data\.mdb does not exist/ });
  const otherKey = { THREADMILL_CLUSTER_KEY: randomBytes(32).toString('hex') };
  t.match(await move('import', folder, url, otherKey), { code: 1, stderr: /different THREADMILL_CLUSTER_KEY/ });
  t.match(await cli(['cluster', 'import', '--data', folder, '--cluster', url]), {
    code: 1,
    stderr: /THREADMILL_CLUSTER_KEY: must be set/,
  });
  const sealed = await move('import', folder, url, { THREADMILL_SEAL_KEY: 'another' });
  t.match(sealed, { code: 1, stderr: /does not open the callers of 2 unfinished runs and crons: / });
  t.match(sealed.stderr, `cron ${cronId}`);
  const { rows } = await postgres.query('SELECT FROM threadmill.snapshot_chunk', url);
  t.equal(rows.length, 0, 'nothing is left in the database');

  t.match(await move('export', join(folder, 'new'), await postgres.createDatabase()), {
    code: 1,
    stderr: /There is no cluster in/,
  });
  t.match(await move('export', folder, url), { code: 1, stderr: /is not empty/ });
  t.match(await move('export', join(folder, 'new'), url, otherKey), {
    code: 1,
    stderr: /different THREADMILL_CLUSTER_KEY/,
  });
  t.notOk(existsSync(join(folder, 'new')));
  t.equal((await move('import', folder, url)).code, 0, 'then the cluster is still empty');
});

t.test('an export that was killed does not stop the next one, and a copy is not imported', async (t) => {
  const url = await postgres.createDatabase();
  const copy = temporaryFolder(t);
  const node = await start(t, copy, {}, url);
  await node.client.threads.create();
  await node.close();
  t.match(await move('import', copy, await postgres.createDatabase()), { code: 1, stderr: /copy of a cluster's data/ });
  const target = join(temporaryFolder(t), 'data');
  cpSync(copy, `${target}.exporting`, { recursive: true });
  t.equal((await move('export', target, url)).code, 0);
  t.notOk(existsSync(`${target}.exporting`));
  const other = join(temporaryFolder(t), 'data');
  mkdirSync(`${other}.exporting`);
  writeFileSync(join(`${other}.exporting`, 'mine'), '');
  t.match(await move('export', other, url), { code: 1, stderr: /data\.exporting is not empty/ });
  t.ok(existsSync(join(`${other}.exporting`, 'mine')));
});

t.test('a node with a copy of the empty log loads the imported data', async (t) => {
  const url = await postgres.createDatabase();
  const env = { THREADMILL_CLUSTER_KEY: CLUSTER_KEY };
  const created = await cli(['cluster', 'create', '--cluster', url, '--json'], env);
  const { cluster_id: clusterId } = JSON.parse(created.stdout) as { cluster_id: string };
  const copy = temporaryFolder(t);
  const log = new PostgresLog(url, () => undefined);
  const replica = await Replica.open(copy, { clusterId, log, findSnapshot: () => Promise.resolve(null) });
  t.equal(replica.position.index, 0);
  await replica.close();
  await log.close();

  const folder = temporaryFolder(t);
  const server = await start(t, folder);
  const { thread_id: threadId } = await server.client.threads.create();
  await server.close();
  await postgres.query(
    `INSERT INTO threadmill.node (node_id, name, version, store_format, beat, applied, loading, workers, runs, is_drained)
     VALUES (gen_random_uuid(), 'starting', '0', 4, 1, 0, true, 0, 0, false)`,
    url,
  );
  t.match(await move('import', folder, url), { code: 1, stderr: /has nodes that are running/ });
  await postgres.query('DELETE FROM threadmill.node', url);
  t.equal((await move('import', folder, url)).code, 0);
  const node = await start(t, copy, {}, url);
  t.equal((await node.client.threads.get(threadId)).thread_id, threadId);
});

t.test('upgrades a folder of an earlier format first', async (t) => {
  const folder = temporaryFolder(t);
  cpSync(join(import.meta.dirname, '../../../test/store/saved/0.2.0'), folder, { recursive: true });
  const url = await postgres.createDatabase();
  const imported = await move('import', folder, url);
  t.equal(imported.code, 0, imported.stderr);
  t.match(imported.stderr, /has format 2 and is upgraded first/);
});
