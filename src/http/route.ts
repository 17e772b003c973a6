import type { Action } from '../domain/actions.js';
import type { Caller } from '../domain/caller.js';
import type { Feature, Group } from '../domain/features.js';
import type { JsonObject } from '../base/json/json.js';
import type { Validator } from '../../schemas/validator.js';
import type { Services } from '../services/context.js';
import type { ErrorForm } from './errors.js';
import type { BodyType } from './body-type.js';
import type { Exchange } from './transport/exchange.js';
import type { Headers } from './transport/request-copy.js';
import type { OpenTalk } from './transport/web-socket.js';

export interface RequestContext<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  /** The body as it was sent; empty when the route reads it itself or has none. */
  bytes: Uint8Array;
  caller: Caller;
  headers: Headers;
  exchange: Exchange;
}

/** What a handler answers: JSON text, or nothing when it writes the answer itself. */
export interface Reply {
  status: number;
  /** JSON text unless `contentType` says otherwise. */
  body: string | Uint8Array;
  headers?: Headers;
  contentType?: string;
}

/** A request as it was checked, before it is known who asks. */
export interface Asked {
  params: Readonly<Record<string, string>>;
  query: unknown;
  body: unknown;
}

/** What the developer's access handler is shown of a request, and what of it counts that the handler changed. */
export interface Shown {
  value(asked: Asked): JsonObject;
  /** What was asked, with what the handler changed: the body, or the query of a route without one. */
  back(asked: JsonObject, changed: JsonObject): JsonObject;
}

/**
 * Which pages of other origins a route serves, beyond what `http.cors` says (http/access/cross-origin.ts):
 * - `never`: while nobody has to authenticate, none at all;
 * - `allowed`: those that `http.cors` allows;
 * - `links`: besides, somebody may follow a link of any page there;
 * - `always`: all of them, since the answer is the same for everyone, or the address itself is a secret.
 */
export type CrossSite = 'never' | 'allowed' | 'links' | 'always';

/** Whose the body may be instead. */
export interface Shared {
  with: Route;
  group: Group;
  when: (bytes: Uint8Array) => boolean;
}

export interface RouteSpec<P, Q, B> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** `:name` for a path parameter. */
  path: string;
  /** What it does to what; required, so that no route can forget it. */
  action: Action;
  /** Further actions that must be allowed: a run also reads its assistant. */
  also?: readonly Action[];
  /** Further ones that what is asked makes needful: to cancel a run when the reader goes away is no reading. */
  needs?: (asked: Asked) => readonly Action[];
  /** Further kinds of records that are read where a handler lets the user read them; where not, they are not seen. Keys see all. */
  looks?: readonly Action[];
  /** Path, query and body when not given. */
  shown?: Shown;
  /** The body is a list, or may be one: what each element of it is. An access handler is asked about each. */
  each?: Validator<unknown>;
  summary: string;
  params?: Validator<P>;
  query?: Validator<Q>;
  body?: Validator<B>;
  /** The body carries what a user made, not a question: the server's general limit applies, not the small one. */
  largeBody?: boolean;
  /** Of a body that is over the small limit, whether it may be: told from its bytes. */
  mayBeLarge?: (bytes: Buffer) => boolean;
  /** The large part of the body is the input of a run, which the HTTP layer does not look into. */
  largeInput?: boolean;
  /** Content types that the body may have; JSON when not given. */
  bodyTypes?: readonly BodyType[];
  /** `never` for routes about the server itself, `allowed` for all others when not given. */
  crossSite?: CrossSite;
  /** Form of its errors; `agent` when not given. */
  errors?: ErrorForm;
  /** Another route's body may come to this address: it answers then. */
  shared?: Shared;
  /** Name of the schema of a body that the handler takes itself, for /openapi.json. */
  takes?: string;
  /** Names of the schemas, for /openapi.json. */
  schemas?: { params?: string; query?: string; body?: string };
  /** The same address as a WebSocket. Opening one is admitted as the route is, without a body. */
  socket?: OpenTalk;
  /** Methods that are answered as if there were no such address, where clients want 404 and not 405. */
  absent?: readonly RouteSpec<P, Q, B>['method'][];
  handle(context: RequestContext<P, Q, B>, services: Services): Reply | null | Promise<Reply | null>;
}

/** A route as the server keeps it: flat, every slot present. */
export interface Route {
  readonly method: RouteSpec<unknown, unknown, unknown>['method'];
  readonly path: string;
  readonly paramNames: readonly string[];
  readonly action: Action;
  readonly also: readonly Action[];
  readonly needs: (asked: Asked) => readonly Action[];
  readonly looks: readonly Action[];
  readonly shown: Shown | null;
  readonly each: Validator<unknown> | null;
  readonly summary: string;
  readonly params: Validator<unknown> | null;
  readonly query: Validator<unknown> | null;
  readonly body: Validator<unknown> | null;
  readonly largeBody: boolean;
  readonly mayBeLarge: (bytes: Buffer) => boolean;
  readonly largeInput: boolean;
  readonly bodyTypes: readonly BodyType[];
  readonly crossSite: CrossSite | null;
  readonly errors: ErrorForm;
  /** The same route under another prefix is the one to document. */
  readonly alias: boolean;
  readonly shared: Shared | null;
  readonly socket: OpenTalk | null;
  readonly absent: readonly RouteSpec<unknown, unknown, unknown>['method'][];
  readonly schemas: { params: string | null; query: string | null; body: string | null };
  readonly handle: (
    context: RequestContext<never, never, never>,
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
    also: spec.also ?? [],
    needs: spec.needs ?? (() => []),
    looks: spec.looks ?? [],
    shown: spec.shown ?? null,
    each: spec.each ?? null,
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
    shared: spec.shared ?? null,
    socket: spec.socket ?? null,
    absent: spec.absent ?? [],
    schemas: {
      params: spec.schemas?.params ?? null,
      query: spec.schemas?.query ?? null,
      body: spec.schemas?.body ?? spec.takes ?? null,
    },
    handle: spec.handle as Route['handle'],
  };
}

/** The same routes under several prefixes: clients spell the base address in several ways. The first is the one to document. */
export function mountedAt(prefixes: readonly string[], routes: readonly Route[]): Route[] {
  return prefixes.flatMap((prefix, at) =>
    routes.map((route) => ({ ...route, path: `${prefix}${route.path}`, alias: at > 0 })),
  );
}

/** What a process that watches over the server asks. */
export const OK_PATH = '/ok';

/** A route in the table of a server. */
export interface ServedRoute extends Route {
  readonly group: Group;
}

/** Routes of one group: what is not in a group cannot be served. */
export function inGroup(group: Group, routes: readonly Route[]): ServedRoute[] {
  return routes.map((route) => ({ ...route, group }));
}

export function isOff(group: Group, disabled: ReadonlySet<Feature>): boolean {
  return (disabled as ReadonlySet<Group>).has(group);
}

/** The table without what is switched off. An address that two groups share stays with the one that is left. */
export function withoutDisabled(table: readonly ServedRoute[], disabled: ReadonlySet<Feature>): ServedRoute[] {
  return table.flatMap((route): ServedRoute[] => {
    if (!isOff(route.group, disabled)) return [route];
    return route.shared === null
      ? []
      : [{ ...route.shared.with, path: route.path, alias: true, group: route.shared.group }];
  });
}

export function json(body: string | Uint8Array, headers: Headers = {}, status = 200): Reply {
  return { status, body, headers };
}
