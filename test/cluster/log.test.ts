import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { LogEntry, LogPosition } from '../../src/store/cluster/commit-log.js';
import { createEntry, LOG_START, operationsOf } from '../../src/store/cluster/entry.js';
import { PostgresConnection, PreparedStatement } from '../../src/store/cluster/postgres/connection.js';
import { Membership } from '../../src/store/cluster/postgres/membership.js';
import { PostgresLog } from '../../src/store/cluster/postgres/postgres-log.js';
import { openTables, PARTITION_ENTRIES } from '../../src/store/cluster/postgres/schema.js';
import { CutProxy } from '../helpers/cut-proxy.js';
import { TestPostgres } from '../helpers/postgres.js';

const postgres = await TestPostgres.start(t);
const FINGERPRINT = 'f'.repeat(32);

/** A new cluster whose owner is a node of the test, in epoch 1. */
async function openCluster(t: Test) {
  const url = await postgres.createDatabase();
  const control = new PostgresConnection(url, { name: 'threadmill test' });
  await openTables(control, FINGERPRINT);
  const join = async (name: string): Promise<Membership> => {
    const membership = new Membership(control, { nodeId: randomUUID(), name, version: '0' });
    await membership.beat(0);
    return membership;
  };
  const owner = await join('owner');
  t.equal(await owner.takeOver(0), 1);
  t.teardown(() => control.close());
  return { url, control, owner, join };
}

function openLog(t: Test, url: string): { log: PostgresLog; troubles: string[] } {
  const troubles: string[] = [];
  const log = new PostgresLog(url, (error) => troubles.push(error.message));
  t.teardown(() => log.close());
  return { log, troubles };
}

function entryAfter(previous: LogPosition, name: string, epoch = 1): LogEntry {
  return createEntry([[['t', name], Buffer.from(name)]], previous, epoch);
}

t.test('appends entries in a chain and reads them back', async (t) => {
  const { url } = await openCluster(t);
  const { log, troubles } = openLog(t, url);
  const first = entryAfter(LOG_START, 'one');
  const second = entryAfter(first, 'two');
  t.equal(await log.append(first, LOG_START), 'appended');
  t.equal(await log.append(second, first), 'appended');
  const entries = await log.read(0, 1_000_000);
  t.same(
    entries.map(({ index, epoch, entryId }) => ({ index, epoch, entryId })),
    [first, second].map(({ index, epoch, entryId }) => ({ index, epoch, entryId })),
  );
  t.same(operationsOf(entries[0]!, LOG_START), [[['t', 'one'], Buffer.from('one')]]);
  t.same(operationsOf(entries[1]!, entries[0]!), [[['t', 'two'], Buffer.from('two')]]);
  t.throws(() => operationsOf(entries[1]!, LOG_START), { code: 'CLUSTER_LOG_DAMAGED' });
  t.equal((await log.read(0, 1)).length, 1, 'at least one');
  t.equal((await log.read(1, 1_000)).length, 1);
  t.strictSame(await log.read(2, 1_000), []);
  t.strictSame(troubles, []);
});

t.test('notices entries that were changed', async (t) => {
  const { url } = await openCluster(t);
  const { log } = openLog(t, url);
  await log.append(entryAfter(LOG_START, 'one'), LOG_START);
  await postgres.query(`UPDATE threadmill.log SET body = body || '\\x00' WHERE index = 1`, url);
  const [entry] = await log.read(0, 1_000);
  t.throws(() => operationsOf(entry!, LOG_START), { code: 'CLUSTER_LOG_DAMAGED' });
});

t.test('refuses every append of an earlier owner', async (t) => {
  const { url, join } = await openCluster(t);
  const { log } = openLog(t, url);
  const first = entryAfter(LOG_START, 'one');
  await log.append(first, LOG_START);
  const other = await join('other');
  t.equal(await other.takeOver(0), null, 'not with an old epoch');
  t.equal(await other.takeOver(1), 2);
  t.equal(await log.append(entryAfter(first, 'two'), first), 'fenced');
  const own = entryAfter(first, 'two', 2);
  t.equal(await openLog(t, url).log.append(own, first), 'appended');
  t.equal((await log.read(1, 1_000)).length, 1);
});

