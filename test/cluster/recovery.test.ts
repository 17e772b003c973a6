import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { cli } from '../helpers/cli.js';
import { until } from '../helpers/cluster.js';
import { postgresFolder, runPostgresProgram, TestPostgres } from '../helpers/postgres.js';
import { configWith, temporaryFolder, testServer, type TestServer } from '../helpers/server.js';
import { CLUSTER_KEY } from '../helpers/suite-cluster.js';

const config = configWith(t, 'echo');

function startNode(t: Test, url: string, dataFolder = temporaryFolder(t)): Promise<TestServer> {
  return testServer(t, { config, dataFolder, flags: { cluster: url }, env: { THREADMILL_CLUSTER_KEY: CLUSTER_KEY } });
}

async function createThreads(node: TestServer, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) ids.push((await node.client.threads.create()).thread_id);
  return ids;
}

async function threadIds(node: TestServer): Promise<string[]> {
  return (await node.client.threads.search({ limit: 100 })).map(({ thread_id: id }) => id).toSorted();
}

/** The same database on another server. */
function onServer(url: string, { port }: TestPostgres): string {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
}

async function readValue(postgres: TestPostgres, statement: string): Promise<string> {
  const { rows } = await postgres.query(`SELECT (${statement})::text AS value`);
  return rows[0]!['value'] as string;
}

t.test('a cluster continues from a point-in-time recovery, and copies that are ahead are refused', async (t) => {
  const archive = postgresFolder(t);
  const postgres = await TestPostgres.start(t, ['archive_mode=on', `archive_command=cp %p ${archive}/%f`]);
  const url = await postgres.createDatabase();
  const folder = temporaryFolder(t);
  const first = await startNode(t, url, folder);
  const before = await createThreads(first, 3);

  const restored = postgresFolder(t);
  const data = join(restored, 'data');
  const source = ['-h', '127.0.0.1', '-p', String(postgres.port), '-U', 'postgres'];
  runPostgresProgram('pg_basebackup', [...source, '-D', data, '--checkpoint=fast']);
  const between = await createThreads(first, 3);
  const moment = await readValue(postgres, 'clock_timestamp()');
  const later = await createThreads(first, 3);
  await first.close();
  const last = await readValue(postgres, 'pg_walfile_name(pg_switch_wal())');
  await until(
    async () => (await readValue(postgres, "SELECT coalesce(last_archived_wal, '') FROM pg_stat_archiver")) >= last,
  );
  await postgres.stop();

  writeFileSync(join(data, 'recovery.signal'), '');
  const recovered = await TestPostgres.startIn(t, restored, [
    `restore_command=cp ${archive}/%f %p`,
    `recovery_target_time=${moment}`,
    'recovery_target_action=promote',
  ]);
  await until(async () => (await readValue(recovered, 'pg_is_in_recovery()')) === 'false');
  const recoveredUrl = onServer(url, recovered);
  await t.rejects(startNode(t, recoveredUrl, folder), { code: 'CLUSTER_COPY_AHEAD' });
  const second = await startNode(t, recoveredUrl);
  t.strictSame(await threadIds(second), [...before, ...between].toSorted());

  // The log has passed the end of the old copy, with other entries.
  await createThreads(second, later.length + 10);
  await second.close();
  await t.rejects(startNode(t, recoveredUrl, folder), { code: 'CLUSTER_COPY_AHEAD' });

  const file = join(temporaryFolder(t), 'changes.backup');
  t.match(await cli(['backup', file, '--data', folder]), { code: 0 });
  const alone = temporaryFolder(t);
  t.match(await cli(['restore', file, '--data', alone]), { code: 0 });
  const server = await testServer(t, { config, dataFolder: alone });
  t.strictSame(await threadIds(server), [...before, ...between, ...later].toSorted());
});

t.test('a dump that is restored into an empty database is the same cluster', async (t) => {
  const postgres = await TestPostgres.start(t);
  const url = await postgres.createDatabase();
  const folder = temporaryFolder(t);
  const first = await startNode(t, url, folder);
  const threads = await createThreads(first, 3);
  const backup = join(temporaryFolder(t), 'cluster.backup');
  t.match(await cli(['backup', backup, '--url', first.url]), { code: 0 });
  t.match(await cli(['restore', backup, '--data', temporaryFolder(t)]), { code: 0 });
  const file = join(postgresFolder(t), 'cluster.dump');
  runPostgresProgram('pg_dump', ['--schema=threadmill', '--format=custom', '--file', file, url]);
  await first.close();

  const restoredUrl = await postgres.createDatabase();
  runPostgresProgram('pg_restore', ['--dbname', restoredUrl, '--no-owner', '--exit-on-error', file]);
  const second = await startNode(t, restoredUrl);
  t.strictSame(await threadIds(second), threads.toSorted());
  await createThreads(second, 1);
});
