import type { Key } from '../../keys.js';
import type { PageLookup } from '../page-lookup.js';
import type { Facts } from './facts.js';

/** What a check of one record may ask, and whom it tells. */
export interface Ground {
  readonly store: PageLookup;
  readonly facts: Facts;
  /** The record cannot be what its key says. */
  form(problem: string): void;
  /** What it names is not there. */
  missing(what: string): void;
  /** An index does not say it, or says what is not so. */
  index(problem: string): void;
}

/** Looks at one record whose checksum is right. What it throws means that the record cannot be read. */
export type Check = (key: Key, value: Uint8Array, ground: Ground) => void;

export function same(a: Key, b: Key): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Each of these keys must be in the index. */
export function indexed({ store, index }: Ground, expected: Iterable<Key>): void {
  for (const key of expected) if (!store.has(key)) index(`${JSON.stringify(key)} is missing`);
}

/** An entry of an index, which must be one of those that its record has. */
export function entryOf<T>(
  ground: Ground,
  key: Key,
  recordKey: Key,
  read: (value: Uint8Array) => T,
  expected: (record: T) => readonly Key[],
): void {
  const value = ground.store.get(recordKey);
  if (value === undefined) ground.index(`it names ${JSON.stringify(recordKey)}, which is not there`);
  else if (!expected(read(value)).some((one) => same(ground.store.stored(one), key)))
    ground.index(`${JSON.stringify(recordKey)} does not belong there`);
}

export function textOf(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();
}
