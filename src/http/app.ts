import { NOBODY } from '../domain/caller.js';
import { fail } from '../base/errors.js';
import { isObject } from '../base/json/json.js';
import { LIMITS } from '../base/limits.js';
import { canonicalUuid } from '../base/ids.js';
import type { Logger } from '../base/log/log.js';
import type { Services } from '../services/context.js';
import { refuse, type Accept, type Ahead } from './transport/accept.js';
import { admitted } from './access/admission.js';
import { unsupportedType } from './body-type.js';
import { check, checkEach, parseBody, parseLargeBody } from './validation.js';
import type { CrossOriginGuard } from './access/cross-origin.js';
import type { CustomApp } from './custom-app.js';
import { Exchange, type OnResponse } from './transport/exchange.js';
import { factsOf } from './access/request-facts.js';
import { queryReader } from './query.js';
import { requestSpans } from './monitoring/request-spans.js';
import type { Table } from './routes/index.js';
import { OK_PATH, type Asked, type RequestContext, type Route, type ServedRoute } from './route.js';
import { serveSockets } from './transport/socket.js';
import type { HttpRequest, HttpResponse, Sockets, TemplatedApp } from './transport/uws.js';

const UUID_PARAMS = /_id$/;
const NOTHING = Buffer.alloc(0);

export interface MountOptions {
  log: Logger;
  bodyBytesMax: number;
  crossOrigin: CrossOriginGuard;
  /** Before every path but `/ok`, which is served without it too. */
  mountPrefix: string;
  /** The project's own app, which comes first; null: there is none. */
  customApp: CustomApp | null;
  /** What `countSockets` counts. */
  sockets: Sockets;
  /** Who is told of the end of every request to a route; null: of one to none. */
  watch: (route: ServedRoute | null) => OnResponse | null;
}

/** Puts the table of routes on uWS, with 404 and 405 for everything else. */
export function mount(
  app: TemplatedApp,
  { served, switchedOff }: Table,
  services: Services,
  { log, bodyBytesMax, crossOrigin, mountPrefix, customApp, sockets, watch }: MountOptions,
): void {
  const stray = watch(null);
  const accept: Accept = (res, req) => new Exchange(res, req, crossOrigin.headers, stray);
  const ahead: Ahead = (
    exchange,
    route,
    builtIn,
    onRefused = (error) => refuse(exchange, error, log, route?.errors),
  ) => {
    const refusal = crossOrigin.refusal(exchange, route);
    if (refusal !== null) onRefused(refusal);
    else if (customApp === null || !customApp.wants(exchange, route)) builtIn();
    else
      void customApp
        .ahead(exchange, route)
        .then((goesOn) => {
          if (goesOn) builtIn();
        })
        .catch((error: unknown) => refuse(exchange, error, log, route?.errors));
  };
  const methodsOf = new Map<string, string[]>();
  for (const route of served) {
    // The type asks for it too; a route that is made some other way must not be the one that nobody guards.
    if (!route.action)
      throw new Error(`${route.method} ${route.path} does not say what it does to what: nobody could be asked who may`);
    const watched = watch(route);
    const live = bind(
      route,
      services,
      log,
      bodyBytesMax,
      (res, req) => new Exchange(res, req, crossOrigin.headers, watched),
      ahead,
    );
    // Whatever watches over the process asks the port, and knows of no prefix.
    const patterns =
      route.path === OK_PATH && mountPrefix !== ''
        ? [route.path, mountPrefix + route.path]
        : [mountPrefix + route.path];
    // Before the route that says which methods there are.
    if (route.socket !== null)
      serveSockets(app, mountPrefix + route.path, route, {
        services,
        log,
        bodyBytesMax,
        sockets,
        accept: (res, req) => new Exchange(res, req, crossOrigin.headers, watched),
        ahead,
        params: (req) => pathParams(route, req),
      });
    for (const pattern of patterns) {
      app[route.method === 'delete' ? 'del' : route.method](pattern, live);
      if (route.method === 'get') app.head(pattern, live);
      const known = methodsOf.get(pattern) ?? [];
      known.push(...(route.method === 'get' ? ['GET', 'HEAD'] : [route.method.toUpperCase()]));
      methodsOf.set(pattern, known);
    }
  }
  app.options('/*', (res, req) => {
    const exchange = accept(res, req);
    ahead(exchange, null, () => exchange.reply(204, crossOrigin.preflight(exchange.headers), ''));
  });
  const notFound = (res: HttpResponse, req: HttpRequest): void => {
    const exchange = accept(res, req);
    ahead(exchange, null, () =>
      refuse(exchange, fail('ROUTE_NOT_FOUND', { method: exchange.method.toUpperCase(), path: exchange.path }), log),
    );
  };
  for (const { path, absent } of served)
    for (const method of absent) app[method === 'delete' ? 'del' : method](mountPrefix + path, notFound);
  const absentAt = new Map(served.map(({ path, absent }) => [mountPrefix + path, absent]));
  for (const [pattern, methods] of methodsOf) {
    const notAllowed = (res: HttpResponse, req: HttpRequest): void => {
      const exchange = accept(res, req);
      const allowed = methods.join(', ');
      ahead(exchange, null, () =>
        refuse(
          exchange,
          fail('METHOD_NOT_ALLOWED', { method: exchange.method.toUpperCase(), path: exchange.path, allowed }),
          log,
        ),
      );
    };
    // One by one: `any` comes after every route of the method itself, and `GET /runs/wait` would be the run "wait".
    for (const method of ['get', 'head', 'post', 'put', 'patch', 'delete'] as const) {
      if (!methods.includes(method.toUpperCase()) && !absentAt.get(pattern)?.some((one) => one === method))
        app[method === 'delete' ? 'del' : method](pattern, notAllowed);
    }
    app.any(pattern, notAllowed);
  }
  for (const { method, path } of switchedOff) app[method === 'delete' ? 'del' : method](mountPrefix + path, notFound);
  app.any('/*', notFound);
}

