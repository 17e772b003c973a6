import { unpack } from '../../../wire/codec.js';
import type { Key } from '../../keys.js';
import type { PageLookup } from '../page-lookup.js';
import type { RecordFacts } from './record-facts.js';

/** Records that a check can read, and callbacks for its findings. */
export interface CheckContext {
  readonly store: PageLookup;
  readonly facts: RecordFacts;
  /** The record's content contradicts its key. */
  reportForm(problem: string): void;
  /** A record that it refers to does not exist. */
  reportMissing(what: string): void;
  /** An index entry is missing or wrong. */
  reportIndex(problem: string): void;
}

/** Checks one record whose checksum is valid. An error that it throws means that the record cannot be read. */
export type Check = (key: Key, value: Uint8Array, context: CheckContext) => void;

export function isSameKey(a: Key, b: Key): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Reports each of these keys that the index does not have. */
export function checkIndexed({ store, reportIndex }: CheckContext, expected: Iterable<Key>): void {
  for (const key of expected) if (!store.has(key)) reportIndex(`${JSON.stringify(key)} is missing`);
}

/** Checks that an index entry is one of the entries its record should have. */
export function checkIndexEntry<T>(
  context: CheckContext,
  key: Key,
  recordKey: Key,
  expected: (record: T) => readonly Key[],
): void {
  const value = context.store.get(recordKey);
  if (value === undefined) context.reportIndex(`it refers to ${JSON.stringify(recordKey)}, which does not exist`);
  else if (!expected(unpack<T>(value)).some((one) => isSameKey(context.store.storedKey(one), key)))
    context.reportIndex(`${JSON.stringify(recordKey)} should not have this entry`);
}

export function valueText(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString();
}
