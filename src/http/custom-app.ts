import { fail } from '../base/errors.js';
import { asBytes, type JsonObject } from '../base/json/json.js';
import { LIMITS } from '../base/limits.js';
import type { Logger } from '../base/log/log.js';
import type { AppPool, AppDuplex } from '../pool/user-code/app-pool.js';
import { requestUrl, headersForProject, type Access } from '../services/access/access.js';
import { withoutSessionCookies } from '../services/access/session-cookies.js';
import type { Quotas } from '../services/access/quotas.js';
import type { AppPath, FromApp, HeaderList, ToApp } from '../wire/user-code/app.js';
import { toWireError } from './errors.js';
import type { RawReply, Exchange } from './transport/exchange.js';
import type { Headers } from './transport/request-copy.js';
import type { ResponseHeaders, ResponseHead } from './transport/response-head.js';
import { requestFacts } from './access/request-facts.js';
import { OK_PATH, type Route } from './route.js';
import { isHopHeader } from './transport/hop-headers.js';
import { PacedWriter } from './transport/paced-writer.js';

export interface CustomAppOptions {
  pool: AppPool;
  /** Prefixes of the app's routes and middleware; null: every request goes to the app. */
  paths: readonly AppPath[] | null;
  /** Authenticate the caller before the app runs, also for the app's own routes. */
  routesRequireAuth: boolean;
  /** Authenticate the caller before the app runs for built-in routes. */
  authFirst: boolean;
  mountPrefix: string;
  bodyBytesMax: number;
  access: Access;
  quotas: Quotas;
  log: Logger;
}

/** A response of a built-in route before it is sent. */
interface BuiltInResponse {
  head: ResponseHead;
  /** Null for a streamed response. */
  completeBody: string | Uint8Array | null;
  /** Sends the app's response in its place. */
  rawReply: RawReply;
}

/** A fetch Request cannot have these methods. */
const UNSUPPORTED_METHODS: ReadonlySet<string> = new Set(['trace', 'connect', 'track']);
/** A token of RFC 9110: the only valid format of a header name. */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** Built-in routes that the app never sees: health checks and metrics. */
const EXCLUDED_PATHS: ReadonlySet<string> = new Set([OK_PATH, '/metrics']);

/**
 * The project's own HTTP app, matched before the built-in routes. It sees each request twice and built-in
 * bodies are not streamed through it: first the request, which it answers or passes on,
 * then the head of the built-in response.
 */
export class CustomApp {
  readonly #options: Omit<CustomAppOptions, 'paths'>;
  #paths: CustomAppOptions['paths'];
  /** Bytes of request bodies that are currently buffered for the app. */
  #bufferedBytes = 0;

  constructor({ paths, ...options }: CustomAppOptions) {
    this.#options = options;
    this.#paths = paths;
  }

  /** Replaces the path prefixes after the app's code was reloaded. */
  setPaths(paths: readonly AppPath[] | null): void {
    this.#paths = paths;
  }

  /** Whether the app may handle the request. `route`: the built-in route at this address. */
  mayHandle({ method, path, headers }: Exchange, route: Route | null): boolean {
    const { mountPrefix } = this.#options;
    if (UNSUPPORTED_METHODS.has(method) || (route !== null && EXCLUDED_PATHS.has(route.path))) return false;
    // The server answers CORS preflights itself.
    if (method === 'options' && headers['access-control-request-method'] !== undefined) return false;
    if (mountPrefix !== '' && path !== mountPrefix && !path.startsWith(`${mountPrefix}/`)) return false;
    return (
      this.#paths === null ||
      matchesPath(
        this.#paths,
        method === 'head' ? 'GET' : method.toUpperCase(),
        decodePath(path.slice(mountPrefix.length)),
      )
    );
  }

