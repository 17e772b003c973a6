/**
 * Memory that the front thread shares with the worker of a run. Reading it needs no message, so it works while
 * the other side's event loop is blocked, and after the worker has died.
 */
export const RUN_SIGNALS_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT;

/** Index of a flag: 1 as soon as a client wants frames. Written by the front thread. */
export const LISTENING = 0;
/** Index of a counter: frames that the worker has created in this attempt, sent or not. Written by the worker. */
export const FRAMES_MADE = 1;
