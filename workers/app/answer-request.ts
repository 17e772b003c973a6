import type { MessagePort } from 'node:worker_threads';
import { LIMITS } from '../../src/base/limits.js';
import { describeThrown, thrownText } from '../../src/base/thrown.js';
import type { AppCall, HeaderList } from '../../src/wire/user-code/app.js';
import type { App, HonoContext } from './app.js';
import { readChangedBody } from './changed-body.js';
import { RequestChannel } from './request-channel.js';

type Call = <T>(work: () => T) => T;

/** Statuses without a body. A Response cannot be created with both. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Lets the app answer one request, or take part in the built-in response. Never rejects: errors are reported
 * through the port.
 */
export async function answerRequest(
  app: App,
  appCall: AppCall<'request'>,
  port: MessagePort,
  runUserCode: Call,
): Promise<void> {
  const channel = new RequestChannel(port);
  try {
    await new AppExchange(app, appCall, channel).run(runUserCode);
  } catch (error) {
    const { message, stack } = describeThrown(error);
    channel.send({ type: 'failed', message, stack });
  }
}

class AppExchange {
  readonly #app: App;
  readonly #appCall: AppCall<'request'>;
  readonly #channel: RequestChannel;
  readonly #aborted = new AbortController();
  /**
   * Kept although only `run` needs it: a Request follows its signal through a weak reference, and a route that waits
   * for nothing but the abort would be collected with it.
   */
  readonly #request: Request;
  /**
   * The body of the built-in response, as a placeholder for bytes that the main thread has. Undefined until the
   * request was passed on.
   */
  #builtIn: ReadableStream<Uint8Array> | null | undefined = undefined;
  /** The request headers as the app received them. */
  #headers: HeaderList = [];
  #done = false;

