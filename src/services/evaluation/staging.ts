import { LIMITS } from '../../base/limits.js';
import type { Commit, Store } from '../../store/env.js';
import { keys, type Key } from '../../store/keys.js';

/** Lists that are written but not published: what the staging record of an upload names. */
export interface Staged {
  exampleList: number;
  /** Null when only examples are written. */
  experimentList: number | null;
}

/** Gives staged lists to the remover. */
export function nameLeftovers(commit: Commit, { exampleList, experimentList }: Staged): void {
  commit.put(keys.leftover('examples', String(exampleList)), new Uint8Array(0));
  if (experimentList !== null) commit.put(keys.leftover('experiment', String(experimentList)), new Uint8Array(0));
}

/**
 * Puts slices without waiting for the disk each time: commits reach it in order, so the publishing one says that all are
 * there. Only so many bytes are on their way at once.
 */
export class StagedPuts {
  readonly #store: Store;
  #bytes = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Records with their checksum. Rejects when an earlier one could not be written. */
  async put(records: [key: Key, record: Uint8Array][]): Promise<void> {
    if (this.#bytes >= LIMITS.stagedUnflushedBytes) {
      await this.#last;
      this.#bytes = 0;
    }
    for (const [, record] of records) this.#bytes += record.byteLength;
    this.#last = this.#store.writeStamped(records);
    this.#last.catch(() => undefined);
  }
}
