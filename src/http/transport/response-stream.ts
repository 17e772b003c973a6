import { asBytes } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { HttpResponse } from './http-app.js';

export interface ResponseStreamOptions {
  isAborted: () => boolean;
  /** Called once, after the last byte or when the response broke off. */
  onEnd: () => void;
  onWritten: (bytes: number) => void;
}

/**
 * The writing end of a streamed response, with backpressure. What is written before `start` is kept until the head of
 * the response is known.
 */
export class ResponseStream {
  readonly #res: HttpResponse;
  readonly #options: ResponseStreamOptions;
  /** Writes status and headers with the first bytes. Null once they are written, undefined before `start`. */
  #writeHead: ((write: () => void) => void) | null | undefined = undefined;
  /** Written before `start`. */
  #early: Uint8Array[] = [];
  #endedEarly = false;
  #ended = false;
  #blocked = true;
  /** The last write did not fit, and a part of it may still be in memory. */
  #keepsBytes = false;
  #onDrain: (() => void) | null = null;

  constructor(res: HttpResponse, options: ResponseStreamOptions) {
    this.#res = res;
    this.#options = options;
  }

  /** `writeHead` writes status and headers, then calls `write` for the first bytes. */
  start(writeHead: (write: () => void) => void): void {
    // After an abort uWS does not allow any use of the response.
    if (this.closed) return;
    this.#writeHead = writeHead;
    this.#blocked = false;
    // Without onWritable, uWS starts its 10 s timer again on drain and then closes a stream that is silent for so long.
    this.#res.onWritable(() => {
      // uWS calls this before it has sent what it keeps of earlier writes. It does that at the end of a cork.
      this.#res.cork(() => undefined);
      this.#blocked = false;
      this.#onDrain?.();
      return true;
    });
    const early = this.#early.splice(0);
    if (this.#endedEarly) this.end(Buffer.concat(early));
    else if (early.length > 0) this.#write(Buffer.concat(early), Infinity);
    if (this.writable) this.#onDrain?.();
  }

  /** Discards the stream, because something else has sent the response. */
  abandon(): void {
    this.#ended = true;
    this.#early = [];
    this.#onDrain?.();
  }

  /** False while the socket is full: wait for `onDrain`. */
  get writable(): boolean {
    return !this.#blocked && !this.closed;
  }

  get closed(): boolean {
    return this.#ended || this.#options.isAborted();
  }

  set onDrain(callback: () => void) {
    this.#onDrain = callback;
  }

  /**
   * Sends status and headers if they have not been sent. uWS sends the head together with the first byte of the body
   * and ignores empty writes. So this writes a newline, which readers of SSE and of JSON both skip.
   */
  flushHead(): void {
    if (!this.hasHead) this.write('\n');
  }

  /** Status and headers have been sent, or will be with the first bytes, which are there. */
  get hasHead(): boolean {
    return this.#writeHead === null || this.#early.length > 0;
  }

  /**
   * Writes as much as the socket takes, in slices. Returns the rest, or null when all was written or the stream is
   * closed.
   */
  write(data: Uint8Array | string): Uint8Array | null {
    if (this.closed) return null;
    const bytes = asBytes(data);
    if (this.#writeHead !== undefined) return this.#write(bytes, LIMITS.writeBytesMax);
    this.#early.push(bytes);
    return null;
  }

  end(data: Uint8Array | string = ''): void {
    if (this.closed) return;
    const bytes = asBytes(data);
    if (this.#writeHead === undefined) {
      this.#early.push(bytes);
      this.#endedEarly = true;
      return;
    }
    this.#corked(() => {
      this.#ended = true;
      this.#res.end(bytes);
    });
    this.#options.onWritten(bytes.byteLength);
    this.#options.onEnd();
  }

  /** Closes the connection without ending the response, so that the client cannot take it for a complete one. */
  breakOff(): void {
    if (this.closed) return;
    this.#ended = true;
    this.#res.close();
    this.#options.onEnd();
  }

  #write(buffer: Uint8Array, sliceBytes: number): Uint8Array | null {
    let at = 0;
    this.#corked(() => {
      do {
        const slice = buffer.subarray(at, at + (this.#keepsBytes ? LIMITS.resumedWriteBytes : sliceBytes));
        at += slice.byteLength;
        if (slice.byteLength > 0) this.#keepsBytes = this.#blocked = !this.#res.write(slice);
      } while (at < buffer.byteLength && !this.#blocked);
    });
    this.#options.onWritten(at);
    return at < buffer.byteLength ? buffer.subarray(at) : null;
  }

  #corked(write: () => void): void {
    const writeHead = this.#writeHead;
    this.#writeHead = null;
    this.#res.cork(() => {
      if (writeHead) writeHead(write);
      else write();
    });
  }
}
