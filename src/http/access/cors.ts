import { LIMITS } from '../../base/limits.js';
import { isLoopback } from '../../base/loopback.js';
import type { Headers } from '../transport/request-copy.js';

/** `http.cors` of langgraph.json, read (src/config/http.ts). */
export interface CorsOptions {
  /**
   * Origins as browsers send them. `*` is every origin, `loopback` every one on this machine. Null: the configuration does not say,
   * which means `loopback` while nobody has to authenticate, and `*` otherwise.
   */
  allowOrigins: readonly string[] | null;
  /** Further origins. Matches the whole of one. */
  allowOriginRegex: RegExp | null;
  /** Upper case. */
  allowMethods: readonly string[];
  /** Null: whatever the preflight asks for. */
  allowHeaders: readonly string[] | null;
  allowCredentials: boolean;
  exposeHeaders: readonly string[];
  maxAgeSeconds: number;
}

/** Which origins may use the server and read its answers, and the headers that tell a browser so. */
export interface Cors {
  /** Headers that every answer has, those to preflights too. */
  answer: (request: Headers) => Headers;
  /** Whether pages of this origin are allowed by name, as loopback, or by the expression. */
  names: (origin: string) => boolean;
  /** `*` is allowed. */
  everyone: boolean;
  /** Further headers of the answer to a preflight. */
  preflight: (request: Headers) => Headers;
}

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Headers that the stock clients read. A configured list adds to it, or clients in pages would miss run ids and further pages of lists. */
const EXPOSED = [
  'content-location',
  'location',
  'x-pagination-total',
  'x-pagination-next',
  'x-pagination-cursor',
  'etag',
  'x-request-id',
  'retry-after',
];
/** Browsers ask for content-type whenever JSON is posted; a list of further headers is not meant to forbid that. */
const SAFELISTED = ['accept', 'accept-language', 'content-language', 'content-type'];

export const DEFAULT_CORS: CorsOptions = Object.freeze({
  allowOrigins: null,
  allowOriginRegex: null,
  allowMethods: METHODS,
  allowHeaders: null,
  allowCredentials: false,
  exposeHeaders: [],
  maxAgeSeconds: 600,
});

/** `byDefault` is `allowOrigins` where the configuration does not say. */
export function corsOf(options: CorsOptions, byDefault: '*' | 'loopback'): Cors {
  const { allowOriginRegex, allowCredentials } = options;
  const named = new Set(options.allowOrigins ?? [byDefault]);
  const everyone = named.has('*');
  const loopback = named.has('loopback');
  const names = (origin: string): boolean =>
    named.has(origin) ||
    (loopback && isLoopbackOrigin(origin)) ||
    (allowOriginRegex !== null && origin.length <= LIMITS.originCharsMax && allowOriginRegex.test(origin));

  const granted = {
    ...(allowCredentials ? { 'access-control-allow-credentials': 'true' } : {}),
    'access-control-expose-headers': unique([...EXPOSED, ...options.exposeHeaders]).join(', '),
  };
  const toNoOrigin: Headers = { 'access-control-allow-origin': '*' };
  const toEveryone: Headers = { 'access-control-allow-origin': '*', ...granted };
  // The answer depends on the origin, also where none is allowed: a cache must not give it to a page of another one.
  const toNobody: Headers = { vary: 'origin' };

  const methods = options.allowMethods.join(', ');
  const maxAge = String(options.maxAgeSeconds);
  const listed = options.allowHeaders === null ? null : unique([...SAFELISTED, ...options.allowHeaders]).join(', ');
  const headersFor = (request: Headers): Headers => {
    const asked = request['access-control-request-headers'] ?? '';
    if (listed !== null) return { 'access-control-allow-headers': listed };
    if (asked !== '') return { 'access-control-allow-headers': asked };
    // Together with credentials `*` is the name of a header.
    return allowCredentials ? {} : { 'access-control-allow-headers': '*' };
  };

  return {
    names,
    everyone,
    answer({ origin }) {
      // A request without an origin is not from a page and reads every header; the short form is for caches. Each header costs a
      // hundredth of a small request.
      if (everyone) return origin === undefined ? toNoOrigin : toEveryone;
      if (origin === undefined || !names(origin)) return toNobody;
      return { 'access-control-allow-origin': origin, ...granted, vary: 'origin' };
    },
    preflight(request) {
      const { origin } = request;
      if (!everyone && (origin === undefined || !names(origin))) return {};
      return {
        'access-control-allow-methods': methods,
        ...headersFor(request),
        'access-control-max-age': maxAge,
        // Chrome asks so when a public page calls a private address (Private Network Access).
        ...(request['access-control-request-private-network'] === 'true'
          ? { 'access-control-allow-private-network': 'true' }
          : {}),
      };
    },
  };
}

const LOCAL_ORIGIN = /^https?:\/\/(\[::1\]|[a-z0-9._-]+)(?::\d{1,5})?$/;

/** A page that this machine serves itself, on any port. */
function isLoopbackOrigin(origin: string): boolean {
  const host = LOCAL_ORIGIN.exec(origin)?.[1];
  return host !== undefined && isLoopback(host);
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.toLowerCase()))];
}
