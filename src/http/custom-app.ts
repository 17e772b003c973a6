import { fail } from '../base/errors.js';
import type { JsonObject } from '../base/json/json.js';
import { LIMITS } from '../base/limits.js';
import type { Logger } from '../base/log/log.js';
import type { AppPool, AppTalk } from '../pool/user-code/app-pool.js';
import { urlOf, withoutWalk, type Access } from '../services/access/access.js';
import type { Quotas } from '../services/access/quotas.js';
import type { AppPath, FromApp, HeaderList, ToApp } from '../wire/user-code/app.js';
import { wireError } from './errors.js';
import type { RawReply, Exchange } from './transport/exchange.js';
import type { Headers } from './transport/request-copy.js';
import type { ResponseHeaders, ResponseHead } from './transport/response-head.js';
import { factsOf } from './access/request-facts.js';
import { OK_PATH, type Route } from './route.js';
import { Sink } from './transport/sink.js';

export interface CustomAppOptions {
  pool: AppPool;
  /** What the app's routes and middleware begin with; null: it is asked about everything. */
  paths: readonly AppPath[] | null;
  /** Who asks is found out before the app is asked, also for its own routes. */
  routesNeedCaller: boolean;
  /** The same for built-in routes. */
  authFirst: boolean;
  mountPrefix: string;
  bodyBytesMax: number;
  access: Access;
  quotas: Quotas;
  log: Logger;
}

/** A fetch Request cannot have these methods. */
const NO_REQUEST: ReadonlySet<string> = new Set(['trace', 'connect', 'track']);
/** Of the connection, not of the answer: uWS says them. */
const HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'upgrade',
  'proxy-connection',
  'te',
  'trailer',
]);
/** A token of RFC 9110: nothing else can be the name of a header. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** What a process that watches over the server asks is no app's business. */
const UNSEEN: ReadonlySet<string> = new Set([OK_PATH, '/metrics']);

/**
 * The project's own HTTP app, matched before the built-in routes. It is asked twice and never streamed through (DESIGN,
 * decision 15): about the request, which it answers or passes on, and about the head of the built-in answer.
 */
export class CustomApp {
  readonly #options: Omit<CustomAppOptions, 'paths'>;
  #paths: CustomAppOptions['paths'];
  /** Bytes of bodies that are gathered for the app now. */
  #gathered = 0;

  constructor({ paths, ...options }: CustomAppOptions) {
    this.#options = options;
    this.#paths = paths;
  }

  /** Other code: what it begins with. */
  use(paths: readonly AppPath[] | null): void {
    this.#paths = paths;
  }

