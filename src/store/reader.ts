import { open, type RootDatabase } from 'lmdb';
import type { CipherKeys } from '../base/cipher-keys.js';
import { fail } from '../base/errors.js';
import { encodeKey } from './key-codec.js';
import type { Key } from './keys.js';
import { mapBytes } from './files/map-size.js';
import { RecordCipher } from './encryption/record-cipher.js';
import { decodeRecord, wasWrittenUnder } from './record-codec.js';

/** Sorts after every string and number that can follow in a key. */
const AFTER_ALL_PARTS = Buffer.from([0xff]);

export interface Range {
  prefix: Key;
  /** First key of the range, inside the prefix. With `after`, the range begins behind it. */
  start?: Key;
  after?: boolean;
  reverse?: boolean;
  /** Number of keys to skip first. */
  skip?: number;
  limit?: number;
}

/** `noSync`: a commit counts before it is on disk. After a failure of the machine the file may be damaged. */
export function openDatabase(
  file: string,
  readOnly: boolean,
  { noSync = false }: { noSync?: boolean } = {},
): RootDatabase<Uint8Array, Key> {
  return captureExitListeners(() =>
    open<Uint8Array, Key>({
      path: file,
      noSubdir: true,
      encoding: 'binary',
      mapSize: mapBytes(),
      maxReaders: 126,
      remapChunks: false,
      readOnly,
      noSync,
    }),
  );
}

