import type { Logger } from '../base/log/log.js';
import type { CrossOriginGuard } from './access/cross-origin.js';
import type { CustomApp } from './custom-app.js';
import type { Route } from './route.js';
import { sendError } from './send-error.js';
import type { Exchange } from './transport/exchange.js';
import type { HttpRequest, HttpResponse } from './transport/http-app.js';

/** Copies a request in the route's callback. Knows the headers that every response carries. */
export type CreateExchange = (res: HttpResponse, req: HttpRequest) => Exchange;

/**
 * Runs before every built-in route: refuses web pages that may not use the server, then lets the project's own app
 * respond. `next` is called if neither responds; without an app it is called synchronously. `onRefused` replaces the
 * error response.
 */
export type PreHandler = (
  exchange: Exchange,
  route: Route | null,
  next: () => void,
  onRefused?: (error: unknown) => void,
) => void;

export function createPreHandler(crossOrigin: CrossOriginGuard, customApp: CustomApp | null, log: Logger): PreHandler {
  return (exchange, route, next, onRefused = (error) => sendError(exchange, error, log, route?.errors)) => {
    const refusal = crossOrigin.findRefusal(exchange, route);
    if (refusal !== null) onRefused(refusal);
    else if (customApp === null || !customApp.mayHandle(exchange, route)) next();
    else
      void customApp
        .runBefore(exchange, route)
        .then((continues) => {
          if (continues) next();
        })
        .catch(onRefused);
  };
}
