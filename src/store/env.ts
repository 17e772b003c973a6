import { closeSync, existsSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RootDatabase } from 'lmdb';
import { fail, ThreadmillError } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { BOUNDS, Tally } from '../base/histogram.js';
import { dataFile, encryptingFile, removeDataFile, sealFile } from './files/data-file.js';
import { cipherOf, newCipher } from './encryption/encryption.js';
import { lockFolder, type FolderLock } from './files/folder-lock.js';
import { formatIn, otherFormat } from './files/format.js';
import { FORMAT_VERSION, keys, type Key } from './keys.js';
import { OpenDataFile, openDescriptors } from './files/open-file.js';
import { PageFile, readHeads } from './files/page-file.js';
import { walkEntries } from './files/page-walk.js';
import { makePrivateFolder, tightenFolder } from './files/private-folder.js';
import { exitWithoutClosing, lastTxnId, openFile, Reader } from './reader.js';
import type { RecordCipher } from './encryption/record-cipher.js';
import { checked, stamped } from './stamp.js';

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
  durable(): void {
    for (const callback of this.#onDurable) callback();
  }

  put(key: Key, value: Uint8Array): void {
    this.operations.push([key, value]);
  }

  remove(key: Key): void {
    this.operations.push([key, null]);
  }
}

const EMPTY = Buffer.alloc(0);

/** Results of the checks that `Store.open` makes on the folder. */
type OpenedParts = Pick<Store, 'looked' | 'exposed' | 'cipher'> & { file: OpenDataFile | null };

/** The open data folder: one LMDB file with one writer. Every record has a checksum. Only the front thread holds it. */
export class Store extends Reader {
  readonly folder: string;
  /** Seconds from `write` until the commit is on disk. */
  readonly commitTimes = new Tally(BOUNDS.commit);
  /** Commits passed to `write` that are not on disk yet. */
  pendingCommits = 0;
  /** Bytes of the values in those commits. */
  pendingBytes = 0;
  /** Called once, when the first commit fails. */
  onFailure: (error: Error) => void = () => undefined;
  /** False when the file is so large that start-up checked only its branch pages, not the leaf pages. */
  readonly looked: boolean;
  /** Files that other users can read and whose mode this user may not change. */
  readonly exposed: readonly string[];
  readonly #lock: FolderLock;
  #pending: Promise<unknown> = Promise.resolve();
  #failure: Error | null = null;
  /** Set when a commit fails. Rejects with STORE_FAILED once lmdb reports the cause. */
  #failing: Promise<never> | null = null;
  /** Null for a simulated database. */
  readonly #file: OpenDataFile | null;
  /** Also checks the data file while a commit never settles. */
  readonly #fileTimer: NodeJS.Timeout | null = null;
  /** The data file was already checked in this turn of the event loop. */
  #fileSeen = false;
  /** LMDB's descriptors no longer refer to the data file. */
  #fileLost = false;
  /** Reject functions of the writes in progress, for when the file is lost. */
  readonly #underWay = new Set<(error: Error) => void>();

