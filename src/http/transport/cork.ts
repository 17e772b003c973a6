/**
 * Responses that leave in one packet, over uWebSockets.js.
 *
 * uWS corks the socket whose request it hands over until the handler and its microtasks have ended. It corks one socket
 * at a time, so what another response writes meanwhile would leave in a packet for each status, name and value. LMDB
 * settles finished commits during a put (lmdb 3.5.6, `resolveWrites` in write.js), so handlers often continue others.
 */
import type { HttpResponse } from './http-app.js';

/** Whose handler was called last in this turn of the event loop. */
let corked: HttpResponse | null = null;

/** Call it first thing in every callback in which uWS hands over a request or a part of its body. */
export function noteHandler(res: HttpResponse): void {
  if (corked === null) setImmediate(forgetHandlers);
  corked = res;
}

/** Calls back at once, or when all handlers of this turn have ended; `res` may have been aborted until then. */
export function whenCorkable(res: HttpResponse, write: () => void): void {
  if (corked === null || corked === res) write();
  else setImmediate(write);
}

function forgetHandlers(): void {
  corked = null;
}
