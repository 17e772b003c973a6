/**
 * Memory that the front shares with the worker of a run. Neither side needs a message to read it, so it works while the
 * other one's loop stands still, and after the worker has died.
 */
export const RUN_SIGNALS_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT;

/** 1 as soon as someone wants frames. The front writes it. */
export const LISTENING = 0;
/** How many frames the worker has made in this attempt, sent or not. The worker writes it. */
export const FRAMES_MADE = 1;