  /**
   * Passes the request to the app. Returns false if the app answered it; true if the built-in route answers,
   * whose response the app may then see. Call it synchronously in the request callback. Throws the errors of
   * authentication, OVERLOADED, APP_UNAVAILABLE and APP_FAILED.
   */
  async runBefore(exchange: Exchange, route: Route | null): Promise<boolean> {
    const { pool, access, quotas, bodyBytesMax, routesRequireAuth, authFirst, mountPrefix } = this.#options;
    const bodied = exchange.method !== 'get' && exchange.method !== 'head';
    if (bodied) exchange.holdBody(bodyBytesMax);
    let user: Readonly<JsonObject> | null = null;
    if (route === null ? routesRequireAuth : route.action !== 'public' && (routesRequireAuth || authFirst)) {
      const facts = requestFacts(exchange);
      const caller = access.authenticateWithoutHandler(facts, []) ?? (await access.authenticate(facts));
      if (exchange.aborted) return false;
      // A built-in route counts the request itself.
      if (route === null) quotas.countRequest(caller);
      exchange.caller = caller.identity;
      exchange.onFinished(access.onKeyEnded(caller, () => exchange.terminate()));
      user = caller.user;
    }
    const { target, ...rest } = requestFacts(exchange);
    const duplex = pool.request({
      method: exchange.method.toUpperCase(),
      url: requestUrl({ ...rest, target: target.slice(mountPrefix.length) || '/' }),
      headers: Object.entries({ ...headersForProject(exchange.headers), 'x-request-id': exchange.requestId }),
      hasBody: bodied && exchange.contentLength !== 0,
      builtIn: route !== null,
      user,
    });
    exchange.onFinished(() => duplex.close());
    return this.#handleRequest(exchange, duplex);
  }

  async #handleRequest(exchange: Exchange, duplex: AppDuplex): Promise<boolean> {
    let body: Buffer | null = null;
    try {
      for (;;) {
        const message = await duplex.receive();
        if (message.type === 'want-body') {
          body = await this.#sendBody(exchange, duplex);
          continue;
        }
        if (message.type !== 'through') {
          await this.#sendResponse(exchange, duplex, message, exchange.override);
          return false;
        }
        if (message.headers !== null) exchange.headers = changedRequestHeaders(message.headers, exchange.headers);
        if (message.bytes !== null) exchange.replaceBody(new Uint8Array(message.bytes));
        else if (body !== null) exchange.replaceBody(new Uint8Array(body));
        if (message.review)
          exchange.onSend = (head, completeBody, rawReply) =>
            this.#handleBuiltInResponse(exchange, duplex, { head, completeBody, rawReply });
        else duplex.close();
        return true;
      }
    } catch (error) {
      duplex.close();
      throw error;
    }
  }

  /** Buffers the body and sends it to the app. Throws OVERLOADED, BODY_TOO_LARGE. */
  async #sendBody(exchange: Exchange, duplex: AppDuplex): Promise<Buffer> {
    const announced = exchange.contentLength ?? LIMITS.appBodyBytesMax;
    if (this.#bufferedBytes + announced > LIMITS.appBodiesBytesMax)
      throw fail('OVERLOADED', { what: 'too many bodies are on their way to the HTTP app' });
    this.#bufferedBytes += announced;
    exchange.onFinished(() => {
      this.#bufferedBytes -= announced;
    });
    const body = await exchange.readBody(LIMITS.appBodyBytesMax);
    duplex.send({ type: 'body', bytes: body });
    return body;
  }

  /** Lets the app's middleware see the head of the built-in response. */
  async #handleBuiltInResponse(
    exchange: Exchange,
    duplex: AppDuplex,
    { head, completeBody, rawReply }: BuiltInResponse,
  ): Promise<ResponseHead | null> {
    try {
      duplex.send({ type: 'built-in', status: head.status, headers: toHeaderList(head.headers) });
      for (;;) {
        const message = await duplex.receive();
        if (message.type === 'want-answer') duplex.send(builtInBodyMessage(completeBody));
        else if (message.type === 'keep') {
          const kept = this.#checkHead(exchange, message);
          duplex.close();
          return { status: kept.status, headers: { ...kept.headers, 'x-request-id': exchange.requestId } };
        } else {
          await this.#sendResponse(exchange, duplex, message, rawReply);
          return null;
        }
      }
    } catch (error) {
      // The app's changes are unknown after an error, so the built-in response must not be sent as if the app
      // had agreed.
      if (!exchange.aborted) this.#sendError(exchange, error, rawReply);
      duplex.close();
      return null;
    }
  }

  /**
   * Streams the app's own response at the speed at which the client reads. Throws APP_FAILED if nothing was
   * written yet.
   */
  async #sendResponse(exchange: Exchange, duplex: AppDuplex, first: FromApp, rawReply: RawReply): Promise<void> {
    if (first.type === 'failed') throw this.#logFailure(exchange, first);
    if (first.type !== 'answer')
      throw this.#logFailure(exchange, { message: `it sent an unexpected "${first.type}" message`, stack: null });
    const head = this.#checkHead(exchange, first);
    const { bytes } = first;
    if (first.last || exchange.method === 'head') {
      duplex.close();
      rawReply.reply(head, bytes);
      return;
    }
    const out = rawReply.open(head);
    // uWS sends the head with the first byte of the body. A newline before an event is ignored; in any other
    // response it would be part of the body.
    if (bytes.byteLength === 0 && String(head.headers['content-type']).startsWith('text/event-stream')) out.flushHead();
    const sink = new PacedWriter(exchange, out);
    try {
      for (let part: FromApp = first; part.type !== 'end'; part = await duplex.receive()) {
        if (part.type === 'failed') throw this.#logFailure(exchange, part);
        if (part.type !== 'answer' && part.type !== 'part')
          throw this.#logFailure(exchange, {
            message: `it sent "${part.type}" in the middle of a response`,
            stack: null,
          });
        await sink.write(part.bytes);
        duplex.send({ type: 'more' });
      }
      out.end();
    } catch {
      // The status has already been sent. A truncated response tells the client that something went wrong.
      out.breakOff();
    }
    duplex.close();
  }

  /**
   * Validates the head of an app's response, which is sent unchanged: no value may end a line or change where
   * the body ends. Throws APP_FAILED.
   */
  #checkHead(exchange: Exchange, { status, headers }: { status: number; headers: HeaderList }): ResponseHead {
    if (!Number.isInteger(status) || status < 200 || status > 599)
      throw this.#logFailure(exchange, {
        message: `it responded with the invalid status ${String(status)}`,
        stack: null,
      });
    let chars = 0;
    for (const [name, value] of headers) {
      if (typeof name !== 'string' || typeof value !== 'string' || !HEADER_NAME.test(name))
        throw this.#logFailure(exchange, {
          message: `it responded with an invalid header name: ${JSON.stringify(name)}`,
          stack: null,
        });
      chars += name.length + value.length;
    }
    if (chars > LIMITS.appHeadersCharsMax)
      throw this.#logFailure(exchange, {
        message: `it responded with ${chars} characters of headers; the limit is ${LIMITS.appHeadersCharsMax}`,
        stack: null,
      });
    return { status, headers: mergeHeaders(headers) };
  }

  #sendError(exchange: Exchange, error: unknown, rawReply: RawReply): void {
    const { status, body, headers } = toWireError(error, this.#options.log, 'agent', exchange.requestId);
    rawReply.reply(
      { status, headers: { 'content-type': 'application/json', 'x-request-id': exchange.requestId, ...headers } },
      body,
    );
  }

  #logFailure(
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

