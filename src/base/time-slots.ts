/** Shares a thread between long tasks in short time slots. Between two slots other tasks and new events are handled. */
export class TimeSlots {
  readonly #ms: number;
  #last: Promise<void> = Promise.resolve();

  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Begins a slot now. The returned function tells whether it is over. */
  begin(): () => boolean {
    const untilMs = performance.now() + this.#ms;
    return () => performance.now() > untilMs;
  }

  /** Resolves when the caller's next slot begins. Callers get slots one at a time, in the order of their calls. */
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
