/** Time behind an interface, so a test can own it. */
export interface Clock {
  /** The wall clock, in milliseconds since the epoch: for what people see, and what is due at a time of day. It may jump. */
  nowMs(): number;
  /** Milliseconds since some moment of this process, which never go back: for how long something takes or waits. */
  elapsedMs(): number;
  /** Calls back after so many milliseconds, or somewhat earlier: whoever is woken looks at the clock. Returns what cancels it. */
  wakeAfter(ms: number, callback: () => void): () => void;
}

/** setTimeout takes no more: it would call back at once. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  wakeAfter(ms, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), TIMEOUT_MS_MAX)).unref();
    return () => clearTimeout(timer);
  },
};

/** ISO-8601 with microseconds and offset, the form the Agent Server sends (agent-server.md, section 1). */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00');
}
