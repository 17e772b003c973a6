import { LIMITS } from '../../base/limits.js';
import { TransientSet } from '../../base/transient.js';
import type { HttpResponse } from './http-app.js';

/** Bodies that are being received. One timer checks all of them. */
const open = new TransientSet<BodyRateGuard>();
let timer: NodeJS.Timeout | null = null;

/**
 * Detects clients that send a body too slowly. uWebSockets.js (20) silently closes a connection whose body
 * receives less than 160 KB in about 10 s. This class extends that timeout as long as the body meets our own
 * minimum rate, and otherwise lets the caller send an error.
 */
export class BodyRateGuard {
  readonly #res: HttpResponse;
  readonly #isWanted: () => boolean;
  readonly #onTooSlow: () => void;
  readonly #removeFromOpen: () => void;
  #sinceMs = performance.now();
  #bytes = 0;
  #paused = false;

  /** `isWanted`: the client is still connected and has no response yet. `tooSlow` is called at most once. */
  constructor(res: HttpResponse, isWanted: () => boolean, tooSlow: () => void) {
    this.#res = res;
    this.#isWanted = isWanted;
    this.#onTooSlow = tooSlow;
    this.#removeFromOpen = open.add(this);
    timer ??= setInterval(() => {
      for (const guard of open.values()) guard.#check();
    }, LIMITS.bodyCheckMs).unref();
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Pauses the client. Time during a pause does not count as slow. */
  pause(): void {
    this.#paused = true;
    this.#res.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#startWindow();
    this.#res.resume();
  }

  stop(): void {
    this.#removeFromOpen();
  }

  #startWindow(): void {
    this.#sinceMs = performance.now();
    this.#bytes = 0;
  }

  #check(): void {
    if (!this.#isWanted()) return this.stop();
    if (this.#paused) return;
    if (performance.now() - this.#sinceMs >= LIMITS.bodyWindowMs) {
      if (this.#bytes < LIMITS.bodyWindowBytes) {
        this.stop();
        this.#onTooSlow();
        return;
      }
      this.#startWindow();
    }
    // Nothing else resets uWS's timeout.
    this.#res.pause();
    this.#res.resume();
  }
}
