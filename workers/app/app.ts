import { AsyncLocalStorage } from 'node:async_hooks';
import { isObject } from '../../src/base/json/json.js';
import type { AppPath } from '../../src/wire/user-code/app.js';
import { rememberJson, type HonoRequest } from './changed-body.js';

/** What is needed of a Hono context. */
export interface HonoContext {
  req: HonoRequest;
}

/** What happens to a request that none of the app's routes takes. */
type PassOn = (context: HonoContext) => Promise<Response>;

type Middleware = (context: HonoContext, next: () => Promise<void>) => Promise<void>;

interface Hono {
  constructor: unknown;
  /** How it finds the path of a request: with `strict: false` not as others do. */
  getPath: unknown;
  use: (path: string, middleware: Middleware) => unknown;
  route: (path: string, app: Hono) => unknown;
  fetch: (request: Request, env?: unknown, context?: unknown) => Response | Promise<Response>;
  routes: readonly { method: string; path: string }[];
  notFound: (handler: PassOn) => unknown;
}

export interface App {
  /** Calls the app. `passOn` is what the request meets where the app's routes end; a plain fetch function has no such place. */
  fetch(request: Request, env: object, context: object, passOn: PassOn): Promise<Response>;
  /** A 404 of a plain fetch function means that the request is not its own; Hono says so by `passOn`. */
  readonly plain: boolean;
  /** Null: unknown. */
  readonly paths: readonly AppPath[] | null;
}

/** The app that a module exports (a Hono app, an object with `fetch`, a function), or why it is none. Told by its shape: the project brings its own copy of Hono. */
export function appOf(exported: unknown): App | string {
  const fetch: unknown =
    typeof exported === 'function'
      ? exported
      : isObject(exported)
        ? (exported as Record<string, unknown>)['fetch']
        : undefined;
  if (typeof fetch !== 'function')
    return 'is no HTTP app: export a Hono app, or an object with a fetch(request) function';
  if (isHono(exported)) return honoApp(exported);
  const owner = typeof exported === 'function' ? undefined : exported;
  return {
    plain: true,
    paths: null,
    fetch: async (request, env, context) => (fetch as Hono['fetch']).call(owner, request, env, context),
  };
}

function isHono(exported: unknown): exported is Hono {
  if (typeof exported !== 'object' || exported === null) return false;
  const { routes, notFound } = exported as Record<string, unknown>;
  return Array.isArray(routes) && typeof notFound === 'function';
}

function honoApp(app: Hono): App {
  const current = new AsyncLocalStorage<PassOn>();
  // Around the project's app one of the same make: the first middleware and the last word are ours.
  const outer = new (app.constructor as new () => Hono)();
  outer.getPath = app.getPath;
  outer.use('*', async ({ req }, next) => {
    rememberJson(req);
    await next();
  });
  outer.route('/', app);
  // Where the routes end, inside all middleware: here the built-in routes come in.
  outer.notFound((context) => current.getStore()!(context));
  return {
    plain: false,
    paths: app.routes.map(({ method, path }) => ({
      method: method === 'ALL' ? null : method,
      prefix: literalOf(path),
    })),
    fetch: (request, env, context, passOn) => current.run(passOn, async () => outer.fetch(request, env, context)),
  };
}

/** What every path that matches begins with: `/users/:id` and `/users/*` begin with `/users`, `/items/new?` with `/items`. */
function literalOf(path: string): string {
  const special = path.search(/[:*{?]/);
  if (special === -1) return path.replace(/\/$/, '');
  return path.slice(0, path.lastIndexOf('/', special)).replace(/\/$/, '');
}
