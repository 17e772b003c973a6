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
import type { CustomApp } from './custom-app.js';
import { wireError, type ErrorForm } from './errors.js';
import { Exchange, type Watch } from './exchange.js';
import { factsOf } from './facts.js';
import { queryReader } from './query.js';
import { requestSpans } from './request-spans.js';
import type { Table } from './routes/index.js';
import { OK_PATH, type Asked, type RequestContext, type Route, type ServedRoute, type Shown } from './route.js';
import type { HttpRequest, HttpResponse, TemplatedApp } from './uws.js';

const UUID_PARAMS = /_id$/;
const NOTHING = Buffer.alloc(0);

/** Copies a request as it comes in; knows what every answer carries. */
type Accept = (res: HttpResponse, req: HttpRequest) => Exchange;

/** Lets the project's own app have the request first, then the built-in route, if the app leaves it one. In the request's own turn where there is no app. */
type Ahead = (exchange: Exchange, route: Route | null, builtIn: () => void) => void;

export interface MountOptions {
  log: Logger;
  bodyBytesMax: number;
  cors: Cors;
  /** Before every path but `/ok`, which is served without it too. */
  mountPrefix: string;
  /** The project's own app, which comes first; null: there is none. */
  customApp: CustomApp | null;
  /** Who is told of the end of every request to a route; null: of one to none. */
  watch: (route: ServedRoute | null) => Watch | null;
}

/** Puts the table of routes on uWS, with 404 and 405 for everything else. */
export function mount(app: TemplatedApp, { served, switchedOff }: Table, services: Services, { log, bodyBytesMax, cors, mountPrefix, customApp, watch }: MountOptions): void {
  const stray = watch(null);
  const accept: Accept = (res, req) => new Exchange(res, req, cors.answer, stray);
  const ahead: Ahead = (exchange, route, builtIn) => {
    if (customApp === null || !customApp.wants(exchange, route)) builtIn();
    else void customApp.ahead(exchange, route).then((goesOn) => { if (goesOn) builtIn(); }).catch((error: unknown) => refuse(exchange, error, log, route?.errors));
  };
  const methodsOf = new Map<string, string[]>();
  for (const route of served) {
    // The type asks for it too; a route that is made some other way must not be the one that nobody guards.
    if (!route.action) throw new Error(`${route.method} ${route.path} does not say what it does to what: nobody could be asked who may`);
    const watched = watch(route);
    const live = bind(route, services, log, bodyBytesMax, (res, req) => new Exchange(res, req, cors.answer, watched), ahead);
    // Whatever watches over the process asks the port, and knows of no prefix.
    const patterns = route.path === OK_PATH && mountPrefix !== '' ? [route.path, mountPrefix + route.path] : [mountPrefix + route.path];
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
    ahead(exchange, null, () => exchange.reply(204, cors.preflight(exchange.headers), ''));
  });
  const notFound = (res: HttpResponse, req: HttpRequest): void => {
    const exchange = accept(res, req);
    ahead(exchange, null, () => refuse(exchange, fail('ROUTE_NOT_FOUND', { method: exchange.method.toUpperCase(), path: exchange.path }), log));
  };
  for (const { path, absent } of served) for (const method of absent) app[method === 'delete' ? 'del' : method](mountPrefix + path, notFound);
  const absentAt = new Map(served.map(({ path, absent }) => [mountPrefix + path, absent]));
  for (const [pattern, methods] of methodsOf) {
    const notAllowed = (res: HttpResponse, req: HttpRequest): void => {
      const exchange = accept(res, req);
      const allowed = methods.join(', ');
      ahead(exchange, null, () => refuse(exchange, fail('METHOD_NOT_ALLOWED', { method: exchange.method.toUpperCase(), path: exchange.path, allowed }), log));
    };
    // One by one: `any` comes after every route of the method itself, and `GET /runs/wait` would be the run "wait".
    for (const method of ['get', 'head', 'post', 'put', 'patch', 'delete'] as const) {
      if (!methods.includes(method.toUpperCase()) && !absentAt.get(pattern)?.some((one) => one === method)) app[method === 'delete' ? 'del' : method](pattern, notAllowed);
    }
    app.any(pattern, notAllowed);
  }
  for (const { method, path } of switchedOff) app[method === 'delete' ? 'del' : method](mountPrefix + path, notFound);
  app.any('/*', notFound);
}

