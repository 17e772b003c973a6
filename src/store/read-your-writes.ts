import { Commit, type Store } from './env.js';
import type { Key } from './keys.js';

/** What a transition may ask: single keys. */
export interface Lookup {
  get(key: Key): Uint8Array | undefined;
}

/**
 * The store as it will be when everything written so far is on disk. A get of LMDB misses what the same turn has put, so
 * two changes that read, plan and put would each forget the other; they ask here instead, and one turn is one
 * transaction. Only single keys: a walk would miss what is under way.
 */
export class Latest implements Lookup {
  readonly store: Store;
  readonly #underway = new Map<string, Uint8Array | null>();

  constructor(store: Store) {
    this.store = store;
  }

  get(key: Key): Uint8Array | undefined {
    const name = JSON.stringify(key);
    const value = this.#underway.get(name);
    return value === undefined ? this.store.get(key) : (value ?? undefined);
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  /** Keys under a prefix, in no order: those on disk, and those that are on their way there. */
  keysUnder(prefix: Key): Key[] {
    const found = new Map<string, Key>();
    for (const key of this.store.keys({ prefix })) found.set(JSON.stringify(key), key);
    const start = `${JSON.stringify(prefix).slice(0, -1)},`;
    for (const [name, value] of this.#underway) {
      if (!name.startsWith(start)) continue;
      if (value === null) found.delete(name);
      else found.set(name, JSON.parse(name) as Key);
    }
    return [...found.values()];
  }

  /** Resolves when the commit is on disk and readable on every thread. */
  async write(commit: Commit): Promise<void> {
    await this.follow(commit, this.store.write(commit));
  }

  /** The same of a commit that is part of another one, which has just been written. */
  async follow(commit: Commit, writing: Promise<void>): Promise<void> {
    const written = commit.operations.map(([key, value]): [string, Uint8Array | null] => [JSON.stringify(key), value]);
    for (const [name, value] of written) this.#underway.set(name, value);
    await writing;
    // Something newer may stand there by now.
    for (const [name, value] of written) if (this.#underway.get(name) === value) this.#underway.delete(name);
  }

  /** Resolves when what is said of this key is on disk. */
  async settled(key: Key): Promise<void> {
    if (this.#underway.has(JSON.stringify(key))) await this.store.flushed();
  }

  /** Resolves when all that was said so far is on disk. */
  async flushed(): Promise<void> {
    await this.store.flushed();
  }
}

/** Plans against the latest state while it collects: what the plan has put is what its next question reads. */
export class Plan extends Commit implements Lookup {
  readonly #latest: Lookup;
  readonly #put = new Map<string, Uint8Array | null>();
  /** Where in the operations a key stands: what is put twice is written once. */
  readonly #at = new Map<string, number>();

  constructor(latest: Lookup) {
    super();
    this.#latest = latest;
  }

  get(key: Key): Uint8Array | undefined {
    const value = this.#put.get(JSON.stringify(key));
    return value === undefined ? this.#latest.get(key) : (value ?? undefined);
  }

  override put(key: Key, value: Uint8Array): void {
    this.#set(key, value);
  }

  override remove(key: Key): void {
    this.#set(key, null);
  }

  #set(key: Key, value: Uint8Array | null): void {
    const name = JSON.stringify(key);
    const at = this.#at.get(name);
    if (at === undefined) this.#at.set(name, this.operations.push([key, value]) - 1);
    else this.operations[at] = [key, value];
    this.#put.set(name, value);
  }
}
