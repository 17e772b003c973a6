/** A source of time, so that tests can control it. */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch, for display and for times of day. May jump. */
  nowMs(): number;
  /** Milliseconds since a fixed moment of this process, for durations and timeouts. Never goes back. */
  elapsedMs(): number;
  /**
   * Calls back after about `ms`, possibly earlier: the callback must check the time. Returns a function that
   * cancels it.
   */
  wakeAfter(ms: number, callback: () => void): () => void;
}

/** Maximum of setTimeout, which would call back at once for more. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  wakeAfter(ms, callback) {
    const timer = setTimeout(callback, Math.min(Math.max(ms, 0), TIMEOUT_MS_MAX)).unref();
    return () => clearTimeout(timer);
  },
};

/** ISO 8601 with microseconds and offset, as the Agent Server sends it (agent-server.md, section 1). */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00');
}
