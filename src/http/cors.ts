import { LIMITS } from '../base/limits.js';
import type { Headers } from './exchange.js';

/** `http.cors` of langgraph.json, read (src/config-http.ts). */
export interface CorsOptions {
  /** Origins as browsers send them; `*` is everyone. */
  allowOrigins: readonly string[];
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

/** Who may read answers from a page of another origin: decided once for a server, asked by every exchange. */
export interface Cors {
  /** What every answer carries; the preflight's own too. */
  answer: (request: Headers) => Headers;
  /** Whether a page of this origin may read answers. */
  allows: (origin: string) => boolean;
  /** Whether any page may. */
  everyone: boolean;
  /** What the answer to a preflight carries besides. */
  preflight: (request: Headers) => Headers;
}

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** What the clients read; a configured list adds to it, or a page's client would miss run ids and further pages. */
const EXPOSED = ['content-location', 'location', 'x-pagination-total', 'x-pagination-next', 'x-pagination-cursor', 'etag', 'x-request-id', 'retry-after'];
/** Browsers ask for content-type whenever JSON is posted; whoever lists headers of their own does not mean to forbid that. */
const SAFELISTED = ['accept', 'accept-language', 'content-language', 'content-type'];

export const OPEN_TO_ALL: CorsOptions = Object.freeze({
  allowOrigins: ['*'], allowOriginRegex: null, allowMethods: METHODS, allowHeaders: null, allowCredentials: false, exposeHeaders: [], maxAgeSeconds: 600,
});

export function corsOf(options: CorsOptions): Cors {
  const { allowOriginRegex, allowCredentials } = options;
  const named = new Set(options.allowOrigins);
  const everyone = named.has('*');
  const allows = (origin: string): boolean => named.has(origin) || (allowOriginRegex !== null && origin.length <= LIMITS.originCharsMax && allowOriginRegex.test(origin));

  const granted = {
    ...(allowCredentials ? { 'access-control-allow-credentials': 'true' } : {}),
    'access-control-expose-headers': unique([...EXPOSED, ...options.exposeHeaders]).join(', '),
  };
  const toAnyone: Headers = { 'access-control-allow-origin': '*' };
  const toEveryone: Headers = { 'access-control-allow-origin': '*', ...granted };
  // The answer depends on who asks, also where nobody is allowed: a cache must not hand it to another.
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
    allows, everyone,
    answer({ origin }) {
      // Who names no origin is no page, and reads every header; the short form is for caches. Each header is a hundredth of a small request.
      if (everyone) return origin === undefined ? toAnyone : toEveryone;
      if (origin === undefined || !allows(origin)) return toNobody;
      return { 'access-control-allow-origin': origin, ...granted, vary: 'origin' };
    },
    preflight(request) {
      const { origin } = request;
      if (!everyone && (origin === undefined || !allows(origin))) return {};
      return { 'access-control-allow-methods': methods, ...headersFor(request), 'access-control-max-age': maxAge };
    },
  };
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.toLowerCase()))];
}
