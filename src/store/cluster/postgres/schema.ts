import { randomUUID } from 'node:crypto';
import { fail } from '../../../base/errors.js';
import { FORMAT_VERSION } from '../../keys.js';
import { LOG_START } from '../entry.js';
import { canUpgradeFrom } from '../upgrade-records.js';
import { type PostgresConnection } from './connection.js';

/** The format of the tables. */
export const TABLES_VERSION = 2;
/** The oldest PostgreSQL that the statements fit, as `server_version_num` has it. */
const POSTGRES_MIN = 150_000;
/** The log has one shard. Its number is part of every key, so that there can be more. */
export const SHARD = 0;
/** The `application_name` of connections that append. */
export const APPENDS_NAME = 'threadmill appends';
/** Entries of one partition of the log. Old ones are removed by partitions. */
export const PARTITION_ENTRIES = 16_384;

export interface ClusterInfo {
  clusterId: string;
  /** Of the records, or what an owner is just converting them to. */
  storeFormat: number;
}

const TABLES = `
CREATE TABLE threadmill.cluster (
  cluster_id uuid PRIMARY KEY,
  tables_version integer NOT NULL,
  store_format integer NOT NULL,
  key_fingerprint text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE threadmill.shard (
  shard integer PRIMARY KEY,
  epoch bigint NOT NULL,
  owner uuid
);
CREATE TABLE threadmill.log (
  shard integer NOT NULL,
  index bigint NOT NULL,
  epoch bigint NOT NULL,
  entry_id uuid NOT NULL,
  hash bytea NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (shard, index)
) PARTITION BY RANGE (index);
ALTER TABLE threadmill.log ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE TABLE threadmill.node (
  node_id uuid PRIMARY KEY,
  name text NOT NULL,
  version text NOT NULL,
  store_format integer NOT NULL,
  address text,
  beat bigint NOT NULL,
  applied bigint NOT NULL,
  loading boolean NOT NULL,
  current_at timestamptz,
  workers integer NOT NULL,
  runs integer NOT NULL,
  is_drained boolean NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE threadmill.drain (
  name text PRIMARY KEY,
  requested_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE threadmill.snapshot (
  snapshot_id uuid PRIMARY KEY,
  shard integer NOT NULL,
  index bigint NOT NULL,
  hash bytea NOT NULL,
  bytes bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE threadmill.snapshot_chunk (
  snapshot_id uuid NOT NULL,
  number integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (snapshot_id, number)
);
ALTER TABLE threadmill.snapshot_chunk ALTER COLUMN bytes SET STORAGE EXTERNAL;
`;

/**
 * Creates the tables of a cluster that does not exist, and reads what is known about one that does. Several nodes may
 * call it at once. Throws CLUSTER_FORMAT for an older PostgreSQL, the errors of `checkTables`, and an error with the
 * reason for a server that cannot be used. `oldest`: as `server_version_num` has it.
 */
export async function openTables(
  connection: PostgresConnection,
  keyFingerprint: string,
  { oldest = POSTGRES_MIN }: { oldest?: number } = {},
): Promise<ClusterInfo> {
  const { rows } = await connection.query(
    `SELECT current_setting('server_version_num')::integer AS number, current_setting('server_version') AS version,
       pg_is_in_recovery() AS is_standby`,
  );
  const server = rows[0] as { number: number; version: string; is_standby: boolean };
  if (server.number < oldest)
    throw fail('CLUSTER_FORMAT', {
      problem: `its PostgreSQL has version ${server.version}, and ${Math.floor(oldest / 10_000)} or newer is required`,
    });
  if (server.is_standby)
    throw new Error('the server is a standby of PostgreSQL, which accepts no changes. Name the primary server');
  // One statement without parameters is one transaction, also when it consists of several commands.
  await connection.query(createStatement(keyFingerprint));
  return checkTables(connection, keyFingerprint);
}

