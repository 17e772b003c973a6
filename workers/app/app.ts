import { AsyncLocalStorage } from 'node:async_hooks';
import { isObject } from '../../src/base/json/json.js';
import type { AppPath } from '../../src/wire/user-code/app.js';
import { cacheJson, type HonoRequest } from './changed-body.js';

/** The parts of a Hono context that are used here. */
export interface HonoContext {
  req: HonoRequest;
}

/** Handles a request that matches none of the app's routes. */
type PassOn = (context: HonoContext) => Promise<Response>;

type Middleware = (context: HonoContext, next: () => Promise<void>) => Promise<void>;

interface Hono {
  constructor: unknown;
  /** How the app finds the path of a request; `strict: false` changes it. */
  getPath: unknown;
  use: (path: string, middleware: Middleware) => unknown;
  route: (path: string, app: Hono) => unknown;
  fetch: (request: Request, env?: unknown, context?: unknown) => Response | Promise<Response>;
  routes: readonly { method: string; path: string }[];
  notFound: (handler: PassOn) => unknown;
}

export interface App {
  /**
   * Calls the app. `passOn` handles requests that match none of the app's routes. A plain fetch function never
   * calls it.
   */
  fetch(request: Request, env: object, context: object, passOn: PassOn): Promise<Response>;
  /** True for a plain fetch function. Its 404 means that the request is not its own, while Hono calls `passOn`. */
  readonly isPlainFetch: boolean;
  /** Null: unknown. */
  readonly paths: readonly AppPath[] | null;
}

/**
 * Returns the app that a module exports (a Hono app, an object with `fetch`, or a function), or an error text.
 * Recognized by its shape, because the project brings its own copy of Hono.
 */
export function toApp(exported: unknown): App | string {
  const fetch: unknown =
    typeof exported === 'function'
      ? exported
      : isObject(exported)
        ? (exported as Record<string, unknown>)['fetch']
        : undefined;
  if (typeof fetch !== 'function')
    return 'is not an HTTP app: export a Hono app, or an object with a fetch(request) function';
  if (isHono(exported)) return wrapHono(exported);
  const owner = typeof exported === 'function' ? undefined : exported;
  return {
    isPlainFetch: true,
    paths: null,
    fetch: async (request, env, context) => (fetch as Hono['fetch']).call(owner, request, env, context),
  };
}

function isHono(exported: unknown): exported is Hono {
  if (typeof exported !== 'object' || exported === null) return false;
  const { routes, notFound } = exported as Record<string, unknown>;
  return Array.isArray(routes) && typeof notFound === 'function';
}

function wrapHono(app: Hono): App {
  const current = new AsyncLocalStorage<PassOn>();
  // Wrap the project's app in another one of the same class, so that our middleware runs first and our handler
  // last.
  const outer = new (app.constructor as new () => Hono)();
  outer.getPath = app.getPath;
  outer.use('*', async ({ req }, next) => {
    cacheJson(req);
    await next();
  });
  outer.route('/', app);
  // Requests that match no route reach this handler inside all middleware. It calls the built-in routes.
  outer.notFound((context) => current.getStore()!(context));
  return {
    isPlainFetch: false,
    paths: app.routes.map(({ method, path }) => ({
      method: method === 'ALL' ? null : method,
      prefix: literalPrefix(path),
    })),
    fetch: (request, env, context, passOn) => current.run(passOn, async () => outer.fetch(request, env, context)),
  };
}

/**
 * The literal prefix of all paths that match: `/users` for `/users/:id` and `/users/*`, `/items` for
 * `/items/new?`.
 */
function literalPrefix(path: string): string {
  const special = path.search(/[:*{?]/);
  if (special === -1) return path.replace(/\/$/, '');
  return path.slice(0, path.lastIndexOf('/', special)).replace(/\/$/, '');
}
