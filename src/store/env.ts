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
 * What one turn changes. Puts are collected first and written together, so a throw while planning changes nothing
 * (a throw inside an LMDB transaction does not roll back). All commits written in one turn of the event loop are one
 * transaction.
 */
export class Commit {
  readonly operations: [key: Key, value: Uint8Array | null][] = [];
  readonly #onDurable: (() => void)[] = [];

  /** Calls back when the commit is on disk, before the promise of `Store.write` settles; never when it fails. */
  onDurable(callback: () => void): void {
    this.#onDurable.push(callback);
  }

  /** Called by the store, once. */
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

/** What `Store.open` finds out about the folder. */
type OpenedParts = Pick<Store, 'looked' | 'exposed' | 'cipher'> & { file: OpenDataFile | null };

/** The data folder: one LMDB file, one writer, every record with its checksum. Only the front thread holds one. */
export class Store extends Reader {
  readonly folder: string;
  /** From handed over to on disk. */
  readonly commitTimes = new Tally(BOUNDS.commit);
  /** Handed over, and not on disk yet: commits, and the bytes of their values. */
  pendingCommits = 0;
  pendingBytes = 0;
  /** Told once, when the first commit fails. */
  onFailure: (error: Error) => void = () => undefined;
  /** False: the file is so large that the start looked only at the pages that lead to the others. */
  readonly looked: boolean;
  /** Files that other users can read, and whose mode this user may not change. */
  readonly exposed: readonly string[];
  readonly #lock: FolderLock;
  #pending: Promise<unknown> = Promise.resolve();
  #failure: Error | null = null;
  /** Set when a commit has failed: rejects with STORE_FAILED when lmdb has said why. */
  #failing: Promise<never> | null = null;
  /** Null for a simulated database. */
  readonly #file: OpenDataFile | null;
  /** Looks at the file also when a commit never comes back. */
  readonly #fileTimer: NodeJS.Timeout | null = null;
  #fileSeen = false;
  /** LMDB has no longer the data file under its descriptors. */
  #fileLost = false;
  /** What rejects the writes under way then. */
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
   * Opens or makes the folder; a new one is encrypted when there is an encryption key. Throws STORE_LOCKED, STORE_FORMAT,
   * STORE_FILE_DAMAGED, STORE_DAMAGED, STORE_FAILED, ENCRYPTION_KEY_MISSING, ENCRYPTION_KEY_WRONG or STORE_NOT_ENCRYPTED; never
   * starts empty over damage.
   */
  static open(folder: string, encryptionKey: Uint8Array | null = null): Store {
    expectFailedCommits();
    const lock: FolderLock = writable(folder, () => {
      makePrivateFolder(folder);
      needRoom(folder);
      return lockFolder(folder);
    });
    try {
      // A cut off "threadmill encrypt" may have left records there that nobody wants unencrypted.
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

  /** Over a database of another kind, which its maker locks: a simulated one. */
  static over(db: RootDatabase<Uint8Array, Key>, folder: string): Store {
    return new Store(
      folder,
      db,
      { release: () => undefined },
      { looked: true, exposed: [], file: null, cipher: openRecords(db, folder, null) },
    );
  }

  /** Null when nothing has failed. Once a commit has failed nothing more is accepted: memory and disk may differ. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** Nothing more is accepted: what it stands on is damaged. */
  stop(error: Error): void {
    this.#failed(error);
  }

  /** Bytes of the data file, as they stand on disk. */
  get fileBytes(): number {
    return statSync(dataFile(this.folder)).size;
  }

  /** Throws when nothing more can be written now: the store has failed, or the disk is too far behind. */
  checkIntake(): void {
    if (this.#failure !== null) throw this.#failure;
    if (this.pendingBytes >= LIMITS.pendingBytesMax) {
      throw fail('OVERLOADED', { what: `${Math.round(this.pendingBytes / 2 ** 20)} MiB wait to be written to disk` });
    }
  }

  /** Reads what every folder has. Throws STORE_FAILED, STORE_DAMAGED. */
  check(): void {
    if (this.#failure !== null) throw this.#failure;
    this.db.resetReadTxn();
    if (this.get(keys.meta('format')) === undefined) throw fail('STORE_DAMAGED', { key: 'format' });
  }

  /** Resolves when the commit is on disk; rejects with STORE_FAILED, after which intake stops. */
  write(commit: Commit): Promise<void> {
    return this.#put(commit.operations, (key, value) => stamped(key, value, this.cipher), commit);
  }

  /** As `write`, of records that have their checksum already, and are encrypted where the folder is: made on another thread, it costs this one nothing. */
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
        // All of one turn are one transaction, and the last one tells of it; but each rejects when that fails.
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
          // It was decided on what an earlier commit, which is not on disk, would have left there.
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

  /** The same promise, which also rejects as soon as the data file is lost: LMDB may never come back. */
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

  /** Before a commit is told as done: it went to the data file, and not to what has its number now. Once for all of a turn. */
  #lookAtFile(): void {
    if (this.#file === null || this.#fileSeen || this.#fileLost) return;
    if (!this.#file.isIntact) {
      this.#fileLost = true;
      const failure = this.#failed(
        new Error(
          'code in this process has closed the data file: nothing that is written reaches it any more. Start the server again',
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

  /** Resolves when everything written so far is on disk and readable, or has failed: for reads, which go on after a failure. */
  async settled(): Promise<void> {
    await this.flushed().catch(() => this.db.resetReadTxn());
  }

  override async close(): Promise<void> {
    if (this.#fileTimer !== null) clearInterval(this.#fileTimer);
    if (!this.#fileLost) await this.#pending.catch(() => undefined);
    const closed = this.db.close();
    // After a commit that failed lmdb goes on waiting for it.
    if (this.#failure === null) await closed;
    else closed.catch(() => undefined);
    this.#lock.release();
  }

  /** No commit that comes after this one counts, not even one that lmdb writes. */
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

/** Checks or writes the records that say what the folder is, and returns what its values are encrypted with. */
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
  // Damaged, if that is not it: the next line says so.
  if (found !== null && found !== String(FORMAT_VERSION)) throw otherFormat(folder, found);
  checked(format, stored);
  return cipherOf(new Reader(db, null).get(keys.meta('encryption')), folder, encryptionKey);
}

/**
 * lmdb makes a promise for itself at the beginning of every batch and drops it (3.5.6, write.js, enqueuedEventTurnBatch).
 * When the disk is full it would end the process; who waits for the commit is told by another one. All else that nobody
 * awaits ends the process as before.
 */
function expectFailedCommits(): void {
  if (!process.listeners('unhandledRejection').includes(dropped)) process.on('unhandledRejection', dropped);
}

function dropped(error: unknown): void {
  if (error instanceof Error && 'commitError' in error) return;
  if (process.listenerCount('unhandledRejection') === 1) throw error;
}

/** lmdb says why a commit failed in a promise of the error, which it may never settle. */
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

/** Without room for its lock file lmdb ends the process (3.5.6). Throws the system's error. */
function needRoom(folder: string): void {
  const file = join(folder, `.room-${process.pid}`);
  try {
    writeFileSync(file, Buffer.alloc(LIMITS.startRoomBytes, 1));
  } finally {
    rmSync(file, { force: true });
  }
}

/** What the system refuses, or LMDB, as STORE_FAILED. */
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

/** lmdb ends the process on a file that is no database (lmdb 3.5.6), and makes a new one of a file without bytes; this names the file instead. */
function checkFile(folder: string): void {
  const file = dataFile(folder);
  if (!existsSync(file)) return;
  const fd = openSync(file, 'r');
  try {
    // A crash at the very first start leaves such a file too, but before there is a sealing key.
    if (readHeads(file, fd) === null && existsSync(sealFile(folder)))
      throw fail('STORE_FILE_DAMAGED', { file, problem: 'it is empty, and was not' });
  } finally {
    closeSync(fd);
  }
}

/**
 * Looks at the pages of the commit that LMDB reads by: over damaged ones it would end the process, or find nothing where
 * something is. Of a large file only at what leads to the records, and false: a start takes less
 * than a second. Throws STORE_FILE_DAMAGED.
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
