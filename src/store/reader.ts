import { crc32 } from 'node:zlib';
import * as lmdb from 'lmdb';
import { open, type RootDatabase } from 'lmdb';
import { fail } from '../base/errors.js';
import type { Key } from './keys.js';

/** Exported, and missing in its types (lmdb 3.5.6, index.js). */
const { bufferToKeyValue, keyValueToBuffer } = lmdb as unknown as { bufferToKeyValue: (bytes: Buffer) => unknown; keyValueToBuffer: (key: Key) => Uint8Array };

const CHECKSUM_BYTES = 4;
/** Sorts after every string and number that can follow in a key. */
const LAST = Buffer.from([0xff]);

/** Address space only: the file grows as it is used (reference/runtime-notes.md, section 4). */
const MAP_BYTES = 1024 ** 4;

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
  return open<Uint8Array, Key>({ path: file, noSubdir: true, encoding: 'binary', mapSize: MAP_BYTES, maxReaders: 126, remapChunks: false, readOnly });
}

/** The same with keys as the bytes that LMDB has: for what goes through all of them and need not know what they say. */
export function openRaw(file: string, readOnly: boolean): RootDatabase<Uint8Array, Buffer> {
  return open<Uint8Array, Buffer>({ path: file, noSubdir: true, encoding: 'binary', keyEncoding: 'binary', mapSize: MAP_BYTES, maxReaders: 126, remapChunks: false, readOnly });
}

export function keyBytes(key: Key): Buffer {
  return Buffer.from(keyValueToBuffer(key));
}

/** Undefined when the bytes are no key. */
export function keyValue(bytes: Uint8Array): unknown {
  try {
    return bufferToKeyValue(Buffer.from(bytes));
  } catch {
    return undefined;
  }
}

/** A key in words, as errors name it; of bytes that are none, these. */
export function keyText(bytes: Uint8Array): string {
  return JSON.stringify(keyValue(bytes)) ?? `0x${Buffer.from(bytes).toString('hex')}`;
}

/** Number of the commit that is read by. */
export function lastTxnId(db: RootDatabase<Uint8Array, Key>): number {
  return (db.getStats() as { lastTxnId: number }).lastTxnId;
}

/** What can be asked of the data folder, on any thread. Values are checked and fit to be used until the next write or refresh. */
export class Reader {
  protected readonly db: RootDatabase<Uint8Array, Key>;

  constructor(db: RootDatabase<Uint8Array, Key>) {
    this.db = db;
  }

  /** For a thread that only reads, while another one of this process holds the folder. */
  static attach(file: string): Reader {
    return new Reader(openFile(file, true));
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
    const stored = found(key, () => this.db.get(key));
    return stored === undefined ? undefined : checked(key, stored);
  }

  has(key: Key): boolean {
    return found(key, () => this.db.doesExist(key)) ?? false;
  }

  *entries(range: Range): Generator<[Key, Uint8Array]> {
    for (const { key, value } of isTooLong(range) ? [] : this.db.getRange(bounds(range))) yield [key, checked(key, value)];
  }

  *keys(range: Range): Generator<Key> {
    if (!isTooLong(range)) yield* this.db.getKeys(bounds(range)) as Iterable<Key>;
  }

  /**
   * As `keys`, for a walk during which what it has passed is removed: lmdb would leave out what comes after a place that is
   * gone. Each page of `page` keys is read whole.
   */
  *walk(prefix: Key, page: number): Generator<Key> {
    for (let last: Key | null = null; ;) {
      const found: Key[] = [...this.keys({ prefix, limit: page, ...(last === null ? {} : { start: last, after: true }) })];
      yield* found;
      if (found.length < page) return;
      last = found.at(-1)!;
    }
  }

  /** How many keys the range has; each takes some 50 ns. */
  count(range: Range): number {
    return isTooLong(range) ? 0 : this.db.getKeysCount(bounds(range));
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
  return { ...options, snapshot: false, ...(skip === undefined ? {} : { offset: skip }), ...(limit === undefined ? {} : { limit }) };
}

export function stamped(value: Uint8Array): Buffer {
  const record = Buffer.allocUnsafe(CHECKSUM_BYTES + value.byteLength);
  record.set(value, CHECKSUM_BYTES);
  record.writeUInt32LE(crc32(value), 0);
  return record;
}

/** What a record holds. Throws STORE_DAMAGED when it does not have its checksum. */
export function checked(key: Key, stored: Uint8Array): Uint8Array {
  const value = valueIn(stored);
  if (value === null) throw fail('STORE_DAMAGED', { key: JSON.stringify(key) });
  return value;
}

/** The same of a key as LMDB has it. */
export function checkedRecord(key: Uint8Array, stored: Uint8Array): Uint8Array {
  const value = valueIn(stored);
  if (value === null) throw fail('STORE_DAMAGED', { key: keyText(key) });
  return value;
}

/** Null when it does not have its checksum. */
export function valueIn(stored: Uint8Array): Uint8Array | null {
  const record = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const value = record.subarray(CHECKSUM_BYTES);
  return record.length < CHECKSUM_BYTES || record.readUInt32LE(0) !== crc32(value) ? null : value;
}
