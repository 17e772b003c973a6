/** Time behind an interface, so a test can own it. Milliseconds since the epoch. */
export interface Clock {
  nowMs(): number;
  /** Calls back when that time has come, or somewhat earlier: whoever is woken looks at the clock. Returns what cancels it. */
  wakeAt(ms: number, callback: () => void): () => void;
}

/** setTimeout takes no more: it would call back at once. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  wakeAt(ms, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(ms - Date.now(), 0), TIMEOUT_MS_MAX)).unref();
    return () => clearTimeout(timer);
  },
};

/** ISO-8601 with microseconds and offset, the form the Agent Server sends (agent-server.md, section 1). */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00');
}
