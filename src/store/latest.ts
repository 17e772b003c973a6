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
    return value === undefined ? this.store.get(key) : value ?? undefined;
  }

  has(key: Key): boolean {
    return this.get(key) !== undefined;
  }

  /** Resolves when the commit is on disk and readable on every thread. */
  async write(commit: Commit): Promise<void> {
    const written = commit.operations.map(([key, value]): [string, Uint8Array | null] => [JSON.stringify(key), value]);
    for (const [name, value] of written) this.#underway.set(name, value);
    await this.store.write(commit);
    // Something newer may stand there by now.
    for (const [name, value] of written) if (this.#underway.get(name) === value) this.#underway.delete(name);
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

  constructor(latest: Lookup) {
    super();
    this.#latest = latest;
  }

  get(key: Key): Uint8Array | undefined {
    const value = this.#put.get(JSON.stringify(key));
    return value === undefined ? this.#latest.get(key) : value ?? undefined;
  }

  override put(key: Key, value: Uint8Array): void {
    super.put(key, value);
    this.#put.set(JSON.stringify(key), value);
  }

  override remove(key: Key): void {
    super.remove(key);
    this.#put.set(JSON.stringify(key), null);
  }
}
