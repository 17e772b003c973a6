import { fail } from '../../base/errors.js';
import { lockFolder } from '../files/folder-lock.js';
import type { LogEntry, LogPosition } from './commit-log.js';
import { follows } from './entry.js';
import type { PostgresConnection } from './postgres/connection.js';
import { appendAll, findEntry, logEnd } from './postgres/refill.js';
import { checkTables } from './postgres/schema.js';
import { inspectReplica } from './replica.js';
import { readTail } from './tail.js';

export interface RefillReport {
  clusterId: string;
  /** Number of entries that were appended; 0 if the log has all entries of the folder. */
  entries: number;
  /** Number of the last entry of the log. */
  lastEntry: number;
}

/**
 * Appends the entries of a node's folder that the database has lost, if nothing else has their places. Throws
 * STORE_LOCKED, CLUSTER_FOLDER, CLUSTER_REFILL when they do not continue the log, and the errors of `checkTables`.
 */
export async function refillLog(
  folder: string,
  { connection, keyFingerprint }: { connection: PostgresConnection; keyFingerprint: string },
): Promise<RefillReport> {
  const { clusterId } = await checkTables(connection, keyFingerprint);
  const lock = lockFolder(folder);
  try {
    const copy = await inspectReplica(folder);
    if (copy === null) throw fail('CLUSTER_FOLDER', { folder, problem: "contains no copy of a cluster's data" });
    if (copy.clusterId !== clusterId)
      throw fail('CLUSTER_FOLDER', { folder, problem: 'contains a copy of another cluster' });
    const entries = readTail(folder);
    const end = await logEnd(connection);
    const missing = await missingEntries(connection, { folder, copy: copy.position, entries, end });
    if (missing.length > 0 && !(await appendAll(connection, missing, end)))
      throw fail('CLUSTER_REFILL', { folder, problem: 'the log was changed meanwhile' });
    return { clusterId, entries: missing.length, lastEntry: missing.at(-1)?.index ?? end.index };
  } finally {
    lock.release();
  }
}

/** The entries of the folder that follow the log, which may be none. Throws CLUSTER_REFILL. */
async function missingEntries(
  connection: PostgresConnection,
  {
    folder,
    copy,
    entries,
    end,
  }: { folder: string; copy: LogPosition | null; entries: readonly LogEntry[]; end: LogPosition },
): Promise<LogEntry[]> {
  const refuse = (problem: string): Error => fail('CLUSTER_REFILL', { folder, problem });
  const kept = entries.at(-1) ?? null;
  const newest = kept === null || (copy !== null && copy.index > kept.index) ? copy : kept;
  if (newest === null) throw refuse('the folder has no entries');
  if (newest.index <= end.index) {
    const found = await findEntry(connection, newest.index);
    if (found !== null && !isSame(found, newest))
      throw refuse(`another entry has number ${newest.index} in the log, so a node went on after the loss`);
    return [];
  }
  if (kept === null || kept.index < newest.index)
    throw refuse(`entry ${newest.index} is in the copy, but not among the entries that are kept beside it`);
  const missing = entries.filter(({ index }) => index > end.index);
  const [first] = missing;
  if (first!.index > end.index + 1)
    throw refuse(
      `the log ends with entry ${end.index}, and the folder keeps entries from ${first!.index} on, so those between ` +
        'them are missing',
    );
  let previous = end;
  for (const entry of missing) {
    if (!follows(entry, previous))
      throw refuse(
        previous === end
          ? `entry ${entry.index} of the folder does not follow entry ${end.index} of the log, so the log has other entries`
          : `entry ${entry.index} of the folder is damaged`,
      );
    previous = entry;
  }
  return missing;
}

function isSame(one: LogPosition, other: LogPosition): boolean {
  return Buffer.from(one.hash).equals(other.hash);
}
