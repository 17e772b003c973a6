import { randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { LOG_START } from '../../src/store/cluster/entry.js';
import { PostgresConnection } from '../../src/store/cluster/postgres/connection.js';
import { APPEND } from '../../src/store/cluster/postgres/postgres-log.js';
import { ensurePartition, openTables, PARTITION_ENTRIES, SHARD } from '../../src/store/cluster/postgres/schema.js';

/**
 * Appends the bodies of another log to a log of its own, one after another, with the same statement: what PostgreSQL
 * and its client need alone. Hashes are random, so that they cost nothing.
 */
const [sourceUrl, url] = process.argv.slice(2);
const EPOCH = 1;

const tables = new PostgresConnection(url!, { name: 'bench' });
await openTables(tables, 'bench');
await tables.query(`UPDATE threadmill.shard SET epoch = ${EPOCH}`);
const [source, client] = [new Client(sourceUrl), new Client(url)];
await Promise.all([source.connect(), client.connect()]);
let last = LOG_START;

async function append(body: Buffer): Promise<number> {
  const next = { index: last.index + 1, hash: randomBytes(32) };
  if (next.index % PARTITION_ENTRIES === 0) await ensurePartition(tables, next.index / PARTITION_ENTRIES);
  const begun = performance.now();
  const { rowCount } = await client.query(APPEND, [next.index, EPOCH, randomUUID(), next.hash, body, last.hash]);
  if (rowCount !== 1) throw new Error(`entry ${next.index} was not appended`);
  last = next;
  return performance.now() - begun;
}

process.on('message', ({ after, until }: { after: number; until: number }) => {
  void (async () => {
    const { rows } = await source.query<{ body: Buffer }>(
      `SELECT body FROM threadmill.log WHERE shard = ${SHARD} AND index > $1 AND index <= $2 ORDER BY index`,
      [after, until],
    );
    const latenciesMs: number[] = [];
    const cpuBefore = process.cpuUsage();
    const begun = performance.now();
    for (const { body } of rows) latenciesMs.push(await append(body));
    const wallMs = performance.now() - begun;
    const { user, system } = process.cpuUsage(cpuBefore);
    process.send!({ latenciesMs, wallMs, cpuUs: user + system, appendMs: wallMs });
  })();
});

process.send!('ready');
