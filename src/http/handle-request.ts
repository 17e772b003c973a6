import { fail } from '../base/errors.js';
import { canonicalUuid } from '../base/ids.js';
import { isObject } from '../base/json/json.js';
import { LIMITS } from '../base/limits.js';
import type { Logger } from '../base/log/log.js';
import { NOBODY, type Caller } from '../domain/caller.js';
import type { RequestFacts } from '../services/access/access.js';
import type { Services } from '../services/context.js';
import { admit } from './access/admission.js';
import { handleAudited } from './access/audited.js';
import { requestFacts } from './access/request-facts.js';
import { unsupportedTypeError } from './body-type.js';
import { createSpanStarter } from './monitoring/request-spans.js';
import type { CreateExchange, PreHandler } from './pre-handler.js';
import { createQueryParser } from './query.js';
import type { ParsedRequest, HandlerContext, Reply, Route } from './route.js';
import { sendError } from './send-error.js';
import type { Exchange } from './transport/exchange.js';
import type { HttpRequest, HttpResponse } from './transport/http-app.js';
import { parseBody, parseLargeBody, validate, validateEach } from './validation.js';

const NO_BODY = Buffer.alloc(0);
const ID_PARAMETER = /_id$/;

export interface RequestHandlerOptions {
  services: Services;
  log: Logger;
  /** Limit of bodies that carry user data. */
  bodyBytesMax: number;
  createExchange: CreateExchange;
  preHandler: PreHandler;
}

/** Handles the requests to one route. What depends on the route alone is decided once, when the server starts. */
export class RequestHandler {
  readonly #route: Route;
  readonly #options: RequestHandlerOptions;
  readonly #readQuery: ((query: string) => Record<string, unknown>) | null;
  readonly #bodyBytesMax: number;

  constructor(route: Route, options: RequestHandlerOptions) {
    this.#route = route;
    this.#options = options;
    this.#readQuery = route.schemas.query === null ? null : createQueryParser(route.schemas.query);
    this.#bodyBytesMax = bodyLimit(route, options.bodyBytesMax);
  }

  /** The callback for the transport. */
  get callback(): (res: HttpResponse, req: HttpRequest) => void {
    const { services, log, createExchange, preHandler } = this.#options;
    const route = this.#route;
    const startSpan = createSpanStarter(services.spans, route);
    return (res, req) => {
      const exchange = createExchange(res, req);
      startSpan?.(exchange);
      try {
        exchange.params = pathParams(route, req);
      } catch (error) {
        sendError(exchange, error, log, route.errors);
        return;
      }
      preHandler(exchange, route, () => {
        this.#handle(exchange).catch((error: unknown) => sendError(exchange, error, log, route.errors));
      });
    };
  }

