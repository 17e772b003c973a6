import { randomUUID } from 'node:crypto';
import { fail, ThreadmillError } from '../base/errors.js';
import type { Logger } from '../base/log/log.js';

/**
 * Format of a route's errors. `agent`: `{"detail": text}` (agent-server.md, 1.3). `evaluation`: the same, but a
 * list of `{loc, msg, type}` for invalid requests. `ingest`: `{"error": text, "details": text}`
 * (evaluation-api.md, 0.4). `problem`: RFC 9457, with the places of invalid requests in `errors`. `otlp`: a
 * `google.rpc.Status`, as OTLP requires; `sendError` encodes it as the request was.
 */
export type ErrorFormat = 'agent' | 'evaluation' | 'ingest' | 'problem' | 'otlp';

const FRAMING_HEADERS: ReadonlySet<string> = new Set([
  'content-length',
  'transfer-encoding',
  'connection',
  'content-type',
  'date',
]);

export interface WireError {
  status: number;
  body: string;
  /** The message in the body, as plain text. */
  message: string;
  headers: Record<string, string>;
}

/**
 * Converts a thrown value. A ThreadmillError is sent as it is. Anything else is logged under a reference, and
 * the response contains only the reference.
 */
export function toWireError(thrown: unknown, log: Logger, form: ErrorFormat, requestId: string): WireError {
  const error = thrown instanceof ThreadmillError ? thrown : logUnexpected(thrown, log, requestId);
  const headers: Record<string, string> = {};
  if (error.code === 'METHOD_NOT_ALLOWED') headers['allow'] = String(error.params['allowed']);
  if (error.status === 503) headers['retry-after'] = '1';
  if (error.status === 429) headers['retry-after'] = String(error.params['retryAfterS']);
  if (error.code === 'UNAUTHENTICATED') headers['www-authenticate'] = 'Bearer';
  if (error.code === 'AUTH_REFUSED') {
    // Status and headers come from the project's auth handler. The server keeps the headers that frame the
    // response.
    for (const [name, value] of Object.entries(error.params['headers'] as Record<string, string>))
      if (!FRAMING_HEADERS.has(name)) headers[name] = value;
    return {
      status: Number(error.params['status']),
      body: JSON.stringify(errorBody(error, form)),
      message: error.message,
      headers,
    };
  }
  return { status: error.status, body: JSON.stringify(errorBody(error, form)), message: error.message, headers };
}

function errorBody(error: ThreadmillError, form: ErrorFormat): unknown {
  if (form === 'ingest') return { error: error.message, details: error.code };
  if (form === 'otlp') return { code: rpcCode(error.status), message: error.message };
  if (form === 'problem') {
    const { code, status, message, params } = error;
    return { type: 'about:blank', title: code, status, detail: message, errors: params['places'] };
  }
  if (form === 'evaluation' && error.code === 'INVALID_REQUEST' && Array.isArray(error.params['places']))
    return { detail: error.params['places'] };
  return { detail: error.message };
}

/** The code of gRPC for a status. */
export function rpcCode(status: number): number {
  return RPC_CODES[status] ?? (status < 500 ? RPC_CODES[400]! : RPC_CODES[500]!);
}

const RPC_CODES: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  413: 8,
  429: 8,
  500: 13,
  503: 14,
};

function logUnexpected(thrown: unknown, log: Logger, requestId: string): ThreadmillError {
  const reference = randomUUID();
  log.error({ err: thrown, reference, requestId }, 'a request failed unexpectedly');
  return fail('INTERNAL', { reference }, thrown);
}
