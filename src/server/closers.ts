/** Closes one part of the server. `untilMs` is when running work must have ended, by `performance.now()`. */
export type Closer = (untilMs: number) => Promise<unknown> | void;

/** What has been opened, to be closed in reverse order: a part closes before the parts that it uses. */
export class Closers {
  readonly #closers: Closer[] = [];

  add(closer: Closer): void {
    this.#closers.push(closer);
  }

  /** Closes everything, even if one part fails to close. Rejects with the first failure. A second call does nothing. */
  async close(graceMs = 0): Promise<void> {
    const untilMs = performance.now() + graceMs;
    const failures: unknown[] = [];
    for (const closer of this.#closers.splice(0).reverse()) {
      try {
        await closer(untilMs);
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