t.test('an append that waits during a takeover does not happen', async (t) => {
  const { url, join } = await openCluster(t);
  const { log } = openLog(t, url);
  // A transaction that holds the row of the shard, as a takeover does for a moment.
  const holder = new PostgresConnection(url, { name: 'threadmill holder' });
  t.teardown(() => holder.close());
  await holder.query('BEGIN');
  await holder.query('SELECT FROM threadmill.shard FOR UPDATE');
  await holder.query('UPDATE threadmill.shard SET epoch = 2');
  const append = log.append(entryAfter(LOG_START, 'late'), LOG_START);
  await waitUntil(async () => (await postgres.query(WAITING)).rows.length > 0);
  await holder.query('COMMIT');
  t.equal(await append, 'fenced');
  t.strictSame(await log.read(0, 1_000), []);
  t.equal(await (await join('other')).takeOver(2), 3);
});

const WAITING = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`;

async function waitUntil(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10));
}

t.test('an append whose answer is lost happens once', async (t) => {
  const { url } = await openCluster(t);
  const proxy = await CutProxy.to(t, postgres.port);
  const { log, troubles } = openLog(t, url.replace(String(postgres.port), String(proxy.port)));
  let previous: LogPosition = LOG_START;
  for (let count = 0; count < 10; count += 1) {
    const entry = entryAfter(previous, `entry ${count}`);
    let isLost = count % 2 === 0;
    proxy.onResponse = (bytes) => {
      // The end of the INSERT, as the protocol names it.
      if (!isLost || !bytes.includes('INSERT 0 1')) return 'pass';
      isLost = false;
      return 'lose';
    };
    t.equal(await log.append(entry, previous), 'appended');
    previous = entry;
  }
  t.equal(troubles.length, 5);
  t.ok(log.isReachable);
  t.equal((await log.read(0, 1_000_000)).length, 10);
});

t.test('an append that never reached the database is repeated', async (t) => {
  const { url } = await openCluster(t);
  const proxy = await CutProxy.to(t, postgres.port);
  const { log, troubles } = openLog(t, url.replace(String(postgres.port), String(proxy.port)));
  let isLost = true;
  proxy.onRequest = (bytes) => {
    if (!isLost || !bytes.includes('INSERT INTO')) return 'pass';
    isLost = false;
    return 'lose';
  };
  t.equal(await log.append(entryAfter(LOG_START, 'one'), LOG_START), 'appended');
  t.equal(troubles.length, 1);
  t.equal((await log.read(0, 1_000)).length, 1);
});

t.test('an append waits while the database is away', async (t) => {
  const own = await TestPostgres.start(t);
  const url = await own.createDatabase();
  const control = new PostgresConnection(url, { name: 'threadmill test' });
  t.teardown(() => control.close());
  await openTables(control, FINGERPRINT);
  await new Membership(control, { nodeId: randomUUID(), name: 'owner', version: '0' }).takeOver(0);
  const { log, troubles } = openLog(t, url);
  const first = entryAfter(LOG_START, 'one');
  await log.append(first, LOG_START);
  await own.stop('SIGQUIT');
  const append = log.append(entryAfter(first, 'two'), first);
  await waitUntil(() => Promise.resolve(troubles.length > 2));
  t.notOk(log.isReachable);
  await own.start();
  t.equal(await append, 'appended');
  t.ok(log.isReachable);
});

t.test('appends behind a pooler that does not keep prepared statements', async (t) => {
  const { url } = await openCluster(t);
  const statement = new PreparedStatement('SELECT $1::int + 1 AS sum');
  for (const change of ['DEALLOCATE ALL', `DEALLOCATE ALL; PREPARE ${statement.name} AS SELECT 'of another client'`]) {
    const connection = new PostgresConnection(url, { name: 'threadmill test' });
    t.teardown(() => connection.close());
    const sum = async (): Promise<unknown> => (await connection.query(statement, [1])).rows[0]!['sum'];
    // The driver prepares it again on its next connection only.
    if (change === 'DEALLOCATE ALL') t.equal(await sum(), 2);
    for (const one of change.split(';')) await connection.query(one);
    t.equal(await sum(), 2);
    const { rows } = await connection.query('SELECT count(*)::int AS count FROM pg_prepared_statements');
    t.equal(await sum(), 2);
    t.equal(rows[0]!['count'], change === 'DEALLOCATE ALL' ? 0 : 1, 'nothing is prepared any more');
    await t.rejects(connection.query(statement, ['no number']), { code: '22P02' });
    t.equal(await sum(), 2, 'other errors are errors of the caller');
  }
});

t.test('does not append after an entry that the log does not have', async (t) => {
  const { url } = await openCluster(t);
  const { log } = openLog(t, url);
  const lost = entryAfter(LOG_START, 'lost');
  await t.rejects(log.append(entryAfter(lost, 'next'), lost), { code: 'CLUSTER_LOG_DAMAGED' });
  const first = entryAfter(LOG_START, 'one');
  await log.append(first, LOG_START);
  await t.rejects(log.append(entryAfter(LOG_START, 'other'), LOG_START), { code: 'CLUSTER_LOG_DAMAGED' });
});

t.test('a takeover does not wait for an append whose end was cut off', async (t) => {
  const { url, join } = await openCluster(t);
  const proxy = await CutProxy.to(t, postgres.port);
  const { log } = openLog(t, url.replace(String(postgres.port), String(proxy.port)));
  const first = entryAfter(LOG_START, 'one');
  // All but the message Sync, with which the transaction would be committed.
  proxy.stallAfter = (bytes) => (bytes.includes('INSERT INTO') ? bytes.byteLength - 5 : null);
  const append = log.append(first, LOG_START).catch((error: unknown) => error);
  await waitUntil(async () => (await postgres.query(CUT_OFF)).rows.length > 0);
  const other = await join('other');
  t.equal(await other.takeOver(1), 2);
  const { log: next } = openLog(t, url);
  t.strictSame(await next.read(0, 1_000), []);
  t.equal(await next.append(entryAfter(LOG_START, 'two', 2), LOG_START), 'appended');
  proxy.cut();
  proxy.isStalled = false;
  proxy.stallAfter = null;
  t.equal(await append, 'fenced');
});

const CUT_OFF = `SELECT FROM pg_stat_activity WHERE state = 'active' AND wait_event = 'ClientRead'
  AND query_start < now() - interval '2 seconds'`;

t.test('creates a partition when the last one is full', async (t) => {
  const { url } = await openCluster(t);
  const { log } = openLog(t, url);
  const last = { index: PARTITION_ENTRIES - 1, hash: Buffer.alloc(32, 1) };
  await postgres.query(
    `INSERT INTO threadmill.log SELECT 0, ${last.index}, 1, gen_random_uuid(), '\\x${last.hash.toString('hex')}', ''`,
    url,
  );
  const first = entryAfter(last, 'first of the partition');
  t.equal(await log.append(first, last), 'appended');
  t.equal(await log.append(entryAfter(first, 'second'), first), 'appended');
  const { rows } = await postgres.query(`SELECT count(*) AS count FROM threadmill.log_1`, url);
  t.strictSame(rows, [{ count: '2' }]);
});

t.test('one cluster for each database, and one key for each cluster', async (t) => {
  const url = await postgres.createDatabase();
  const open = (fingerprint: string) => {
    const connection = new PostgresConnection(url, { name: 'threadmill test' });
    return openTables(connection, fingerprint).finally(() => connection.close());
  };
  const infos = await Promise.all(Array.from({ length: 5 }, () => open(FINGERPRINT)));
  t.equal(new Set(infos.map(({ clusterId }) => clusterId)).size, 1, 'created once');
  await t.rejects(open('0'.repeat(32)), { code: 'CLUSTER_KEY_WRONG' });
  await postgres.query('UPDATE threadmill.cluster SET store_format = 99', url);
  await t.rejects(open(FINGERPRINT), { code: 'CLUSTER_FORMAT' });
});