  /**
   * The steps of a request. Without an auth handler nothing is awaited before the handler of a route that reads its own
   * body: uWS drops a body that is not taken in the route's callback.
   */
  async #handle(exchange: Exchange): Promise<void> {
    const route = this.#route;
    const { access } = this.#options.services;
    const facts = requestFacts(exchange);
    // Requests that are refused without an auth handler are refused before a byte of the body is read.
    const early = this.#callerWithoutHandler(
      facts,
      route.alternative === null ? [route.action, ...route.additionalActions] : [],
    );
    if (early === null) await this.#authenticateBeforeBody(exchange, facts);
    const unsupported = unsupportedTypeError(exchange, route.bodyTypes);
    if (unsupported !== null) {
      // Only authenticated callers learn what is wrong with a request.
      if (early === null) {
        exchange.holdBody(this.#bodyBytesMax);
        await access.authenticate(facts);
      }
      throw unsupported;
    }
    const bytes = route.body === null ? NO_BODY : await exchange.readBody(this.#bodyBytesMax);
    // Checked before parsing, because parsing a large body takes long.
    if (bytes.byteLength > LIMITS.queryBodyBytesMax && !route.mayBeLarge(bytes))
      throw fail('BODY_TOO_LARGE', { bytesMax: LIMITS.queryBodyBytesMax });
    if (route.alternative?.matches(bytes)) return this.#handleShared(exchange, route.alternative.route, facts, bytes);

    let request: ParsedRequest;
    try {
      request =
        bytes.byteLength > LIMITS.jsonPieceBytes
          ? this.#parse(exchange, await this.#parseLarge(exchange, bytes))
          : this.#parse(exchange, route.body === null ? undefined : parseBody(bytes));
    } catch (error) {
      if (early === null) await access.authenticate(facts);
      throw error;
    }
    // Checked again, because reading the body may take long: a key that was revoked meanwhile starts nothing.
    const caller = this.#callerWithoutHandler(facts, [
      route.action,
      ...route.additionalActions,
      ...route.conditionalActions(request),
    ]);
    const admission = caller === null ? await admit(access, route, facts, request) : { caller };
    await this.#reply(exchange, route, { ...request, ...admission, bytes, headers: exchange.headers, exchange });
  }

  /** Null when the project's auth handler decides. */
  #callerWithoutHandler(
    facts: RequestFacts,
    actions: Parameters<Services['access']['authenticateWithoutHandler']>[1],
  ): Caller | null {
    if (this.#route.action === 'public') return NOBODY;
    const { sufficientScope } = this.#route;
    return this.#options.services.access.authenticateWithoutHandler(facts, actions, sufficientScope);
  }

  /** Little is read from a caller who is not authenticated yet: larger bodies wait for the auth handler. */
  async #authenticateBeforeBody(exchange: Exchange, facts: RequestFacts): Promise<void> {
    if (exchange.method === 'get' || exchange.method === 'head') return;
    const { access, evaluation } = this.#options.services;
    const handlerReadsBody = this.#route.body === null;
    const length = exchange.contentLength;
    const isSmall = length !== null && length <= LIMITS.unauthenticatedBodyBytesMax;
    if (handlerReadsBody || !isSmall)
      exchange.holdBody(handlerReadsBody ? evaluation.uploadBytesMax : this.#bodyBytesMax);
    if (!handlerReadsBody && !isSmall) await access.authenticate(facts);
  }

  #parseLarge(exchange: Exchange, bytes: Buffer): Promise<unknown> {
    return parseLargeBody(this.#options.services, bytes, () => exchange.aborted, this.#route);
  }

  #handleAudited(
    exchange: Exchange,
    route: Route,
    caller: Caller,
    handle: () => ReturnType<Route['handle']>,
  ): Promise<Reply | null> {
    const { audit, evaluation } = this.#options.services;
    // The handler takes its body later than in the route's callback.
    if (route.body === null && exchange.method !== 'get') exchange.holdBody(evaluation.uploadBytesMax);
    return handleAudited(audit, { route, exchange, caller }, handle);
  }

  /** Throws INVALID_REQUEST that names every wrong place. */
  #parse(exchange: Exchange, body: unknown): ParsedRequest {
    const route = this.#route;
    const query = this.#readQuery === null ? undefined : this.#readQuery(exchange.query);
    const request: ParsedRequest = { params: exchange.params, query, body };
    validate('path', route.params, request.params);
    validate('query', route.query, request.query);
    validate('body', route.body, request.body);
    validateEach(route, request.body);
    exchange.assistant = assistantOf(request.body);
    return request;
  }

  /** Another route answers at this address; it has no query and no validated body. */
  async #handleShared(exchange: Exchange, route: Route, facts: RequestFacts, bytes: Buffer): Promise<void> {
    const request: ParsedRequest = { params: exchange.params, query: undefined, body: undefined };
    try {
      const admission = await admit(this.#options.services.access, route, facts, request);
      await this.#reply(exchange, route, { ...request, ...admission, bytes, headers: exchange.headers, exchange });
    } catch (error) {
      sendError(exchange, error, this.#options.log, route.errors);
    }
  }

  async #reply(exchange: Exchange, route: Route, context: HandlerContext<unknown, unknown, unknown>): Promise<void> {
    if (exchange.aborted) return;
    const { services } = this.#options;
    const { caller } = context;
    exchange.caller = caller.identity;
    if (route.action !== 'public') services.quotas.countRequest(caller);
    if (route.changesData) services.stores.store.checkReachable();
    exchange.onFinished(services.access.onKeyEnded(caller, () => exchange.terminate()));
    const handle = (): ReturnType<Route['handle']> =>
      route.handle(context as HandlerContext<never, never, never>, services);
    const reply = route.audited ? await this.#handleAudited(exchange, route, caller, handle) : await handle();
    if (reply === null) return;
    const { status, contentType = 'application/json', headers, body } = reply;
    exchange.reply(status, { 'content-type': contentType, ...headers }, body);
  }
}

/** How large the body of a request to this route may be. */
function bodyLimit(route: Route, bodyBytesMax: number): number {
  if (route.largeBody) return bodyBytesMax;
  return route.action === 'public' ? LIMITS.unauthenticatedBodyBytesMax : LIMITS.queryBodyBytesMax;
}

/** Of a body that starts a run. */
function assistantOf(body: unknown): string | null {
  const named = isObject(body) ? body['assistant_id'] : undefined;
  return typeof named === 'string' ? named : null;
}

/** Decoded path parameters by name. Throws INVALID_REQUEST. */
export function pathParams({ paramNames, errors }: Route, req: HttpRequest): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [at, name] of paramNames.entries()) {
    const raw = req.getParameter(at) ?? '';
    try {
      params[name] = decodeURIComponent(raw);
    } catch {
      throw fail('INVALID_REQUEST', { problems: `path.${name}: is not valid percent-encoding` });
    }
    // Clients and proxies change the case of ids, and evaluation clients omit the dashes. Stored ids are lower case.
    if (ID_PARAMETER.test(name) && name !== 'assistant_id')
      params[name] = (errors === 'agent' ? null : canonicalUuid(params[name]!)) ?? params[name]!.toLowerCase();
  }
  return params;
}
