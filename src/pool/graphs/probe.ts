import type { MessagePort } from 'node:worker_threads';
import { LIMITS } from '../../base/limits.js';
import type { Heartbeat } from './watchdog.js';

/**
 * Distinguishes a worker with waiting runs from a broken one. A heartbeat only proves that the event loop
 * turns: if user code replaces `Promise.prototype.then` or `setTimeout`, the heartbeat continues, but no run
 * ever ends. A probe is a request that the worker answers with the same primitives that runs depend on
 * (workers/graph/probe.ts). A graph that waits an hour for a model does not affect them, so its worker answers.
 *
 * The timeout is counted in beats instead of time: a thread that lacks processor time turns rarely and answers
 * late.
 */
export class Probe {
  readonly #port: MessagePort;
  readonly #beat: Pick<Heartbeat, 'count'>;
  readonly #timeoutBeats: number;
  #sentAtMs = -Infinity;
  /**
   * Beat count at the last proof of life, or at the first request after an idle period. Null while no request
   * is open.
   */
  #openSinceBeat: number | null = null;
  /** True if a request was open for a quarter of the timeout, and no good answer has arrived since. */
  #isSuspicious = false;
  /** The worker has answered that something gives wrong results, so its runs may give wrong results too. */
  #failed = false;
  #reported = false;

  constructor(port: MessagePort, beat: Pick<Heartbeat, 'count'>, timeoutMs: number) {
    this.#port = port;
    this.#beat = beat;
    this.#timeoutBeats = timeoutMs / LIMITS.workerHeartbeatMs;
    port.on('message', (works: unknown) => this.#onAnswer(works === true));
    port.unref();
  }

  /** True if new runs should go to other workers. */
  get isSuspicious(): boolean {
    return this.#isSuspicious;
  }

  /** A run of the worker has sent a message or ended, which proves that the worker still works. */
  noteProgress(): void {
    if (this.#openSinceBeat !== null) this.#openSinceBeat = this.#beat.count;
  }

  /**
   * Call it from a timer. `isBusy`: the worker holds runs. It sends probes at an interval, and again while no
   * answer arrives, because temporarily replaced code may have lost one. Returns true once: when the worker has
   * answered that it is broken, or has neither answered nor made progress for too long.
   */
  check(isBusy: boolean): boolean {
    if (this.#reported) return false;
    this.#reported = this.#failed || this.#isOverdue(isBusy);
    return this.#reported;
  }

  #isOverdue(isBusy: boolean): boolean {
    // A suspicious worker gets no runs, so probing continues until it recovers or is ended.
    if (!isBusy && !this.#isSuspicious) {
      this.#openSinceBeat = null;
      return false;
    }
    const now = performance.now();
    if (now - this.#sentAtMs >= LIMITS.probeIntervalMs) {
      this.#sentAtMs = now;
      this.#openSinceBeat ??= this.#beat.count;
      this.#port.postMessage(null);
    }
    const waitedBeats = this.#openSinceBeat === null ? 0 : this.#beat.count - this.#openSinceBeat;
    if (waitedBeats > this.#timeoutBeats / 4) this.#isSuspicious = true;
    return waitedBeats > this.#timeoutBeats;
  }

  close(): void {
    this.#port.close();
  }

  #onAnswer(works: boolean): void {
    if (!works) {
      this.#failed = true;
      return;
    }
    this.#openSinceBeat = null;
    this.#isSuspicious = false;
  }
}
