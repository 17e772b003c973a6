import { fail } from '../../base/errors.js';
import { randomIds } from '../../base/ids.js';
import { LIMITS } from '../../base/limits.js';
import { GatheredBody, HeldBody, readBody, type BodySink } from './body.js';
import type { HttpRequest, HttpResponse, SocketContext } from './uws.js';

const STATUS_LINES: Record<number, string> = {
  101: '101 Switching Protocols',
  200: '200 OK',
  201: '201 Created',
  202: '202 Accepted',
  204: '204 No Content',
  207: '207 Multi-Status',
  304: '304 Not Modified',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  408: '408 Request Timeout',
  409: '409 Conflict',
  410: '410 Gone',
  412: '412 Precondition Failed',
  413: '413 Payload Too Large',
  415: '415 Unsupported Media Type',
  422: '422 Unprocessable Entity',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  502: '502 Bad Gateway',
  503: '503 Service Unavailable',
  504: '504 Gateway Timeout',
};

export type Headers = Readonly<Record<string, string>>;

/** `set-cookie` may come several times. */
export type AnswerHeaders = Readonly<Record<string, string | readonly string[]>>;

export interface Head {
  status: number;
  headers: AnswerHeaders;
}

/**
 * Sees an answer's head, all of it, before it goes out: resolves with the head that counts, or with null when it has answered
 * itself by `bare`. `whole`: the body, where it is there already. Never rejects.
 */
export type Review = (head: Head, whole: string | Uint8Array | null, bare: BareAnswer) => Promise<Head | null>;

/** Writes an answer as it is: nothing is added to its headers. */
export interface BareAnswer {
  reply(head: Head, body: string | Uint8Array): void;
  open(head: Head): Outflow;
}

/** What every answer of a server carries besides its own headers: CORS (http/access/cors.ts). Asked once for an answer. */
export type SharedHeaders = (request: Headers) => Headers;

/** Told once when nothing more is written. */
export type Watch = (exchange: Exchange) => void;

export function both(first: Watch, second: Watch | null): Watch {
  return second === null
    ? first
    : (exchange) => {
        first(exchange);
        second(exchange);
      };
}

/** What a client or proxy may call a request; anything else gets a name of ours. Nothing in it can end a header or a log line. */
const REQUEST_ID = /^[A-Za-z0-9._:+=/-]{1,128}$/;
/** Who reads only one of two may be another than who checked the other. */
const ONCE = new Set(['authorization', 'x-api-key', 'x-auth-scheme', 'content-length']);
const NONE: ReadonlySet<string> = new Set();

/**
 * One request and its answer. The request is copied while its callback runs, because uWS frees it then; after any await
 * the answer is written corked, and never once the client is gone.
 */
export class Exchange {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  /** Names in lower case. One that came several times is joined as RFC 9110, 5.3 says; of those in `duplicated` the first counts. */
  headers: Headers;
  /** Headers that came several times although they may come once: `authorization`, `x-api-key`, `x-auth-scheme`, `content-length`. */
  readonly duplicated: ReadonlySet<string>;
  /** Names the request in the answer and in the log: its own `x-request-id`, or a new UUID. */
  readonly requestId: string;
  readonly beganMs = performance.now();
  /** Of the answer; 0 while there is none. */
  status = 0;
  /** Of the answer's body, as far as they were handed to the socket. */
  bytes = 0;
  /** Of the path, by their names in the route's pattern; empty where no route is. */
  params: Readonly<Record<string, string>> = {};
  /** Assistant that the body names, by its id or its graph's name. */
  assistant: string | null = null;
  /** The run that was started, as the answer names it. */
  location: string | null = null;
  /** Who asks, once that is known. */
  caller: string | null = null;
  /** Of the request's span; null when nobody traces it. */
  traceparent: string | null = null;
  readonly #watch: Watch | null;
  readonly #res: HttpResponse;
  readonly #shared: SharedHeaders;
  #gone = false;
  #answered = false;
  /** Nothing more is written: the answer is whole, broken off, or the client gone. */
  #over = false;
  readonly #onGone: (() => void)[] = [];
  readonly #onOver: (() => void)[] = [];
  #held: HeldBody | null = null;
  /** Asked before an answer goes out; null: nobody. */
  review: Review | null = null;

