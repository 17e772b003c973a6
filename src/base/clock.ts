/** Time behind an interface, so a test can own it. Milliseconds since the epoch. */
export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** ISO-8601 with microseconds and offset, the form the Agent Server sends (agent-server.md, section 1). */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000+00:00');
}
