import { LIMITS } from '../../base/limits.js';
import { isLoopback } from '../../base/loopback.js';
import type { Headers } from '../transport/request-copy.js';

/** The parsed `http.cors` of langgraph.json (src/config/http.ts). */
export interface CorsOptions {
  /**
   * Origins as browsers send them. `*` means every origin, `loopback` every origin on this machine. Null if the
   * configuration has no value: `loopback` while authentication is off, and `*` otherwise.
   */
  allowOrigins: readonly string[] | null;
  /** Additional allowed origins. The expression must match a whole origin. */
  allowOriginRegex: RegExp | null;
  /** Upper case. */
  allowMethods: readonly string[];
  /** Null: allow all headers that the preflight requests. */
  allowHeaders: readonly string[] | null;
  allowCredentials: boolean;
  exposeHeaders: readonly string[];
  maxAgeSeconds: number;
}

/** Decides which origins may use the server and read its responses, and provides the CORS headers. */
export interface Cors {
  /** Headers of every response, also of preflight responses. */
  responseHeaders: (request: Headers) => Headers;
  /** Whether the origin is allowed by name, as loopback, or by the expression. */
  allows: (origin: string) => boolean;
  /** True if `*` is allowed. */
  allowsEveryone: boolean;
  /** Additional headers of a preflight response. */
  preflightHeaders: (request: Headers) => Headers;
}

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/**
 * Headers that the LangGraph clients read. A configured list extends this one. Otherwise clients in web pages
 * would miss run ids and pagination.
 */
const EXPOSED_HEADERS = [
  'content-location',
  'location',
  'x-pagination-total',
  'x-pagination-next',
  'x-pagination-cursor',
  'etag',
  'x-request-id',
  'retry-after',
];
/**
 * Browsers request content-type whenever they post JSON. A configured list of other headers is not meant to
 * forbid that.
 */
const SAFELISTED_HEADERS = ['accept', 'accept-language', 'content-language', 'content-type'];

export const DEFAULT_CORS: CorsOptions = Object.freeze({
  allowOrigins: null,
  allowOriginRegex: null,
  allowMethods: METHODS,
  allowHeaders: null,
  allowCredentials: false,
  exposeHeaders: [],
  maxAgeSeconds: 600,
});

/** `byDefault` is the value of `allowOrigins` if the configuration has none. */
export function createCors(options: CorsOptions, byDefault: '*' | 'loopback'): Cors {
  const { allowOriginRegex, allowCredentials } = options;
  const named = new Set(options.allowOrigins ?? [byDefault]);
  const allowsEveryone = named.has('*');
  const loopback = named.has('loopback');
  const allows = (origin: string): boolean =>
    named.has(origin) ||
    (loopback && isLoopbackOrigin(origin)) ||
    (allowOriginRegex !== null && origin.length <= LIMITS.originCharsMax && allowOriginRegex.test(origin));

  const granted = {
    ...(allowCredentials ? { 'access-control-allow-credentials': 'true' } : {}),
    'access-control-expose-headers': unique([...EXPOSED_HEADERS, ...options.exposeHeaders]).join(', '),
  };
  const toNoOrigin: Headers = { 'access-control-allow-origin': '*' };
  const toEveryone: Headers = { 'access-control-allow-origin': '*', ...granted };
  // The response depends on the origin, even when it is not allowed: a cache must not reuse it for a page of
  // another origin.
  const toNobody: Headers = { vary: 'origin' };

  const methods = options.allowMethods.join(', ');
  const maxAge = String(options.maxAgeSeconds);
  const listed =
    options.allowHeaders === null ? null : unique([...SAFELISTED_HEADERS, ...options.allowHeaders]).join(', ');
  const headersFor = (request: Headers): Headers => {
    const requestedHeaders = request['access-control-request-headers'] ?? '';
    if (listed !== null) return { 'access-control-allow-headers': listed };
    if (requestedHeaders !== '') return { 'access-control-allow-headers': requestedHeaders };
    // With credentials, browsers read `*` as a literal header name.
    return allowCredentials ? {} : { 'access-control-allow-headers': '*' };
  };

  return {
    allows,
    allowsEveryone,
    responseHeaders({ origin }) {
      // A request without an origin does not come from a web page and can read every header. It gets the short
      // form, which caches may share. Each header costs about 1 % of a small request.
      if (allowsEveryone) return origin === undefined ? toNoOrigin : toEveryone;
      if (origin === undefined || !allows(origin)) return toNobody;
      return { 'access-control-allow-origin': origin, ...granted, vary: 'origin' };
    },
    preflightHeaders(request) {
      const { origin } = request;
      if (!allowsEveryone && (origin === undefined || !allows(origin))) return {};
      return {
        'access-control-allow-methods': methods,
        ...headersFor(request),
        'access-control-max-age': maxAge,
        // Chrome sends this when a public page calls a private address (Private Network Access).
        ...(request['access-control-request-private-network'] === 'true'
          ? { 'access-control-allow-private-network': 'true' }
          : {}),
      };
    },
  };
}

const LOCAL_ORIGIN = /^https?:\/\/(\[::1\]|[a-z0-9._-]+)(?::\d{1,5})?$/;

/** True for a page that is served from this machine, on any port. */
function isLoopbackOrigin(origin: string): boolean {
  const host = LOCAL_ORIGIN.exec(origin)?.[1];
  return host !== undefined && isLoopback(host);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.toLowerCase()))];
}
