/** Lets long work go on a little at a time: each turn waits for all others that wait, and for what came in meanwhile. */
export class Turns {
  readonly #ms: number;
  #last: Promise<void> = Promise.resolve();

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Begins a turn now; what is returned says when it is over. */
  begin(): () => boolean {
    const untilMs = performance.now() + this.#ms;
    return () => performance.now() > untilMs;
  }

  /** Resolves when it is the caller's turn: one at a time, in the order in which they asked. */
  next(): Promise<void> {
    this.#last = this.#last.then(
      () =>
        new Promise((resolve) => {
          setImmediate(resolve);
        }),
    );
    return this.#last;
  }
}
