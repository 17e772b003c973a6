import type { Logger } from '../base/log/log.js';
import type { Services } from '../services/context.js';
import type { CrossOriginGuard } from './access/cross-origin.js';
import type { CustomApp } from './custom-app.js';
import { pathParams, RequestHandler } from './handle-request.js';
import { createPreHandler, type CreateExchange } from './pre-handler.js';
import { OK_PATH, ROOT_PATH, type Route, type ServedRoute } from './route.js';
import type { RouteTable } from './routes/index.js';
import { Exchange, type OnResponse } from './transport/exchange.js';
import { serveSockets } from './transport/socket.js';
import type { HttpApp } from './transport/http-app.js';
import { UnmatchedRoutes } from './unmatched-routes.js';

export interface MountOptions {
  log: Logger;
  /** Limit of bodies that carry user data. */
  bodyBytesMax: number;
  crossOrigin: CrossOriginGuard;
  /** Prefix of every path. `/ok` is also served without it. */
  mountPrefix: string;
  /** The project's own app, which handles requests first; null: there is none. */
  customApp: CustomApp | null;
  /** Called for every request. */
  onRequest: (exchange: Exchange) => void;
  /** Returns the callback for the end of every request to a route; null: requests that match no route. */
  onResponse: (route: ServedRoute | null) => OnResponse | null;
}

/** Binds the route table to a transport, with 404 and 405 for everything else. */
export function mount(
  app: HttpApp,
  { served, disabled }: RouteTable,
  services: Services,
  { log, bodyBytesMax, crossOrigin, mountPrefix, customApp, onRequest, onResponse }: MountOptions,
): void {
  const exchangeFor = (route: ServedRoute | null): CreateExchange => {
    const callback = onResponse(route);
    return (res, req) => {
      const exchange = new Exchange(res, req, crossOrigin.corsHeaders, callback);
      onRequest(exchange);
      return exchange;
    };
  };
  const createUnmatched = exchangeFor(null);
  const preHandler = createPreHandler(crossOrigin, customApp, log);
  const unmatched = new UnmatchedRoutes(createUnmatched, preHandler, log);

  for (const route of served) {
    // The type requires an action. This check also covers routes that were made in another way.
    if (!route.action) throw new Error(`${route.method} ${route.path} has no action, so nothing would authorize it`);
    const createExchange = exchangeFor(route);
    const { callback } = new RequestHandler(route, { services, log, bodyBytesMax, createExchange, preHandler });
    const path = mountPrefix + route.path;
    // Bound before the route of the same path, which would answer the upgrade.
    if (route.openSocket !== null)
      serveSockets(app, path, route, {
        services,
        log,
        bodyBytesMax,
        createExchange,
        preHandler,
        params: (req) => pathParams(route, req),
      });
    for (const pattern of patternsOf(route, mountPrefix)) {
      app.route(route.method, pattern, callback);
      if (route.method === 'get') app.route('head', pattern, callback);
      unmatched.addBound(pattern, route.method);
    }
  }

  app.route('options', '/*', (res, req) => {
    const exchange = createUnmatched(res, req);
    preHandler(exchange, null, () => exchange.reply(204, crossOrigin.preflightHeaders(exchange.headers), ''));
  });
  unmatched.bind(
    app,
    served.flatMap(({ path, notFoundMethods }) =>
      notFoundMethods.map((method) => ({ method, pattern: mountPrefix + path })),
    ),
  );
  for (const { method, path } of disabled) unmatched.bindNotFound(app, method, mountPrefix + path);
  unmatched.bindFallback(app);
}

function patternsOf({ path }: Route, mountPrefix: string): string[] {
  const pattern = mountPrefix + path;
  if (mountPrefix === '') return [pattern];
  // Health probes ask the port and know no prefix.
  if (path === OK_PATH) return [path, pattern];
  // The base URL that the server prints has no final slash.
  return path === ROOT_PATH ? [mountPrefix, pattern] : [pattern];
}
