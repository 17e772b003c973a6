import { LIMITS } from '../base/limits.js';
import type { Logger } from '../base/log/log.js';
import { encodeStatus, PROTOBUF } from '../wire/evaluation/otlp-response.js';
import { isProtobuf } from './body-type.js';
import { rpcCode, toWireError, type ErrorFormat } from './errors.js';
import type { Exchange } from './transport/exchange.js';

/** Sends what was thrown as a response, in the error format of the route. */
export function sendError(exchange: Exchange, thrown: unknown, log: Logger, form: ErrorFormat = 'agent'): void {
  const { status, body, message, headers } = toWireError(thrown, log, form, exchange.requestId);
  const close = closesConnection(exchange, status);
  if (form === 'otlp' && isProtobuf(exchange))
    exchange.reply(status, { 'content-type': PROTOBUF, ...headers }, encodeStatus(rpcCode(status), message), close);
  else exchange.reply(status, { 'content-type': 'application/json', ...headers }, body, close);
}

/**
 * True if the rest of a refused body is not worth receiving. Otherwise it is received and discarded, because most
 * clients send the whole body before they read the response, and report a closed connection instead of the error.
 */
function closesConnection({ contentLength }: Exchange, status: number): boolean {
  if (status === 408) return true;
  return status === 413 && (contentLength === null || contentLength > LIMITS.discardedBodyBytesMax);
}
