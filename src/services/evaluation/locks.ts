/** One at a time for each key, in the order of asking. */
export class KeyedLocks {
  readonly #tails = new Map<string, Promise<void>>();

  /** Runs `work` when everyone who asked before for one of the keys is done. Keys are taken in the order given: ask in one order everywhere. */
  async hold<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const releases: (() => void)[] = [];
    try {
      for (const key of keys) releases.push(await this.#take(key));
      return await work();
    } finally {
      for (const release of releases.reverse()) release();
    }
  }

  async #take(key: string): Promise<() => void> {
    const before = this.#tails.get(key);
    let release!: () => void;
    const mine = new Promise<void>((resolve) => {
      release = resolve;
    });
    this.#tails.set(key, mine);
    await before;
    return () => {
      if (this.#tails.get(key) === mine) this.#tails.delete(key);
      release();
    };
  }
}

export function lockOfDataset(datasetId: string): string {
  return `id ${datasetId}`;
}

/** Taken before the lock of the id, by whoever may make a dataset of this name. */
export function lockOfName(name: string): string {
  return `name ${name}`;
}

/** Taken before every other lock, by uploads that bring ids of feedback. */
export const FEEDBACK_IDS = 'feedback ids';
