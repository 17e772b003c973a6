import { createHash, randomUUID } from 'node:crypto';
import { fail } from '../../base/errors.js';
import { pack, unpack } from '../../wire/codec.js';
import type { StoredOperation } from '../journal.js';
import type { LogEntry, LogPosition } from './commit-log.js';

/** Before the first entry. */
export const LOG_START: LogPosition = { index: 0, hash: Buffer.alloc(32) };

/** The next entry of the log. Its body is msgpack of the operations. */
export function createEntry(operations: readonly StoredOperation[], previous: LogPosition, epoch: number): LogEntry {
  const entry = { index: previous.index + 1, epoch, entryId: randomUUID(), body: pack(operations) };
  return { ...entry, hash: hashOf(entry, previous) };
}

/**
 * The operations of an entry that follows `previous`. Throws CLUSTER_LOG_DAMAGED when it does not follow, or was
 * changed.
 */
export function operationsOf(entry: LogEntry, previous: LogPosition): StoredOperation[] {
  if (!follows(entry, previous)) throw fail('CLUSTER_LOG_DAMAGED', { index: entry.index });
  return unpack<StoredOperation[]>(entry.body);
}

/** True if the entry was appended after `previous`, and not changed since. */
export function follows(entry: LogEntry, previous: LogPosition): boolean {
  return entry.index === previous.index + 1 && hashOf(entry, previous).equals(entry.hash);
}

/** SHA-256 of the hash of the entry before it, and of everything in this one. */
function hashOf({ index, epoch, entryId, body }: Omit<LogEntry, 'hash'>, previous: LogPosition): Buffer {
  return createHash('sha256')
    .update(previous.hash)
    .update(JSON.stringify([index, epoch, entryId]))
    .update(body)
    .digest();
}
