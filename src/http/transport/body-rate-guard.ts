import { LIMITS } from '../../base/limits.js';
import type { HttpResponse } from './uws.js';

/** Bodies under way; one timer looks at all. */
const open = new Set<Pace>();
let timer: NodeJS.Timeout | null = null;

/**
 * Whether a body comes fast enough. uWebSockets.js (20) ends the connection of one that brings less than 160 KB in about 10 s,
 * without a word: its timer is put off for as long as the body keeps to our own bound, and whoever does not is told.
 */
export class Pace {
  readonly #res: HttpResponse;
  readonly #isWanted: () => boolean;
  readonly #tooSlow: () => void;
  #sinceMs = performance.now();
  #bytes = 0;
  #paused = false;

  /** `isWanted`: there is somebody to tell, and nobody has been told anything yet. `tooSlow` is called once at most. */
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

  /** We make the client wait: that is no slowness of its own. */
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
    // Nothing else sets uWS's timer anew.
    this.#res.pause();
    this.#res.resume();
  }
}
