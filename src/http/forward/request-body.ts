import { LIMITS } from '../../base/limits.js';
import type { HttpResponse } from '../transport/http-app.js';

/** Where a body goes. `write` returns false when it should wait for `resume`. */
export interface BodySink {
  write(bytes: Buffer): boolean;
  end(): void;
}

/** Bytes that are kept of all requests. */
export interface KeptBytes {
  total: number;
}

const NOWHERE: BodySink = { write: () => true, end: () => undefined };

/**
 * The body of a request that is passed on. Its beginning is kept until the request is answered, so that it can be sent
 * to another node.
 */
export class ForwardedBody {
  readonly #res: HttpResponse;
  readonly #all: KeptBytes;
  #kept: Buffer[] | null = [];
  #keptBytes = 0;
  #isComplete = false;
  #isPaused = false;
  #isClosed = false;
  #sink: BodySink | null = null;

  /** Create it in the route's callback: the transport drops a body that is not taken there. */
  constructor(res: HttpResponse, all: KeptBytes) {
    this.#res = res;
    this.#all = all;
    res.onData((chunk, isLast) => {
      this.#isComplete ||= isLast;
      // A copy, because the chunk is valid only during the call.
      if (chunk.byteLength > 0) this.#take(Buffer.from(chunk.slice(0)));
      if (isLast) this.#sink?.end();
    });
  }

  /** False when so much has been passed on that the request cannot be sent again. */
  get canRepeat(): boolean {
    return this.#kept !== null;
  }

  /** Passes everything on, from the beginning. Throws unless `canRepeat`. */
  sendTo(sink: BodySink): void {
    if (this.#kept === null) throw new Error('the beginning of the body is gone');
    this.#sink = sink;
    for (const bytes of this.#kept) sink.write(bytes);
    if (this.#isComplete) sink.end();
    else this.resume();
  }

  /** What follows waits for the next `sendTo`. */
  detach(): void {
    this.#sink = null;
  }

  /** Reads the rest without passing it on. Call it before the response: a client that may not send reads nothing. */
  discard(): void {
    this.#drop();
    this.#sink = NOWHERE;
    this.resume();
  }

  /** The transport's response may not be used any more. */
  close(): void {
    this.#drop();
    this.#sink = NOWHERE;
    this.#isClosed = true;
  }

  resume(): void {
    if (!this.#isPaused || this.#isClosed) return;
    this.#isPaused = false;
    this.#res.resume();
  }

  /** The request is answered, or cannot be sent again. */
  #drop(): void {
    this.#kept = null;
    this.#all.total -= this.#keptBytes;
    this.#keptBytes = 0;
  }

  #take(bytes: Buffer): void {
    if (this.#kept !== null) {
      this.#kept.push(bytes);
      this.#keptBytes += bytes.byteLength;
      this.#all.total += bytes.byteLength;
    }
    const isMuch = this.#keptBytes > LIMITS.forwardKeptBytesMax || this.#all.total > LIMITS.forwardKeptBytesOfAllMax;
    if (this.#sink === null) {
      if (isMuch) this.#pause();
      return;
    }
    if (isMuch) this.#drop();
    if (!this.#sink.write(bytes)) this.#pause();
  }

  #pause(): void {
    if (this.#isPaused || this.#isComplete || this.#isClosed) return;
    this.#isPaused = true;
    this.#res.pause();
  }
}
