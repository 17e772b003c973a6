import { pack, unpack } from '../../wire/codec.js';
import type { StoredOperation } from '../journal.js';
import { keys, type Key } from '../keys.js';
import { decodeRecord, encodeRecord } from '../record-codec.js';
import type { LogPosition } from './commit-log.js';
import { LOG_START } from './entry.js';

/** Key of the record of the last entry that a database contains. */
export const APPLIED = keys.meta('applied');

/** Stores which entry of the log a database contains: in the same transaction as the operations of the entry. */
export function appliedOperation({ index, hash }: LogPosition): StoredOperation {
  return [APPLIED, encodeRecord(APPLIED, pack({ index, hash }))];
}

/** The last entry that a database contains. Throws STORE_DAMAGED. */
export function readApplied(get: (key: Key) => Uint8Array | undefined): LogPosition {
  const record = get(APPLIED);
  return record === undefined ? LOG_START : unpack<LogPosition>(decodeRecord(APPLIED, record));
}
