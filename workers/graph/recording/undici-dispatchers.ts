import { AsyncLocalStorage } from 'node:async_hooks';
import Module from 'node:module';
import { stringify } from 'node:querystring';

/** Options of a request, as the functions of undici pass them to a dispatcher. */
export interface DispatchOptions {
  origin?: string | URL | null;
  path: string;
  method?: string;
  query?: Record<string, string> | null;
  headers?: unknown;
  body?: unknown;
  upgrade?: unknown;
}

/** Methods by name: `onHeaders` and others up to version 7 of undici, `onResponseStart` and others from 7 on. */
export type DispatchHandler = Record<string, ((...args: unknown[]) => unknown) | undefined>;

type Dispatch = (options: DispatchOptions, handler: DispatchHandler) => boolean;

export interface UndiciRequest {
  method: string;
  url: string;
  options: DispatchOptions;
  handler: DispatchHandler;
  /** Goes on with this body and this handler. */
  send(body: unknown, handler: DispatchHandler): boolean;
}

/** Takes the place of a dispatcher's own function. */
export type Intercept = (request: UndiciRequest) => boolean;

/** All dispatchers of a copy of undici, except for those that hand requests to others, inherit `dispatch` from here. */
const BASE_CLASS = './dispatcher-base';

/** Where Node's own undici keeps its dispatcher, which copies that are loaded later use too. */
const GLOBAL_DISPATCHER = Symbol.for('undici.globalDispatcher.1');

/** In the options of a request that has been intercepted: dispatchers hand these on to others inside of them. */
const INTERCEPTED = Symbol('intercepted');

const insideFetch = new AsyncLocalStorage<true>();

/**
 * Gives the requests of the package `undici` to `intercept`, whichever version, function and dispatcher they use. Those
 * of the built-in `fetch` and of WebSockets go on as they are. Call it before user code is loaded.
 */
export function interceptDispatchers(intercept: Intercept): void {
  // Loads Node's own undici. In version 26 of Node it replaces the dispatcher of a package that was loaded before.
  Reflect.get(globalThis, 'Response');
  markFetch();
  const known = new WeakSet<object>();
  const interceptOwner = (start: unknown): void => {
    let owner = start as { dispatch: Dispatch } | null;
    while (owner !== null && !Object.hasOwn(owner, 'dispatch'))
      owner = Object.getPrototypeOf(owner) as { dispatch: Dispatch } | null;
    if (owner === null || known.has(owner)) return;
    known.add(owner);
    owner.dispatch = interceptedDispatch(owner.dispatch, intercept);
  };
  const loader = Module as unknown as { _load(this: unknown, request: string, ...rest: unknown[]): unknown };
  const load = loader._load;
  loader._load = function _load(request, ...rest) {
    const loaded = load.call(this, request, ...rest);
    if (request === BASE_CLASS && typeof loaded === 'function') {
      interceptOwner(loaded.prototype);
      interceptOwner((globalThis as unknown as Record<symbol, object | undefined>)[GLOBAL_DISPATCHER] ?? null);
    }
    return loaded;
  };
}

/** The built-in `fetch` uses such a dispatcher too. Its requests are recorded and answered where it is called. */
function markFetch(): void {
  const original = globalThis.fetch;
  globalThis.fetch = async function fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    return insideFetch.run(true, original, input, init);
  };
}

function interceptedDispatch(original: Dispatch, intercept: Intercept): Dispatch {
  return function dispatch(this: object, options, handler) {
    if (insideFetch.getStore() === true || !isRequest(options, handler)) return original.call(this, options, handler);
    const url = urlOf(options, this);
    if (url === null) return original.call(this, options, handler);
    const send: UndiciRequest['send'] = (body, to) => {
      // Options may inherit some of their values.
      const marked = Object.create(Object.getPrototypeOf(options) as object | null) as DispatchOptions;
      return original.call(this, Object.assign(marked, options, { body, [INTERCEPTED]: true }), to);
    };
    return intercept({ method: (options.method ?? 'GET').toUpperCase(), url, options, handler, send });
  };
}

/** False for what the dispatcher itself refuses, and for connections that are not requests. */
function isRequest(options: unknown, handler: unknown): boolean {
  if (typeof options !== 'object' || options === null || typeof handler !== 'object' || handler === null) return false;
  const { path, method, upgrade } = options as Partial<DispatchOptions>;
  if (INTERCEPTED in options || typeof path !== 'string' || upgrade) return false;
  return method === undefined || (typeof method === 'string' && method !== 'CONNECT');
}

/** Null for a dispatcher of several origins, which hands the request to one for its origin. */
function urlOf({ origin, path, query }: DispatchOptions, dispatcher: object): string | null {
  const address = origin ?? ownOrigin(dispatcher);
  if (address === null) return null;
  const url = path.startsWith('/') ? `${String(address).replace(/\/$/, '')}${path}` : path;
  return query === undefined || query === null ? url : `${url}?${stringify(query)}`;
}

/** The address of a client or pool, which its requests need not repeat. */
function ownOrigin(dispatcher: object): string | null {
  const name = Object.getOwnPropertySymbols(dispatcher).find(({ description }) => description === 'url');
  const url: unknown = name === undefined ? null : (dispatcher as Record<symbol, unknown>)[name];
  return url instanceof URL ? url.origin : null;
}
