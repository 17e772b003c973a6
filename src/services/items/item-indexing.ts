import { setTimeout as sleep } from 'node:timers/promises';
import { ThreadmillError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';
import { keys, type Key } from '../../store/keys.js';

const COMPLETED_MARK = keys.meta('items-embedded');

/**
 * Embeds the items that were stored before `store.index` was configured or changed. Runs beside all requests.
 * Until it is done, a semantic search finds only the items that already have vectors. The store records
 * completion.
 */
export class ItemIndexing {
  readonly #stores: Stores;
  readonly #log: Logger;
  readonly #stop = new AbortController();
  /** Resolves when nothing more is written. */
  closed: Promise<void> = Promise.resolve();

  constructor(stores: Stores, log: Logger) {
    this.#stores = stores;
    this.#log = log;
  }

  async start(): Promise<void> {
    const { store, items } = this.#stores;
    const done = store.get(COMPLETED_MARK);
    if (items.vectorIndex === null) {
      // Items stored from now on have no vectors, so a later configuration must check all items again.
      if (done !== undefined) await this.#storeMark(null);
    } else if (done === undefined || !items.vectorIndex.configHash.equals(done)) {
      this.closed = this.#embedAll(items.vectorIndex.configHash).catch((error: unknown) => {
        if (!this.#stop.signal.aborted)
          this.#log.error({ err: error }, 'items of long-term memory could not be embedded; the next start continues');
      });
    }
  }

  close(): void {
    this.#stop.abort();
  }

  async #embedAll(mark: Buffer): Promise<void> {
    const { items } = this.#stores;
    let failures = 0;
    let skipped = 0;
    // Number of items to embed one by one, because one of them makes the function fail.
    let singleItems = 0;
    for (let after: Key | null = null; !this.#stop.signal.aborted;) {
      try {
        const next: Key | null = await items.embedNext(after, singleItems > 0);
        if (next === null) {
          await this.#storeMark(mark);
          if (after !== null) this.#log.info({ skipped }, 'all items of long-term memory are embedded');
          return;
        }
        after = next;
        failures = 0;
        singleItems = Math.max(0, singleItems - 1);
      } catch (error) {
        if (this.#stop.signal.aborted || !(error instanceof ThreadmillError)) throw error;
        if (error.code === 'EMBED_UNAVAILABLE' || error.code === 'OVERLOADED') {
          this.#log.warn({ reason: error.message }, 'embedding items of long-term memory is delayed');
          await sleep(LIMITS.indexingRetryMs, undefined, { signal: this.#stop.signal, ref: false });
        } else if (error.code !== 'EMBED_FAILED' && error.code !== 'INVALID_REQUEST') throw error;
        else if (singleItems === 0) singleItems = LIMITS.indexingFailuresMax;
        else {
          failures += 1;
          if (failures >= LIMITS.indexingFailuresMax) throw error;
          skipped += 1;
          after = this.#keyAfter(after);
          this.#log.warn(
            { key: after?.[3], reason: error.message },
            'an item of long-term memory could not be embedded',
          );
        }
      }
    }
  }

  #keyAfter(at: Key | null): Key | null {
    for (const key of this.#stores.store.keys({
      prefix: keys.allItems(),
      limit: 1,
      ...(at === null ? {} : { start: at, after: true }),
    }))
      return key;
    return at;
  }

  #storeMark(mark: Buffer | null): Promise<void> {
    const commit = new Commit();
    if (mark === null) commit.remove(COMPLETED_MARK);
    else commit.put(COMPLETED_MARK, mark);
    return this.#stores.store.write(commit);
  }
}