/** The same, but with keys as raw bytes: for passes over all records that need not decode keys. */
export function openRawDatabase(file: string, readOnly: boolean): RootDatabase<Uint8Array, Buffer> {
  return captureExitListeners(() =>
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

/** Exit listeners of lmdb, which it registers when it opens its first file. */
const exitListeners: NodeJS.ExitListener[] = [];

function captureExitListeners<T>(open: () => T): T {
  const before = process.listeners('exit');
  const opened = open();
  exitListeners.push(...process.listeners('exit').filter((listener) => !before.includes(listener)));
  return opened;
}

/**
 * Ends the process by SIGKILL once all other exit listeners have run. For a file that LMDB has lost: its writer thread
 * never returns, and both lmdb's closing and Node's own exit would wait for it forever.
 */
export function exitWithoutClosing(): void {
  for (const listener of exitListeners) process.off('exit', listener);
  process.on('exit', () => process.kill(process.pid, 'SIGKILL'));
}

/** Number of the transaction that reads currently see. */
export function lastTxnId(db: RootDatabase<Uint8Array, Key>): number {
  return (db.getStats() as { lastTxnId: number }).lastTxnId;
}

/** Read access to the data folder, on any thread. Values are verified, and valid until the next write or refresh. */
export class Reader {
  /** Null when the folder is not encrypted. */
  readonly cipher: RecordCipher | null;
  protected readonly db: RootDatabase<Uint8Array, Key>;

  constructor(db: RootDatabase<Uint8Array, Key>, cipher: RecordCipher | null) {
    this.db = db;
    this.cipher = cipher;
  }

  /** A reader for a thread that only reads, while another thread of this process holds the folder. */
  static attach(file: string, encryption: CipherKeys | null): Reader {
    return new Reader(openDatabase(file, true), RecordCipher.of(encryption));
  }

  /** Later reads see at least every commit that was acknowledged before this call. */
  refresh(): void {
    this.db.resetReadTxn();
  }

  /** Closes a reader that `attach` made. */
  close(): Promise<void> {
    return this.db.close();
  }

  get(key: Key): Uint8Array | undefined {
    const at = this.storedKey(key);
    const record = unlessTooLong(at, () => this.db.get(at));
    if (record !== undefined) return decodeRecord(at, record, this.cipher);
    this.#checkNeighbors(at);
    return undefined;
  }

  /** The key under which the record is stored: part of it is hashed in an encrypted folder. */
  protected storedKey(key: Key): Key {
    return this.cipher === null ? key : this.cipher.storedKey(key);
  }

  #rangeOptions(range: Range): ReturnType<typeof rangeOptions> {
    if (this.cipher === null) return rangeOptions(range);
    return rangeOptions({
      ...range,
      prefix: this.storedKey(range.prefix),
      ...(range.start === undefined ? {} : { start: this.storedKey(range.start) }),
    });
  }

  /**
   * Throws STORE_DAMAGED when the record exists under a damaged key. One damaged byte leaves the key right beside its
   * proper position. A missing key costs two key reads; the record is read only when exactly one byte differs.
   */
  #checkNeighbors(key: Key): void {
    if (keyLength(key) > KEY_BYTES_MAX) return;
    for (const reverse of [false, true]) {
      for (const neighbour of this.db.getKeys({ start: key, reverse, limit: 1, snapshot: false })) {
        if (!differsInOneByte(key, neighbour)) continue;
        const stored = this.db.get(neighbour);
        if (stored !== undefined && wasWrittenUnder(key, stored))
          throw fail('STORE_DAMAGED', { key: JSON.stringify(key) });
      }
    }
  }

  /** Like `get`, before a write to this key. Skips the search for a damaged key, since mostly no record exists yet. */
  getBeforeWrite(key: Key): Uint8Array | undefined {
    const at = this.storedKey(key);
    const record = this.db.get(at);
    return record === undefined ? undefined : decodeRecord(at, record, this.cipher);
  }

  has(key: Key): boolean {
    const at = this.storedKey(key);
    return unlessTooLong(at, () => this.db.doesExist(at)) ?? false;
  }

  *entries(range: Range): Generator<[Key, Uint8Array]> {
    for (const { key, value } of isRangeTooLong(range) ? [] : this.db.getRange(this.#rangeOptions(range)))
      yield [key, decodeRecord(key, value, this.cipher)];
  }

  *keys(range: Range): Generator<Key> {
    if (!isRangeTooLong(range)) yield* this.db.getKeys(this.#rangeOptions(range)) as Iterable<Key>;
  }

  /**
   * Those of the ids that follow `prefix` in some key. The key that is found tells how many of the next ids have none:
   * if few of them have keys, all of them together take few reads. `ids`: UUIDs, which sort as their keys do.
   */
  idsUnder(prefix: Key, ids: Iterable<string>): Set<string> {
    const wanted = [...ids].sort();
    const found = new Set<string>();
    for (let at = 0; at < wanted.length;) {
      const [key] = this.keys({ prefix, start: [...prefix, wanted[at]!], limit: 1 });
      if (key === undefined) break;
      const next = key[prefix.length] as string;
      while (at < wanted.length && wanted[at]! < next) at += 1;
      if (wanted[at] === next) found.add(wanted[at++]!);
    }
    return found;
  }

  /** Keys of an index, whose records have empty values. Each checksum is verified. Throws STORE_DAMAGED. */
  *indexKeys(range: Range): Generator<Key> {
    for (const [key] of this.entries(range)) yield key;
  }

  /** Keys of a range with the stored bytes of each record, its key included. Values are not verified. */
  *sizes(range: Range): Generator<[Key, number]> {
    for (const { key, value } of isRangeTooLong(range) ? [] : this.db.getRange(this.#rangeOptions(range)))
      yield [key, encodeKey(key).byteLength + value.byteLength];
  }

  /**
   * Like `keys`, but the caller may remove keys that were already returned: lmdb's own ranges then skip the next key.
   * Reads `page` keys at a time.
   */
  *keysDuringRemoval(prefix: Key, page: number): Generator<Key> {
    for (let last: Key | null = null; ;) {
      const found: Key[] = [
        ...this.keys({ prefix, limit: page, ...(last === null ? {} : { start: last, after: true }) }),
      ];
      yield* found;
      if (found.length < page) return;
      last = found.at(-1)!;
    }
  }

  /** Number of keys in the range. Takes about 50 ns per key. */
  count(range: Range): number {
    return isRangeTooLong(range) ? 0 : this.db.getKeysCount(this.#rangeOptions(range));
  }
}

/** Largest whole key that lmdb accepts. */
const KEY_BYTES_MAX = 1_978;

/** Undefined for a key that is too long, for which lmdb throws: clients choose names, and no record has such a key. */
function unlessTooLong<T>(key: Key, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (keyLength(key) > KEY_BYTES_MAX) return undefined;
    throw error;
  }
}

function differsInOneByte(key: Key, other: Key): boolean {
  if (other.length !== key.length) return false;
  const [one, two] = [encodeKey(key), encodeKey(other)];
  if (one.length !== two.length) return false;
  let different = 0;
  for (let at = 0; at < one.length; at += 1) if (one[at] !== two[at]) different += 1;
  return different === 1;
}

function isRangeTooLong({ prefix, start }: Range): boolean {
  // The end of the range needs a few more bytes.
  return keyLength(start ?? prefix) > KEY_BYTES_MAX - 8;
}

function keyLength(key: Key): number {
  let bytes = 0;
  for (const part of key) bytes += typeof part === 'string' ? Buffer.byteLength(part) + 1 : 9;
  return bytes;
}

function rangeOptions({ prefix, start, after, reverse = false, skip, limit }: Range) {
  const from = start ?? prefix;
  const low = prefix as unknown[];
  const high = [...prefix, AFTER_ALL_PARTS] as unknown[];
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