/** A request's life: copied, its body read, checked part by part, handled, answered. */
function bind(route: Route, services: Services, log: Logger, bodyBytesMax: number, accept: Accept, ahead: Ahead): (res: HttpResponse, req: HttpRequest) => void {
  const readQuery = route.schemas.query === null ? null : queryReader(route.schemas.query);
  const bytesMax = route.largeBody ? bodyBytesMax : route.action === 'public' ? LIMITS.strangerBodyBytesMax : LIMITS.queryBodyBytesMax;

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
      checkEach(route, asked.body);
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
    const part = wanted.body === null ? 'query' : 'body';
    const isList = wanted.each !== null && Array.isArray(asked[part]);
    const given = isList ? asked[part] as unknown[] : [asked[part]];
    const shown = given.map((one) => shownOf(wanted, { ...asked, [part]: one }));
    const chars = shown.reduce((sum, one) => sum + one.chars, 0);
    if (shown.length > 1 && chars > LIMITS.shownListCharsMax) throw fail('INVALID_REQUEST', { problems: `body: is too large to be shown to the auth handler: more than ${LIMITS.shownListCharsMax} characters` });
    const { caller, values } = await access.ask(facts, wanted.action, also, shown.map(({ value }) => value), wanted.looks);
    const counts = given.map((one, at) => taken(wanted, one, shown[at]!, values[at]!));
    if (counts.every((one, at) => one === given[at])) return { caller };
    const changed = isList ? counts : counts[0];
    check(part, wanted[part], changed);
    if (part === 'body') checkEach(wanted, changed);
    return { caller, [part]: changed };
  };

  const trace = requestSpans(services.spans, route);
  return (res, req) => {
    const exchange = accept(res, req);
    trace?.(exchange);
    let params: Record<string, string>;
    try {
      params = pathParams(route, req);
    } catch (error) {
      refuse(exchange, error, log, route.errors);
      return;
    }
    ahead(exchange, route, () => { respond(exchange, params).catch((error: unknown) => refuse(exchange, error, log, route.errors)); });
  };
}

async function answer(exchange: Exchange, route: Route, context: RequestContext<unknown, unknown, unknown>, services: Services): Promise<void> {
  if (exchange.gone) return;
  exchange.caller = context.caller.identity;
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

interface ShownPart {
  value: JsonObject;
  chars: number;
  /** What is too large to be shown. */
  hidden: JsonObject;
  hiddenArguments: JsonObject;
}

/** What was asked, or one part of it, with what the handler changed in what it was shown. */
function taken(route: Route, asked: unknown, { value, hidden, hiddenArguments }: ShownPart, changed: JsonObject | null): unknown {
  const { kind, verb } = kindOf(route.action);
  // What was stamped on a search narrows the caller's filter; on evaluation results it travels with the caller.
  if (changed === null || !isObject(asked) || !(TAKES_BACK.has(verb) || kind === 'store')) return asked;
  const { metadata, ...rest } = changedIn(value, changed);
  const stored = metadata !== undefined && route.errors === 'agent' && STORES.has(verb);
  const back: JsonObject = { ...rest, ...hidden, ...(stored ? { metadata } : {}) };
  if (isObject(back['kwargs'])) back['kwargs'] = { ...back['kwargs'], ...hiddenArguments };
  return (route.shown ?? PLAINLY).back(asked, back);
}

/** What a handler is shown of a request. */
function shownOf(route: Route, asked: Asked): ShownPart {
  const all = (route.shown ?? PLAINLY).value(asked);
  const metadata = route.errors === 'agent' && STORES.has(kindOf(route.action).verb) ? asObject(all['metadata']) : {};
  const [value, hidden] = withoutLarge({ ...all, metadata }, ALWAYS_SHOWN);
  const [kwargs, hiddenArguments] = isObject(value['kwargs']) ? withoutLarge(value['kwargs'], NONE) : [undefined, {}];
  if (kwargs !== undefined) value['kwargs'] = kwargs;
  const chars = JSON.stringify(value).length;
  if (chars > LIMITS.shownCharsMax) throw fail('INVALID_REQUEST', { problems: `body.metadata: is too large to be shown to the auth handler: more than ${LIMITS.shownCharsMax} characters` });
  return { value, chars, hidden, hiddenArguments };
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

/** Of a body that is a list, every element; of one that may be one, itself. */
function checkEach({ each }: Route, body: unknown): void {
  if (each === null) return;
  if (!Array.isArray(body)) {
    check('body', each, body);
    return;
  }
  for (const [at, one] of (body as unknown[]).entries()) {
    if (!each(one)) throw refusal('body', furthest(each.errors ?? []).map((problem) => ({ ...problem, loc: [at, ...problem.loc] })));
  }
}

function refuse(exchange: Exchange, thrown: unknown, log: Logger, form: ErrorForm = 'agent'): void {
  const { status, body, headers } = wireError(thrown, log, form, exchange.requestId);
  // The rest of a body that is too large is not read, nor is one that does not come.
  exchange.reply(status, { 'content-type': 'application/json', ...headers }, body, status === 413 || status === 408);
}
