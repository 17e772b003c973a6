import type { Logger } from '../base/log/log.js';
import { toWireError, type ErrorFormat } from './errors.js';
import type { Exchange } from './transport/exchange.js';

/** Sends what was thrown as a response, in the error format of the route. */
export function sendError(exchange: Exchange, thrown: unknown, log: Logger, form: ErrorFormat = 'agent'): void {
  const { status, body, headers } = toWireError(thrown, log, form, exchange.requestId);
  // The rest of a body that is too large or too slow is not read, so the connection cannot be used again.
  const close = status === 413 || status === 408;
  exchange.reply(status, { 'content-type': 'application/json', ...headers }, body, close);
}
