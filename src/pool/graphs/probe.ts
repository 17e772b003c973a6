import type { MessagePort } from 'node:worker_threads';
import { LIMITS } from '../../base/limits.js';
import type { Beat } from './watchdog.js';

/**
 * Tells a worker whose runs wait from one that can no longer run anything. A beat proves only that the thread's loop turns:
 * after user code has replaced `Promise.prototype.then` or `setTimeout`, a worker beats on and its runs never end. A probe
 * is a question that the worker answers through what runs are built on (workers/graph/probe.ts). A graph that waits an hour
 * for a model leaves all of that alone, so its worker answers.
 *
 * Patience is counted in beats, not in time: a thread that is short of processor time turns seldom, and answers late.
 */
export class Probe {
  readonly #port: MessagePort;
  readonly #beat: Pick<Beat, 'count'>;
  readonly #patienceBeats: number;
  #askedAtMs = -Infinity;
  /** Beat at which the worker last proved that it works, or was asked after a rest; null while no question is open. */
  #openSince: number | null = null;
  /** A question was open for a quarter of the patience, and no good answer has come since. */
  #suspicious = false;
  /** The worker has answered that something gives wrong results: whatever runs there may be wrong too. */
  #failed = false;
  #reported = false;

  constructor(port: MessagePort, beat: Pick<Beat, 'count'>, patienceMs: number) {
    this.#port = port;
    this.#beat = beat;
    this.#patienceBeats = patienceMs / LIMITS.beatMs;
    port.on('message', (works: unknown) => this.#answered(works === true));
    port.unref();
  }

  /** New runs should go elsewhere. */
  get suspicious(): boolean {
    return this.#suspicious;
  }

  /** A run of the worker has told something or ended: whatever else is broken, the worker is of use. */
  progress(): void {
    if (this.#openSince !== null) this.#openSince = this.#beat.count;
  }

  /**
   * Call it from a timer; `busy` says that the worker holds runs. It asks when it is time, again and again while nothing
   * comes back: what was replaced for a while may have swallowed a question. Returns true once: when the worker has answered
   * that it is broken, or has answered nothing and done nothing for too long.
   */
  look(busy: boolean): boolean {
    if (this.#reported) return false;
    this.#reported = this.#failed || this.#isOverdue(busy);
    return this.#reported;
  }

  #isOverdue(busy: boolean): boolean {
    // A worker under suspicion gets no runs, so it is asked on until it is cleared or ended.
    if (!busy && !this.#suspicious) {
      this.#openSince = null;
      return false;
    }
    const now = performance.now();
    if (now - this.#askedAtMs >= LIMITS.probeEveryMs) {
      this.#askedAtMs = now;
      this.#openSince ??= this.#beat.count;
      this.#port.postMessage(null);
    }
    const waitedBeats = this.#openSince === null ? 0 : this.#beat.count - this.#openSince;
    if (waitedBeats > this.#patienceBeats / 4) this.#suspicious = true;
    return waitedBeats > this.#patienceBeats;
  }

  close(): void {
    this.#port.close();
  }

  #answered(works: boolean): void {
    if (!works) {
      this.#failed = true;
      return;
    }
    this.#openSince = null;
    this.#suspicious = false;
  }
}