  /** Whether the app may have something to say about the request. `route`: the built-in one at this address. */
  wants({ method, path, headers }: Exchange, route: Route | null): boolean {
    const { mountPrefix } = this.#options;
    if (NO_REQUEST.has(method) || (route !== null && UNSEEN.has(route.path))) return false;
    // CORS is the server's to answer.
    if (method === 'options' && headers['access-control-request-method'] !== undefined) return false;
    if (mountPrefix !== '' && path !== mountPrefix && !path.startsWith(`${mountPrefix}/`)) return false;
    return (
      this.#paths === null ||
      matches(this.#paths, method === 'head' ? 'GET' : method.toUpperCase(), decoded(path.slice(mountPrefix.length)))
    );
  }

  /**
   * Asks the app about the request. False when it has answered; true when a built-in route may, whose answer it may then
   * see. Call it in the request's own turn. Throws what refuses the caller, OVERLOADED, APP_UNAVAILABLE, APP_FAILED.
   */
  async ahead(exchange: Exchange, route: Route | null): Promise<boolean> {
    const { pool, access, quotas, bodyBytesMax, routesNeedCaller, authFirst, mountPrefix } = this.#options;
    const bodied = exchange.method !== 'get' && exchange.method !== 'head';
    if (bodied) exchange.holdBody(bodyBytesMax);
    let user: Readonly<JsonObject> | null = null;
    if (route === null ? routesNeedCaller : route.action !== 'public' && (routesNeedCaller || authFirst)) {
      const facts = factsOf(exchange);
      const caller = access.atOnce(facts, []) ?? (await access.identify(facts));
      if (exchange.aborted) return false;
      // A built-in route counts the request itself.
      if (route === null) quotas.request(caller);
      exchange.caller = caller.identity;
      exchange.onFinished(access.track(caller, () => exchange.terminate()));
      user = caller.user;
    }
    const { target, ...rest } = factsOf(exchange);
    const talk = pool.request({
      method: exchange.method.toUpperCase(),
      url: urlOf({ ...rest, target: target.slice(mountPrefix.length) || '/' }),
      headers: Object.entries({ ...withoutWalk(exchange.headers), 'x-request-id': exchange.requestId }),
      hasBody: bodied && exchange.contentLength !== 0,
      builtIn: route !== null,
      user,
    });
    exchange.onFinished(() => talk.close());
    return this.#requestHalf(exchange, talk);
  }

  async #requestHalf(exchange: Exchange, talk: AppTalk): Promise<boolean> {
    let body: Buffer | null = null;
    try {
      for (;;) {
        const message = await talk.next();
        if (message.type === 'want-body') {
          body = await this.#giveBody(exchange, talk);
          continue;
        }
        if (message.type !== 'through') {
          await this.#answer(exchange, talk, message, exchange.override);
          return false;
        }
        if (message.headers !== null) exchange.headers = requested(message.headers, exchange.headers);
        if (message.bytes !== null) exchange.replaceBody(new Uint8Array(message.bytes));
        else if (body !== null) exchange.replaceBody(new Uint8Array(body));
        if (message.review)
          exchange.onSend = (head, whole, bare) => this.#answerHalf(exchange, talk, head, whole, bare);
        else talk.close();
        return true;
      }
    } catch (error) {
      talk.close();
      throw error;
    }
  }

  /** Gathers the body and sends it to the app. Throws OVERLOADED, BODY_TOO_LARGE. */
  async #giveBody(exchange: Exchange, talk: AppTalk): Promise<Buffer> {
    const announced = exchange.contentLength ?? LIMITS.appBodyBytesMax;
    if (this.#gathered + announced > LIMITS.appBodiesBytesMax)
      throw fail('OVERLOADED', { what: 'too many bodies are on their way to the HTTP app' });
    this.#gathered += announced;
    exchange.onFinished(() => {
      this.#gathered -= announced;
    });
    const body = await exchange.readBody(LIMITS.appBodyBytesMax);
    talk.send({ type: 'body', bytes: body });
    return body;
  }

