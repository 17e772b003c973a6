import { changesData, type Action } from '../domain/actions.js';
import type { Caller } from '../domain/caller.js';
import type { Feature, RouteGroup } from '../domain/features.js';
import type { JsonObject } from '../base/json/json.js';
import type { Validator } from '../../schemas/validator.js';
import type { Services } from '../services/context.js';
import type { REVIEWS } from '../store/access/key-scopes.js';
import type { ErrorFormat } from './errors.js';
import type { BodyType } from './body-type.js';
import type { Exchange } from './transport/exchange.js';
import type { Headers } from './transport/request-copy.js';
import type { ResponseHeaders } from './transport/response-head.js';
import type { OpenSocket } from './transport/web-socket.js';

export interface HandlerContext<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  /** The request body as sent; empty when the route reads the body itself or has none. */
  bytes: Uint8Array;
  caller: Caller;
  headers: Headers;
  exchange: Exchange;
}

/** The response of a handler. A handler returns null when it writes the response itself. */
export interface Reply {
  status: number;
  /** JSON text, unless `contentType` is set. */
  body: string | Uint8Array;
  headers?: ResponseHeaders;
  contentType?: string;
}

/** A validated request, before authentication. */
export interface ParsedRequest {
  params: Readonly<Record<string, string>>;
  query: unknown;
  body: unknown;
}

/** Defines what the project's auth handler sees of a request, and how its changes are merged back. */
export interface AuthView {
  buildValue(request: ParsedRequest): JsonObject;
  /** Merges the handler's changes into the body, or into the query of a route without a body. */
  applyChanges(request: JsonObject, changed: JsonObject): JsonObject;
}

/**
 * Which pages of other origins a route serves, in addition to `http.cors` (http/access/cross-origin.ts):
 * - `never`: none while authentication is off;
 * - `allowed`: pages of the origins that `http.cors` allows;
 * - `links`: as `allowed`, and any page may link to the route;
 * - `always`: all pages, because the response is the same for everyone, or the URL itself is a secret.
 */
export type CrossSite = 'never' | 'allowed' | 'links' | 'always';

/** A second route at the same address, selected by the body. */
export interface AlternativeRoute {
  route: Route;
  group: RouteGroup;
  matches: (bytes: Uint8Array) => boolean;
}

export interface RouteSpec<P, Q, B> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Path parameters are written `:name`. */
  path: string;
  /** The action that is authorized. Required, so that no route can omit it. */
  action: Action;
  /** Additional actions that must be allowed, such as reading the assistant of a run. */
  additionalActions?: readonly Action[];
  /** Additional actions that depend on the request, such as canceling the run when the reader disconnects. */
  conditionalActions?: (request: ParsedRequest) => readonly Action[];
  /** A scope that allows this route's actions on experiments, and not those of others. */
  sufficientScope?: typeof REVIEWS;
  /**
   * Other kinds of records that the response contains if the auth handler lets the user read them. API keys can
   * read all of them.
   */
  relatedReads?: readonly Action[];
  /** Default: all of path, query and body. */
  authView?: AuthView;
  /** Validates each element of a body that is, or may be, a list. The auth handler is called for each element. */
  elementValidator?: Validator<unknown>;
  summary: string;
  params?: Validator<P>;
  query?: Validator<Q>;
  body?: Validator<B>;
  /**
   * The body carries user data and not a query, so the server's general size limit applies instead of the small
   * one.
   */
  largeBody?: boolean;
  /** Decides from the bytes of a body whether it may exceed the small limit. */
  mayBeLarge?: (bytes: Buffer) => boolean;
  /** Requests are in the audit log. */
  audited?: boolean;
  /** The large part of the body is the input of a run. The HTTP layer does not look into it. */
  largeInput?: boolean;
  /** Content types that the body may have; default: JSON. */
  bodyTypes?: readonly BodyType[];
  /** Default: `never` for routes about the server itself, `allowed` for all others. */
  crossSite?: CrossSite;
  /** Format of its errors; default: `agent`. */
  errors?: ErrorFormat;
  /** Another route that answers at this address, depending on the body. */
  alternative?: AlternativeRoute;
  /** Name of the schema of a body that the handler parses itself, for /openapi.json. */
  bodySchema?: string;
  /** Names of the schemas, for /openapi.json. */
  schemas?: { params?: string; query?: string; body?: string };
  /** A WebSocket at the same address. Opening one is authorized like the route, without a body. */
  openSocket?: OpenSocket;
  /** Methods that get 404 instead of 405, because clients expect that. */
  notFoundMethods?: readonly RouteSpec<P, Q, B>['method'][];
  handle(context: HandlerContext<P, Q, B>, services: Services): Reply | null | Promise<Reply | null>;
}

