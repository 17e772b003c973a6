import type { Gap, LogCursor } from '../../pool/graphs/run-log.js';
import { gapText } from '../../services/runs/follow-run.js';
import type { Subscription } from '../../services/runs/subscription.js';
import { framesOf, type Frame, type FrameBatch } from '../../wire/runs/frame.js';

/** Where a reader's events are written: an SSE response or a WebSocket. */
export interface EventSink {
  /** True if it can accept more now. When it becomes ready again, it calls `pump`. */
  readonly isReady: boolean;
  /** Writes frames in the order of their ids. `whole`: the same frames as one buffer, if available. */
  write(frames: Iterable<Uint8Array>, joined: Uint8Array | null): void;
  /**
   * Events from `from` to `to` (inclusive) are no longer available; the events after them follow. `lost`: they
   * were lost with their worker.
   */
  writeGap(from: number, to: number, lost: boolean): void;
  /** The end of the stream. `last`: SSE text with the reason; '' for none. */
  end(last: string): void;
  /**
   * The run has not ended, but this server can send no more of its events. Closes the connection abruptly, so
   * that clients reconnect.
   */
  breakOff(): void;
}

/** Reads a run's event log for one reader, at the speed of that reader, and filters the events. */
export class EventReader {
  readonly #sink: EventSink;
  readonly #subscription: Subscription;
  readonly #cursor: LogCursor;
  readonly #stopFollowing: () => void;
  #closed = false;
  #reading = false;

  constructor(following: Subscription, taker: EventSink) {
    this.#sink = taker;
    this.#subscription = following;
    this.#cursor = following.log.cursor(following.afterSeq);
    this.#stopFollowing = following.log.subscribe(() => this.pump());
  }

  close(): void {
    this.#closed = true;
    this.#stopFollowing();
  }

  /** The reader has every event up to this id that it wants. */
  get afterSeq(): number {
    return this.#cursor.afterSeq;
  }

  /** Continues with the events above `afterSeq`, which may be lower than before. */
  seek(afterSeq: number): void {
    this.#cursor.advance(afterSeq);
  }

  /** Passes on the available events. Call it once at the start, and each time the sink becomes ready again. */
  pump(): void {
    if (this.#reading) return;
    while (!this.#closed && this.#sink.isReady) {
      const next = this.#cursor.next();
      if (next === undefined) {
        if (this.#cursor.ended) this.#end(this.#subscription.finalText);
        else if (this.#cursor.isAborted) {
          this.close();
          this.#sink.breakOff();
        }
        return;
      }
      if (next instanceof Promise) {
        this.#reading = true;
        const { afterSeq } = this.#cursor;
        void next.then((found) => {
          this.#reading = false;
          if (this.#closed) return;
          // `seek` may have moved the cursor meanwhile.
          if (this.#cursor.afterSeq === afterSeq) this.#deliver(found);
          this.pump();
        });
        return;
      }
      this.#deliver(next);
    }
  }

  #deliver(found: FrameBatch | Gap): void {
    if (!('gap' in found)) {
      this.#deliverFrames(found);
      return;
    }
    if (this.#subscription.continueAfterGap !== true) {
      this.#end(gapText(found.from, found.to));
      return;
    }
    this.#cursor.advance(found.to);
    this.#sink.writeGap(found.from, found.to, false);
  }

  #deliverFrames(batch: FrameBatch): void {
    const { wants, encode } = this.#subscription;
    const after = this.#cursor.afterSeq;
    if (batch.lost === true) {
      this.#cursor.advance(batch.lastSeq);
      // The run continues, so the stream does too.
      this.#sink.writeGap(Math.max(batch.firstSeq, after + 1), batch.lastSeq, true);
      return;
    }
    const all = batch.firstSeq > after && (wants === null || batch.names.every(wants));
    this.#cursor.advance(batch.lastSeq);
    if (all && encode === undefined) {
      this.#sink.write(bytesOf(framesOf(batch)), batch.bytes);
      return;
    }
    const chosen: Uint8Array[] = [];
    for (const frame of framesOf(batch))
      if (frame.seq > after && (wants === null || wants(frame.name)))
        if (encode === undefined) chosen.push(frame.bytes);
        else chosen.push(...encode(frame));
    if (chosen.length > 0) this.#sink.write(chosen, null);
  }

  #end(last: string): void {
    this.close();
    this.#sink.end(last);
  }
}

function* bytesOf(frames: Iterable<Frame>): Generator<Uint8Array> {
  for (const { bytes } of frames) yield bytes;
}