/** A request's life: copied, its body read, checked part by part, handled, answered. */
function bind(
  route: Route,
  services: Services,
  log: Logger,
  bodyBytesMax: number,
  accept: Accept,
  ahead: Ahead,
): (res: HttpResponse, req: HttpRequest) => void {
  const readQuery = route.schemas.query === null ? null : queryReader(route.schemas.query);
  const bytesMax = route.largeBody
    ? bodyBytesMax
    : route.action === 'public'
      ? LIMITS.unauthenticatedBodyBytesMax
      : LIMITS.queryBodyBytesMax;

  const respond = async (exchange: Exchange, params: Record<string, string>): Promise<void> => {
    const { access } = services;
    const facts = factsOf(exchange);
    // Whoever is refused without a handler's help is refused before a byte of the body is read.
    const known =
      route.action === 'public'
        ? NOBODY
        : access.atOnce(facts, route.shared === null ? [route.action, ...route.also] : []);
    if (known === null && exchange.method !== 'get' && exchange.method !== 'head') {
      const taken = route.body === null ? services.evaluation.uploadBytesMax : bytesMax;
      const small = exchange.contentLength !== null && exchange.contentLength <= LIMITS.unauthenticatedBodyBytesMax;
      // Much is not read from a stranger; what a handler of ours takes itself waits for the verdict.
      if (route.body === null || !small) exchange.holdBody(taken);
      if (route.body !== null && !small) await access.identify(facts);
    }
    const unsupported = unsupportedType(exchange, route.bodyTypes);
    if (unsupported !== null) {
      if (known === null) {
        exchange.holdBody(bytesMax);
        await access.identify(facts);
      }
      throw unsupported;
    }
    const bytes = route.body === null ? NOTHING : await exchange.readBody(bytesMax);
    // Before it is parsed: the size alone refuses it.
    if (bytes.byteLength > LIMITS.queryBodyBytesMax && !route.mayBeLarge(bytes))
      throw fail('BODY_TOO_LARGE', { bytesMax: LIMITS.queryBodyBytesMax });
    if (route.shared?.when(bytes)) {
      const { with: other } = route.shared;
      const asked: Asked = { params, query: undefined, body: undefined };
      await admitted(access, other, facts, asked)
        .then((admission) =>
          answer(exchange, other, { ...asked, ...admission, bytes, headers: exchange.headers, exchange }, services),
        )
        .catch((error: unknown) => refuse(exchange, error, log, other.errors));
      return;
    }
    let asked: Asked;
    try {
      const query = readQuery === null ? undefined : readQuery(exchange.query);
      const isLarge = bytes.byteLength > LIMITS.jsonPieceBytes;
      const body =
        route.body === null
          ? undefined
          : isLarge
            ? await parseLargeBody(services, bytes, () => exchange.aborted, route)
            : parseBody(bytes);
      asked = { params, query, body };
      check('path', route.params, asked.params);
      check('query', route.query, asked.query);
      check('body', route.body, asked.body);
      checkEach(route, asked.body);
      exchange.assistant = assistantOf(asked.body);
    } catch (error) {
      // What is wrong with a request is no stranger's business.
      if (known === null) await access.identify(facts);
      throw error;
    }
    // Asked again after the body, which may have taken its time: a key that ended meanwhile starts nothing.
    // In the request's own turn where no handler is asked: whoever takes the body by itself must not come late.
    const caller =
      route.action === 'public' ? NOBODY : access.atOnce(facts, [route.action, ...route.also, ...route.needs(asked)]);
    const admission = caller === null ? await admitted(access, route, facts, asked) : { caller };
    await answer(exchange, route, { ...asked, ...admission, bytes, headers: exchange.headers, exchange }, services);
  };

  const trace = requestSpans(services.spans, route);
  return (res, req) => {
    const exchange = accept(res, req);
    trace?.(exchange);
    let params: Record<string, string>;
    try {
      exchange.params = params = pathParams(route, req);
    } catch (error) {
      refuse(exchange, error, log, route.errors);
      return;
    }
    ahead(exchange, route, () => {
      respond(exchange, params).catch((error: unknown) => refuse(exchange, error, log, route.errors));
    });
  };
}

