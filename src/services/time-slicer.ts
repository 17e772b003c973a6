import { fail } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { countTurn, type Steps } from '../base/steps.js';

/**
 * Runs long work on the front thread: the first milliseconds in the turn of the request, the rest in slices of
 * a few milliseconds. Each turn of the event loop runs one slice, over all requests. No request therefore waits
 * for more than one slice of another one.
 */
export class TimeSlicer {
  readonly #waiting: (() => void)[] = [];
  #isScheduled = false;

  /**
   * Runs the work to its end. Throws its errors, REQUEST_ABORTED if `isAborted` returns true, and OVERLOADED if
   * too much work waits.
   */
  async run<T>(steps: Steps<T>, isAborted: () => boolean): Promise<T> {
    let until = performance.now() + LIMITS.firstSliceMs;
    for (;;) {
      do {
        const step = steps.next();
        if (step.done === true) return step.value;
      } while (performance.now() < until);
      try {
        await this.#nextSlice();
        if (isAborted()) throw fail('REQUEST_ABORTED', {});
      } catch (error) {
        // Releases what the work holds.
        steps.return(undefined as never);
        throw error;
      }
      countTurn();
      until = performance.now() + LIMITS.sliceMs;
    }
  }

  #nextSlice(): Promise<void> {
    if (this.#waiting.length >= LIMITS.slicesQueuedMax)
      throw fail('OVERLOADED', { what: `${LIMITS.slicesQueuedMax} long reads are in progress` });
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}

/** Processes items in slices, so that other requests are answered in between. Stops early if `work` returns false. */
export function forEachInSlices<T>(
  { timeSlicer }: { timeSlicer: TimeSlicer },
  items: Iterable<T>,
  work: (item: T) => boolean | void,
): Promise<void> {
  return timeSlicer.run(steps(items, work), () => false);
}

function* steps<T>(items: Iterable<T>, work: (item: T) => boolean | void): Steps<void> {
  for (const item of items) {
    if (work(item) === false) return;
    yield;
  }
}
