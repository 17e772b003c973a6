import type { Logger } from '../../base/log/log.js';
import { wireError, type ErrorForm } from '../errors.js';
import type { Exchange } from './exchange.js';
import type { Route } from '../route.js';
import type { HttpRequest, HttpResponse } from './uws.js';

/** Copies a request as it comes in; knows what every answer carries. */
export type Accept = (res: HttpResponse, req: HttpRequest) => Exchange;

/**
 * What comes before every built-in route: pages that may not use the server are refused, then the project's own app may answer. `builtIn`
 * is called if it does not, in the request's own turn where there is no app. `onRefused` answers in another way than with an error.
 */
export type Ahead = (
  exchange: Exchange,
  route: Route | null,
  builtIn: () => void,
  onRefused?: (error: unknown) => void,
) => void;

/** Answers with what was thrown. */
export function refuse(exchange: Exchange, thrown: unknown, log: Logger, form: ErrorForm = 'agent'): void {
  const { status, body, headers } = wireError(thrown, log, form, exchange.requestId);
  // The rest of a body that is too large is not read, nor is one that does not come.
  exchange.reply(status, { 'content-type': 'application/json', ...headers }, body, status === 413 || status === 408);
}
