import { closeSync, existsSync, openSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { fail, ThreadmillError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { HISTOGRAM_BOUNDS, Histogram } from '../base/histogram.js';
import { TransientSet } from '../base/transient.js';
import { dataFile, encryptingFile, removeDataFile, sealKeyFile } from './files/data-file.js';
import { lockFolder, type FolderLock } from './files/folder-lock.js';
import { openFormatRecords } from './format-records.js';
import { keys, type Key } from './keys.js';
import { OpenDataFile, openDescriptors } from './files/open-data-file.js';
import { PageFile, readMetaPages } from './files/page-file.js';
import { walkEntries } from './files/page-walk.js';
import { makePrivateFolder, restrictAccess } from './files/private-folder.js';
import { ignoreReason, LocalJournal, type Journal, type StoredOperation } from './journal.js';
import { exitWithoutClosing, lastTxnId, openDatabase, Reader } from './reader.js';
import { encodeRecord } from './record-codec.js';

/**
 * Puts and removals that are written together. They are only collected here, so an error during planning changes
 * nothing. (An error inside an LMDB transaction would not roll back.) All commits written in one turn of the event
 * loop become one LMDB transaction.
 */
export class Commit {
  readonly operations: [key: Key, value: Uint8Array | null][] = [];
  readonly #onDurable: (() => void)[] = [];

  /** Runs the callback when the commit is on disk, before the promise of `Store.write` settles; never when it fails. */
  onDurable(callback: () => void): void {
    this.#onDurable.push(callback);
  }

  /** Runs the callbacks of `onDurable`. Only the store calls this, once. */
  notifyDurable(): void {
    for (const callback of this.#onDurable) callback();
  }

  put(key: Key, value: Uint8Array): void {
    this.operations.push([key, value]);
  }

  remove(key: Key): void {
    this.operations.push([key, null]);
  }
}

/** Value of index entries. */
export const EMPTY_VALUE = Buffer.alloc(0);

/** Results of the checks that `Store.open` makes on the folder. */
type OpenResult = Pick<Store, 'allPagesChecked' | 'exposedFiles' | 'cipher'> & {
  file: OpenDataFile | null;
  journal: Journal;
};

/** The open data folder: one LMDB file with one writer. Every record has a checksum. Only the front thread holds it. */
export class Store extends Reader {
  readonly folder: string;
  /** Seconds from `write` until the commit is on disk. */
  readonly commitSeconds = new Histogram(HISTOGRAM_BOUNDS.commit);
  /** Commits passed to `write` that are not on disk yet. */
  pendingCommits = 0;
  /** Bytes of the values in those commits. */
  pendingBytes = 0;
  /** True since `close` was called. Nothing can be read any more. */
  isClosed = false;
  /** Called with the operations of each commit before it is written; null when nobody counts them. */
  onWrite: ((operations: Commit['operations']) => void) | null = null;
  /** Called once, when the first commit fails. */
  onFailure: (error: Error) => void = () => undefined;
  /** False when the file is so large that start-up checked only its branch pages, not the leaf pages. */
  readonly allPagesChecked: boolean;
  /** Files that other users can read and whose mode this user may not change. */
  readonly exposedFiles: readonly string[];
  readonly #lock: FolderLock;
  readonly #journal: Journal;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #failure: Error | null = null;
  /** Set when a commit fails. Rejects with STORE_FAILED once lmdb reports the cause. */
  #rejection: Promise<never> | null = null;
  /** Null for a simulated database. */
  readonly #file: OpenDataFile | null;
  /** Also checks the data file while a commit never settles. */
  readonly #fileCheckTimer: NodeJS.Timeout | null = null;
  /** The data file was already checked in this turn of the event loop. */
  #fileChecked = false;
  /** LMDB's descriptors no longer refer to the data file. */
  #fileLost = false;
  /** Reject functions of the writes in progress, for when the file is lost. */
  readonly #rejectPending = new TransientSet<(error: Error) => void>();

  private constructor(
    folder: string,
    db: RootDatabase<Uint8Array, Key>,
    lock: FolderLock,
    { allPagesChecked, exposedFiles, file, cipher, journal }: OpenResult,
  ) {
    super(db, cipher);
    this.#file = file;
    if (file !== null)
      this.#fileCheckTimer = setInterval(() => {
        this.#checkFile();
      }, LIMITS.dataFileCheckMs).unref();
    this.folder = folder;
    this.allPagesChecked = allPagesChecked;
    this.exposedFiles = exposedFiles;
    this.#lock = lock;
    this.#journal = journal;
  }

  /**
   * Opens or creates the folder. A new folder is encrypted when an encryption key is given. Damage is never replaced
   * by an empty store. Throws STORE_LOCKED, STORE_FORMAT, STORE_FILE_DAMAGED, STORE_DAMAGED, STORE_FAILED,
   * ENCRYPTION_KEY_MISSING, ENCRYPTION_KEY_WRONG or STORE_NOT_ENCRYPTED.
   */
  static open(folder: string, encryptionKey: Uint8Array | null = null): Store {
    ignoreDroppedCommitErrors();
    const lock: FolderLock = withStoreFailed(folder, () => {
      makePrivateFolder(folder);
      requireFreeSpace(folder);
      return lockFolder(folder);
    });
    try {
      // An interrupted "threadmill encrypt" may have left unencrypted records in this file.
      removeDataFile(encryptingFile(folder));
      checkFile(folder);
      const before = openDescriptors();
      const db = withStoreFailed(folder, () => openDatabase(dataFile(folder), false));
      const exposedFiles = restrictAccess(folder);
      try {
        const file = new OpenDataFile(dataFile(folder), before);
        const allPagesChecked = checkPages(dataFile(folder), lastTxnId(db));
        return new Store(folder, db, lock, {
          allPagesChecked,
          exposedFiles,
          file,
          cipher: openFormatRecords(db, folder, encryptionKey),
          journal: new LocalJournal(db),
        });
      } catch (error) {
        void db.close();
        throw error;
      }
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  /** A store over a database of another kind, such as a simulated one. The caller is responsible for locking it. */
  static forDatabase(db: RootDatabase<Uint8Array, Key>, folder: string): Store {
    return Store.forReplica(db, folder, {
      lock: { release: () => undefined },
      file: null,
      journal: new LocalJournal(db),
      encryptionKey: null,
    });
  }

  /**
   * A store over a database that is already open and checked, and whose commits become durable elsewhere. Closing the
   * store closes both and releases the lock.
   */
  static forReplica(
    db: RootDatabase<Uint8Array, Key>,
    folder: string,
    {
      lock,
      file,
      journal,
      encryptionKey,
    }: { lock: FolderLock; file: OpenDataFile | null; journal: Journal; encryptionKey: Uint8Array | null },
  ): Store {
    return new Store(folder, db, lock, {
      allPagesChecked: true,
      exposedFiles: [],
      file,
      cipher: openFormatRecords(db, folder, encryptionKey),
      journal,
    });
  }

  /** Null while nothing has failed. After a failed commit no write is accepted, because memory and disk may differ. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Stops accepting writes, because the records they depend on are damaged. */
  stopWrites(error: Error): void {
    this.#setFailure(error);
  }

  /** Size of the data file on disk. */
  get fileBytes(): number {
    return statSync(dataFile(this.folder)).size;
  }

  /** Bytes that this process can still write to the disk of the folder. */
  get diskFreeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** Throws when no write is accepted now: the store has failed, or too many bytes wait to be written. */
  checkAcceptsWrites(): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.pendingBytes >= LIMITS.pendingBytesMax) {
      throw fail('OVERLOADED', { what: `${Math.round(this.pendingBytes / 2 ** 20)} MiB wait to be written to disk` });
    }
  }

  /** Throws when commits cannot become durable at present: the database of the cluster is away. */
  checkReachable(): void {
    this.#journal.checkReachable();
  }

  /** Reads a record that every folder has. Throws STORE_FAILED or STORE_DAMAGED. */
  checkReadable(): void {
    if (this.#failure !== null) throw this.#failure;
    this.db.resetReadTxn();
    if (this.get(keys.meta('format')) === undefined) throw fail('STORE_DAMAGED', { key: 'format' });
  }

  /** Resolves when the commit is on disk. Rejects with STORE_FAILED, after which no write is accepted. */
  write(commit: Commit): Promise<void> {
    this.onWrite?.(commit.operations);
    return this.#writeOperations(commit.operations, (key, value) => encodeRecord(key, value, this.cipher), commit);
  }

  /** Like `write`, for records that another thread already encoded: with checksum, and encrypted if the folder is. */
  writeRecords(records: readonly [key: Key, record: Uint8Array][]): Promise<void> {
    return this.#writeOperations(records, (_key, record) => record);
  }

  #writeOperations(
    operations: readonly [key: Key, value: Uint8Array | null][],
    recordOf: (key: Key, value: Uint8Array) => Uint8Array,
    commit?: Commit,
  ): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#rejection !== null) return this.#rejection;
    if (operations.length === 0) return this.flushed().then(() => commit?.notifyDurable());
    let last: Promise<unknown>;
    let bytes = 0;
    try {
      const stored: StoredOperation[] = [];
      for (const [logical, value] of operations) {
        const key = this.storedKey(logical);
        bytes += value?.byteLength ?? 0;
        stored.push([key, value === null ? null : recordOf(key, value)]);
      }
      last = this.#journal.write(stored);
    } catch (error) {
      return Promise.reject(this.#setFailure(error));
    }
    this.#lastWrite = last;
    const beganMs = performance.now();
    this.pendingCommits += 1;
    this.pendingBytes += bytes;
    return this.#rejectIfFileLost(
      last.then(
        () => {
          this.pendingCommits -= 1;
          this.pendingBytes -= bytes;
          this.#checkFile();
          // This commit was planned on top of an earlier one that failed.
          if (this.#rejection !== null) return this.#rejection;
          this.commitSeconds.observe((performance.now() - beganMs) / 1_000);
          this.db.resetReadTxn();
          commit?.notifyDurable();
          return undefined;
        },
        (error: unknown) => {
          this.pendingCommits -= 1;
          this.pendingBytes -= bytes;
          return this.#failWrites(error);
        },
      ),
    );
  }

  /** The same promise, but it also rejects as soon as the data file is lost, because LMDB may then never settle. */
  #rejectIfFileLost<T>(written: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const forget = this.#rejectPending.add(reject);
      written.then(
        (value) => {
          forget();
          resolve(value);
        },
        (error: Error) => {
          forget();
          reject(error);
        },
      );
    });
  }

  /**
   * Checks that LMDB still writes to the data file and not to another file that now has its descriptor's number. Runs
   * before a commit is acknowledged, once per turn of the event loop.
   */
  #checkFile(): void {
    if (this.#file === null || this.#fileChecked || this.#fileLost) return;
    if (!this.#file.isIntact) {
      this.#fileLost = true;
      const failure = this.#setFailure(
        new Error(
          'code in this process has closed the data file, so writes no longer reach it. Start the server again',
        ),
      );
      void this.#failWrites(failure);
      exitWithoutClosing();
      for (const reject of this.#rejectPending.values()) reject(failure);
      return;
    }
    this.#fileChecked = true;
    queueMicrotask(() => {
      this.#fileChecked = false;
    });
  }

  /** Resolves when everything written so far is on disk and readable. */
  async flushed(): Promise<void> {
    if (this.#fileLost) throw this.#failure!;
    try {
      await this.#rejectIfFileLost(this.#lastWrite);
    } catch (error) {
      await this.#failWrites(error);
    }
    if (this.#rejection !== null) await this.#rejection;
    this.db.resetReadTxn();
  }

  /** Like `flushed`, but also resolves after a failure, and while the cluster is away: reads continue to work then. */
  async settled(): Promise<void> {
    await this.#journal.whileReachable(this.flushed().catch(() => undefined));
    this.db.resetReadTxn();
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    if (this.#fileCheckTimer !== null) clearInterval(this.#fileCheckTimer);
    await this.#journal.close();
    if (!this.#fileLost) await this.#lastWrite.catch(() => undefined);
    const closed = this.db.close();
    // After a failed commit lmdb waits for that commit forever.
    if (this.#failure === null) await closed;
    else closed.catch(() => undefined);
    this.#lock.release();
  }

  /** Records the failure. No later commit counts, even one that lmdb still writes. */
  #failWrites(error: unknown): Promise<never> {
    if (this.#rejection === null) {
      this.#rejection = causeOf(error).then((cause) => {
        throw this.#setFailure(cause);
      });
      this.#rejection.catch(() => undefined);
    }
    return this.#rejection;
  }

  #setFailure(cause: unknown): Error {
    if (this.#failure === null) {
      this.#failure = fail('STORE_FAILED', { reason: cause instanceof Error ? cause.message : String(cause) }, cause);
      this.onFailure(this.#failure);
    }
    return this.#failure;
  }
}

/**
 * lmdb creates a promise at the beginning of every batch and drops it (3.5.6, write.js, enqueuedEventTurnBatch). When
 * the disk is full, its rejection would end the process. Callers learn of the failure from another promise. All other
 * unhandled rejections end the process as before.
 */
function ignoreDroppedCommitErrors(): void {
  if (!process.listeners('unhandledRejection').includes(onUnhandledRejection))
    process.on('unhandledRejection', onUnhandledRejection);
}

function onUnhandledRejection(error: unknown): void {
  if (error instanceof Error && 'commitError' in error) {
    ignoreReason(error);
    return;
  }
  if (process.listenerCount('unhandledRejection') === 1) throw error;
}

/** Why a commit failed. lmdb reports it in a promise on the error, which it may never settle. */
async function causeOf(error: unknown): Promise<unknown> {
  const cause = (error as { commitError?: Promise<never> }).commitError;
  if (cause === undefined) return error;
  const told = cause.catch((reason: unknown) => reason);
  return Promise.race([
    told,
    new Promise((resolve) => {
      setImmediate(() => resolve(error));
    }),
  ]);
}

/** lmdb ends the process (3.5.6) when there is no space for its lock file. Throws the system's error instead. */
function requireFreeSpace(folder: string): void {
  const file = join(folder, `.room-${process.pid}`);
  try {
    writeFileSync(file, Buffer.alloc(LIMITS.startFreeBytes, 1));
  } finally {
    rmSync(file, { force: true });
  }
}

/** Runs `open` and turns errors of the system and of LMDB into STORE_FAILED. */
function withStoreFailed<T>(folder: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (error instanceof ThreadmillError) throw error;
    throw fail(
      'STORE_FAILED',
      { reason: `${folder}: ${error instanceof Error ? error.message : String(error)}` },
      error,
    );
  }
}