/**
 * Reads what is known about a cluster that exists. Throws CLUSTER_KEY_WRONG, CLUSTER_FORMAT for a cluster of another
 * release, and the error of PostgreSQL where there is no cluster.
 */
export async function checkTables(connection: PostgresConnection, keyFingerprint: string): Promise<ClusterInfo> {
  const { rows } = await connection.query(
    'SELECT cluster_id, tables_version, store_format, key_fingerprint FROM threadmill.cluster',
  );
  const cluster = rows[0]!;
  if (cluster['tables_version'] !== TABLES_VERSION)
    throw fail('CLUSTER_FORMAT', {
      problem: `its tables have version ${String(cluster['tables_version'])}, and this release knows version ${TABLES_VERSION}`,
    });
  const storeFormat = cluster['store_format'] as number;
  if (!canUpgradeFrom(storeFormat))
    throw fail('CLUSTER_FORMAT', {
      problem: `its records have format ${storeFormat}, and this release knows format ${FORMAT_VERSION}`,
    });
  if (cluster['key_fingerprint'] !== keyFingerprint) throw fail('CLUSTER_KEY_WRONG', {});
  return { clusterId: cluster['cluster_id'] as string, storeFormat };
}

/**
 * The owner with this epoch begins to convert the records to the format of this release: from now on no node of an
 * earlier release joins or takes over. Returns false if another node is the owner.
 */
export async function raiseFormat(connection: PostgresConnection, epoch: number): Promise<boolean> {
  const { rows } = await connection.query(
    `UPDATE threadmill.cluster SET store_format = $1
     WHERE EXISTS (SELECT FROM threadmill.shard WHERE shard = ${SHARD} AND epoch = $2) RETURNING cluster_id`,
    [FORMAT_VERSION, epoch],
  );
  return rows.length > 0;
}

/** Does nothing where the tables exist. The lock makes other nodes wait until they do. */
function createStatement(keyFingerprint: string): string {
  const start = `\\x${Buffer.from(LOG_START.hash).toString('hex')}`;
  return `DO $threadmill$ BEGIN
    PERFORM pg_advisory_xact_lock(hashtext('threadmill.cluster'));
    -- "IF NOT EXISTS" needs the right to create it although it exists.
    IF to_regnamespace('threadmill') IS NULL THEN
      CREATE SCHEMA threadmill;
    END IF;
    IF to_regclass('threadmill.cluster') IS NULL THEN
      ${TABLES}
      ${partitionStatement(0)}
      INSERT INTO threadmill.cluster (cluster_id, tables_version, store_format, key_fingerprint)
        VALUES ('${randomUUID()}', ${TABLES_VERSION}, ${FORMAT_VERSION}, '${keyFingerprint}');
      INSERT INTO threadmill.shard (shard, epoch) VALUES (${SHARD}, 0);
      INSERT INTO threadmill.log (shard, index, epoch, entry_id, hash, body)
        VALUES (${SHARD}, 0, 0, '${randomUUID()}', '${start}', '');
    END IF;
  END $threadmill$`;
}

/** Creates the partition with this number, unless it exists. */
export async function ensurePartition(connection: PostgresConnection, number: number): Promise<void> {
  const { rows } = await connection.query(`SELECT to_regclass('threadmill.log_${number}') AS found`);
  if (rows[0]!['found'] === null) await connection.query(partitionStatement(number));
}

/** Creates the partition with this number. It is attached afterwards, which does not stop appends. */
export function partitionStatement(number: number): string {
  const [from, to] = [number * PARTITION_ENTRIES, (number + 1) * PARTITION_ENTRIES];
  const table = `threadmill.log_${number}`;
  return `
    CREATE TABLE IF NOT EXISTS ${table} (LIKE threadmill.log INCLUDING ALL, CHECK (index >= ${from} AND index < ${to}));
    ALTER TABLE threadmill.log ATTACH PARTITION ${table} FOR VALUES FROM (${from}) TO (${to});`;
}