  private constructor(
    folder: string,
    db: RootDatabase<Uint8Array, Key>,
    lock: FolderLock,
    { looked, exposed, file, cipher }: OpenedParts,
  ) {
    super(db, cipher);
    this.#file = file;
    if (file !== null)
      this.#fileTimer = setInterval(() => {
        this.#lookAtFile();
      }, LIMITS.dataFileLookMs).unref();
    this.folder = folder;
    this.looked = looked;
    this.exposed = exposed;
    this.#lock = lock;
  }

  /**
   * Opens or creates the folder. A new folder is encrypted when an encryption key is given. Damage is never replaced
   * by an empty store. Throws STORE_LOCKED, STORE_FORMAT, STORE_FILE_DAMAGED, STORE_DAMAGED, STORE_FAILED,
   * ENCRYPTION_KEY_MISSING, ENCRYPTION_KEY_WRONG or STORE_NOT_ENCRYPTED.
   */
  static open(folder: string, encryptionKey: Uint8Array | null = null): Store {
    expectFailedCommits();
    const lock: FolderLock = writable(folder, () => {
      makePrivateFolder(folder);
      needRoom(folder);
      return lockFolder(folder);
    });
    try {
      // An interrupted "threadmill encrypt" may have left unencrypted records in this file.
      removeDataFile(encryptingFile(folder));
      checkFile(folder);
      const before = openDescriptors();
      const db = writable(folder, () => openFile(dataFile(folder), false));
      const exposed = tightenFolder(folder);
      try {
        const file = new OpenDataFile(dataFile(folder), before);
        const looked = checkPages(dataFile(folder), lastTxnId(db));
        return new Store(folder, db, lock, { looked, exposed, file, cipher: openRecords(db, folder, encryptionKey) });
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
  static over(db: RootDatabase<Uint8Array, Key>, folder: string): Store {
    return new Store(
      folder,
      db,
      { release: () => undefined },
      { looked: true, exposed: [], file: null, cipher: openRecords(db, folder, null) },
    );
  }

  /** Null while nothing has failed. After a failed commit no write is accepted, because memory and disk may differ. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Stops accepting writes, because the records they depend on are damaged. */
  stop(error: Error): void {
    this.#failed(error);
  }

  /** Size of the data file on disk. */
  get fileBytes(): number {
    return statSync(dataFile(this.folder)).size;
  }

  /** Throws when no write is accepted now: the store has failed, or too many bytes wait to be written. */
  checkIntake(): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.pendingBytes >= LIMITS.pendingBytesMax) {
      throw fail('OVERLOADED', { what: `${Math.round(this.pendingBytes / 2 ** 20)} MiB wait to be written to disk` });
    }
  }

  /** Reads a record that every folder has. Throws STORE_FAILED or STORE_DAMAGED. */
  check(): void {
    if (this.#failure !== null) throw this.#failure;
    this.db.resetReadTxn();
    if (this.get(keys.meta('format')) === undefined) throw fail('STORE_DAMAGED', { key: 'format' });
  }

  /** Resolves when the commit is on disk. Rejects with STORE_FAILED, after which no write is accepted. */
  write(commit: Commit): Promise<void> {
    return this.#put(commit.operations, (key, value) => stamped(key, value, this.cipher), commit);
  }

  /** Like `write`, for records that another thread already encoded: with checksum, and encrypted if the folder is. */
  writeStamped(records: readonly [key: Key, record: Uint8Array][]): Promise<void> {
    return this.#put(records, (_key, record) => record);
  }

  #put(
    operations: readonly [key: Key, value: Uint8Array | null][],
    recordOf: (key: Key, value: Uint8Array) => Uint8Array,
    commit?: Commit,
  ): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    if (this.#failing !== null) return this.#failing;
    if (operations.length === 0) return this.flushed().then(() => commit?.durable());
    let last: Promise<unknown> = this.#pending;
    let bytes = 0;
    try {
      for (const [logical, value] of operations) {
        const key = this.stored(logical);
        bytes += value?.byteLength ?? 0;
        const one: Promise<unknown> = value === null ? this.db.remove(key) : this.db.put(key, recordOf(key, value));
        if (one === last) continue;
        // All operations of one turn are one transaction, so the last promise covers them; each rejects on failure.
        one.catch(() => undefined);
        last = one;
      }
    } catch (error) {
      return Promise.reject(this.#failed(error));
    }
    this.#pending = last;
    const beganMs = performance.now();
    this.pendingCommits += 1;
    this.pendingBytes += bytes;
    return this.#unlessLost(
      last.then(
        () => {
          this.pendingCommits -= 1;
          this.pendingBytes -= bytes;
          this.#lookAtFile();
          // This commit was planned on top of an earlier one that failed.
          if (this.#failing !== null) return this.#failing;
          this.commitTimes.note((performance.now() - beganMs) / 1_000);
          this.db.resetReadTxn();
          commit?.durable();
          return undefined;
        },
        (error: unknown) => {
          this.pendingCommits -= 1;
          this.pendingBytes -= bytes;
          return this.#fail(error);
        },
      ),
    );
  }

  /** The same promise, but it also rejects as soon as the data file is lost, because LMDB may then never settle. */
  #unlessLost<T>(written: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#underWay.add(reject);
      written.then(
        (value) => {
          this.#underWay.delete(reject);
          resolve(value);
        },
        (error: Error) => {
          this.#underWay.delete(reject);
          reject(error);
        },
      );
    });
  }

  /**
   * Checks that LMDB still writes to the data file and not to another file that now has its descriptor's number. Runs
   * before a commit is acknowledged, once per turn of the event loop.
   */
  #lookAtFile(): void {
    if (this.#file === null || this.#fileSeen || this.#fileLost) return;
    if (!this.#file.isIntact) {
      this.#fileLost = true;
      const failure = this.#failed(
        new Error(
          'code in this process has closed the data file, so writes no longer reach it. Start the server again',
        ),
      );
      void this.#fail(failure);
      exitWithoutClosing();
      for (const reject of this.#underWay) reject(failure);
      return;
    }
    this.#fileSeen = true;
    queueMicrotask(() => {
      this.#fileSeen = false;
    });
  }

  /** Resolves when everything written so far is on disk and readable. */
  async flushed(): Promise<void> {
    if (this.#fileLost) throw this.#failure!;
    try {
      await this.#unlessLost(this.#pending);
    } catch (error) {
      await this.#fail(error);
    }
    if (this.#failing !== null) await this.#failing;
    this.db.resetReadTxn();
  }

  /** Like `flushed`, but also resolves after a failure: reads continue to work then. */
  async settled(): Promise<void> {
    await this.flushed().catch(() => this.db.resetReadTxn());
  }

  override async close(): Promise<void> {
    if (this.#fileTimer !== null) clearInterval(this.#fileTimer);
    if (!this.#fileLost) await this.#pending.catch(() => undefined);
    const closed = this.db.close();
    // After a failed commit lmdb waits for that commit forever.
    if (this.#failure === null) await closed;
    else closed.catch(() => undefined);
    this.#lock.release();
  }

  /** Records the failure. No later commit counts, even one that lmdb still writes. */
  #fail(error: unknown): Promise<never> {
    if (this.#failing === null) {
      this.#failing = causeOf(error).then((cause) => {
        throw this.#failed(cause);
      });
      this.#failing.catch(() => undefined);
    }
    return this.#failing;
  }

  #failed(cause: unknown): Error {
    if (this.#failure === null) {
      this.#failure = fail('STORE_FAILED', { reason: cause instanceof Error ? cause.message : String(cause) }, cause);
      this.onFailure(this.#failure);
    }
    return this.#failure;
  }
}

/** Reads the format and encryption records, or writes them into a new folder. Returns the cipher of the values. */
function openRecords(
  db: RootDatabase<Uint8Array, Key>,
  folder: string,
  encryptionKey: Uint8Array | null,
): RecordCipher | null {
  const format = keys.meta('format');
  const stored = db.get(format);
  if (stored === undefined) {
    const [any] = db.getKeys({ limit: 1 });
    if (any !== undefined) throw otherFormat(folder, 'none');
    const record = stamped(format, Buffer.from(String(FORMAT_VERSION)));
    if (encryptionKey === null) {
      db.putSync(format, record);
      return null;
    }
    const made = newCipher(encryptionKey);
    db.transactionSync(() => {
      db.putSync(keys.meta('encryption'), made.record);
      db.putSync(format, record);
    });
    return made.cipher;
  }
  const found = formatIn(stored);
  // An unreadable format record is damage: the next line throws STORE_DAMAGED.
  if (found !== null && found !== String(FORMAT_VERSION)) throw otherFormat(folder, found);
  checked(format, stored);
  return cipherOf(new Reader(db, null).get(keys.meta('encryption')), folder, encryptionKey);
}

/**
 * lmdb creates a promise at the beginning of every batch and drops it (3.5.6, write.js, enqueuedEventTurnBatch). When
 * the disk is full, its rejection would end the process. Callers learn of the failure from another promise. All other
 * unhandled rejections end the process as before.
 */
function expectFailedCommits(): void {
  if (!process.listeners('unhandledRejection').includes(dropped)) process.on('unhandledRejection', dropped);
}

function dropped(error: unknown): void {
  if (error instanceof Error && 'commitError' in error) return;
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

export { EMPTY };

/** lmdb ends the process (3.5.6) when there is no space for its lock file. Throws the system's error instead. */
function needRoom(folder: string): void {
  const file = join(folder, `.room-${process.pid}`);
  try {
    writeFileSync(file, Buffer.alloc(LIMITS.startRoomBytes, 1));
  } finally {
    rmSync(file, { force: true });
  }
}

/** Runs `open` and turns errors of the system and of LMDB into STORE_FAILED. */
function writable<T>(folder: string, open: () => T): T {
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
    if (readHeads(file, fd) === null && existsSync(sealFile(folder)))
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
        throw pages.damaged(damage);
      },
    }));
    return !branchesOnly;
  } finally {
    pages.close();
  }
}
