import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { startTestNode, type TestNode } from '../helpers/cluster.js';
import { postgresFolder, TestPostgres } from '../helpers/postgres.js';
import { configWith } from '../helpers/server.js';

const MiB = 1024 * 1024;
const config = configWith(t, 'echo');

/** A folder on a disk of its own, which has so much space. */
function smallDisk(t: Test, bytes: number): string {
  const folder = postgresFolder(t);
  const { uid, gid } = statSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},uid=${uid},gid=${gid},mode=700`, 'tmpfs', folder]);
  } catch (error) {
    throw new Error('This test needs a small disk: run it as root on Linux', { cause: error });
  }
  t.teardown(() => execFileSync('umount', ['--lazy', folder]));
  return folder;
}

/** Writes items until the database cannot take one. Returns the keys of those that were acknowledged. */
async function fill({ client }: TestNode, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for (;;) {
    const key = `${prefix}-${keys.length}`;
    try {
      await client.store.putItem(['disk'], key, { text: 'x'.repeat(200_000) }, { signal: AbortSignal.timeout(5_000) });
      keys.push(key);
    } catch {
      return keys;
    }
  }
}

t.test('a full disk of PostgreSQL loses nothing, and the owner goes on when there is space', async (t) => {
  const folder = smallDisk(t, 160 * MiB);
  const postgres = await TestPostgres.startInNew(t, folder, ['min_wal_size=32MB', 'max_wal_size=48MB']);
  const url = await postgres.createDatabase();
  const node = await startTestNode(t, { config, url });
  await node.owner;
  const before = await fill(node, 'before');
  t.ok(before.length > 10, `${before.length} acknowledged`);

  const { client } = node;
  t.match(await client.store.getItem(['disk'], before[0]!), { key: before[0] }, 'reads go on');
  const refused = await fetch(`${node.url}/threads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  t.equal(refused.status, 503);
  t.ok(refused.headers.get('retry-after'));
  await refused.body?.cancel();

  // More space, as when somebody removes other files.
  execFileSync('mount', ['-o', `remount,size=${400 * MiB}`, folder]);
  if (!postgres.isRunning) await postgres.start();
  while ((await client.threads.create().catch(() => null)) === null) await sleep(100);
  const after = 'after';
  await client.store.putItem(['disk'], after, {});

  const standby = await startTestNode(t, { config, url });
  await node.close();
  await standby.owner;
  const missing: string[] = [];
  for (const key of [...before, after])
    if ((await standby.client.store.getItem(['disk'], key).catch(() => null)) === null) missing.push(key);
  t.strictSame(missing, [], 'everything that was acknowledged is there');
});
