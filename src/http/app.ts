import { kindOf } from '../base/actions.js';
import { NOBODY, type Caller } from '../base/caller.js';
import { fail } from '../base/errors.js';
import { asObject, isObject, isTooDeep, setOwn, strictText, type JsonObject } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { canonicalUuid } from '../base/ids.js';
import type { Logger } from '../base/log.js';
import { furthest, refusal, type Where } from '../base/problems.js';
import type { RequestFacts } from '../services/access.js';
import type { Services } from '../services/context.js';
import type { Cors } from './cors.js';
import { wireError, type ErrorForm } from './errors.js';
import { Exchange } from './exchange.js';
import { queryReader } from './query.js';
import type { Asked, RequestContext, Route, Shown } from './route.js';
import type { HttpRequest, HttpResponse, TemplatedApp } from './uws.js';

const UUID_PARAMS = /_id$/;
const NOTHING = Buffer.alloc(0);

/** Copies a request as it comes in; knows what every answer carries. */
type Accept = (res: HttpResponse, req: HttpRequest) => Exchange;

/** Puts the table of routes on uWS, with 404 and 405 for everything else. */
export function mount(app: TemplatedApp, routes: readonly Route[], services: Services, { log, bodyBytesMax, cors }: { log: Logger; bodyBytesMax: number; cors: Cors }): void {
  const accept: Accept = (res, req) => new Exchange(res, req, cors.answer);
  const methodsOf = new Map<string, string[]>();
  for (const route of routes) {
    // The type asks for it too; a route that is made some other way must not be the one that nobody guards.
    if (!route.action) throw new Error(`${route.method} ${route.path} does not say what it does to what: nobody could be asked who may`);
    const live = bind(route, services, log, bodyBytesMax, accept);
    const pattern = route.path;
    app[route.method === 'delete' ? 'del' : route.method](pattern, live);
    if (route.method === 'get') app.head(pattern, live);
    const known = methodsOf.get(pattern) ?? [];
    known.push(...(route.method === 'get' ? ['GET', 'HEAD'] : [route.method.toUpperCase()]));
    methodsOf.set(pattern, known);
  }
  app.options('/*', (res, req) => {
    const exchange = accept(res, req);
    exchange.reply(204, cors.preflight(exchange.headers), '');
  });
  for (const [pattern, methods] of methodsOf) {
    const notAllowed = (res: HttpResponse, req: HttpRequest): void => {
      const exchange = accept(res, req);
      const allowed = methods.join(', ');
      refuse(exchange, fail('METHOD_NOT_ALLOWED', { method: exchange.method.toUpperCase(), path: exchange.path, allowed }), log);
    };
    // One by one: `any` comes after every route of the method itself, and `GET /runs/wait` would be the run "wait".
    for (const method of ['get', 'head', 'post', 'put', 'patch', 'delete'] as const) {
      if (!methods.includes(method.toUpperCase())) app[method === 'delete' ? 'del' : method](pattern, notAllowed);
    }
    app.any(pattern, notAllowed);
  }
  app.any('/*', (res, req) => {
    const exchange = accept(res, req);
    refuse(exchange, fail('ROUTE_NOT_FOUND', { method: exchange.method.toUpperCase(), path: exchange.path }), log);
  });
}

