import { TransientMap } from '../base/transient.js';
import { Commit, type Store } from './store.js';
import type { Key } from './keys.js';
import type { Lookup } from './lookup.js';

/**
 * The store as it will be when everything written so far is on disk. LMDB does not return what was put in the same
 * turn of the event loop, so two changes that read, plan and put would overwrite each other. They read here instead.
 * Only single keys can be read: a range would miss the writes that are not on disk yet.
 */
export class ReadYourWrites implements Lookup {
  readonly store: Store;
  readonly #unflushed = new TransientMap<string, Uint8Array | null>();

  constructor(store: Store) {
    this.store = store;
  }

  get(key: Key): Uint8Array | undefined {
    const name = JSON.stringify(key);
    const value = this.#unflushed.get(name);
    return value === undefined ? this.store.get(key) : (value ?? undefined);
  }

  /** See `Reader.getBeforeWrite`. */
  getBeforeWrite(key: Key): Uint8Array | undefined {
    const value = this.#unflushed.get(JSON.stringify(key));
    return value === undefined ? this.store.getBeforeWrite(key) : (value ?? undefined);
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  /** Keys under a prefix, in no order: on disk or still being written. */
  keysUnder(prefix: Key): Key[] {
    const found = new Map<string, Key>();
    for (const key of this.store.keys({ prefix })) found.set(JSON.stringify(key), key);
    for (const [name, value] of this.#unflushedUnder(prefix)) {
      if (value === null) found.delete(name);
      else found.set(name, JSON.parse(name) as Key);
    }
    return [...found.values()];
  }

  /** Like `Reader.idsUnder`, with keys that are still being written, and those whose removal is. */
  idsUnder(prefix: Key, ids: Iterable<string>): Set<string> {
    const wanted = new Set(ids);
    const found = this.store.idsUnder(prefix, wanted);
    for (const [name, value] of this.#unflushedUnder(prefix)) {
      const id = (JSON.parse(name) as Key)[prefix.length] as string;
      if (value !== null && wanted.has(id)) found.add(id);
    }
    return found;
  }

  *#unflushedUnder(prefix: Key): Generator<[name: string, value: Uint8Array | null]> {
    const start = `${JSON.stringify(prefix).slice(0, -1)},`;
    for (const entry of this.#unflushed.entries()) if (entry[0].startsWith(start)) yield entry;
  }

  /** Resolves when the commit is on disk and readable on every thread. */
  async write(commit: Commit): Promise<void> {
    await this.track(commit, this.store.write(commit));
  }

  /** Tracks a commit that was just written as part of another one. */
  async track(commit: Commit, writing: Promise<void>): Promise<void> {
    const written = commit.operations.map(([key, value]): [string, Uint8Array | null] => [JSON.stringify(key), value]);
    for (const [name, value] of written) this.#unflushed.set(name, value);
    await writing;
    // A newer commit may have replaced the value meanwhile.
    for (const [name, value] of written) if (this.#unflushed.get(name) === value) this.#unflushed.delete(name);
  }

  /** Resolves when all writes to this key are on disk. */
  async keyFlushed(key: Key): Promise<void> {
    if (this.#unflushed.has(JSON.stringify(key))) await this.store.flushed();
  }

  /** Resolves when everything written so far is on disk. */
  async flushed(): Promise<void> {
    await this.store.flushed();
  }
}

/** A commit that also reads: a get returns what this commit has put, else the latest value. */
export class DraftCommit extends Commit implements Lookup {
  readonly #latest: ReadYourWrites;
  readonly #values = new Map<string, Uint8Array | null>();
  /** Index of each key in `operations`: a key that is put twice is written once. */
  readonly #operationIndexes = new Map<string, number>();

  constructor(latest: ReadYourWrites) {
    super();
    this.#latest = latest;
  }

  get(key: Key): Uint8Array | undefined {
    const value = this.#values.get(JSON.stringify(key));
    return value === undefined ? this.#latest.get(key) : (value ?? undefined);
  }

  /** See `Reader.getBeforeWrite`. */
  getBeforeWrite(key: Key): Uint8Array | undefined {
    const value = this.#values.get(JSON.stringify(key));
    return value === undefined ? this.#latest.getBeforeWrite(key) : (value ?? undefined);
  }

  override put(key: Key, value: Uint8Array): void {
    this.#set(key, value);
  }

  override remove(key: Key): void {
    this.#set(key, null);
  }

  #set(key: Key, value: Uint8Array | null): void {
    const name = JSON.stringify(key);
    const at = this.#operationIndexes.get(name);
    if (at === undefined) this.#operationIndexes.set(name, this.operations.push([key, value]) - 1);
    else this.operations[at] = [key, value];
    this.#values.set(name, value);
  }
}
