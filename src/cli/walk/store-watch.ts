import { createHash } from 'node:crypto';
import { dataFile } from '../../store/files/data-file.js';
import { keys } from '../../store/keys.js';
import { Reader } from '../../store/reader.js';

/** Two equal looks this far apart: nothing is being written. */
const LOOK_AGAIN_MS = 10;
/** Nothing that follows from the requests of a walk takes this long. */
const REST_WITHIN_MS = 60_000;

/** Sees every entry of the store of a server that runs in this process, and changes none. */
export class StoreWatch {
  readonly #reader: Reader;

  constructor(dataFolder: string) {
    this.#reader = Reader.attach(dataFile(dataFolder), null);
  }

  /** Of all keys and values. */
  digest(): string {
    this.#reader.refresh();
    const hash = createHash('sha256');
    for (const [key, value] of this.#reader.entries({ prefix: [] })) {
      hash.update(JSON.stringify(key));
      hash.update(value);
    }
    return hash.digest('hex');
  }

  /** The digest as soon as what follows from earlier changes (statistics, removal) has come to its end. */
  async settled(): Promise<string> {
    const untilMs = performance.now() + REST_WITHIN_MS;
    let before = this.digest();
    for (;;) {
      if (performance.now() > untilMs)
        throw new Error(`the store did not come to rest within ${REST_WITHIN_MS / 1_000} s`);
      await new Promise((resolve) => {
        setTimeout(resolve, LOOK_AGAIN_MS);
      });
      const now = this.digest();
      if (now === before && !this.busy) return now;
      before = now;
    }
  }

  /** Something that was decided is still to be done: statistics, removal, an upload. */
  get busy(): boolean {
    return [keys.allChanges(), keys.leftovers(), keys.stagings()].some(
      (prefix) => !this.#reader.keys({ prefix, limit: 1 }).next().done,
    );
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}
