/** Exclusive locks by key, granted in the order of the requests. */
export class KeyedLocks {
  readonly #tails = new Map<string, Promise<void>>();

  /**
   * Runs `work` with all these locks. They are acquired in the given order, so all callers must use the same
   * order.
   */
  async withLocks<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
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

export function datasetLock(datasetId: string): string {
  return `id ${datasetId}`;
}

/** Acquired before the lock of the id, by callers that may create a dataset with this name. */
export function datasetNameLock(name: string): string {
  return `name ${name}`;
}

/** Acquired before every other lock, by uploads with client-chosen feedback ids. */
export const FEEDBACK_IDS_LOCK = 'feedback ids';