  /** The app's middleware sees the head of the built-in answer. */
  async #answerHalf(
    exchange: Exchange,
    talk: AppTalk,
    { status, headers }: ResponseHead,
    whole: string | Uint8Array | null,
    bare: RawReply,
  ): Promise<ResponseHead | null> {
    try {
      talk.send({ type: 'built-in', status, headers: listed(headers) });
      for (;;) {
        const message = await talk.next();
        if (message.type === 'want-answer') talk.send(bodyFor(whole));
        else if (message.type === 'keep') {
          const kept = this.#head(exchange, message);
          talk.close();
          return { status: kept.status, headers: { ...kept.headers, 'x-request-id': exchange.requestId } };
        } else {
          await this.#answer(exchange, talk, message, bare);
          return null;
        }
      }
    } catch (error) {
      // What the app would have changed cannot be known: the built-in answer must not go out as if it had agreed.
      if (!exchange.aborted) this.#refuse(exchange, error, bare);
      talk.close();
      return null;
    }
  }

  /** The app's own answer, as fast as the client takes it. Throws APP_FAILED while nothing was written. */
  async #answer(exchange: Exchange, talk: AppTalk, first: FromApp, bare: RawReply): Promise<void> {
    if (first.type === 'failed') throw this.#failure(exchange, first);
    if (first.type !== 'answer')
      throw this.#failure(exchange, { message: `it said "${first.type}" out of turn`, stack: null });
    const head = this.#head(exchange, first);
    const { bytes } = first;
    if (first.last || exchange.method === 'head') {
      talk.close();
      bare.reply(head, bytes);
      return;
    }
    const out = bare.open(head);
    // uWS sends the head with the first byte. A newline before an event is nothing; anywhere else it would be part of the answer.
    if (bytes.byteLength === 0 && String(head.headers['content-type']).startsWith('text/event-stream')) out.flushHead();
    const sink = new Sink(exchange, out);
    try {
      for (let part: FromApp = first; part.type !== 'end'; part = await talk.next()) {
        if (part.type === 'failed') throw this.#failure(exchange, part);
        if (part.type !== 'answer' && part.type !== 'part')
          throw this.#failure(exchange, { message: `it said "${part.type}" in the middle of an answer`, stack: null });
        await sink.take(part.bytes);
        talk.send({ type: 'more' });
      }
      out.end();
    } catch {
      // The status is sent: that something went wrong shows in an answer that broke off.
      out.breakOff();
    }
    talk.close();
  }

  /** Checks the head of an app's answer, which is sent unchanged: no value may end a line or change where the body ends. Throws APP_FAILED. */
  #head(exchange: Exchange, { status, headers }: { status: number; headers: HeaderList }): ResponseHead {
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw this.#failure(exchange, { message: `it answered with status ${String(status)}`, stack: null });
    let chars = 0;
    for (const [name, value] of headers) {
      if (typeof name !== 'string' || typeof value !== 'string' || !HEADER_NAME.test(name))
        throw this.#failure(exchange, {
          message: `it answered with a header that is none: ${JSON.stringify(name)}`,
          stack: null,
        });
      chars += name.length + value.length;
    }
    if (chars > LIMITS.appHeadCharsMax)
      throw this.#failure(exchange, {
        message: `it answered with ${chars} characters of headers, of which ${LIMITS.appHeadCharsMax} may be`,
        stack: null,
      });
    return { status, headers: merged(headers) };
  }

  #refuse(exchange: Exchange, error: unknown, bare: RawReply): void {
    const { status, body, headers } = wireError(error, this.#options.log, 'agent', exchange.requestId);
    bare.reply(
      { status, headers: { 'content-type': 'application/json', 'x-request-id': exchange.requestId, ...headers } },
      body,
    );
  }

  #failure(
    { method, path, requestId }: Exchange,
    { message, stack }: { message: string; stack: string | null },
  ): Error {
    this.#options.log.error(
      { requestId, method: method.toUpperCase(), path, stack: stack ?? undefined },
      `the HTTP app failed: ${message}`,
    );
    return fail('APP_FAILED', {});
  }
}

function matches(paths: readonly AppPath[], method: string, path: string | null): boolean {
  return (
    path === null || paths.some((one) => (one.method === null || one.method === method) && path.startsWith(one.prefix))
  );
}

/** Null when it cannot be decoded: who knows what the app makes of it. */
function decoded(path: string): string | null {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return null;
  }
}

function bodyFor(whole: string | Uint8Array | null): ToApp {
  if (whole === null)
    return {
      type: 'no-built-in-body',
      reason:
        'the body of this built-in answer is streamed to the client and does not pass through the app: its middleware sees status and headers',
    };
  if (whole.length > LIMITS.appBodyBytesMax)
    return { type: 'no-built-in-body', reason: 'the body of this built-in answer is too long to be shown to the app' };
  return { type: 'built-in-body', bytes: typeof whole === 'string' ? Buffer.from(whole) : whole };
}

function listed(headers: ResponseHeaders): HeaderList {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : value.map((one) => [name, one] as const),
  );
}

/** One value a name; of `set-cookie` all. A Response of another class may write names in capitals. */
function merged(list: HeaderList): ResponseHeaders {
  const headers = Object.create(null) as Record<string, string | readonly string[]>;
  const cookies: string[] = [];
  for (const [written, value] of list) {
    const name = written.toLowerCase();
    if (name === 'set-cookie') cookies.push(value);
    else if (!HOP.has(name)) headers[name] = value;
  }
  return cookies.length === 0 ? headers : { ...headers, 'set-cookie': cookies };
}

/** A request's headers as the app left them. How long its body is says the one that came. */
function requested(list: HeaderList, sent: Headers): Headers {
  const headers = Object.create(null) as Record<string, string>;
  for (const [name, value] of list) if (!HOP.has(name)) headers[name] = value;
  for (const name of ['content-length', 'transfer-encoding']) if (sent[name] !== undefined) headers[name] = sent[name];
  return headers;
}
