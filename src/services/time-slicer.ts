import { fail } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';
import { passTurn, type Steps } from '../base/steps.js';

/**
 * Work on the front that may be long: a little of it in the request's own turn, the rest in slices of a few milliseconds,
 * one slice a turn of the loop over all requests. So whatever is asked, nobody else waits for more than one slice.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];
  #planned = false;

  /** Throws what the work throws, REQUEST_ABORTED when the client has `gone`, and OVERLOADED when too much waits. */
  async run<T>(steps: Steps<T>, gone: () => boolean): Promise<T> {
    let until = performance.now() + LIMITS.firstTurnMs;
    for (;;) {
      do {
        const step = steps.next();
        if (step.done === true) return step.value;
      } while (performance.now() < until);
      try {
        await this.#turn();
        if (gone()) throw fail('REQUEST_ABORTED', {});
      } catch (error) {
        // Whatever the work holds it lets go.
        steps.return(undefined as never);
        throw error;
      }
      passTurn();
      until = performance.now() + LIMITS.turnMs;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length >= LIMITS.turnsQueuedMax)
      throw fail('OVERLOADED', { what: `${LIMITS.turnsQueuedMax} long reads are under way` });
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#plan();
    });
  }

  #plan(): void {
    if (this.#planned) return;
    this.#planned = true;
    setImmediate(() => {
      this.#planned = false;
      this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#plan();
    });
  }
}
