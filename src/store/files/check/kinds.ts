import type { Key } from '../../keys.js';
import type { PageLookup } from '../page-lookup.js';
import type { Facts } from './facts.js';

/** Records that a check can read, and callbacks for its findings. */
export interface Ground {
  readonly store: PageLookup;
  readonly facts: Facts;
  /** The record's content contradicts its key. */
  form(problem: string): void;
  /** A record that it refers to does not exist. */
  missing(what: string): void;
  /** An index entry is missing or wrong. */
  index(problem: string): void;
}

/** Checks one record whose checksum is valid. An error that it throws means that the record cannot be read. */
export type Check = (key: Key, value: Uint8Array, ground: Ground) => void;

export function same(a: Key, b: Key): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Reports each of these keys that the index does not have. */
export function indexed({ store, index }: Ground, expected: Iterable<Key>): void {
  for (const key of expected) if (!store.has(key)) index(`${JSON.stringify(key)} is missing`);
}

/** Checks that an index entry is one of the entries its record should have. */
export function entryOf<T>(
  ground: Ground,
  key: Key,
  recordKey: Key,
  read: (value: Uint8Array) => T,
  expected: (record: T) => readonly Key[],
): void {
  const value = ground.store.get(recordKey);
  if (value === undefined) ground.index(`it refers to ${JSON.stringify(recordKey)}, which does not exist`);
  else if (!expected(read(value)).some((one) => same(ground.store.stored(one), key)))
    ground.index(`${JSON.stringify(recordKey)} should not have this entry`);
}

export function textOf(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();
}
