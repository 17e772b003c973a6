/** The delay is this many periods of the timer, so an action is at most a quarter of it late. */
const PERIODS = 4;

/**
 * Calls `action` for each item some time after it was added, in order. Many items need one timer, where `setTimeout`
 * would keep a timer and a function for each.
 */
export class DelayedActions<T> {
  readonly #periodMs: number;
  readonly #action: (item: T) => void;
  /** Items by the period in which they were added, the oldest first. */
  #items: T[][] = [[]];
  #timer: NodeJS.Timeout | null = null;

  /** `delayMs`: minimum time. */
  constructor(delayMs: number, action: (item: T) => void) {
    this.#periodMs = delayMs / PERIODS;
    this.#action = action;
  }

  add(item: T): void {
    this.#items.at(-1)!.push(item);
    this.#timer ??= setInterval(() => this.#startPeriod(), this.#periodMs).unref();
  }

  #startPeriod(): void {
    this.#items.push([]);
    if (this.#items.length <= PERIODS + 1) return;
    for (const item of this.#items.shift()!) this.#action(item);
    if (this.#items.some((items) => items.length > 0)) return;
    clearInterval(this.#timer!);
    this.#timer = null;
    this.#items = [[]];
  }
}