/**
 * Throws STORE_FILE_DAMAGED for a file that is not a database: lmdb would end the process (3.5.6), and it would make a
 * new database of an empty file.
 */
function checkFile(folder: string): void {
  const file = dataFile(folder);
  if (!existsSync(file)) return;
  const fd = openSync(file, 'r');
  try {
    // A crash during the very first start also leaves an empty file, but then there is no seal file yet.
    if (readMetaPages(file, fd) === null && existsSync(sealKeyFile(folder)))
      throw fail('STORE_FILE_DAMAGED', { file, problem: 'the file is empty but had records before' });
  } finally {
    closeSync(fd);
  }
}

/**
 * Checks the pages of the commit that LMDB reads from. On a damaged page LMDB would end the process, or miss records
 * that exist. Of a large file only the branch pages are checked, so that start-up takes less than a second: then it
 * returns false. Throws STORE_FILE_DAMAGED.
 */
function checkPages(file: string, txnId: number): boolean {
  const pages = PageFile.open(file, txnId);
  if (pages === null) return true;
  try {
    const { branchPages, leafPages } = pages.snapshot.main;
    const branchesOnly = branchPages + leafPages > LIMITS.startPagesMax;
    for (const _ of walkEntries(pages, {
      values: false,
      branchesOnly,
      onDamage: (damage) => {
        throw pages.damageError(damage);
      },
    }));
    return !branchesOnly;
  } finally {
    pages.close();
  }
}