  /** Call first thing in the route's callback: a handler that returns without `onAborted` ends the process. */
  constructor(res: HttpResponse, req: HttpRequest, shared: SharedHeaders, watch: Watch | null = null) {
    this.#res = res;
    this.#watch = watch;
    this.#shared = shared;
    res.onAborted(() => {
      this.#gone = true;
      for (const callback of this.#onGone.splice(0)) callback();
      this.#end();
    });
    this.method = req.getMethod();
    this.path = req.getUrl();
    this.query = req.getQuery() ?? '';
    ({ headers: this.headers, duplicated: this.duplicated } = readHeaders(req));
    const asked = this.headers['x-request-id'];
    this.requestId = asked !== undefined && REQUEST_ID.test(asked) ? asked : randomIds.next();
  }

  /** How many bytes the body has, as the client says; null when it does not, 0 without a body. */
  get announced(): number | null {
    const length = this.headers['content-length'];
    return length !== undefined ? Number(length) : this.headers['transfer-encoding'] === undefined ? 0 : null;
  }

  /** An answer was begun. */
  get answered(): boolean {
    return this.#answered;
  }

  /** The client closed the connection. */
  get gone(): boolean {
    return this.#gone;
  }

  onGone(callback: () => void): void {
    if (this.#gone) callback();
    else this.#onGone.push(callback);
  }

  /** Called once when nothing more is written. */
  onOver(callback: () => void): void {
    if (this.#over) callback();
    else this.#onOver.push(callback);
  }

  /** Ends the connection in the middle of the answer: whoever listens is no longer allowed to. */
  cut(): void {
    if (!this.#over && !this.#gone) this.#res.close();
  }

  /** The connection becomes a WebSocket, and this exchange is over. `data` is the socket's own. */
  upgrade<T>(data: T, context: SocketContext): void {
    if (this.#gone || this.#answered) return;
    this.#begin({ status: 101, headers: {} });
    // Of several protocols the client takes one.
    const [protocol = ''] = (this.headers['sec-websocket-protocol'] ?? '').split(',');
    this.#res.cork(() =>
      this.#res.upgrade(data, this.headers['sec-websocket-key'] ?? '', protocol.trim(), '', context),
    );
    this.#end();
  }

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    for (const callback of this.#onOver.splice(0)) callback();
    this.#watch?.(this);
  }

  #begin({ status, headers }: Head): void {
    this.#answered = true;
    this.status = status;
    const location = headers['content-location'];
    this.location = typeof location === 'string' ? location : null;
  }

  /** Keeps the body until it is asked for, which may then be later than the request's own turn; the client waits meanwhile. */
  hold(bytesMax: number): void {
    if (this.#held !== null) return;
    this.#held = new HeldBody();
    readBody(this.#res, this, bytesMax, this.#held);
  }

  /** Another body in the place of the one that came. */
  replaceBody(bytes: Uint8Array<ArrayBuffer>): void {
    this.#held = new HeldBody();
    if (bytes.byteLength > 0) this.#held.pass(bytes);
    this.#held.end();
    const { 'transfer-encoding': _chunked, ...rest } = this.headers;
    this.headers = { ...rest, 'content-length': String(bytes.byteLength) };
  }

  /**
   * The body's bytes. Rejects with BODY_TOO_LARGE as soon as it is, with BODY_TOO_SLOW, and with OVERLOADED when the bodies of all
   * requests together are too much; never settles when the client goes away.
   */
  body(bytesMax: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const gathered = new GatheredBody(resolve, reject);
      this.onGone(() => gathered.drop());
      this.#take(bytesMax, gathered);
    });
  }

  /**
   * Passes the body on bit by bit, each in memory of its own. Resolves after the last; rejects with BODY_TOO_LARGE as soon
   * as it is, with BODY_TOO_SLOW, and with REQUEST_ABORTED when the client goes away. Call it in the request's own turn unless the body is held:
   * later it is gone.
   */
  forward(bytesMax: number, pass: (bytes: Uint8Array<ArrayBuffer>) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.onGone(() => reject(fail('REQUEST_ABORTED', {})));
      const sink: BodySink = { pass, end: resolve, refuse: reject };
      this.#take(bytesMax, sink);
    });
  }

  #take(bytesMax: number, sink: BodySink): void {
    if (this.#held === null) readBody(this.#res, this, bytesMax, sink);
    else if ((this.announced ?? 0) > bytesMax) sink.refuse(fail('BODY_TOO_LARGE', { bytesMax }));
    else this.#held.to(limited(sink, bytesMax));
  }

  /** A whole answer. `close` ends the connection, for a body that was not read. */
  reply(status: number, headers: Headers, body: string | Uint8Array, close = false): void {
    if (this.#gone || this.#answered) return;
    const { review } = this;
    if (review === null) {
      this.#reply({ status, headers }, body, close);
      return;
    }
    this.#answered = true;
    void review({ status, headers: this.#complete(headers) }, body, this.#bare(close)).then((head) => {
      if (head !== null && !this.#gone) this.#reply(head, body, close, true);
    });
  }

  /** Starts an answer that is written bit by bit. */
  open(status: number, headers: Headers): Outflow {
    const { review } = this;
    if (review === null) return this.#open({ status, headers });
    this.#answered = true;
    const out = this.#outflow();
    void review({ status, headers: this.#complete(headers) }, null, this.#bare(false)).then((head) => {
      if (head === null) return out.abandon();
      this.#begin(head);
      out.start((write) => {
        this.#head(head, true);
        write();
      });
    });
    return out;
  }

  #reply(head: Head, body: string | Uint8Array, close: boolean, complete = false): void {
    this.#held?.drop();
    // A held body of known length is read to its end; of one without, nobody knows how much is to come.
    const rest =
      this.#held === null || this.#held.refused
        ? 'unread'
        : this.#held.over
          ? 'read'
          : this.announced === null
            ? 'endless'
            : 'read';
    const breaks = rest === 'endless' || (close && rest === 'unread');
    const { status } = head;
    this.#begin(head);
    if (this.method !== 'head' && status !== 204 && status !== 304)
      this.bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
    this.#end();
    this.#res.cork(() => {
      this.#head(head, complete);
      // A length of `undefined` is written as 2^63 (uWebSockets.js 20), and ends the connection: only no argument at all is none.
      if ((status === 204 || status === 304) && !breaks) this.#res.endWithoutBody();
      else if (status === 204 || status === 304) this.#res.endWithoutBody(0, true);
      else if (this.method === 'head' && !breaks) {
        // Told the length, uWS ends the connection without saying so (uWebSockets.js 20): the client's next request would fail.
        this.#res.writeHeader(
          'content-length',
          String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength),
        );
        this.#res.endWithoutBody();
      } else if (this.method === 'head') this.#res.endWithoutBody(0, true);
      else this.#res.end(body, breaks);
    });
  }

  #open(head: Head, complete = false): Outflow {
    this.#held?.drop();
    this.#begin(head);
    const out = this.#outflow();
    out.start((write) => {
      this.#head(head, complete);
      write();
    });
    return out;
  }

  #outflow(): Outflow {
    return new Outflow(this.#res, {
      isGone: () => this.#gone,
      onEnd: () => this.#end(),
      wrote: (bytes) => {
        this.bytes += bytes;
      },
    });
  }

  #bare(close: boolean): BareAnswer {
    return {
      reply: (head, body) => {
        if (!this.#gone && !this.#over) this.#reply(head, body, close, true);
      },
      open: (head) => this.#open(head, true),
    };
  }

  /** An answer in the place of all others, under the headers that every answer has where it says nothing else. */
  get instead(): BareAnswer {
    const { reply, open } = this.#bare(false);
    const complete = ({ status, headers }: Head): Head => ({ status, headers: this.#complete(headers) });
    return { reply: (head, body) => reply(complete(head), body), open: (head) => open(complete(head)) };
  }

  #complete(headers: AnswerHeaders): AnswerHeaders {
    return { ...this.#shared(this.headers), ...headers, 'x-request-id': this.requestId };
  }

  #head({ status, headers }: Head, complete: boolean): void {
    this.#res.writeStatus(STATUS_LINES[status] ?? String(status));
    if (!complete) {
      const shared = this.#shared(this.headers);
      for (const name in shared) this.#res.writeHeader(name, safe(shared[name]!));
      this.#res.writeHeader('x-request-id', this.requestId);
    }
    for (const name in headers) {
      const value = headers[name]!;
      if (typeof value === 'string') this.#res.writeHeader(name, safe(value));
      else for (const one of value) this.#res.writeHeader(name, safe(one));
    }
  }
}

