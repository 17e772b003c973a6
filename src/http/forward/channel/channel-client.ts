import type { Link } from '../../../pool/nodes/link.js';
import { pack, unpack } from '../../../wire/codec.js';
import type { BodySink } from '../request-body.js';
import type { RequestHead } from '../request-head.js';
import { FRAME, grantedBytes, readFrame, sendFrame, sendWindow } from './frames.js';
import type { Fields, Frame, RequestHeaders, ResponseHeaders } from './frames.js';
import { ReceiveWindow, SendWindow } from './windows.js';

/** How a request on a channel ended before there was a response. */
export type NoResponse =
  /** The node has not looked at it. */
  | 'refused'
  /** The channel broke, or the node gave the request up. */
  | 'broken';

export interface ResponseReceiver {
  onData(bytes: Buffer): void;
  /** Called once. `isComplete`: the response was not broken off. */
  onEnd(isComplete: boolean): void;
}

/** A channel to the owner of the cluster, for the requests that this node passes on. */
export class ChannelClient {
  readonly #link: Link;
  readonly #streams = new Map<number, ClientStream>();
  #lastStream = 0;
  #isClosed = false;

  constructor(link: Link, onClosed: () => void) {
    this.#link = link;
    link.receive(
      (message) => this.#receive(readFrame(message)),
      () => {
        this.#isClosed = true;
        for (const stream of [...this.#streams.values()]) stream.breakOff();
        onClosed();
      },
    );
  }

  /** Requests without a complete response. */
  get open(): number {
    return this.#streams.size;
  }

  /** Sends the head of a request. */
  request({ method, target, headers, hasBody }: RequestHead): ClientStream {
    this.#lastStream = (this.#lastStream + 1) >>> 0;
    const number = this.#lastStream;
    const stream = new ClientStream(this.#link, number, { hasBody, onClosed: () => this.#streams.delete(number) });
    if (this.#isClosed) stream.breakOff();
    else {
      this.#streams.set(number, stream);
      const request: RequestHeaders = [method, target, fieldsOf(headers)];
      sendFrame(this.#link, FRAME.headers, number, { payload: pack(request), isLast: !hasBody });
    }
    return stream;
  }

  close(): void {
    this.#link.close('the requests of this channel are answered');
  }

  #receive(frame: Frame): void {
    this.#streams.get(frame.stream)?.receive(frame);
  }
}

/** A request on a channel, and its response. */
export class ClientStream implements BodySink {
  /** The head of the response. Never rejects. */
  readonly response: Promise<ForwardedResponse | NoResponse>;
  readonly #link: Link;
  readonly #number: number;
  readonly #onClosed: () => void;
  readonly #body: SendWindow;
  #isClosed = false;
  #response: ForwardedResponse | null = null;
  #resolve!: (response: ForwardedResponse | NoResponse) => void;

  /** `onClosed` is called once, when nothing more is sent or received. */
  constructor(link: Link, number: number, { hasBody, onClosed }: { hasBody: boolean; onClosed: () => void }) {
    this.#link = link;
    this.#number = number;
    this.#onClosed = onClosed;
    this.#body = new SendWindow((payload, isLast) => sendFrame(link, FRAME.data, number, { payload, isLast }));
    if (!hasBody) this.#body.close();
    this.response = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Called when more of the body may follow after `write` has returned false. */
  set onDrain(callback: () => void) {
    this.#body.onDrain = callback;
  }

  write(bytes: Buffer): boolean {
    return this.#body.isClosed || this.#body.write(bytes);
  }

  end(): void {
    if (!this.#body.isClosed) this.#body.end();
  }

  /** Gives up the request and its response. */
  reset(): void {
    if (this.#isClosed) return;
    sendFrame(this.#link, FRAME.reset, this.#number);
    this.breakOff();
  }

  /** The channel broke. */
  breakOff(): void {
    this.#close(false, 'broken');
  }

  receive(frame: Frame): void {
    const { kind, payload, isLast } = frame;
    if (kind === FRAME.window) this.#body.grow(grantedBytes(frame));
    else if (kind === FRAME.refused) this.#close(false, 'refused');
    else if (kind === FRAME.reset) this.breakOff();
    else if (kind === FRAME.headers) {
      const headers = unpack<ResponseHeaders>(payload);
      this.#response = new ForwardedResponse(headers, {
        grant: (bytes) => sendWindow(this.#link, this.#number, bytes),
        reset: () => this.reset(),
      });
      if (headers[2] !== null) this.#response.add(headers[2]);
      this.#resolve(this.#response);
    } else this.#response?.add(payload);
    if (isLast) this.#close(true, 'broken');
  }

  #close(isComplete: boolean, reason: NoResponse): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#body.close();
    this.#onClosed();
    this.#response?.end(isComplete);
    this.#resolve(reason);
  }
}

/** The response of the owner while it is passed on. */
export class ForwardedResponse {
  /** Code and reason. */
  readonly status: string;
  readonly fields: Fields;
  readonly #window: ReceiveWindow;
  readonly #reset: () => void;
  /** What arrived before `receive`. At most a window full, because nothing of it counts as taken. */
  #early: Buffer[] = [];
  #isComplete: boolean | null = null;
  #receiver: ResponseReceiver | null = null;

  constructor(
    [status, fields]: ResponseHeaders,
    { grant, reset }: { grant: (bytes: number) => void; reset: () => void },
  ) {
    this.status = status;
    this.fields = fields;
    this.#window = new ReceiveWindow(grant);
    this.#reset = reset;
  }

  get statusCode(): number {
    return Number.parseInt(this.status, 10);
  }

  /** `name` in lower case. The first value of a repeated header. */
  header(name: string): string | null {
    for (let at = 0; at < this.fields.length; at += 2)
      if (this.fields[at]!.toLowerCase() === name) return this.fields[at + 1]!;
    return null;
  }

  /** Call it once. */
  receive(receiver: ResponseReceiver): void {
    this.#receiver = receiver;
    for (const bytes of this.#early.splice(0)) this.#pass(receiver, bytes);
    if (this.#isComplete !== null) receiver.onEnd(this.#isComplete);
  }

  /** After it, at most a window full of data arrives before `resume`. */
  pause(): void {
    this.#window.pause();
  }

  resume(): void {
    if (this.#isComplete === null) this.#window.resume();
  }

  /** Nobody wants the rest. */
  destroy(): void {
    this.#reset();
  }

  /** Called by the channel. */
  add(bytes: Uint8Array): void {
    if (bytes.byteLength === 0) return;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (this.#receiver === null) this.#early.push(buffer);
    else this.#pass(this.#receiver, buffer);
  }

  /** Called by the channel. */
  end(isComplete: boolean): void {
    this.#isComplete = isComplete;
    this.#receiver?.onEnd(isComplete);
  }

  #pass(receiver: ResponseReceiver, bytes: Buffer): void {
    receiver.onData(bytes);
    // A window cannot be returned when the stream has ended.
    if (this.#isComplete === null) this.#window.add(bytes.byteLength);
  }
}

function fieldsOf(headers: RequestHead['headers']): string[] {
  const fields: string[] = [];
  for (const name in headers) for (const value of [headers[name]!].flat()) fields.push(name, value);
  return fields;
}
