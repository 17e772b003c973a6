import type { RootDatabase } from 'lmdb';
import type { Key } from './keys.js';

/** A key as it is stored, and its record. Null removes the record. */
export type StoredOperation = readonly [key: Key, record: Uint8Array | null];

/** Where commits become durable. The store decides what a commit contains. */
export interface Journal {
  /**
   * Calls take effect in their order. Resolves when the operations are durable and can be read from the database.
   * Rejects when they are not durable; no later call may then succeed.
   */
  write(operations: readonly StoredOperation[]): Promise<unknown>;
  /** Throws if commits cannot become durable at present, so that requests which change something are refused. */
  checkReachable(): void;
  /** Resolves with the work, or when commits cannot become durable at present: reads do not wait for them then. */
  whileReachable(work: Promise<void>): Promise<void>;
  /** Ends what the journal has opened, after writes that can still become durable soon. The others reject. */
  close(): Promise<void>;
}

/** A commit is durable when it is in the database on this disk. */
export class LocalJournal implements Journal {
  readonly #db: RootDatabase<Uint8Array, Key>;

  constructor(db: RootDatabase<Uint8Array, Key>) {
    this.#db = db;
  }

  write(operations: readonly StoredOperation[]): Promise<unknown> {
    return putAll(this.#db, operations);
  }

  checkReachable(): void {
    // Only a failure of the database stops writes, and the store knows of it.
  }

  whileReachable(work: Promise<void>): Promise<void> {
    return work;
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/** Puts operations into the database: one transaction with all others of this turn of the event loop. */
export function putAll(db: RootDatabase<Uint8Array, Key>, operations: readonly StoredOperation[]): Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();
  for (const [key, record] of operations) {
    const one: Promise<unknown> = record === null ? db.remove(key) : db.put(key, record);
    if (one === last) continue;
    // All operations of one turn are one transaction, so the last promise covers them; each rejects on failure.
    one.catch(ignoreReason);
    last = one;
  }
  return last;
}

/** lmdb rejects another promise with the reason of a failed commit (3.5.6). Nobody else may be waiting for that one. */
export function ignoreReason(error: unknown): void {
  (error as { commitError?: Promise<never> }).commitError?.catch(() => undefined);
}
