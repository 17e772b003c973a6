/** A record that can be created, changed and deleted: a thread, or an item of long-term memory. */
export interface TortureRecord {
  kind: 'thread' | 'item';
  id: string;
  /** What the server acknowledged last; null while the record does not exist. */
  acknowledged: number | null;
  /** What was sent and not answered; absent if nothing is open. */
  pending?: number | null;
}

/** What a record holds: its version, and a text of a length that follows from the version. */
export interface RecordValue {
  version: number;
  text: string;
}

/** Most characters of a text. LMDB stores values of more than 2 KiB on pages of their own. */
const TEXT_CHARS_MAX = 20_000;

/** Lengths differ from version to version, so that values move between pages. */
export function valueOf(version: number): RecordValue {
  const length = (version * 7_919) % (version % 4 === 0 ? TEXT_CHARS_MAX : 500);
  return { version, text: `${version}.`.repeat(length).slice(0, length) };
}

/** What was sent to a server and what it acknowledged. Each record has one writer, which waits for each response. */
export class Ledger {
  readonly records: TortureRecord[] = [];
  /** Acknowledged runs that have not been seen to finish. */
  readonly runs: { threadId: string; runId: string }[] = [];
  readonly problems: string[] = [];
  acknowledgedWrites = 0;
  acknowledgedRuns = 0;

  /** Compares a record with what the server answers, and continues from that. `stored`: null if it does not exist. */
  compare(record: TortureRecord, stored: unknown): void {
    const allowed = record.pending === undefined ? [record.acknowledged] : [record.acknowledged, record.pending];
    const found = allowed.find((version) => isSame(stored, version));
    if (found === undefined)
      this.problems.push(
        `${record.kind} ${record.id}: ${describe(record.acknowledged)} was acknowledged, and the folder has ` +
          describeStored(stored),
      );
    delete record.pending;
    record.acknowledged = found === undefined ? versionOf(stored) : found;
  }
}

function isSame(stored: unknown, version: number | null): boolean {
  if (version === null || stored === null) return version === stored;
  const { text } = valueOf(version);
  const { version: storedVersion, text: storedText } = stored as Partial<RecordValue>;
  return storedVersion === version && storedText === text;
}

function versionOf(stored: unknown): number | null {
  const version = (stored as Partial<RecordValue> | null)?.version;
  return typeof version === 'number' ? version : null;
}

function describe(version: number | null): string {
  return version === null ? 'that it does not exist' : `version ${version}`;
}

function describeStored(stored: unknown): string {
  if (stored === null) return 'no such record';
  const version = versionOf(stored);
  if (version === null) return 'something that was never sent';
  return isSame(stored, version) ? `version ${version}` : `version ${version} with another content`;
}