async function answer(
  exchange: Exchange,
  route: Route,
  context: RequestContext<unknown, unknown, unknown>,
  services: Services,
): Promise<void> {
  if (exchange.aborted) return;
  exchange.caller = context.caller.identity;
  if (route.action !== 'public') services.quotas.request(context.caller);
  exchange.onFinished(services.access.track(context.caller, () => exchange.terminate()));
  const reply = await route.handle(context as RequestContext<never, never, never>, services);
  if (reply === null) return;
  exchange.reply(
    reply.status,
    { 'content-type': reply.contentType ?? 'application/json', ...reply.headers },
    reply.body,
  );
}

/** Of a body that starts a run. */
function assistantOf(body: unknown): string | null {
  const named = isObject(body) ? body['assistant_id'] : undefined;
  return typeof named === 'string' ? named : null;
}

function pathParams({ paramNames, errors }: Route, req: HttpRequest): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [at, name] of paramNames.entries()) {
    const raw = req.getParameter(at) ?? '';
    try {
      params[name] = decodeURIComponent(raw);
    } catch {
      throw fail('INVALID_REQUEST', { problems: `path.${name}: is not valid percent-encoding` });
    }
    // Clients and proxies change the case of ids; stored ones are lower case. Evaluation clients also leave the dashes out.
    if (UUID_PARAMS.test(name) && name !== 'assistant_id')
      params[name] = (errors === 'agent' ? null : canonicalUuid(params[name]!)) ?? params[name]!.toLowerCase();
  }
  return params;
}
