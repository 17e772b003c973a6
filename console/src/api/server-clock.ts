/** `Date` headers have whole seconds, and the server renews them once a second. */
const HEADER_STEP_MS = 2_000;

/** How far the server's clock is ahead of the browser's, in milliseconds. */
let aheadMs = 0;

/**
 * The difference of the clocks that a `Date` header proves: at most the true one. Zero while the header fits the
 * browser's clock.
 */
export function clockDifference(serverMs: number, sentMs: number, receivedMs: number): number {
  const least = serverMs - receivedMs;
  const most = serverMs + HEADER_STEP_MS - sentMs;
  return least > 0 ? least : most < 0 ? most : 0;
}

/** Reads the server's clock from a response that no cache can have answered. */
export function noteServerTime({ headers }: Response, sentMs: number): void {
  const serverMs = Date.parse(headers.get('date') ?? '');
  if (!Number.isNaN(serverMs)) aheadMs = clockDifference(serverMs, sentMs, Date.now());
}

/** The present time by the clock of the server, which wrote the times that the console shows. */
export function serverNow(): number {
  return Date.now() + aheadMs;
}
