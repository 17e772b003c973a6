import { packPooled, unpack } from '../../wire/codec.js';
import { keys, type Key } from '../keys.js';
import type { Commit } from '../store.js';

/** Keys that a run changed, with the values from before. Applied backwards to undo the run. */
interface UndoRecord {
  changes: [key: Key, before: Uint8Array | null][];
}

/** Undo numbers reserved for one lease. A run never uses them up. */
export const UNDO_NUMBERS_PER_LEASE = 2 ** 32;

/** The changes of an undo record, in the order in which they were made. */
export function unpackUndo(bytes: Uint8Array): UndoRecord['changes'] {
  return unpack<UndoRecord>(bytes).changes;
}

/** Collects the changes of one message of a run for one undo record. */
export class UndoLog {
  readonly #runId: string;
  readonly #recorded = new Set<string>();
  #nextNumber: number;
  #changes: UndoRecord['changes'] = [];
  /** Keys of the records made so far. */
  readonly keys: Key[] = [];

  /** `n` begins above the numbers that earlier leases used. */
  constructor(runId: string, n: number) {
    this.#runId = runId;
    this.#nextNumber = n;
  }

  /** Records the value from before the run. Only the first change of a key counts. */
  record(key: Key, before: Uint8Array | null): void {
    const name = key.join('\u0000');
    if (this.#recorded.has(name)) return;
    this.#recorded.add(name);
    this.#changes.push([key, before === null ? null : Uint8Array.from(before)]);
  }

  flush(commit: Commit): void {
    if (this.#changes.length === 0) return;
    const key = keys.undo(this.#runId, this.#nextNumber++);
    this.keys.push(key);
    commit.put(key, packPooled({ changes: this.#changes } satisfies UndoRecord));
    this.#changes = [];
  }
}
