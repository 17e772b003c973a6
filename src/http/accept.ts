import type { Logger } from '../base/log.js';
import { wireError, type ErrorForm } from './errors.js';
import type { Exchange } from './exchange.js';
import type { Route } from './route.js';
import type { HttpRequest, HttpResponse } from './uws.js';

/** Copies a request as it comes in; knows what every answer carries. */
export type Accept = (res: HttpResponse, req: HttpRequest) => Exchange;

/** Lets the project's own app have the request first, then the built-in route, if the app leaves it one. In the request's own turn where there is no app. */
export type Ahead = (exchange: Exchange, route: Route | null, builtIn: () => void) => void;

/** Answers with what was thrown. */
export function refuse(exchange: Exchange, thrown: unknown, log: Logger, form: ErrorForm = 'agent'): void {
  const { status, body, headers } = wireError(thrown, log, form, exchange.requestId);
  // The rest of a body that is too large is not read, nor is one that does not come.
  exchange.reply(status, { 'content-type': 'application/json', ...headers }, body, status === 413 || status === 408);
}
