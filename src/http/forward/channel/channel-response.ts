import type { Link } from '../../../pool/nodes/link.js';
import { pack } from '../../../wire/codec.js';
import type { HttpResponse } from '../../transport/http-app.js';
import { FRAME, sendFrame, sendWindow, type ResponseHeaders } from './frames.js';
import { ReceiveWindow, SendWindow } from './windows.js';

const NO_BODY = new ArrayBuffer(0);
/** A body up to this size travels with the head of its response. */
const BODY_WITH_HEAD_BYTES_MAX = 16 * 1_024;

/** The response to a request of a channel, and the request's body. */
export class ChannelResponse implements HttpResponse {
  readonly #link: Link;
  readonly #stream: number;
  readonly #onClosed: () => void;
  readonly #body: ReceiveWindow;
  readonly #out: SendWindow;
  #status = '200 OK';
  #fields: string[] = [];
  #hasHead = false;
  /** Everything was written, or nothing more may be. */
  #isEnded = false;
  #onAborted: () => void = () => undefined;
  /** Null until somebody takes the body. */
  #onData: ((chunk: ArrayBuffer, isLast: boolean) => void) | null = null;
  /** What arrived before that. At most a window full, because nothing of it counts as taken. */
  #early: { bytes: Uint8Array; isLast: boolean }[] = [];
  #onWritable: (offset: number) => boolean = () => true;

  /** `onClosed` is called once, when nothing more is sent. */
  constructor(link: Link, stream: number, onClosed: () => void) {
    this.#link = link;
    this.#stream = stream;
    this.#onClosed = onClosed;
    this.#body = new ReceiveWindow((bytes) => sendWindow(link, stream, bytes));
    this.#out = new SendWindow((payload, isLast) => {
      sendFrame(link, FRAME.data, stream, { payload, isLast });
      if (isLast) onClosed();
    });
    this.#out.onDrain = () => void this.#onWritable(0);
  }

  // --- from the other node
  // --------------------------------------------------------------------------------------------

  receiveBody(bytes: Uint8Array, isLast: boolean): void {
    if (this.#isEnded) return;
    if (this.#onData === null || this.#early.length > 0) this.#early.push({ bytes, isLast });
    else this.#passBody(this.#onData, bytes, isLast);
  }

  growWindow(bytes: number): void {
    this.#out.grow(bytes);
  }

  /** The client has disconnected, or the link is gone. */
  abort(): void {
    const wasEnded = this.#isEnded;
    this.#isEnded = true;
    this.#close();
    if (!wasEnded) this.#onAborted();
  }

  // --- of HttpResponse
  // ------------------------------------------------------------------------------------------------

  getRemoteAddressAsText(): ArrayBuffer {
    return new Uint8Array(Buffer.from(this.#link.address)).buffer;
  }

  writeStatus(status: string): this {
    this.#status = status;
    return this;
  }

  writeHeader(name: string, value: string): this {
    this.#fields.push(name, value);
    return this;
  }

  write(chunk: Uint8Array): boolean {
    if (this.#isEnded) return true;
    this.#sendHead();
    return this.#out.write(chunk);
  }

  end(bytes: Uint8Array = Buffer.alloc(0)): this {
    if (this.#isEnded) return this;
    this.#isEnded = true;
    if (!this.#hasHead) this.writeHeader('content-length', String(bytes.byteLength));
    if (!this.#hasHead && bytes.byteLength <= BODY_WITH_HEAD_BYTES_MAX) this.#sendWhole(bytes);
    else {
      this.#sendHead();
      this.#out.end(bytes);
    }
    return this;
  }

  endWithoutBody(): this {
    if (this.#isEnded) return this;
    this.#isEnded = true;
    this.#sendWhole(null);
    return this;
  }

  /** A link sends what is written in one turn of the event loop together. */
  cork(callback: () => void): this {
    callback();
    return this;
  }

  onAborted(callback: () => void): this {
    this.#onAborted = callback;
    return this;
  }

  onData(callback: (chunk: ArrayBuffer, isLast: boolean) => void): this {
    this.#onData = callback;
    // Not during this call, whose caller may not be ready.
    queueMicrotask(() => {
      for (const { bytes, isLast } of this.#early.splice(0))
        if (!this.#isEnded) this.#passBody(callback, bytes, isLast);
    });
    return this;
  }

  onWritable(callback: (offset: number) => boolean): this {
    this.#onWritable = callback;
    return this;
  }

  pause(): void {
    this.#body.pause();
  }

  resume(): void {
    this.#body.resume();
  }

  close(): this {
    if (this.#out.isClosed) return this;
    sendFrame(this.#link, FRAME.reset, this.#stream);
    this.abort();
    return this;
  }

  /** WebSockets have connections of their own. */
  upgrade(): never {
    throw new Error('a channel carries no WebSockets');
  }

  #passBody(onData: (chunk: ArrayBuffer, isLast: boolean) => void, bytes: Uint8Array, isLast: boolean): void {
    this.#body.add(bytes.byteLength);
    onData(bytes.byteLength === 0 ? NO_BODY : (bytes.slice().buffer as ArrayBuffer), isLast);
  }

  #sendHead(): void {
    if (this.#hasHead) return;
    this.#hasHead = true;
    const headers: ResponseHeaders = [this.#status, this.#fields, null];
    sendFrame(this.#link, FRAME.headers, this.#stream, { payload: pack(headers) });
  }

  #sendWhole(body: Uint8Array | null): void {
    const headers: ResponseHeaders = [this.#status, this.#fields, body];
    sendFrame(this.#link, FRAME.headers, this.#stream, { payload: pack(headers), isLast: true });
    this.#close();
  }

  #close(): void {
    if (this.#out.isClosed) return;
    this.#out.close();
    this.#onClosed();
  }
}
