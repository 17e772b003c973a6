/**
 * Messages to and from a thread that answers calls (src/pool/user-code/call-pool.ts). Calls and replies travel
 * as JSON text, so that client data stays unchanged (decision 4). A serial number matches a reply to its call.
 */

/** The single task of the thread: it serves the calls from the port until the port closes. */
export interface CallTask {
  port: unknown;
  /** Takes the log lines of user code (code-log.ts). */
  log: unknown;
  /** Incremented by a timer. */
  beat: SharedArrayBuffer;
  /**
   * Serial of the call whose code runs synchronously right now, or 0. If the event loop is blocked, this
   * identifies the culprit.
   */
  turn: SharedArrayBuffer;
}

/** First message of the thread. */
export type LoadResult = { ok: true } | { ok: false; reason: string; stack: string };

/** A call as JSON text, with its port if it has one. */
export type ToCallThread = string | { text: string; port: unknown };

export type FromCallThread = { report: LoadResult } | { answers: string[] };
