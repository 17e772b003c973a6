import { open, type RootDatabase } from 'lmdb';
import type { CipherKeys } from '../base/cipher-keys.js';
import { fail } from '../base/errors.js';
import { keyBytes } from './key-bytes.js';
import type { Key } from './keys.js';
import { mapBytes } from './files/map-size.js';
import { RecordCipher } from './encryption/record-cipher.js';
import { checked, isOf } from './stamp.js';

/** Sorts after every string and number that can follow in a key. */
const LAST = Buffer.from([0xff]);

export interface Range {
  prefix: Key;
  /** Start at this key (after it when `after`), inside the prefix. */
  start?: Key;
  after?: boolean;
  reverse?: boolean;
  /** Leave so many out first. */
  skip?: number;
  limit?: number;
}

export function openFile(file: string, readOnly: boolean): RootDatabase<Uint8Array, Key> {
  return noteExitListener(() =>
    open<Uint8Array, Key>({
      path: file,
      noSubdir: true,
      encoding: 'binary',
      mapSize: mapBytes(),
      maxReaders: 126,
      remapChunks: false,
      readOnly,
    }),
  );
}

/** The same with keys as the bytes that LMDB has: for what goes through all of them and need not know what they say. */
export function openRaw(file: string, readOnly: boolean): RootDatabase<Uint8Array, Buffer> {
  return noteExitListener(() =>
    open<Uint8Array, Buffer>({
      path: file,
      noSubdir: true,
      encoding: 'binary',
      keyEncoding: 'binary',
      mapSize: mapBytes(),
      maxReaders: 126,
      remapChunks: false,
      readOnly,
    }),
  );
}

/** What lmdb does when the process exits: it registers it with the first file that it opens. */
const exitListeners: NodeJS.ExitListener[] = [];

function noteExitListener<T>(open: () => T): T {
  const before = process.listeners('exit');
  const opened = open();
  exitListeners.push(...process.listeners('exit').filter((listener) => !before.includes(listener)));
  return opened;
}

/**
 * For a file that LMDB has lost: its writer never comes back, and lmdb's closing as well as Node's own end would wait for it for
 * ever. When the process exits, after all else is done, it ends by SIGKILL.
 */
export function exitWithoutClosing(): void {
  for (const listener of exitListeners) process.off('exit', listener);
  process.on('exit', () => process.kill(process.pid, 'SIGKILL'));
}

/** Number of the commit that is read by. */
export function lastTxnId(db: RootDatabase<Uint8Array, Key>): number {
  return (db.getStats() as { lastTxnId: number }).lastTxnId;
}

/** What can be asked of the data folder, on any thread. Values are checked and fit to be used until the next write or refresh. */
export class Reader {
  /** Null: the folder is not encrypted. */
  readonly cipher: RecordCipher | null;
  protected readonly db: RootDatabase<Uint8Array, Key>;

  constructor(db: RootDatabase<Uint8Array, Key>, cipher: RecordCipher | null) {
    this.db = db;
    this.cipher = cipher;
  }

  /** For a thread that only reads, while another one of this process holds the folder. */
  static attach(file: string, encryption: CipherKeys | null): Reader {
    return new Reader(openFile(file, true), RecordCipher.of(encryption));
  }

  /** What is read from now on is at least as new as every commit that was told before this call. */
  refresh(): void {
    this.db.resetReadTxn();
  }

  /** For a reader that was attached and is needed no more. */
  close(): Promise<void> {
    return this.db.close();
  }

  get(key: Key): Uint8Array | undefined {
    const at = this.stored(key);
    const record = found(at, () => this.db.get(at));
    if (record !== undefined) return checked(at, record, this.cipher);
    this.#notBeside(at);
    return undefined;
  }

  /** The key under which the record stands. */
  protected stored(key: Key): Key {
    return this.cipher === null ? key : this.cipher.storedKey(key);
  }

