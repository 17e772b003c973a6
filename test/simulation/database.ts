import type { RootDatabase } from 'lmdb';
import { toBufferKey } from 'ordered-binary';
import type { Key } from '../../src/store/keys.js';

interface Entry {
  key: Key;
  /** As LMDB orders them. */
  order: Buffer;
  value: Buffer;
}

interface Transaction {
  operations: [key: Key, value: Buffer | null][];
  done: Promise<boolean>;
  commit: () => void;
  reject: (error: Error) => void;
}

interface RangeOptions {
  start?: Key;
  end?: Key;
  reverse?: boolean;
  exclusiveStart?: boolean;
  offset?: number;
  limit?: number;
}

/** What is on the disk: outlives every server. */
export class SimulatedDisk {
  readonly entries: Entry[] = [];
  commits = 0;

  /** Where the key stands, or would. */
  place(order: Buffer): number {
    let low = 0;
    let high = this.entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (Buffer.compare(this.entries[middle]!.order, order) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  set(key: Key, value: Buffer | null): void {
    const order = toBufferKey(key as never);
    const at = this.place(order);
    const found = this.entries[at];
    const there = found !== undefined && found.order.equals(order);
    if (value === null) {
      if (there) this.entries.splice(at, 1);
    } else if (there) found.value = value;
    else this.entries.splice(at, 0, { key, order, value });
  }
}

/**
 * What the store asks of LMDB, over a disk that is written when the simulation says so: all that was put in one of its
 * turns is one transaction, shown when it is on the disk, whole or not at all. What is not on it when the server dies
 * is lost.
 */
export class SimulatedDatabase {
  readonly #disk: SimulatedDisk;
  readonly #waiting: Transaction[] = [];
  #open: Transaction | null = null;
  #dead = false;

  constructor(disk: SimulatedDisk) {
    this.#disk = disk;
  }

  /** In the shape that the store takes: as far as it uses one. */
  get asLmdb(): RootDatabase<Uint8Array, Key> {
    return this as unknown as RootDatabase<Uint8Array, Key>;
  }

  /** Transactions that are not on the disk. */
  get pending(): number {
    return this.#waiting.length;
  }

  /** What is put from now on is another transaction. */
  nextTurn(): void {
    this.#open = null;
  }

  /** Writes the oldest transaction. */
  flush(): void {
    const transaction = this.#waiting.shift();
    if (transaction === undefined) return;
    if (transaction === this.#open) this.#open = null;
    for (const [key, value] of transaction.operations) this.#disk.set(key, value);
    this.#disk.commits += 1;
    transaction.commit();
  }

  /** The disk refuses the oldest transaction, and with it all that wait behind it: nothing of them is on it. */
  reject(): void {
    for (const { reject } of this.#waiting.splice(0)) reject(new Error('the simulated disk refuses to write'));
    this.#open = null;
  }

  /** The server is gone, and with it what was not written. */
  die(): void {
    this.#dead = true;
    this.#waiting.length = 0;
  }

  get(key: Key): Buffer | undefined {
    const order = toBufferKey(key as never);
    const found = this.#disk.entries[this.#disk.place(order)];
    return found !== undefined && found.order.equals(order) ? Buffer.from(found.value) : undefined;
  }

  doesExist(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  put(key: Key, value: Uint8Array): Promise<boolean> {
    return this.#add(key, Buffer.from(value));
  }

  remove(key: Key): Promise<boolean> {
    return this.#add(key, null);
  }

  putSync(key: Key, value: Uint8Array): void {
    this.#disk.set(key, Buffer.from(value));
  }

  *getRange(options: RangeOptions): Generator<{ key: Key; value: Buffer }> {
    for (const { key, value } of this.#walk(options)) yield { key, value: Buffer.from(value) };
  }

  *getKeys(options: RangeOptions): Generator<Key> {
    for (const { key } of this.#walk(options)) yield key;
  }

  getKeysCount(options: RangeOptions): number {
    let count = 0;
    for (const _ of this.#walk(options)) count += 1;
    return count;
  }

  resetReadTxn(): void {}

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** Looked for anew each time: what is committed meanwhile is seen. */
  *#walk({
    start,
    end,
    reverse = false,
    exclusiveStart = false,
    offset = 0,
    limit = Infinity,
  }: RangeOptions): Generator<Entry> {
    const { entries } = this.#disk;
    const last = end === undefined ? null : toBufferKey(end as never);
    let from = start === undefined ? null : toBufferKey(start as never);
    let exclusive = exclusiveStart;
    let left = limit;
    let skip = offset;
    while (left > 0) {
      const at = from === null ? (reverse ? entries.length : 0) : this.#disk.place(from);
      const exact = from !== null && entries[at]?.order.equals(from) === true;
      const entry = reverse ? entries[exact && !exclusive ? at : at - 1] : entries[exact && exclusive ? at + 1 : at];
      if (entry === undefined) return;
      if (last !== null && (reverse ? Buffer.compare(entry.order, last) <= 0 : Buffer.compare(entry.order, last) >= 0))
        return;
      from = entry.order;
      exclusive = true;
      if (skip > 0) {
        skip -= 1;
        continue;
      }
      left -= 1;
      yield entry;
    }
  }

  #add(key: Key, value: Buffer | null): Promise<boolean> {
    // A server that is gone writes nothing, whatever it still tries.
    if (this.#dead) return new Promise(() => undefined);
    if (this.#open === null) {
      const { promise: done, resolve, reject } = withResolvers<boolean>();
      done.catch(() => undefined);
      this.#open = { operations: [], done, commit: () => resolve(true), reject };
      this.#waiting.push(this.#open);
    }
    this.#open.operations.push([key, value]);
    return this.#open.done;
  }
}

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (error: Error) => void } {
  let [resolve, reject]: [(value: T) => void, (error: Error) => void] = [() => undefined, () => undefined];
  const promise = new Promise<T>((onResolve, onReject) => {
    [resolve, reject] = [onResolve, onReject];
  });
  return { promise, resolve, reject };
}
