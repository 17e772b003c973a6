import type { MessagePort } from 'node:worker_threads';

/** A run's port whose messages arrive when the simulation says so. */
export class SimulatedPort {
  /** On their way, oldest first. */
  readonly toFront: Uint8Array[] = [];
  readonly toWorker: Uint8Array[] = [];
  /** The front listens to it. */
  open = true;
  #take: (bytes: Uint8Array) => void = () => undefined;

  /** The front's end, as far as it uses one. */
  get front(): MessagePort {
    const end = {
      on: (event: string, take: (bytes: Uint8Array) => void) => {
        if (event === 'message') this.#take = take;
      },
      off: (_event: string, take: (bytes: Uint8Array) => void) => {
        if (this.#take === take) this.#take = () => undefined;
      },
      postMessage: (bytes: Uint8Array) => {
        this.toWorker.push(new Uint8Array(bytes));
      },
      removeAllListeners: () => {
        this.open = false;
      },
      unref: () => undefined,
      close: () => undefined,
    };
    return end as unknown as MessagePort;
  }

  /** Its process is gone. */
  removed(): void {
    this.open = false;
    this.toFront.length = 0;
  }

  /** The oldest message reaches the front; one that is fenced off is lost. */
  deliver(): void {
    const bytes = this.toFront.shift();
    if (bytes !== undefined && this.open) this.#take(bytes);
  }
}
