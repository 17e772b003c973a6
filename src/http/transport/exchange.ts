import { asBytes } from '../../base/json/json.js';
import { whenCorkable } from './cork.js';
import { copyRequest, type Headers } from './request-copy.js';
import { RequestBody, type BodyReceiver } from './request-body.js';
import { writeHeaders, writeStatus, type ResponseHead, type ResponseHeaders } from './response-head.js';
import { ResponseStream } from './response-stream.js';
import type { HttpRequest, HttpResponse, UpgradeContext } from './http-app.js';

/**
 * Runs before a response is sent, with its complete head. Resolves with the head to send, or with null when it has
 * replied itself by `raw`. `body` is null for a streamed response. Never rejects.
 */
export type OnSendHook = (
  head: ResponseHead,
  body: string | Uint8Array | null,
  raw: RawReply,
) => Promise<ResponseHead | null>;

/** In a request that another node of the cluster passed on: the address of its client. */
export const CLIENT_ADDRESS_HEADER = 'x-threadmill-client';

/** Sends a response unchanged: nothing is added to its headers. */
export interface RawReply {
  reply(head: ResponseHead, body: string | Uint8Array): void;
  open(head: ResponseHead): ResponseStream;
}

/** Headers that every response of the server carries besides its own (http/access/cors.ts). Called once a response. */
export type CommonHeaders = (request: Headers) => Headers;

/** Called once, when nothing more is written. */
export type OnResponse = (exchange: Exchange) => void;

export function callBoth(first: OnResponse, second: OnResponse | null): OnResponse {
  return second === null
    ? first
    : (exchange) => {
        first(exchange);
        second(exchange);
      };
}

/**
 * One request and its response. The request is copied in the route's callback, because uWS frees it afterwards. The
 * response is written corked, and never after the client has disconnected.
 */
