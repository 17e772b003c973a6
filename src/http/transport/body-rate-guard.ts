import { LIMITS } from '../../base/limits.js';
import type { HttpResponse } from './uws.js';

/** Bodies that are being received. One timer checks all of them. */
const open = new Set<Pace>();
let timer: NodeJS.Timeout | null = null;

/**
 * Detects clients that send a body too slowly. uWebSockets.js (20) silently closes a connection whose body
 * receives less than 160 KB in about 10 s. This class extends that timeout as long as the body meets our own
 * minimum rate, and otherwise lets the caller send an error.
 */
export class Pace {
  readonly #res: HttpResponse;
  readonly #isWanted: () => boolean;
  readonly #tooSlow: () => void;
  #sinceMs = performance.now();
  #bytes = 0;
  #paused = false;

  /** `isWanted`: the client is still connected and has no response yet. `tooSlow` is called at most once. */
  constructor(res: HttpResponse, isWanted: () => boolean, tooSlow: () => void) {
    this.#res = res;
    this.#isWanted = isWanted;
    this.#tooSlow = tooSlow;
    open.add(this);
    timer ??= setInterval(() => {
      for (const pace of open) pace.#look();
    }, LIMITS.bodyLookMs).unref();
  }

  came(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Pauses the client. Time during a pause does not count as slow. */
  pause(): void {
    this.#paused = true;
    this.#res.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#begin();
    this.#res.resume();
  }

  end(): void {
    open.delete(this);
  }

  #begin(): void {
    this.#sinceMs = performance.now();
    this.#bytes = 0;
  }

  #look(): void {
    if (!this.#isWanted()) return this.end();
    if (this.#paused) return;
    if (performance.now() - this.#sinceMs >= LIMITS.bodyWindowMs) {
      if (this.#bytes < LIMITS.bodyWindowBytes) {
        this.end();
        this.#tooSlow();
        return;
      }
      this.#begin();
    }
    // Nothing else resets uWS's timeout.
    this.#res.pause();
    this.#res.resume();
  }
}