function matchesPath(paths: readonly AppPath[], method: string, path: string | null): boolean {
  return (
    path === null || paths.some((one) => (one.method === null || one.method === method) && path.startsWith(one.prefix))
  );
}

/** Null when the path cannot be decoded. The app may decode it in its own way. */
function decodePath(path: string): string | null {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return null;
  }
}

function builtInBodyMessage(completeBody: string | Uint8Array | null): ToApp {
  if (completeBody === null)
    return {
      type: 'no-built-in-body',
      reason:
        'the body of this built-in response is streamed to the client and does not pass through the app; its middleware sees only status and headers',
    };
  if (completeBody.length > LIMITS.appBodyBytesMax)
    return { type: 'no-built-in-body', reason: 'the body of this built-in response is too large for the app' };
  return { type: 'built-in-body', bytes: asBytes(completeBody) };
}

function toHeaderList(headers: ResponseHeaders): HeaderList {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as const] : value.map((one) => [name, one] as const),
  );
}

/** False for headers of the connection and not of the message: the transport sets them. */
function isPassedOn(name: string): boolean {
  return !isHopHeader(name) && name !== 'content-length';
}

/**
 * Merges the headers: the last value of each name counts, except for `set-cookie`, which keeps all. A Response
 * of another class may use upper case in names.
 */
function mergeHeaders(list: HeaderList): ResponseHeaders {
  const headers = Object.create(null) as Record<string, string | readonly string[]>;
  const cookies: string[] = [];
  for (const [written, value] of list) {
    const name = written.toLowerCase();
    if (name === 'set-cookie') cookies.push(value);
    else if (isPassedOn(name)) headers[name] = value;
  }
  return cookies.length === 0 ? headers : { ...headers, 'set-cookie': cookies };
}

/** The request's headers as changed by the app. The length of the body stays as sent by the client. */
function changedRequestHeaders(list: HeaderList, sent: Headers): Headers {
  const headers = Object.create(null) as Record<string, string>;
  for (const [name, value] of list) if (isPassedOn(name)) headers[name] = value;
  for (const name of ['content-length', 'transfer-encoding']) if (sent[name] !== undefined) headers[name] = sent[name];
  // The app did not see the session of a person, so it cannot have passed it on.
  const { cookie } = sent;
  if (cookie !== undefined && withoutSessionCookies(cookie) !== cookie) headers['cookie'] = cookie;
  return headers;
}
