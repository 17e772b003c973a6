import { fail } from '../../base/errors.js';
import { keyFileNames, keysFolder } from '../access/key-files.js';
import { openCipher, readEncryptionRecord } from '../encryption/encryption.js';
import { findSealKey } from '../encryption/seal.js';
import { offlineBackup } from '../files/backup.js';
import type { RawRecord } from '../files/backup-format.js';
import type { OfflineStore } from '../files/offline-store.js';
import { importedRecords } from './imported-records.js';
import { withoutPassword, type PostgresConnection } from './postgres/connection.js';
import { createStart, startLogFrom, whyInUse } from './postgres/log-start.js';
import { removeChunks, storeChunks } from './postgres/snapshots.js';

export interface ImportOptions {
  connection: PostgresConnection;
  /** Address of the database, for messages. */
  url: string;
  /** Null for a folder that is not encrypted. */
  encryptionKey: Uint8Array | null;
  /** THREADMILL_SEAL_KEY of the server without a cluster. */
  folderSealText: string | undefined;
  clusterSealKey: Buffer;
  onRecords: (records: number) => void;
}

export interface ImportReport {
  records: number;
  apiKeys: number;
  /** Of the snapshot. */
  bytes: number;
}

/** Throws CLUSTER_NOT_EMPTY if the cluster cannot take the data of a folder. */
export async function requireUnused(connection: PostgresConnection, url: string): Promise<void> {
  const problem = await whyInUse(connection);
  if (problem !== null) throw fail('CLUSTER_NOT_EMPTY', { database: withoutPassword(url), problem });
}

/**
 * Stores the data of a locked folder as the first snapshot of an empty cluster. Until the snapshot is complete the
 * cluster stays empty. Throws CLUSTER_NOT_EMPTY, SEAL_KEY_WRONG, ENCRYPTION_KEY_MISSING, ENCRYPTION_KEY_WRONG,
 * STORE_NOT_ENCRYPTED, STORE_FORMAT, STORE_DAMAGED or STORE_FILE_DAMAGED.
 */
export async function importFolder(store: OfflineStore, options: ImportOptions): Promise<ImportReport> {
  const { folder, pages } = store;
  const { connection, url, encryptionKey, folderSealText, clusterSealKey, onRecords } = options;
  const position = createStart();
  const context = {
    folder,
    cipher: openCipher(readEncryptionRecord(pages), folder, encryptionKey),
    folderSealKey: findSealKey(folder, folderSealText),
    clusterSealKey,
    position,
  };
  let records = 0;
  function* counted(all: Iterable<RawRecord>): Generator<RawRecord> {
    for (const record of importedRecords(all, context)) {
      records += 1;
      yield record;
    }
  }
  function* pieces(): Generator<Buffer> {
    for (const piece of offlineBackup(store, counted)) {
      yield piece;
      onRecords(records);
    }
  }
  const { snapshotId, bytes } = await storeChunks(connection, pieces());
  if (!(await startLogFrom(connection, { snapshotId, bytes, ...position }))) {
    await removeChunks(connection, snapshotId);
    await requireUnused(connection, url);
    throw fail('CLUSTER_NOT_EMPTY', { database: withoutPassword(url), problem: 'was in use by a node meanwhile' });
  }
  return { records, apiKeys: keyFileNames(keysFolder(folder)).length, bytes };
}