  constructor(app: App, appCall: AppCall<'request'>, channel: RequestChannel) {
    this.#app = app;
    this.#appCall = appCall;
    this.#channel = channel;
    this.#request = this.#createRequest();
    void channel.closed.then(() => {
      if (!this.#done) this.#aborted.abort();
    });
  }

  async run(runUserCode: Call): Promise<void> {
    const request = this.#request;
    this.#headers = listOf(request.headers);
    const { user, method, url, builtIn } = this.#appCall;
    const context = {
      waitUntil: (work: unknown) => {
        Promise.resolve(work).catch(logUnhandled);
      },
      passThroughOnException: () => undefined,
      props: {},
    };
    const response = await runUserCode(() =>
      this.#app.fetch(request, { user }, context, (hono) => this.#passOn(hono, request)),
    );
    // Checked by its shape, because a project may use another Response class.
    if (typeof response !== 'object' || response === null || typeof response.status !== 'number')
      throw new TypeError(`it returned no Response for ${method} ${url}`);
    const head = { status: response.status, headers: headersOf(response.headers) };
    // Middleware may have wrapped the same body in another Response. For HEAD requests Hono always creates one
    // without a body.
    if (
      this.#builtIn !== undefined &&
      (response.body === this.#builtIn || (method === 'HEAD' && response.body === null))
    )
      this.#channel.send({ type: 'keep', ...head });
    else if (this.#app.isPlainFetch && builtIn && response.status === 404)
      this.#channel.send({ type: 'through', headers: null, bytes: null, review: false });
    else await this.#send(head, response.body);
    this.#done = true;
  }

  #createRequest(): Request {
    const { method, url, headers, hasBody } = this.#appCall;
    return new Request(url, {
      method,
      headers: headers
        .filter(([name]) => TOKEN.test(name))
        .map(([name, value]): [string, string] => [name, value.replace(NON_LATIN1, '?')]),
      signal: this.#aborted.signal,
      ...(hasBody && method !== 'GET' && method !== 'HEAD'
        ? { body: this.#lazyStream(() => this.#requestBody()), duplex: 'half' as const }
        : {}),
    });
  }

  /** A stream of bytes that the main thread sends only when the stream is read. */
  #lazyStream(read: () => Promise<Uint8Array>): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          const bytes = await read();
          if (bytes.byteLength > 0) controller.enqueue(bytes);
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
  }

  async #requestBody(): Promise<Uint8Array> {
    this.#channel.send({ type: 'want-body' });
    return (await this.#channel.receive('body')).bytes;
  }

  /**
   * Called where the app's routes end. Returns the head of the built-in response, with a body that is only
   * fetched when middleware reads it.
   */
  async #passOn(hono: HonoContext, request: Request): Promise<Response> {
    if (this.#builtIn !== undefined) return new Response(null, { status: 404 });
    this.#builtIn = null;
    const headers = listOf(hono.req.raw.headers);
    const bytes = await readChangedBody(hono.req, request);
    this.#channel.send({
      type: 'through',
      headers: isSame(headers, this.#headers) ? null : headers,
      bytes,
      review: true,
    });
    const head = await this.#channel.receive('built-in');
    this.#builtIn = BODILESS.has(head.status)
      ? null
      : this.#lazyStream(async () => {
          this.#channel.send({ type: 'want-answer' });
          const message = await this.#channel.receive('built-in-body', 'no-built-in-body');
          if (message.type === 'no-built-in-body') throw new Error(message.reason);
          return message.bytes;
        });
    return new Response(this.#builtIn, {
      status: head.status,
      headers: head.headers.map(([name, value]): [string, string] => [name, value]),
    });
  }

  /** Streams the app's own response at the speed of the client's socket. */
  async #send(head: { status: number; headers: HeaderList }, body: ReadableStream<Uint8Array> | null): Promise<void> {
    if (body === null) {
      this.#channel.send({ type: 'answer', ...head, bytes: new Uint8Array(0), last: true });
      return;
    }
    const reader = body.getReader();
    this.#aborted.signal.addEventListener('abort', () => {
      reader.cancel().catch(() => undefined);
    });
    let next = reader.read();
    const first = await settledSoon(next);
    if (first !== null) next = first.done ? next : reader.read();
    const last = first === null ? false : first.done || (await settledSoon(next))?.done === true;
    this.#channel.sendWithBytes({
      type: 'answer',
      ...head,
      bytes: first === null || first.done ? new Uint8Array(0) : copyChunk(first.value),
      last,
    });
    if (last) return;
    let ahead = first?.value?.byteLength ?? 0;
    const sizes = [ahead];
    for (;;) {
      const { done, value } = await next;
      if (done) break;
      const bytes = copyChunk(value);
      sizes.push(bytes.byteLength);
      ahead += bytes.byteLength;
      this.#channel.sendWithBytes({ type: 'part', bytes });
      while (ahead > LIMITS.appBufferedBytesMax) {
        await this.#channel.receive('more');
        ahead -= sizes.shift()!;
      }
      next = reader.read();
    }
    this.#channel.send({ type: 'end' });
  }
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const NON_LATIN1 = /[^\t\x20-\x7e\x80-\xff]/g;

/** Entries in the order of their names. */
function listOf(headers: Headers): HeaderList {
  return [...headers];
}

/**
 * Converts headers of a Response that may be of another class. Throws for headers that the platform's class
 * rejects.
 */
function headersOf(headers: Headers): HeaderList {
  return listOf(headers instanceof Headers ? headers : new Headers([...(headers as Iterable<[string, string]>)]));
}

function isSame(one: HeaderList, other: HeaderList): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Resolves with the promise's value if it settles by the next turn of the event loop; otherwise with null. */
function settledSoon<T>(promise: Promise<T>): Promise<T | null> {
  return Promise.race([
    promise,
    new Promise<null>((resolve) => {
      setImmediate(() => resolve(null));
    }),
  ]);
}

/** Copies a chunk into a buffer of its own: a stream's chunk may be part of a larger buffer. */
function copyChunk(chunk: unknown): Uint8Array<ArrayBuffer> {
  if (chunk instanceof Uint8Array) return new Uint8Array(chunk);
  if (typeof chunk === 'string') return new Uint8Array(Buffer.from(chunk));
  throw new TypeError(`the response body contains a chunk of type ${typeof chunk} instead of bytes`);
}

function logUnhandled(error: unknown): void {
  process.stderr.write(`The HTTP app failed in work that is not awaited: ${thrownText(error)}\n`);
}
