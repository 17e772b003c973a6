import type { ToWorker } from '../../wire/runs/messages.js';

/** The front thread's end of what it shares with the worker of one run or state update. */
export interface RunChannel {
  /** Takes the worker's messages, in order. Call it once. `onBroken`: a message could not be read. */
  receive(onMessage: (bytes: Uint8Array) => void, onBroken: () => void): void;
  send(message: ToWorker): void;
  /**
   * The worker's messages up to here are on disk, published and answered; `bytes` of them for the first time. They are
   * finished in the order in which they came. `nextSeq`: id of the first event after them.
   */
  finish(bytes: number, nextSeq: number): void;
  /** `finish` is called after about so many bytes. */
  readonly finishStepBytes: number;
  /** From now on the worker sends all events. */
  requestFrames(): void;
  /** Number of frames that the worker has created, sent or not, as far as it is known. */
  readonly framesMade: number;
  /** Fences off the worker: its further messages are ignored. `hasEnded`: it has sent its last one. */
  close(hasEnded: boolean): void;
}