  #bounds(range: Range): ReturnType<typeof bounds> {
    if (this.cipher === null) return bounds(range);
    return bounds({
      ...range,
      prefix: this.stored(range.prefix),
      ...(range.start === undefined ? {} : { start: this.stored(range.start) }),
    });
  }

  /**
   * A record whose key was damaged in the file stands right beside where it should: then it is not missing. Throws
   * STORE_DAMAGED. Costs a missing key two looks at keys; the record is read only where one byte differs.
   */
  #notBeside(key: Key): void {
    if (keyLength(key) > KEY_BYTES_MAX) return;
    for (const reverse of [false, true]) {
      for (const neighbour of this.db.getKeys({ start: key, reverse, limit: 1, snapshot: false })) {
        if (!differsInOneByte(key, neighbour)) continue;
        const stored = this.db.get(neighbour);
        if (stored !== undefined && isOf(key, stored)) throw fail('STORE_DAMAGED', { key: JSON.stringify(key) });
      }
    }
  }

  /** As `get`, for who is about to write there: mostly there is nothing yet, and no one looks beside it. */
  before(key: Key): Uint8Array | undefined {
    const at = this.stored(key);
    const record = this.db.get(at);
    return record === undefined ? undefined : checked(at, record, this.cipher);
  }

  has(key: Key): boolean {
    const at = this.stored(key);
    return found(at, () => this.db.doesExist(at)) ?? false;
  }

  *entries(range: Range): Generator<[Key, Uint8Array]> {
    for (const { key, value } of isTooLong(range) ? [] : this.db.getRange(this.#bounds(range)))
      yield [key, checked(key, value, this.cipher)];
  }

  *keys(range: Range): Generator<Key> {
    if (!isTooLong(range)) yield* this.db.getKeys(this.#bounds(range)) as Iterable<Key>;
  }

  /** Keys of an index, where all that a record says is its key: each is checked. Throws STORE_DAMAGED. */
  *index(range: Range): Generator<Key> {
    for (const [key] of this.entries(range)) yield key;
  }

  /**
   * As `keys`, for a walk during which what it has passed is removed: lmdb would leave out what comes after a place that is
   * gone. Each page of `page` keys is read whole.
   */
  *walk(prefix: Key, page: number): Generator<Key> {
    for (let last: Key | null = null; ;) {
      const found: Key[] = [
        ...this.keys({ prefix, limit: page, ...(last === null ? {} : { start: last, after: true }) }),
      ];
      yield* found;
      if (found.length < page) return;
      last = found.at(-1)!;
    }
  }

  /** How many keys the range has; each takes some 50 ns. */
  count(range: Range): number {
    return isTooLong(range) ? 0 : this.db.getKeysCount(this.#bounds(range));
  }
}

/** What lmdb takes, for a whole key. */
const KEY_BYTES_MAX = 1_978;

/** Names come from callers, and no record has a longer key: there is none. lmdb throws where the key does not fit into its buffer. */
function found<T>(key: Key, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (keyLength(key) > KEY_BYTES_MAX) return undefined;
    throw error;
  }
}

function differsInOneByte(key: Key, other: Key): boolean {
  if (other.length !== key.length) return false;
  const [one, two] = [keyBytes(key), keyBytes(other)];
  if (one.length !== two.length) return false;
  let different = 0;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== two[at]) different += 1;
  return different === 1;
}

function isTooLong({ prefix, start }: Range): boolean {
  // What closes the range has a few bytes too.
  return keyLength(start ?? prefix) > KEY_BYTES_MAX - 8;
}

function keyLength(key: Key): number {
  let bytes = 0;
  for (const part of key) bytes += typeof part === 'string' ? Buffer.byteLength(part) + 1 : 9;
  return bytes;
}

function bounds({ prefix, start, after, reverse = false, skip, limit }: Range) {
  const from = start ?? prefix;
  const low = prefix as unknown[];
  const high = [...prefix, LAST] as unknown[];
  const options = reverse
    ? { start: (start ?? high) as Key, end: low as Key, reverse: true, exclusiveStart: after ?? false }
    : { start: from, end: high as unknown as Key, exclusiveStart: after ?? false };
  return {
    ...options,
    snapshot: false,
    ...(skip === undefined ? {} : { offset: skip }),
    ...(limit === undefined ? {} : { limit }),
  };
}