/** The sink, refusing what is longer. */
function limited(sink: BodySink, bytesMax: number): BodySink {
  let bytes = 0;
  return {
    pass(chunk) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw fail('BODY_TOO_LARGE', { bytesMax });
      sink.pass(chunk);
    },
    end: () => sink.end(),
    refuse: (error) => sink.refuse(error),
  };
}

function readHeaders(req: HttpRequest): { headers: Headers; duplicated: ReadonlySet<string> } {
  // Without a prototype: a header may be called like one of its members.
  const headers = Object.create(null) as Record<string, string>;
  let duplicated: Set<string> | null = null;
  req.forEach((name, value) => {
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (ONCE.has(name)) (duplicated ??= new Set()).add(name);
    else headers[name] = before + (name === 'cookie' ? '; ' : ', ') + value;
  });
  return { headers, duplicated: duplicated ?? NONE };
}

const UNSAFE = /[^\t -~]/;

/**
 * uWS writes what it is given: a line break would begin a header, or an answer, of the client's choosing. Control characters
 * are left out, and what is not ASCII is written as in a URL, for no two readers agree on its encoding.
 */
function safe(value: string): string {
  if (!UNSAFE.test(value)) return value;
  return value.replace(/[^\t -~]/gu, (char) =>
    char < ' ' || char === '\x7f' ? '' : Buffer.from(char).toString('hex').replace(/../g, '%$&'),
  );
}

