import type { Gap, LogCursor } from '../../pool/graphs/run-log.js';
import { gapText, type Following } from '../../services/runs/follow-run.js';
import { framesOf, type Frame, type FrameBatch } from '../../wire/runs/frame.js';

/** Where a reader's events go: a stream of SSE, or a socket. */
export interface EventTaker {
  /** It can take more now. When it can again it says so by `pump`. */
  readonly ready: boolean;
  /** Frames in the order of their ids; with `whole` as the bytes that they are together. */
  take(frames: Iterable<Uint8Array>, whole: Uint8Array | null): void;
  /** Events are no longer kept, ids inclusive, and what comes after them follows. */
  gap(from: number, to: number, lost: boolean): void;
  /** Nothing follows. `last`: SSE text that says why, '' for none. */
  over(last: string): void;
  /** The run has not ended, but this server sends no more of it: closes the connection without an orderly end, so that clients reconnect. */
  breakOff(): void;
}

/** Reads a log for one reader, as fast as that one takes it, and only what it wants. */
export class EventReader {
  readonly #taker: EventTaker;
  readonly #following: Following;
  readonly #cursor: LogCursor;
  readonly #unfollow: () => void;
  #closed = false;
  #reading = false;

  constructor(following: Following, taker: EventTaker) {
    this.#taker = taker;
    this.#following = following;
    this.#cursor = following.log.cursor(following.afterSeq);
    this.#unfollow = following.log.follow(() => this.pump());
  }

  close(): void {
    this.#closed = true;
    this.#unfollow();
  }

  /** Hands on what there is. Call it at first, and when the taker is ready again. */
  pump(): void {
    if (this.#reading) return;
    while (!this.#closed && this.#taker.ready) {
      const next = this.#cursor.next();
      if (next === undefined) {
        if (this.#cursor.ended) this.#end(this.#following.farewell);
        else if (this.#cursor.isBrokenOff) {
          this.close();
          this.#taker.breakOff();
        }
        return;
      }
      if (next instanceof Promise) {
        this.#reading = true;
        void next.then((found) => {
          this.#reading = false;
          if (this.#closed) return;
          this.#pass(found);
          this.pump();
        });
        return;
      }
      this.#pass(next);
    }
  }

  #pass(found: FrameBatch | Gap): void {
    if (!('gap' in found)) {
      this.#frames(found);
      return;
    }
    if (this.#following.goesOn !== true) {
      this.#end(gapText(found.from, found.to));
      return;
    }
    this.#cursor.advance(found.to);
    this.#taker.gap(found.from, found.to, false);
  }

  #frames(batch: FrameBatch): void {
    const { wants, form } = this.#following;
    const after = this.#cursor.afterSeq;
    if (batch.lost === true) {
      this.#cursor.advance(batch.lastSeq);
      // The run goes on, so the stream does too.
      this.#taker.gap(Math.max(batch.firstSeq, after + 1), batch.lastSeq, true);
      return;
    }
    const all = batch.firstSeq > after && (wants === null || batch.names.every(wants));
    this.#cursor.advance(batch.lastSeq);
    if (all && form === undefined) {
      this.#taker.take(bytesOf(framesOf(batch)), batch.bytes);
      return;
    }
    const chosen: Uint8Array[] = [];
    for (const frame of framesOf(batch))
      if (frame.seq > after && (wants === null || wants(frame.name)))
        chosen.push(form === undefined ? frame.bytes : form(frame));
    if (chosen.length > 0) this.#taker.take(chosen, null);
  }

  #end(last: string): void {
    this.close();
    this.#taker.over(last);
  }
}

function* bytesOf(frames: Iterable<Frame>): Generator<Uint8Array> {
  for (const { bytes } of frames) yield bytes;
}
