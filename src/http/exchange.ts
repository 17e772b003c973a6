import { fail } from '../base/errors.js';
import { randomIds } from '../base/ids.js';
import { LIMITS } from '../base/limits.js';
import { HeldBody, readBody, type BodySink } from './body.js';
import type { HttpRequest, HttpResponse } from './uws.js';

const STATUS_LINES: Record<number, string> = {
  200: '200 OK', 201: '201 Created', 202: '202 Accepted', 204: '204 No Content',
  207: '207 Multi-Status', 304: '304 Not Modified', 400: '400 Bad Request', 401: '401 Unauthorized', 403: '403 Forbidden', 404: '404 Not Found', 405: '405 Method Not Allowed', 409: '409 Conflict', 412: '412 Precondition Failed', 413: '413 Payload Too Large', 415: '415 Unsupported Media Type', 422: '422 Unprocessable Entity', 429: '429 Too Many Requests',
  500: '500 Internal Server Error', 503: '503 Service Unavailable', 504: '504 Gateway Timeout',
};

export type Headers = Readonly<Record<string, string>>;

/** What every answer of a server carries besides its own headers: CORS (http/cors.ts). Asked once for an answer. */
export type SharedHeaders = (request: Headers) => Headers;

/** Told once when nothing more is written. */
export type Watch = (exchange: Exchange) => void;

export function both(first: Watch, second: Watch | null): Watch {
  return second === null ? first : (exchange) => {
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
  readonly headers: Headers;
  /** Headers that came several times although they may come once: `authorization`, `x-api-key`, `x-auth-scheme`, `content-length`. */
  readonly duplicated: ReadonlySet<string>;
  /** Names the request in the answer and in the log: its own `x-request-id`, or a new UUID. */
  readonly requestId: string;
  readonly beganMs = performance.now();
  /** Of the answer; 0 while there is none. */
  status = 0;
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

  #end(): void {
    if (this.#over) return;
    this.#over = true;
    for (const callback of this.#onOver.splice(0)) callback();
    this.#watch?.(this);
  }

  #begin(status: number, headers: Headers): void {
    this.#answered = true;
    this.status = status;
    this.location = headers['content-location'] ?? null;
  }

  /** Keeps the body until `forward` is called, which may then be later than the request's own turn; the client waits meanwhile. */
  hold(bytesMax: number): void {
    this.#held = new HeldBody();
    readBody(this.#res, this, bytesMax, this.#held);
  }

  /** The body's bytes. Rejects with BODY_TOO_LARGE as soon as it is; never settles when the client goes away. */
  body(bytesMax: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    return new Promise((resolve, reject) => {
      this.#take(bytesMax, {
        pass: (bytes) => { chunks.push(bytes); },
        end: () => resolve(Buffer.concat(chunks)),
        refuse: (error) => {
          chunks.length = 0;
          reject(error);
        },
      });
    });
  }

  /**
   * Passes the body on bit by bit, each in memory of its own. Resolves after the last; rejects with BODY_TOO_LARGE as soon
   * as it is, and with REQUEST_ABORTED when the client goes away. Call it in the request's own turn unless the body is held:
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
    else this.#held.to(sink);
  }

  /** A whole answer. `close` ends the connection, for a body that was not read. */
  reply(status: number, headers: Headers, body: string | Uint8Array, close = false): void {
    if (this.#gone || this.#answered) return;
    this.#held?.drop();
    // Of a body without a length nobody knows how much is to come.
    const breaks = close || (this.#held !== null && !this.#held.over && this.announced === null);
    this.#begin(status, headers);
    this.#end();
    this.#res.cork(() => {
      this.#head(status, headers);
      // A length of `undefined` is written as 2^63 (uWebSockets.js 20), and ends the connection: only no argument at all is none.
      if ((status === 204 || status === 304) && !breaks) this.#res.endWithoutBody();
      else if (status === 204 || status === 304) this.#res.endWithoutBody(0, true);
      else if (this.method === 'head' && !breaks) {
        // Told the length, uWS ends the connection without saying so (uWebSockets.js 20): the client's next request would fail.
        this.#res.writeHeader('content-length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength));
        this.#res.endWithoutBody();
      } else if (this.method === 'head') this.#res.endWithoutBody(0, true);
      else this.#res.end(body, breaks);
    });
  }

  /** Starts an answer that is written bit by bit. */
  open(status: number, headers: Headers): Outflow {
    this.#begin(status, headers);
    return new Outflow(this.#res, {
      isGone: () => this.#gone,
      onEnd: () => this.#end(),
      start: (write) => {
        this.#head(status, headers);
        write();
      },
    });
  }

  #head(status: number, headers: Headers): void {
    this.#res.writeStatus(STATUS_LINES[status] ?? String(status));
    const shared = this.#shared(this.headers);
    for (const name in shared) this.#res.writeHeader(name, safe(shared[name]!));
    this.#res.writeHeader('x-request-id', this.requestId);
    for (const name in headers) this.#res.writeHeader(name, safe(headers[name]!));
  }
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
  return value.replace(/[^\t -~]/gu, (char) => (char < ' ' || char === '\x7f' ? '' : Buffer.from(char).toString('hex').replace(/../g, '%$&')));
}

/** The writing end of an open answer, with backpressure. */
export class Outflow {
  readonly #res: HttpResponse;
  readonly #isGone: () => boolean;
  readonly #onEnd: () => void;
  #start: ((write: () => void) => void) | null;
  #ended = false;
  #blocked = false;
  #onDrain: (() => void) | null = null;

  constructor(res: HttpResponse, { isGone, onEnd, start }: { isGone: () => boolean; onEnd: () => void; start: (write: () => void) => void }) {
    this.#res = res;
    this.#isGone = isGone;
    this.#onEnd = onEnd;
    this.#start = start;
    // Gone before there was anything to write: the response is not to be touched.
    if (isGone()) return;
    // Without onWritable uWS re-arms its 10 s timer on drain and kills a stream that is then quiet.
    res.onWritable(() => {
      this.#blocked = false;
      this.#onDrain?.();
      return true;
    });
  }

  /** False while the socket has not taken what was written: wait for `onDrain`. */
  get writable(): boolean {
    return !this.#blocked && !this.#ended && !this.#isGone();
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
    if (this.#start !== null) this.write('\n');
  }

  /** Writes as far as the socket takes it, in slices; the rest is returned. */
  write(bytes: Uint8Array | string): Uint8Array | null {
    if (this.closed) return null;
    const buffer = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
    let at = 0;
    this.#corked(() => {
      do {
        const slice = buffer.subarray(at, at + LIMITS.writeBytesMax);
        at += slice.byteLength;
        if (slice.byteLength > 0 && !this.#res.write(slice)) this.#blocked = true;
      } while (at < buffer.byteLength && !this.#blocked);
    });
    return at < buffer.byteLength ? buffer.subarray(at) : null;
  }

  end(bytes: Uint8Array | string = ''): void {
    if (this.closed) return;
    this.#corked(() => {
      this.#ended = true;
      this.#res.end(bytes);
    });
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
      if (start !== null) start(write);
      else write();
    });
  }
}