/** A request's life: copied, its body read, checked part by part, handled, answered. */
function bind(route: Route, services: Services, log: Logger, bodyBytesMax: number, accept: Accept): (res: HttpResponse, req: HttpRequest) => void {
  const readQuery = route.schemas.query === null ? null : queryReader(route.schemas.query);
  const bytesMax = route.largeBody ? bodyBytesMax : LIMITS.queryBodyBytesMax;

  const respond = async (exchange: Exchange, params: Record<string, string>): Promise<void> => {
    const { access } = services;
    const facts = factsOf(exchange);
    // Whoever is refused without a handler's help is refused before a byte of the body is read.
    const known = route.action === 'public' ? NOBODY : access.atOnce(facts, route.shared === null ? [route.action, ...route.also] : []);
    if (known === null && exchange.method !== 'get' && exchange.method !== 'head') {
      const taken = route.body === null ? services.evaluation.uploadBytesMax : bytesMax;
      const small = exchange.announced !== null && exchange.announced <= LIMITS.strangerBodyBytesMax;
      // Much is not read from a stranger; what a handler of ours takes itself waits for the verdict.
      if (route.body === null || !small) exchange.hold(taken);
      if (route.body !== null && !small) await access.identify(facts);
    }
    const bytes = route.body === null ? NOTHING : await exchange.body(bytesMax);
    if (route.shared?.when(bytes)) {
      const { with: other } = route.shared;
      const asked: Asked = { params, query: undefined, body: undefined };
      await admitted(other, facts, asked)
        .then((admission) => answer(exchange, other, { ...asked, ...admission, bytes, headers: exchange.headers, exchange }, services))
        .catch((error: unknown) => refuse(exchange, error, log, other.errors));
      return;
    }
    let asked: Asked;
    try {
      asked = { params, query: readQuery === null ? undefined : readQuery(exchange.query), body: route.body === null ? undefined : parseBody(bytes) };
      check('path', route.params, asked.params);
      check('query', route.query, asked.query);
      check('body', route.body, asked.body);
    } catch (error) {
      // What is wrong with a request is no stranger's business.
      if (known === null) await access.identify(facts);
      throw error;
    }
    // Asked again after the body, which may have taken its time: a key that ended meanwhile starts nothing.
    // In the request's own turn where no handler is asked: whoever takes the body by itself must not come late.
    const caller = route.action === 'public' ? NOBODY : access.atOnce(facts, [route.action, ...route.also, ...route.needs(asked)]);
    const admission = caller === null ? await admitted(route, facts, asked) : { caller };
    await answer(exchange, route, { ...asked, ...admission, bytes, headers: exchange.headers, exchange }, services);
  };

  /** The caller and, where it counts, what was asked with what the developer's handler changed in it. */
  const admitted = async (wanted: Route, facts: RequestFacts, asked: Asked): Promise<{ caller: Caller; body?: unknown; query?: unknown }> => {
    const { access } = services;
    const also = [...wanted.also, ...wanted.needs(asked)];
    const known = access.atOnce(facts, [wanted.action, ...also]);
    if (known !== null) return { caller: known };
    const { value, hidden, hiddenArguments } = shownOf(wanted, asked);
    const { caller, value: changed } = await access.ask(facts, wanted.action, also, value);
    const { kind, verb } = kindOf(wanted.action);
    const part = wanted.body === null ? 'query' : 'body';
    const given = asked[part];
    // What was stamped on a search narrows the caller's filter; on evaluation results it travels with the caller.
    if (changed === null || !isObject(given) || !(TAKES_BACK.has(verb) || kind === 'store')) return { caller };
    const { metadata, ...rest } = changedIn(value, changed);
    const stored = metadata !== undefined && wanted.errors === 'agent' && STORES.has(verb);
    const taken: JsonObject = { ...rest, ...hidden, ...(stored ? { metadata } : {}) };
    if (isObject(taken['kwargs'])) taken['kwargs'] = { ...taken['kwargs'], ...hiddenArguments };
    const counts = (wanted.shown ?? PLAINLY).back(given, taken);
    check(part, wanted[part], counts);
    return { caller, [part]: counts };
  };

  return (res, req) => {
    const exchange = accept(res, req);
    let params: Record<string, string>;
    try {
      params = pathParams(route, req);
    } catch (error) {
      refuse(exchange, error, log, route.errors);
      return;
    }
    respond(exchange, params).catch((error: unknown) => refuse(exchange, error, log, route.errors));
  };
}

async function answer(exchange: Exchange, route: Route, context: RequestContext<unknown, unknown, unknown>, services: Services): Promise<void> {
  if (exchange.gone) return;
  if (route.action !== 'public') services.quotas.request(context.caller);
  exchange.onOver(services.access.track(context.caller, () => exchange.cut()));
  const reply = await route.handle(context as RequestContext<never, never, never>, services);
  if (reply === null) return;
  exchange.reply(reply.status, { 'content-type': reply.contentType ?? 'application/json', ...reply.headers }, reply.body);
}

