import { createHash } from 'node:crypto';
import { dataFile } from '../../store/files/data-file.js';
import { experimentJobs } from '../../store/evaluation/experiment-jobs.js';
import { keys } from '../../store/keys.js';
import { Reader } from '../../store/reader.js';

/** Two equal digests this far apart mean that nothing is being written. */
const POLL_MS = 10;
/** Background work after a request of the walk takes less time than this. */
const SETTLE_MS_MAX = 60_000;

/** Records of the kind `!` that every commit may change. */
const NUMBERS: ReadonlySet<unknown> = new Set(['lists', 'applied']);
/** Kinds of records that a refused request changes (history, audit log), or that the server makes of others later. */
const LEFT_OUT: ReadonlySet<unknown> = new Set(['hi', 'au', keys.allChanges()[0], keys.statistics(0)[0]]);

/** Reads every entry in the store of a server that runs in this process. Writes nothing. */
export class StoreWatcher {
  readonly #reader: Reader;

  constructor(dataFolder: string) {
    this.#reader = Reader.attach(dataFile(dataFolder), null);
  }

  /**
   * Hash over all keys and values, except what refused requests change too (numbers of lists, history, audit log, the
   * position in the log of a cluster) and statistics, which are computed later and when they are read.
   */
  digest(): string {
    this.#reader.refresh();
    const hash = createHash('sha256');
    for (const [key, value] of this.#reader.entries({ prefix: [] })) {
      if (key[0] === '!' ? NUMBERS.has(key[1]) : LEFT_OUT.has(key[0])) continue;
      hash.update(JSON.stringify(key));
      hash.update(value);
    }
    return hash.digest('hex');
  }

  /** Waits until background work (removal, experiments) has finished, then returns the digest. */
  async waitUntilSettled(): Promise<string> {
    const untilMs = performance.now() + SETTLE_MS_MAX;
    let before = this.digest();
    for (;;) {
      if (performance.now() > untilMs)
        throw new Error(
          `The store was still changing after ${SETTLE_MS_MAX / 1_000} s. Waiting: ${this.pendingWork() ?? 'nothing'}.`,
        );
      await new Promise((resolve) => {
        setTimeout(resolve, POLL_MS);
      });
      const now = this.digest();
      if (now === before && this.pendingWork() === null) return now;
      before = now;
    }
  }

  /** The kind of background work that is waiting or running; null if there is none. */
  pendingWork(): string | null {
    for (const { status } of experimentJobs(this.#reader)) if (status === 'running') return 'an experiment';
    const queues = { removals: keys.leftovers(), uploads: keys.uploads() };
    for (const [kind, prefix] of Object.entries(queues))
      if (!this.#reader.keys({ prefix, limit: 1 }).next().done) return kind;
    return null;
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}