/** A route with all defaults filled in. */
export interface Route {
  readonly method: RouteSpec<unknown, unknown, unknown>['method'];
  readonly path: string;
  readonly paramNames: readonly string[];
  readonly action: Action;
  /** Requests may change records, so they are refused while no commit can become durable. */
  readonly changesData: boolean;
  readonly additionalActions: readonly Action[];
  readonly conditionalActions: (request: ParsedRequest) => readonly Action[];
  readonly sufficientScope: typeof REVIEWS | null;
  readonly audited: boolean;
  readonly relatedReads: readonly Action[];
  readonly authView: AuthView | null;
  readonly elementValidator: Validator<unknown> | null;
  readonly summary: string;
  readonly params: Validator<unknown> | null;
  readonly query: Validator<unknown> | null;
  readonly body: Validator<unknown> | null;
  readonly largeBody: boolean;
  readonly mayBeLarge: (bytes: Buffer) => boolean;
  readonly largeInput: boolean;
  readonly bodyTypes: readonly BodyType[];
  readonly crossSite: CrossSite | null;
  readonly errors: ErrorFormat;
  /** True for copies under further prefixes, which are not documented. */
  readonly alias: boolean;
  readonly alternative: AlternativeRoute | null;
  readonly openSocket: OpenSocket | null;
  readonly notFoundMethods: readonly RouteSpec<unknown, unknown, unknown>['method'][];
  readonly schemas: { params: string | null; query: string | null; body: string | null };
  readonly handle: (
    context: HandlerContext<never, never, never>,
    services: Services,
  ) => Reply | null | Promise<Reply | null>;
}

const JSON_BODY: readonly BodyType[] = ['json'];

export function defineRoute<P = undefined, Q = undefined, B = undefined>(spec: RouteSpec<P, Q, B>): Route {
  return {
    method: spec.method,
    path: spec.path,
    paramNames: [...spec.path.matchAll(/:(\w+)/g)].map((match) => match[1]!),
    action: spec.action,
    changesData: changesData(spec.action),
    additionalActions: spec.additionalActions ?? [],
    conditionalActions: spec.conditionalActions ?? (() => []),
    sufficientScope: spec.sufficientScope ?? null,
    audited: spec.audited ?? false,
    relatedReads: spec.relatedReads ?? [],
    authView: spec.authView ?? null,
    elementValidator: spec.elementValidator ?? null,
    summary: spec.summary,
    params: spec.params ?? null,
    query: spec.query ?? null,
    body: spec.body ?? null,
    largeBody: spec.largeBody ?? false,
    mayBeLarge: spec.mayBeLarge ?? (() => true),
    largeInput: spec.largeInput ?? false,
    bodyTypes: spec.bodyTypes ?? JSON_BODY,
    crossSite: spec.crossSite ?? null,
    errors: spec.errors ?? 'agent',
    alias: false,
    alternative: spec.alternative ?? null,
    openSocket: spec.openSocket ?? null,
    notFoundMethods: spec.notFoundMethods ?? [],
    schemas: {
      params: spec.schemas?.params ?? null,
      query: spec.schemas?.query ?? null,
      body: spec.schemas?.body ?? spec.bodySchema ?? null,
    },
    handle: spec.handle as Route['handle'],
  };
}

/**
 * Mounts the same routes under several prefixes, because clients use different base URLs. The first prefix is
 * the documented one.
 */
export function mountRoutes(prefixes: readonly string[], routes: readonly Route[]): Route[] {
  return prefixes.flatMap((prefix, at) =>
    routes.map((route) => ({ ...route, path: `${prefix}${route.path}`, alias: at > 0 })),
  );
}

/** People who review may send the requests that change something: the scope `reviews` is sufficient for them. */
export function allowReviews(routes: readonly Route[]): Route[] {
  return routes.map((route) => (route.changesData ? { ...route, sufficientScope: 'reviews' } : route));
}

/** Changes through these routes are in the audit log; with `actions`, only those. */
export function auditChanges(routes: readonly Route[], actions: readonly Action[] | null = null): Route[] {
  return routes.map((route) => {
    const changes = route.changesData && route.method !== 'get';
    return changes && (actions === null || actions.includes(route.action)) ? { ...route, audited: true } : route;
  });
}

/** Health checks request this path. */
export const OK_PATH = '/ok';
export const METRICS_PATH = '/metrics';

/** The base URL of the server. */
export const ROOT_PATH = '/';

/** A route in a server's route table. */
export interface ServedRoute extends Route {
  readonly group: RouteGroup;
}

/** True for routes that monitoring requests all the time: they would flood the log, and are no load of users. */
export function isAboutServer(route: ServedRoute | null): boolean {
  return route !== null && (route.group === 'health' || route.group === 'meta');
}

/** Assigns routes to a group. Only routes with a group can be served. */
export function assignGroup(group: RouteGroup, routes: readonly Route[]): ServedRoute[] {
  return routes.map((route) => ({ ...route, group }));
}

export function isDisabled(group: RouteGroup, disabled: ReadonlySet<Feature>): boolean {
  return (disabled as ReadonlySet<RouteGroup>).has(group);
}

/** Removes the routes of disabled features. A path shared by two groups stays with the enabled one. */
export function removeDisabled(table: readonly ServedRoute[], disabled: ReadonlySet<Feature>): ServedRoute[] {
  return table.flatMap((route): ServedRoute[] => {
    if (!isDisabled(route.group, disabled)) return [route];
    return route.alternative === null
      ? []
      : [{ ...route.alternative.route, path: route.path, alias: true, group: route.alternative.group }];
  });
}

export function jsonReply(body: string | Uint8Array, headers: Headers = {}, status = 200): Reply {
  return { status, body, headers };
}
