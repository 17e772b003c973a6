import type { AppendResult, CommitLog, LogEntry, LogPosition } from '../../src/store/cluster/commit-log.js';
import { createEntry, LOG_START } from '../../src/store/cluster/entry.js';
import { newFormatRecords } from '../../src/store/format-records.js';

interface WaitingAppend {
  entry: LogEntry;
  previous: LogPosition;
  resolve: (result: AppendResult) => void;
}

/**
 * The log of a cluster, which outlives every server. An append takes effect when the simulation says so, which may be
 * after the server that made it has died, and after another one has taken over.
 */
export class SimulatedLog {
  readonly entries: LogEntry[] = [];
  readonly #waiting: WaitingAppend[] = [];
  #epoch = 0;

  /** The next server owns the log. Appends of earlier ones that take effect later are refused. */
  takeOver(): { epoch: number; log: CommitLog } {
    this.#epoch += 1;
    if (this.entries.length === 0) this.entries.push(createEntry(newFormatRecords(null), LOG_START, this.#epoch));
    return { epoch: this.#epoch, log: this.#asLog() };
  }

  /** As a takeover by another server, which then dies. */
  fence(): void {
    this.#epoch += 1;
  }

  get pending(): number {
    return this.#waiting.length;
  }

  /** The oldest append takes effect, and its server is told. */
  flush(): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) return;
    const { entry, previous, resolve } = waiting;
    if (entry.epoch !== this.#epoch) {
      resolve('fenced');
      return;
    }
    const last = this.entries.at(-1)!;
    if (last.index !== previous.index) throw new Error(`entry ${entry.index} does not follow ${last.index}`);
    this.entries.push(entry);
    resolve('appended');
  }

  /** The server that made the appends is gone: those under way may still take effect, but nobody is told. */
  die(): void {
    for (const waiting of this.#waiting) waiting.resolve = () => undefined;
  }

  #asLog(): CommitLog {
    return {
      isReachable: true,
      onUnreachable: () => undefined,
      append: (entry, previous) =>
        new Promise((resolve) => {
          this.#waiting.push({ entry, previous, resolve });
        }),
      read: (afterIndex) => Promise.resolve(this.entries.filter(({ index }) => index > afterIndex)),
      close: () => Promise.resolve(),
    };
  }
}
