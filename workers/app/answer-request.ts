import type { MessagePort } from 'node:worker_threads';
import { LIMITS } from '../../src/base/limits.js';
import { describeThrown, thrownText } from '../../src/base/thrown.js';
import type { AppAsk, HeaderList } from '../../src/wire/user-code/app.js';
import type { App, HonoContext } from './app.js';
import { changedBody } from './changed-body.js';
import { Talk } from './web-socket.js';

type Call = <T>(work: () => T) => T;

/** Statuses whose answers have no body: a Response with both cannot be made. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** Lets the app answer one request, or take part in the built-in answer to it. Never rejects: what goes wrong is told over the port. */
export async function answerRequest(app: App, ask: AppAsk<'request'>, port: MessagePort, call: Call): Promise<void> {
  const talk = new Talk(port);
  try {
    await new AppExchange(app, ask, talk).run(call);
  } catch (error) {
    const { message, stack } = describeThrown(error);
    talk.send({ type: 'failed', message, stack });
  }
}

class AppExchange {
  readonly #app: App;
  readonly #ask: AppAsk<'request'>;
  readonly #talk: Talk;
  readonly #gone = new AbortController();
  /** The body of the built-in answer: it stands for bytes that only the front has. Undefined while no built-in route was asked. */
  #builtIn: ReadableStream<Uint8Array> | null | undefined = undefined;
  /** As the app was given them. */
  #headers: HeaderList = [];
  #done = false;

  constructor(app: App, ask: AppAsk<'request'>, talk: Talk) {
    this.#app = app;
    this.#ask = ask;
    this.#talk = talk;
    void talk.closed.then(() => {
      if (!this.#done) this.#gone.abort();
    });
  }

  async run(call: Call): Promise<void> {
    const request = this.#request();
    this.#headers = listOf(request.headers);
    const { user, method, url, builtIn } = this.#ask;
    const context = {
      waitUntil: (work: unknown) => {
        Promise.resolve(work).catch(unseen);
      },
      passThroughOnException: () => undefined,
      props: {},
    };
    const response = await call(() =>
      this.#app.fetch(request, { user }, context, (hono) => this.#passOn(hono, request)),
    );
    // By its shape: a project may bring another Response.
    if (typeof response !== 'object' || response === null || typeof response.status !== 'number')
      throw new TypeError(`it returned no Response for ${method} ${url}`);
    const head = { status: response.status, headers: headersOf(response.headers) };
    // Middleware may have made another Response around the same body; to a HEAD request Hono always makes one without.
    if (
      this.#builtIn !== undefined &&
      (response.body === this.#builtIn || (method === 'HEAD' && response.body === null))
    )
      this.#talk.send({ type: 'keep', ...head });
    else if (this.#app.plain && builtIn && response.status === 404)
      this.#talk.send({ type: 'through', headers: null, bytes: null, review: false });
    else await this.#send(head, response.body);
    this.#done = true;
  }

  #request(): Request {
    const { method, url, headers, hasBody } = this.#ask;
    return new Request(url, {
      method,
      headers: headers
        .filter(([name]) => TOKEN.test(name))
        .map(([name, value]): [string, string] => [name, value.replace(NO_BYTE, '?')]),
      signal: this.#gone.signal,
      ...(hasBody && method !== 'GET' && method !== 'HEAD'
        ? { body: this.#lazy(() => this.#body()), duplex: 'half' as const }
        : {}),
    });
  }

  /** Bytes that the front has and sends when somebody reads them. */
  #lazy(read: () => Promise<Uint8Array>): ReadableStream<Uint8Array> {
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

  async #body(): Promise<Uint8Array> {
    this.#talk.send({ type: 'want-body' });
    return (await this.#talk.next('body')).bytes;
  }

  /** What the routes end with: the head of the built-in answer, with a body that is fetched when middleware reads it. */
  async #passOn(hono: HonoContext, request: Request): Promise<Response> {
    if (this.#builtIn !== undefined) return new Response(null, { status: 404 });
    this.#builtIn = null;
    const headers = listOf(hono.req.raw.headers);
    const bytes = await changedBody(hono.req, request);
    this.#talk.send({ type: 'through', headers: isSame(headers, this.#headers) ? null : headers, bytes, review: true });
    const head = await this.#talk.next('built-in');
    this.#builtIn = BODILESS.has(head.status)
      ? null
      : this.#lazy(async () => {
          this.#talk.send({ type: 'want-answer' });
          const message = await this.#talk.next('built-in-body', 'no-built-in-body');
          if (message.type === 'no-built-in-body') throw new Error(message.reason);
          return message.bytes;
        });
    return new Response(this.#builtIn, {
      status: head.status,
      headers: head.headers.map(([name, value]): [string, string] => [name, value]),
    });
  }

  /** The app's own answer, at the pace of the client's socket. */
  async #send(head: { status: number; headers: HeaderList }, body: ReadableStream<Uint8Array> | null): Promise<void> {
    if (body === null) {
      this.#talk.send({ type: 'answer', ...head, bytes: new Uint8Array(0), last: true });
      return;
    }
    const reader = body.getReader();
    this.#gone.signal.addEventListener('abort', () => {
      reader.cancel().catch(() => undefined);
    });
    let next = reader.read();
    const first = await soon(next);
    if (first !== null) next = first.done ? next : reader.read();
    const last = first === null ? false : first.done || (await soon(next))?.done === true;
    this.#talk.hand({
      type: 'answer',
      ...head,
      bytes: first === null || first.done ? new Uint8Array(0) : own(first.value),
      last,
    });
    if (last) return;
    let ahead = first?.value?.byteLength ?? 0;
    const sizes = [ahead];
    for (;;) {
      const { done, value } = await next;
      if (done) break;
      const bytes = own(value);
      sizes.push(bytes.byteLength);
      ahead += bytes.byteLength;
      this.#talk.hand({ type: 'part', bytes });
      while (ahead > LIMITS.appAheadBytes) {
        await this.#talk.next('more');
        ahead -= sizes.shift()!;
      }
      next = reader.read();
    }
    this.#talk.send({ type: 'end' });
  }
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const NO_BYTE = /[^\t\x20-\x7e\x80-\xff]/g;

/** In the order of their names. */
function listOf(headers: Headers): HeaderList {
  return [...headers];
}

/** Of a Response that may be of another class: what the platform's does not take throws here. */
function headersOf(headers: Headers): HeaderList {
  return listOf(headers instanceof Headers ? headers : new Headers([...(headers as Iterable<[string, string]>)]));
}

function isSame(one: HeaderList, other: HeaderList): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What it resolves with when that is known by the next turn of the loop, or null. */
function soon<T>(promise: Promise<T>): Promise<T | null> {
  return Promise.race([
    promise,
    new Promise<null>((resolve) => {
      setImmediate(() => resolve(null));
    }),
  ]);
}

/** A copy in memory of its own: what a stream gives may be part of something else. */
function own(chunk: unknown): Uint8Array<ArrayBuffer> {
  if (chunk instanceof Uint8Array) return new Uint8Array(chunk);
  if (typeof chunk === 'string') return new Uint8Array(Buffer.from(chunk));
  throw new TypeError(`its answer's body has a chunk that is no bytes but ${typeof chunk}`);
}

function unseen(error: unknown): void {
  process.stderr.write(`The HTTP app failed at something that nobody awaits: ${thrownText(error)}\n`);
}
