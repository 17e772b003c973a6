/**
 * The log of commits that all nodes of a cluster share. Its owner appends; the others apply what was appended. An
 * entry's index is 1 above that of the entry before it, and its hash covers all entries before it.
 */

/** Which entry was appended or applied last. Index 0: none. */
export interface LogPosition {
  readonly index: number;
  readonly hash: Uint8Array;
}

export interface LogEntry extends LogPosition {
  /** The number of the ownership under which it was appended. Each change of owner raises it. */
  readonly epoch: number;
  readonly entryId: string;
  /** See entry.ts. */
  readonly body: Uint8Array;
}

export type AppendResult =
  | 'appended'
  /** Another node has become the owner, so nothing of this node can be appended any more. */
  | 'fenced';

export interface CommitLog {
  /**
   * Appends an entry after the one at `previous`, durably. Tries for as long as the outcome is unknown: an error of the
   * connection never makes it reject. Calls must not overlap. Rejects when the log ends otherwise than at `previous`
   * although this node is the owner.
   */
  append(entry: LogEntry, previous: LogPosition): Promise<AppendResult>;
  /** Entries after the index, oldest first, of about `bytes` in all but at least one, if there is one. */
  read(afterIndex: number, bytes: number): Promise<LogEntry[]>;
  /** True while the log can be reached, as far as is known. */
  readonly isReachable: boolean;
  /** Called when `isReachable` becomes false. */
  onUnreachable: () => void;
  close(): Promise<void>;
}