export class Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** See `RequestCopy`. */
  headers: Headers;
  readonly duplicatedHeaders: ReadonlySet<string>;
  readonly requestId: string;
  /** Another node of the cluster passed the request on. */
  readonly isForwarded: boolean;
  readonly startedMs = performance.now();
  /** Of the response; 0 before there is one. */
  status = 0;
  /** Bytes of the response's body that were handed to the socket. */
  bodyBytesSent = 0;
  /** Path parameters by their names in the route's pattern; empty when no route matched. */
  params: Readonly<Record<string, string>> = {};
  /** Assistant that the body names, by its id or its graph's name. */
  assistant: string | null = null;
  /** `Content-Location` of the response: the run that the request started. */
  location: string | null = null;
  /** Identity of the caller, once it is known. */
  caller: string | null = null;
  /** Of the request's span; null when tracing is off. */
  traceparent: string | null = null;
  /** Runs before the response is sent; null: none. */
  onSend: OnSendHook | null = null;
  readonly #res: HttpResponse;
  readonly #body: RequestBody;
  readonly #commonHeaders: CommonHeaders;
  readonly #onResponse: OnResponse | null;
  #aborted = false;
  #replied = false;
  /** Nothing more is written: the response is complete, broken off, or the client has disconnected. */
  #finished = false;
  /** Of a WebSocket: closes it in the place of a response. */
  #refuseSocket: ((status: number) => void) | null = null;
  readonly #onAborted: (() => void)[] = [];
  readonly #onFinished: (() => void)[] = [];

  /** Create it first thing in the route's callback: uWS ends the process when a handler returns without `onAborted`. */
  constructor(res: HttpResponse, req: HttpRequest, commonHeaders: CommonHeaders, onResponse: OnResponse | null = null) {
    this.#res = res;
    this.#onResponse = onResponse;
    this.#commonHeaders = commonHeaders;
    res.onAborted(() => this.abort());
    const request = copyRequest(req);
    this.method = request.method;
    this.path = request.path;
    this.query = request.query;
    this.headers = request.headers;
    this.duplicatedHeaders = request.duplicatedHeaders;
    this.requestId = request.requestId;
    this.isForwarded = request.isForwarded;
    this.#body = new RequestBody(res, this);
  }

  // --- state
  // ----------------------------------------------------------------------------------------------------------

  /** A response was begun. */
  get hasReplied(): boolean {
    return this.#replied;
  }

  /** Address of the client; empty when it has disconnected. */
  get clientAddress(): string {
    if (this.#aborted || this.#finished) return '';
    if (this.isForwarded) return this.headers[CLIENT_ADDRESS_HEADER] ?? '';
    return Buffer.from(this.#res.getRemoteAddressAsText()).toString();
  }

  /** The client closed the connection. */
  get aborted(): boolean {
    return this.#aborted;
  }

  /** Calls back at once when the client has already disconnected. */
  onAborted(callback: () => void): void {
    if (this.#aborted) callback();
    else this.#onAborted.push(callback);
  }

  /** Calls back once, when nothing more is written. */
  onFinished(callback: () => void): void {
    if (this.#finished) callback();
    else this.#onFinished.push(callback);
  }

  /**
   * Closes the connection in the middle of the response, because the caller may no longer read it, or nobody will write
   * the rest. A WebSocket closes with 4000 plus `status`.
   */
  terminate(status = 401): void {
    if (this.#finished || this.#aborted) return;
    if (this.#refuseSocket !== null) this.#refuseSocket(status);
    else this.#res.close();
  }

  /** The client closed the connection. */
  abort(): void {
    this.#aborted = true;
    for (const callback of this.#onAborted.splice(0)) callback();
    this.#finish();
  }

  // --- the request's body
  // ---------------------------------------------------------------------------------------------

  /** See `RequestBody.length`. */
  get contentLength(): number | null {
    return this.#body.length;
  }

  /** See `RequestBody.hold`. */
  holdBody(bytesMax: number): void {
    this.#body.hold(bytesMax);
  }

  replaceBody(bytes: Uint8Array<ArrayBuffer>): void {
    this.#body.replace(bytes);
    const { 'transfer-encoding': _chunked, ...rest } = this.headers;
    this.headers = { ...rest, 'content-length': String(bytes.byteLength) };
  }

  /** See `RequestBody.read`. */
  readBody(bytesMax: number): Promise<Buffer> {
    return this.#body.read(bytesMax);
  }

  /** See `RequestBody.forward`. */
  forwardBody(bytesMax: number, receiver: BodyReceiver): Promise<void> {
    return this.#body.forward(bytesMax, receiver);
  }

  // --- the response
  // ---------------------------------------------------------------------------------------------------

  /** Sends a complete response. `close` ends the connection, for a body that was not read. */
  reply(status: number, headers: ResponseHeaders, body: string | Uint8Array, close = false): void {
    if (this.#aborted || this.#replied) return;
    const { onSend } = this;
    if (onSend === null) {
      this.#reply({ status, headers }, body, { close, complete: false });
      return;
    }
    this.#replied = true;
    void onSend({ status, headers: this.#complete(headers) }, body, this.#raw(close)).then((head) => {
      if (head !== null && !this.#aborted) this.#reply(head, body, { close, complete: true });
    });
  }

  /** Starts a streamed response. */
  open(status: number, headers: Headers): ResponseStream {
    const { onSend } = this;
    if (onSend === null) return this.#open({ status, headers }, false);
    this.#replied = true;
    const stream = this.#responseStream();
    void onSend({ status, headers: this.#complete(headers) }, null, this.#raw(false)).then((head) => {
      if (head === null) return stream.abandon();
      this.#begin(head);
      stream.start((write) => {
        this.#writeHead(head, true);
        write();
      });
    });
    return stream;
  }

  /** Replies in the place of every route. The common headers are sent where the reply does not set them itself. */
  get override(): RawReply {
    const { reply, open } = this.#raw(false);
    const complete = ({ status, headers }: ResponseHead): ResponseHead => ({
      status,
      headers: this.#complete(headers),
    });
    return { reply: (head, body) => reply(complete(head), body), open: (head) => open(complete(head)) };
  }

  /**
   * Turns the connection into a WebSocket with `data` as its user data. Call it in the route's callback: uWebSockets.js
   * can close a socket that is accepted later (docs/decisions/0050-transports.md). A response that follows goes
   * to `refuse`. The exchange ends with `endUpgrade` or `abort`.
   */
  upgrade<T>(data: T, context: UpgradeContext, refuse: (status: number) => void): void {
    this.status = 101;
    this.#refuseSocket = refuse;
    // A client that offers several protocols expects one of them in the response.
    const [protocol = ''] = (this.headers['sec-websocket-protocol'] ?? '').split(',');
    this.#res.upgrade(data, this.headers['sec-websocket-key'] ?? '', protocol.trim(), '', context);
  }

  /** The WebSocket was accepted or refused. `status`: 101, or the reason for refusing it. */
  endUpgrade(status: number): void {
    this.#replied = true;
    this.status = status;
    this.#finish();
  }

  #begin({ status, headers }: ResponseHead): void {
    this.#replied = true;
    this.status = status;
    const location = headers['content-location'];
    this.location = typeof location === 'string' ? location : null;
  }

  #finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    for (const callback of this.#onFinished.splice(0)) callback();
    this.#onResponse?.(this);
  }

  #reply(
    head: ResponseHead,
    body: string | Uint8Array,
    { close, complete }: { close: boolean; complete: boolean },
  ): void {
    if (this.#refuseSocket !== null) {
      this.#refuseSocket(head.status);
      return;
    }
    this.#body.drop();
    const { rest } = this.#body;
    const closes = rest === 'endless' || (close && rest === 'unread');
    const { status } = head;
    const bytes = asBytes(body);
    const bodyless = status === 204 || status === 304;
    this.#begin(head);
    if (this.method !== 'head' && !bodyless) this.bodyBytesSent = bytes.byteLength;
    this.#finish();
    const write = (): void => {
      this.#writeHead(head, complete);
      if (!bodyless && this.method !== 'head') {
        this.#res.end(bytes, closes);
        return;
      }
      // Given a length, uWS closes the connection without saying so (uWebSockets.js 20): the client's next request
      // would fail.
      if (!bodyless && !closes) this.#res.writeHeader('content-length', String(bytes.byteLength));
      // uWS writes an `undefined` length as 2^63 and closes the connection; it takes only a missing argument for none.
      if (closes) this.#res.endWithoutBody(0, true);
      else this.#res.endWithoutBody();
    };
    whenCorkable(this.#res, () => {
      if (!this.#aborted) this.#res.cork(write);
    });
  }

  #open(head: ResponseHead, complete: boolean): ResponseStream {
    if (this.#refuseSocket !== null) {
      this.#refuseSocket(head.status);
      const nothing = this.#responseStream();
      nothing.abandon();
      return nothing;
    }
    this.#body.drop();
    this.#begin(head);
    const stream = this.#responseStream();
    whenCorkable(this.#res, () =>
      stream.start((write) => {
        this.#writeHead(head, complete);
        write();
      }),
    );
    return stream;
  }

  #responseStream(): ResponseStream {
    return new ResponseStream(this.#res, {
      isAborted: () => this.#aborted,
      onEnd: () => this.#finish(),
      onWritten: (bytes) => {
        this.bodyBytesSent += bytes;
      },
    });
  }

  #raw(close: boolean): RawReply {
    return {
      reply: (head, body) => {
        if (!this.#aborted && !this.#finished) this.#reply(head, body, { close, complete: true });
      },
      open: (head) => this.#open(head, true),
    };
  }

  #complete(headers: ResponseHeaders): ResponseHeaders {
    return { ...this.#commonHeaders(this.headers), ...headers, 'x-request-id': this.requestId };
  }

  /** `complete`: the headers already include the common ones. */
  #writeHead({ status, headers }: ResponseHead, complete: boolean): void {
    writeStatus(this.#res, status);
    if (!complete) {
      writeHeaders(this.#res, this.#commonHeaders(this.headers));
      this.#res.writeHeader('x-request-id', this.requestId);
    }
    writeHeaders(this.#res, headers);
  }
}