/** What the handler is shown when a route does not say: all that the request names, in the API's own words. */
const PLAINLY: Shown = {
  // The path last: a body that names another record does not hide which one it is about.
  value: ({ params, query, body }) => ({ ...asObject(query), ...asObject(body), ...params }),
  back: (asked, changed) => ({ ...asked, ...changed }),
};

/** Verbs of what is stored with the metadata of its body; all others are shown none, so that what is stamped is the handler's. */
const STORES: ReadonlySet<string> = new Set(['create', 'update', 'create_run']);

/** What a handler is shown of a request, and what is too large to be. */
function shownOf(route: Route, asked: Asked): { value: JsonObject; hidden: JsonObject; hiddenArguments: JsonObject } {
  const all = (route.shown ?? PLAINLY).value(asked);
  const metadata = route.errors === 'agent' && STORES.has(kindOf(route.action).verb) ? asObject(all['metadata']) : {};
  const [value, hidden] = withoutLarge({ ...all, metadata }, ALWAYS_SHOWN);
  const [kwargs, hiddenArguments] = isObject(value['kwargs']) ? withoutLarge(value['kwargs'], NONE) : [undefined, {}];
  if (kwargs !== undefined) value['kwargs'] = kwargs;
  if (JSON.stringify(value).length > LIMITS.shownCharsMax) throw fail('INVALID_REQUEST', { problems: `body.metadata: is too large to be shown to the auth handler: more than ${LIMITS.shownCharsMax} characters` });
  return { value, hidden, hiddenArguments };
}

/** What handlers decide by: were it left out, one that looks at it would fail. */
const ALWAYS_SHOWN: ReadonlySet<string> = new Set(['metadata', 'namespace']);
const NONE: ReadonlySet<string> = new Set();

/** The object without its large members, and those. */
function withoutLarge(object: JsonObject, always: ReadonlySet<string>): [small: JsonObject, large: JsonObject] {
  const small: JsonObject = {};
  const large: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    const isLarge = !always.has(name) && name !== 'kwargs' && typeof value === 'object' && value !== null && JSON.stringify(value).length > LIMITS.shownMemberCharsMax;
    setOwn(isLarge || (typeof value === 'string' && value.length > LIMITS.shownMemberCharsMax) ? large : small, name, value);
  }
  return [small, large];
}

/** Verbs whose request the handler may change: what is stored, or what is looked for. Of long-term memory all: there it says where. */
const TAKES_BACK: ReadonlySet<string> = new Set([...STORES, 'search']);

function changedIn(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));
}

function factsOf({ method, path, query, headers, duplicated }: Exchange): RequestFacts {
  return { method, target: query === '' ? path : `${path}?${query}`, headers, duplicated };
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
    if (UUID_PARAMS.test(name) && name !== 'assistant_id') params[name] = (errors === 'agent' ? null : canonicalUuid(params[name]!)) ?? params[name]!.toLowerCase();
  }
  return params;
}

/** No body counts as an empty object: clients leave it out where nothing is required. */
function parseBody(bytes: Buffer): unknown {
  if (bytes.byteLength === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(strictText(bytes)) as unknown;
  } catch (error) {
    throw fail('MALFORMED_JSON', { reason: error instanceof Error ? error.message : String(error) });
  }
  if (isTooDeep(value)) throw fail('INVALID_REQUEST', { problems: `body: is nested deeper than ${LIMITS.jsonDepthMax} levels` });
  return value;
}

function check(where: Where, validator: Route['body'], value: unknown): void {
  if (validator === null || validator(value)) return;
  throw refusal(where, furthest(validator.errors ?? []));
}

function refuse(exchange: Exchange, thrown: unknown, log: Logger, form: ErrorForm = 'agent'): void {
  const { status, body, headers } = wireError(thrown, log, form, exchange.requestId);
  // The rest of a body that is too large is not read.
  exchange.reply(status, { 'content-type': 'application/json', ...headers }, body, status === 413);
}
