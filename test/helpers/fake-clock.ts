import type { Clock } from '../../src/base/clock.js';

/** A clock that a test moves, in either direction. */
export class FakeClock implements Clock {
  #nowMs: number;
  #elapsedMs = 0;
  readonly #wakes = new Map<symbol, { atMs: number; callback: () => void }>();

  constructor(at: string | number) {
    this.#nowMs = new Date(at).getTime();
  }

  nowMs(): number {
    return this.#nowMs;
  }

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  wakeAfter(ms: number, callback: () => void): () => void {
    const id = Symbol('wake');
    this.#wakes.set(id, { atMs: this.#elapsedMs + ms, callback });
    return () => this.#wakes.delete(id);
  }

  /** The times that someone waits for, as the wall clock will show them when nobody sets it. */
  get waiting(): number[] {
    return [...this.#wakes.values()].map(({ atMs }) => this.#nowMs + atMs - this.#elapsedMs);
  }

  /**
   * It is that time. Forwards, so much time has passed, and whoever waited for it is called; backwards, somebody has
   * set the clock.
   */
  set(at: string | number): void {
    const passedMs = new Date(at).getTime() - this.#nowMs;
    this.jump(at);
    this.#elapsedMs += Math.max(0, passedMs);
    for (;;) {
      const due = [...this.#wakes].find(([, { atMs }]) => atMs <= this.#elapsedMs);
      if (due === undefined) return;
      this.#wakes.delete(due[0]);
      due[1].callback();
    }
  }

  /** Somebody has set the wall clock; no time has passed. */
  jump(at: string | number): void {
    this.#nowMs = new Date(at).getTime();
  }

  pass(ms: number): void {
    this.set(this.#nowMs + ms);
  }
}
