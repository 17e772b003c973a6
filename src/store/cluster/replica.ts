import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { BackupReader, type RawRecord } from '../files/backup-format.js';
import { dataFile, removeDataFile } from '../files/data-file.js';
import { lockFolder, type FolderLock } from '../files/folder-lock.js';
import { syncPath, writeDataFile } from '../files/offline-store.js';
import { makePrivateFolder } from '../files/private-folder.js';
import { putAll } from '../journal.js';
import type { Key } from '../keys.js';
import { openDatabase } from '../reader.js';
import { appliedOperation, readApplied } from './applied.js';
import type { CommitLog, LogEntry, LogPosition } from './commit-log.js';
import { operationsOf } from './entry.js';
import { readTail, Tail } from './tail.js';

/** Says of a folder that it is a copy of a cluster's data, and whether it can be used after a start of the machine. */
interface ReplicaFile {
  clusterId: string;
  /** The start of the machine under which the copy is open; null: it was closed, and all of it is on disk. */
  openUnder: string | null;
}

/** A snapshot as it is loaded. */
export interface LoadableSnapshot extends LogPosition {
  pieces: AsyncIterable<Buffer>;
}

export interface ReplicaOptions {
  clusterId: string;
  log: CommitLog;
  /** False: the newest entries are not kept beside the copy. */
  keepsTail?: boolean;
  /** The newest snapshot; null without one. */
  findSnapshot: () => Promise<LoadableSnapshot | null>;
}

/**
 * A copy of the cluster's data in the data folder of this node. It is a cache: what is missing is in the log. So LMDB
 * need not wait for the disk, and a copy that may be incomplete after a failure of the machine is made again.
 */
export class Replica {
  readonly folder: string;
  readonly db: RootDatabase<Uint8Array, Key>;
  readonly lock: FolderLock;
  /** The newest entries that the copy contains. */
  readonly tail: Tail;
  readonly #options: ReplicaOptions;
  #position: LogPosition;

  private constructor(folder: string, db: RootDatabase<Uint8Array, Key>, lock: FolderLock, options: ReplicaOptions) {
    this.folder = folder;
    this.db = db;
    this.lock = lock;
    this.tail = new Tail(folder);
    this.#options = options;
    this.#position = readApplied((key) => db.get(key));
  }

