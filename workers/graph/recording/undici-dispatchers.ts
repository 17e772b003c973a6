import { AsyncLocalStorage } from 'node:async_hooks';
import { stringify } from 'node:querystring';
import { types } from 'node:util';

/** Options of a request, as the functions of undici pass them to a dispatcher. */
export interface DispatchOptions {
  origin?: string | URL;
  path: string;
  method?: string;
  query?: Record<string, string>;
  headers?: unknown;
  body?: unknown;
  upgrade?: unknown;
}

/** Methods by name: `onHeaders` and others up to version 7 of undici, `onResponseStart` and others from 7 on. */
export type DispatchHandler = Record<string, ((...args: unknown[]) => unknown) | undefined>;

export type Dispatch = (options: DispatchOptions, handler: DispatchHandler) => boolean;

/** Takes the place of `send`, the dispatcher's own function. */
export type Intercept = (options: DispatchOptions, handler: DispatchHandler, send: Dispatch) => boolean;

/** Where all copies of undici in a thread, and Node's own, keep their dispatcher. Version 8 reads `.2` and sets both. */
const PLACES = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];

const insideFetch = new AsyncLocalStorage<true>();

/**
 * Gives the requests of the package `undici` that go through its global dispatcher to `intercept`, whichever dispatcher
 * that is. Those of the built-in `fetch` and of WebSockets go on as they are.
 */
export function interceptDispatchers(intercept: Intercept): void {
  markFetch();
  const known = new WeakSet<object>();
  const intercepted = (dispatcher: unknown): unknown => {
    if (typeof dispatcher !== 'object' || dispatcher === null || known.has(dispatcher)) return dispatcher;
    const result = interceptedDispatcher(dispatcher as { dispatch: Dispatch }, intercept);
    known.add(result);
    return result;
  };
  const places: Record<symbol, unknown> = globalThis as never;
  for (const place of PLACES) if (place in places) places[place] = intercepted(places[place]);
  // `setGlobalDispatcher` of undici defines the property, so a setter would not be called.
  const { defineProperty } = Object;
  Object.defineProperty = <T>(target: T, name: PropertyKey, attributes: PropertyDescriptor & ThisType<unknown>): T =>
    (target as unknown) === globalThis && PLACES.includes(name as symbol)
      ? defineProperty(target, name, { ...attributes, value: intercepted(attributes.value) })
      : defineProperty(target, name, attributes);
}

/** The built-in `fetch` uses the same dispatcher. Its requests are recorded and answered where it is called. */
function markFetch(): void {
  const original = globalThis.fetch;
  globalThis.fetch = async function fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    return insideFetch.run(true, original, input, init);
  };
}

/** Version 8 puts a dispatcher for older versions around its own. A request is intercepted in the outer one. */
let isInside = false;

function interceptedDispatcher(dispatcher: { dispatch: Dispatch }, intercept: Intercept): object {
  const original = dispatcher.dispatch;
  const send: Dispatch = (options, handler) => {
    isInside = true;
    try {
      return original.call(dispatcher, options, handler);
    } finally {
      isInside = false;
    }
  };
  const dispatch: Dispatch = (options, handler) =>
    isInside || insideFetch.getStore() === true || !isRequest(options, handler)
      ? original.call(dispatcher, options, handler)
      : intercept(options, handler, send);
  // One with interceptors is a proxy, which would give the property to the dispatcher inside of it.
  if (types.isProxy(dispatcher))
    return new Proxy(dispatcher, {
      get: (target, key): unknown => (key === 'dispatch' ? dispatch : Reflect.get(target, key)),
    });
  Reflect.defineProperty(dispatcher, 'dispatch', { value: dispatch, writable: true, configurable: true });
  return dispatcher;
}

/** False for what the dispatcher itself refuses, and for connections that are not requests. */
function isRequest(options: unknown, handler: unknown): boolean {
  if (typeof options !== 'object' || options === null || typeof handler !== 'object' || handler === null) return false;
  const { origin, path, method, upgrade } = options as Partial<DispatchOptions>;
  return Boolean(origin) && typeof path === 'string' && method !== 'CONNECT' && !upgrade;
}

export function methodOf({ method }: DispatchOptions): string {
  return String(method ?? 'GET').toUpperCase();
}

export function urlOf({ origin, path, query }: DispatchOptions): string {
  const url = path.startsWith('/') ? `${String(origin).replace(/\/$/, '')}${path}` : path;
  return query === undefined || query === null ? url : `${url}?${stringify(query)}`;
}
