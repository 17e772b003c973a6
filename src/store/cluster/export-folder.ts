import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fail, ThreadmillError } from '../../base/errors.js';
import { VERSION } from '../../base/version.js';
import { writeKeyFiles } from '../access/shared-keys.js';
import { openCipher } from '../encryption/encryption.js';
import { sealKeyOfStore } from '../encryption/imported-seal-key.js';
import { findSealKey, writeSealKey } from '../encryption/seal.js';
import { dataFile } from '../files/data-file.js';
import { isLocked } from '../files/folder-lock.js';
import { syncPath } from '../files/offline-store.js';
import { restrictAccess } from '../files/private-folder.js';
import { putAll, type StoredOperation } from '../journal.js';
import { keys, type Key } from '../keys.js';
import { Reader } from '../reader.js';
import type { CommitLog } from './commit-log.js';
import { isClusterRecord } from './imported-records.js';
import { databaseError, PostgresConnection } from './postgres/connection.js';
import { Membership } from './postgres/membership.js';
import { PostgresLog } from './postgres/postgres-log.js';
import { checkTables } from './postgres/schema.js';
import { lastEntry, newestSnapshot, snapshotBytes } from './postgres/snapshots.js';
import { isReplica, removeReplicaFile, Replica, type ReplicaOptions } from './replica.js';
import { whileLoading } from './while-loading.js';

export interface ExportOptions {
  /** Address of the database. */
  url: string;
  keyFingerprint: string;
  clusterSealKey: Buffer;
  /** Null for a cluster whose values are not encrypted. */
  encryptionKey: Uint8Array | null;
  /** THREADMILL_SEAL_KEY of the server without a cluster. */
  folderSealText: string | undefined;
  /** Called when the database cannot be told that the export still needs its log. */
  onTrouble: (error: Error) => void;
}

export interface ExportReport {
  clusterId: string;
  /** Number of the last entry of the log that the folder contains. */
  lastEntry: number;
  records: number;
  apiKeys: number;
  /** False: THREADMILL_SEAL_KEY is set, but it is not the key that seals in the cluster. */
  sealKeyFits: boolean;
}

/**
 * Writes the data of a cluster, up to the last entry of its log, into a new folder of a server without a cluster. It is
 * written beside that folder first. Throws CLUSTER_FOLDER for a folder with content, CLUSTER_DATABASE, the errors of
 * `checkTables` and of `Replica.open`, and those of a wrong encryption key.
 */
export async function exportCluster(folder: string, options: ExportOptions): Promise<ExportReport> {
  const target = resolve(folder);
  requireNoContent(target);
  const { url, keyFingerprint, onTrouble } = options;
  const connection = new PostgresConnection(url, { name: 'threadmill export' });
  const log = new PostgresLog(url, onTrouble);
  const node = { nodeId: randomUUID(), name: `export to ${hostname()}`, version: VERSION };
  const membership = new Membership(connection, node);
  try {
    const { clusterId } = await fromDatabase(url, checkTables(connection, keyFingerprint));
    await fromDatabase(url, membership.beat(null));
    const report = await whileLoading(membership, onTrouble, async () => {
      const source = await openSource(connection, log, url);
      return writeFolder(target, { ...source, clusterId }, options);
    });
    return { clusterId, ...report };
  } finally {
    await membership.leave().catch(() => undefined);
    await Promise.all([connection.close(), log.close()]);
  }
}

function requireNoContent(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw fail('CLUSTER_FOLDER', { folder, problem: 'is not empty' });
}

/** The log up to its last entry at this moment, or up to a newer snapshot: otherwise a busy log would have no end. */
async function openSource(
  connection: PostgresConnection,
  log: CommitLog,
  url: string,
): Promise<Pick<ReplicaOptions, 'log' | 'findSnapshot'>> {
  let last = await fromDatabase(url, lastEntry(connection));
  return {
    log: {
      append: () => Promise.reject(new Error('an export appends nothing')),
      read: async (afterIndex, bytes) =>
        (await fromDatabase(url, log.read(afterIndex, bytes))).filter(({ index }) => index <= last),
      isReachable: true,
      onUnreachable: () => undefined,
      close: () => log.close(),
    },
    async findSnapshot() {
      const snapshot = await fromDatabase(url, newestSnapshot(connection));
      if (snapshot === null) return null;
      last = Math.max(last, snapshot.index);
      return { ...snapshot, pieces: fromDatabaseEach(url, snapshotBytes(connection, snapshot)) };
    },
  };
}

async function writeFolder(
  target: string,
  source: ReplicaOptions,
  options: ExportOptions,
): Promise<Omit<ExportReport, 'clusterId'>> {
  const partial = `${target}.exporting`;
  // Left by an export that was killed.
  if (isReplica(partial) && !isLocked(partial)) rmSync(partial, { recursive: true });
  if (!isLocked(partial)) requireNoContent(partial);
  try {
    const replica = await Replica.open(partial, { ...source, keepsTail: false });
    let report: Omit<ExportReport, 'clusterId'>;
    try {
      report = await convert(replica, target, options);
    } finally {
      await replica.close();
    }
    removeReplicaFile(partial);
    rmSync(`${dataFile(partial)}-lock`, { force: true });
    restrictAccess(partial);
    syncPath(partial);
    if (existsSync(target)) rmdirSync(target);
    renameSync(partial, target);
    syncPath(dirname(target));
    return report;
  } catch (error) {
    // A locked folder belongs to another export.
    if ((error as { code?: string }).code !== 'STORE_LOCKED') rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Replaces what only a cluster has by the files of a folder. */
async function convert(
  { db, folder, position }: Replica,
  target: string,
  { clusterSealKey, encryptionKey, folderSealText }: ExportOptions,
): Promise<Omit<ExportReport, 'clusterId'>> {
  const cipher = openCipher(new Reader(db, null).get(keys.meta('encryption')), target, encryptionKey);
  const reader = new Reader(db, cipher);
  writeKeyFiles(reader, folder);
  const apiKeys = reader.count({ prefix: keys.apiKeys() });
  const sealKey = sealKeyOfStore(reader, clusterSealKey);
  const folderSealKey = findSealKey(folder, folderSealText);
  const isInEnvironment = folderSealKey?.equals(sealKey) === true;
  if (!isInEnvironment) writeSealKey(folder, sealKey);
  const removed = [...reader.keys({ prefix: keys.apiKeys() }), ...reader.keys({ prefix: ['!'] })]
    .filter((key: Key) => isClusterRecord(key))
    .map((key): StoredOperation => [key, null]);
  await putAll(db, removed);
  const { entryCount } = db.getStats() as { entryCount: number };
  return {
    lastEntry: position.index,
    records: entryCount,
    apiKeys,
    sealKeyFits: folderSealKey === null || isInEnvironment,
  };
}

/** Errors of the database name it; those of the folder stay as they are. */
async function fromDatabase<T>(url: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw error instanceof ThreadmillError ? error : databaseError(url, error);
  }
}

async function* fromDatabaseEach<T>(url: string, answers: AsyncIterator<T>): AsyncGenerator<T> {
  for (;;) {
    const next = await fromDatabase(url, answers.next());
    if (next.done === true) return;
    yield next.value;
  }
}