  /**
   * Opens the copy in a folder, or makes one from the newest snapshot, and applies the log. Throws STORE_LOCKED,
   * CLUSTER_FOLDER for a folder that is no copy of this cluster, and CLUSTER_COPY_AHEAD for one that has entries which
   * the log does not have, in the copy or beside it; such a folder is kept.
   */
  static async open(folder: string, options: ReplicaOptions): Promise<Replica> {
    makePrivateFolder(folder);
    const lock = lockFolder(folder);
    try {
      if (!isUsable(folder, options.clusterId)) {
        // The files beside the copy can be complete although it is not.
        const last = readTail(folder).at(-1);
        if (last !== undefined) await isInLog(folder, last, options.log);
        removeDataFile(dataFile(folder));
      }
      for (let tries = 1; ; tries += 1) {
        if (!existsSync(dataFile(folder))) await loadSnapshot(folder, options);
        writeReplicaFile(folder, { clusterId: options.clusterId, openUnder: bootId() });
        const db = openDatabase(dataFile(folder), false, { noSync: true });
        try {
          const replica = new Replica(folder, db, lock, options);
          if (await replica.isInLog()) {
            await replica.catchUp();
            return replica;
          }
          if (tries === 2) throw fail('CLUSTER_LOG_DAMAGED', { index: replica.position.index });
        } catch (error) {
          await db.close();
          throw error;
        }
        // What follows this copy was removed from the log, so a newer snapshot takes its place.
        await db.close();
        removeDataFile(dataFile(folder));
      }
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** The last entry of the log that the copy contains. */
  get position(): LogPosition {
    return this.#position;
  }

  /** Applies all entries that the log has now. */
  async catchUp(): Promise<void> {
    for (;;) {
      const entries = await this.#options.log.read(this.#position.index, LIMITS.logReadBytes);
      if (entries.length === 0) return;
      await this.apply(entries);
    }
  }

  /** Applies entries that follow the position. Throws CLUSTER_LOG_DAMAGED. */
  async apply(entries: readonly LogEntry[]): Promise<void> {
    let position = this.#position;
    const operations = entries.flatMap((entry) => {
      const found = operationsOf(entry, position);
      position = entry;
      return found;
    });
    if (this.#options.keepsTail !== false) await this.tail.append(entries);
    await putAll(this.db, [...operations, appliedOperation(position)]);
    this.db.resetReadTxn();
    this.#position = position;
  }

  /** Closes the copy of a node that is not the owner. */
  async close(): Promise<void> {
    await this.tail.close();
    await this.db.close();
    this.markClosed();
    this.lock.release();
  }

  /** Call this when the database is closed: the copy can be used again, also after a start of the machine. */
  markClosed(): void {
    syncPath(dataFile(this.folder));
    writeReplicaFile(this.folder, { clusterId: this.#options.clusterId, openUnder: null });
  }

  /**
   * True when the log contains the entry that the copy ends with, false when the log begins later. Throws
   * CLUSTER_COPY_AHEAD when it ends earlier or has another entry in that place.
   */
  isInLog(): Promise<boolean> {
    return isInLog(this.folder, this.#position, this.#options.log);
  }
}

async function isInLog(folder: string, { index, hash }: LogPosition, log: CommitLog): Promise<boolean> {
  const [entry] = await log.read(index - 1, 1);
  if (entry !== undefined && entry.index > index) return false;
  if (entry === undefined || !Buffer.from(hash).equals(entry.hash)) throw fail('CLUSTER_COPY_AHEAD', { folder, index });
  return true;
}

/** False for a copy that may be incomplete. Throws CLUSTER_FOLDER when the folder is no copy of this cluster. */
function isUsable(folder: string, clusterId: string): boolean {
  const file = readReplicaFile(folder);
  if (file === null) {
    if (existsSync(dataFile(folder)))
      throw fail('CLUSTER_FOLDER', { folder, problem: 'contains the data of a server without a cluster' });
    return true;
  }
  if (file.clusterId !== clusterId)
    throw fail('CLUSTER_FOLDER', { folder, problem: 'contains a copy of another cluster' });
  return file.openUnder === null || file.openUnder === bootId();
}

/** The cluster whose data a folder has a copy of, and its last entry; null for the entry if the copy is not usable. */
export async function inspectReplica(
  folder: string,
): Promise<{ clusterId: string; position: LogPosition | null } | null> {
  const file = readReplicaFile(folder);
  if (file === null) return null;
  const { clusterId } = file;
  if (!isUsable(folder, clusterId) || !existsSync(dataFile(folder))) return { clusterId, position: null };
  const db = openDatabase(dataFile(folder), true);
  try {
    return { clusterId, position: readApplied((key) => db.get(key)) };
  } finally {
    await db.close();
  }
}

/** True if the folder is a copy of a cluster's data. */
export function isReplica(folder: string): boolean {
  return existsSync(replicaFile(folder));
}

/** Throws CLUSTER_FOLDER when the folder is a copy of a cluster's data: what is written only there would be lost. */
export function requireNoReplica(folder: string): void {
  if (isReplica(folder)) throw fail('CLUSTER_FOLDER', { folder, problem: "contains a copy of a cluster's data" });
}

/** Makes a closed copy the folder of a server without a cluster. */
export function removeReplicaFile(folder: string): void {
  rmSync(replicaFile(folder));
}

async function loadSnapshot(folder: string, { findSnapshot }: ReplicaOptions): Promise<void> {
  const snapshot = await findSnapshot();
  if (snapshot === null) return;
  const loading = `${dataFile(folder)}.restoring`;
  await writeDataFile(loading, snapshotRecords(snapshot));
  renameSync(loading, dataFile(folder));
}

async function* snapshotRecords({ index, pieces }: LoadableSnapshot): AsyncGenerator<RawRecord> {
  const reader = new BackupReader(`snapshot at ${index}`);
  for await (const piece of pieces)
    for (const block of reader.push(piece)) if (block.type === 'records') yield* block.records;
  reader.finish();
}

function replicaFile(folder: string): string {
  return join(folder, 'replica.json');
}

function readReplicaFile(folder: string): ReplicaFile | null {
  try {
    return JSON.parse(readFileSync(replicaFile(folder), 'utf8')) as ReplicaFile;
  } catch {
    return null;
  }
}

function writeReplicaFile(folder: string, content: ReplicaFile): void {
  const file = replicaFile(folder);
  writeFileSync(`${file}.new`, JSON.stringify(content), { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  syncPath(folder);
}

/** Changes with every start of the machine. Empty where the system has none: then no copy outlives an open one. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return `process ${process.pid}`;
  }
}