/** The writing end of an open answer, with backpressure. What is written before it is known how the answer begins is kept. */
export class Outflow {
  readonly #res: HttpResponse;
  readonly #isGone: () => boolean;
  readonly #onEnd: () => void;
  readonly #wrote: (bytes: number) => void;
  /** Writes status and headers with the first bytes; null when they are written, undefined while nobody knows them. */
  #start: ((write: () => void) => void) | null | undefined = undefined;
  #early: (Uint8Array | string)[] = [];
  #earlyEnd = false;
  #ended = false;
  #blocked = true;
  #onDrain: (() => void) | null = null;

  constructor(
    res: HttpResponse,
    { isGone, onEnd, wrote }: { isGone: () => boolean; onEnd: () => void; wrote: (bytes: number) => void },
  ) {
    this.#res = res;
    this.#isGone = isGone;
    this.#onEnd = onEnd;
    this.#wrote = wrote;
  }

  /** `head` writes status and headers, around the first bytes. */
  start(head: (write: () => void) => void): void {
    // Gone before there was anything to write: the response is not to be touched.
    if (this.closed) return;
    this.#start = head;
    this.#blocked = false;
    // Without onWritable uWS re-arms its 10 s timer on drain and kills a stream that is then quiet.
    this.#res.onWritable(() => {
      this.#blocked = false;
      this.#onDrain?.();
      return true;
    });
    const early = this.#early.splice(0);
    if (this.#earlyEnd) this.end(Buffer.concat(early.map((one) => Buffer.from(one))));
    else if (early.length > 0) this.#write(Buffer.concat(early.map((one) => Buffer.from(one))), Infinity);
    if (this.writable) this.#onDrain?.();
  }

  /** Somebody else answers. */
  abandon(): void {
    this.#ended = true;
    this.#early = [];
    this.#onDrain?.();
  }

  /** False while the socket has not taken what was written: wait for `onDrain`. */
  get writable(): boolean {
    return !this.#blocked && !this.closed;
  }

  get closed(): boolean {
    return this.#ended || this.#isGone();
  }

  set onDrain(callback: () => void) {
    this.#onDrain = callback;
  }

  /**
   * Sends status and headers when nothing else has. uWS ends the head with the first byte of the body and takes no empty
   * write, so that byte is a newline: nothing to a reader of SSE, and leading whitespace to one of JSON.
   */
  flushHead(): void {
    if (this.#start !== null && this.#early.length === 0) this.write('\n');
  }

  /** Writes as far as the socket takes it, in slices; the rest is returned. */
  write(bytes: Uint8Array | string): Uint8Array | null {
    if (this.closed) return null;
    if (this.#start !== undefined)
      return this.#write(typeof bytes === 'string' ? Buffer.from(bytes) : bytes, LIMITS.writeBytesMax);
    this.#early.push(bytes);
    return null;
  }

  #write(buffer: Uint8Array, sliceBytes: number): Uint8Array | null {
    let at = 0;
    this.#corked(() => {
      do {
        const slice = buffer.subarray(at, at + sliceBytes);
        at += slice.byteLength;
        if (slice.byteLength > 0 && !this.#res.write(slice)) this.#blocked = true;
      } while (at < buffer.byteLength && !this.#blocked);
    });
    this.#wrote(at);
    return at < buffer.byteLength ? buffer.subarray(at) : null;
  }

  end(bytes: Uint8Array | string = ''): void {
    if (this.closed) return;
    if (this.#start === undefined) {
      this.#early.push(bytes);
      this.#earlyEnd = true;
      return;
    }
    this.#corked(() => {
      this.#ended = true;
      this.#res.end(bytes);
    });
    this.#wrote(typeof bytes === 'string' ? Buffer.byteLength(bytes) : bytes.byteLength);
    this.#onEnd();
  }

  /** Closes the connection as it stands: the client sees that the answer broke off, not a short one. */
  break(): void {
    if (this.closed) return;
    this.#ended = true;
    this.#res.close();
    this.#onEnd();
  }

  #corked(write: () => void): void {
    const start = this.#start;
    this.#start = null;
    this.#res.cork(() => {
      if (start) start(write);
      else write();
    });
  }
}
