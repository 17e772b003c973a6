/**
 * A thread that answers asks (src/pool/user-code/call-pool.ts). Asks and answers travel as JSON text, so that what clients sent stays
 * what it is (decision 4); a serial tells which answer is whose.
 */

/** The thread's one task: it serves asks that come by the port until the port closes. */
export interface AskTask {
  port: unknown;
  /** Raised from a timer. */
  beat: SharedArrayBuffer;
  /** Serial of the ask whose code was called and has not returned; 0 in between. Tells who it was when the loop stands still. */
  turn: SharedArrayBuffer;
}

/** First message of such a thread. */
export type AskReport = { ok: true } | { ok: false; reason: string; stack: string };

/** An ask as JSON text, and its port when it has one. */
export type ToAskThread = string | { text: string; port: unknown };

export type FromAskThread = { report: AskReport } | { answers: string[] };
