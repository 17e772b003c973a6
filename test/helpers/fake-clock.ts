import type { Clock } from '../../src/base/clock.js';

/** A clock that a test moves, in either direction. */
export class FakeClock implements Clock {
  #nowMs: number;
  readonly #wakes = new Map<symbol, { atMs: number; callback: () => void }>();

  constructor(at: string | number) {
    this.#nowMs = new Date(at).getTime();
  }

  nowMs(): number {
    return this.#nowMs;
  }

  wakeAt(atMs: number, callback: () => void): () => void {
    const id = Symbol('wake');
    this.#wakes.set(id, { atMs, callback });
    return () => this.#wakes.delete(id);
  }

  /** The times that someone waits for. */
  get waiting(): number[] {
    return [...this.#wakes.values()].map(({ atMs }) => atMs);
  }

  /** It is that time, and whoever waited for an earlier one is called. */
  set(at: string | number): void {
    this.#nowMs = new Date(at).getTime();
    for (;;) {
      const due = [...this.#wakes].find(([, { atMs }]) => atMs <= this.#nowMs);
      if (due === undefined) return;
      this.#wakes.delete(due[0]);
      due[1].callback();
    }
  }

  pass(ms: number): void {
    this.set(this.#nowMs + ms);
  }
}
