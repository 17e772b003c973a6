import { randomIds } from '../../base/ids.js';
import type { HttpRequest } from './http-app.js';

export type Headers = Readonly<Record<string, string>>;

/** What a route may know of a request. uWS frees its own request object when the route's callback returns. */
export interface RequestCopy {
  /** In lower case. */
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /**
   * Names are in lower case. The values of a repeated header are joined as RFC 9110, 5.3 says. For the headers in
   * `duplicatedHeaders` the first value counts.
   */
  readonly headers: Headers;
  /** Headers that were sent several times although only one is allowed. */
  readonly duplicatedHeaders: ReadonlySet<string>;
  /** Identifies the request in the response and in the log: its own `x-request-id`, or a new UUID. */
  readonly requestId: string;
  /** See `HttpRequest`. */
  readonly isForwarded: boolean;
}

/** What a client or proxy may call a request. No allowed character can end a header or a log line. */
const REQUEST_ID = /^[A-Za-z0-9._:+=/-]{1,128}$/;

/** A proxy and this server must read the same value, so these headers may appear only once. */
const SINGLE_HEADERS = new Set(['authorization', 'x-api-key', 'x-auth-scheme', 'content-length']);
const NONE: ReadonlySet<string> = new Set();

/** Call it first in the route's callback. */
export function copyRequest(req: HttpRequest): RequestCopy {
  const { headers, duplicatedHeaders } = copyHeaders(req);
  const given = headers['x-request-id'];
  return {
    method: req.getMethod(),
    path: req.getUrl(),
    query: req.getQuery() ?? '',
    headers,
    duplicatedHeaders,
    requestId: given !== undefined && REQUEST_ID.test(given) ? given : randomIds.next(),
    isForwarded: req.isForwarded ?? false,
  };
}

function copyHeaders(req: HttpRequest): Pick<RequestCopy, 'headers' | 'duplicatedHeaders'> {
  // Without a prototype: a header may have the name of one of its members.
  const headers = Object.create(null) as Record<string, string>;
  let duplicated: Set<string> | null = null;
  req.forEach((name, value) => {
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (SINGLE_HEADERS.has(name)) (duplicated ??= new Set()).add(name);
    else headers[name] = before + (name === 'cookie' ? '; ' : ', ') + value;
  });
  return { headers, duplicatedHeaders: duplicated ?? NONE };
}
