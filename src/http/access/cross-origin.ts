import { isForOperators } from '../../domain/actions.js';
import { fail, type ThreadmillError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { isLoopback } from '../../base/loopback.js';
import type { Logger } from '../../base/log/log.js';
import { corsOf, type Cors, type CorsOptions } from './cors.js';
import type { Exchange, CommonHeaders } from '../transport/exchange.js';
import type { Headers } from '../transport/request-copy.js';
import { OK_PATH, type CrossSite, type Route } from '../route.js';

/** Names and addresses by which a server is reached (src/config/http.ts). */
export interface HostOptions {
  /** Address that it listens on. */
  bound: string;
  /** `http.allowed_hosts`: names, `*.example.com`, or `*` for all. Lower case. */
  allowed: readonly string[];
  /** LANGGRAPH_API_URL. */
  publicUrl: string | null;
}

export interface CrossOriginOptions {
  cors: CorsOptions;
  hosts: HostOptions;
  /** Whether nobody has to authenticate now: the first key, or a handler that `dev` loads, changes it. */
  isOpen: () => boolean;
  log: Logger;
}

/** A `Host` header: name or address, and perhaps a port. */
const HOST = /^(\[[0-9a-f:.]+\]|[^:]+?)\.?(?::\d*)?$/;
/** Digits and dots, or brackets: browsers look no such name up. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/;
/** Refusals are logged once for each name that a client chose, and for so many names at most. */
const LOGGED_MAX = 100;

/**
 * Decides which web pages may use the server, before any handler and for every way in: routes, the project's own app, WebSockets,
 * preflights. Browsers send any page's requests to any address, and say only in headers where a page is from
 * (docs/decisions/0040-cross-origin.md).
 */
export class CrossOriginGuard {
  readonly #isOpen: () => boolean;
  readonly #log: Logger;
  /** While nobody has to authenticate. */
  readonly #openCors: Cors;
  readonly #authCors: Cors;
  readonly #servesHost: (host: string) => boolean;
  /** Origins of the server itself that its `Host` header does not tell, because a proxy has changed it. */
  readonly #ownOrigins: ReadonlySet<string>;
  readonly #logged = new Set<string>();

  constructor({ cors, hosts, isOpen, log }: CrossOriginOptions) {
    this.#isOpen = isOpen;
    this.#log = log;
    this.#openCors = corsOf(cors, 'loopback');
    this.#authCors = corsOf(cors, '*');
    this.#servesHost = hostRule(hosts);
    this.#ownOrigins = ownOriginsOf(hosts);
    if (!isOpen()) return;
    if (this.#openCors.everyone)
      log.warn('http.cors allows every origin, and nobody has to authenticate: any web page can use this server');
    if (hosts.allowed.includes('*')) {
      log.warn(
        'http.allowed_hosts is "*", and nobody has to authenticate: a web page can use this server under a name of its own (DNS rebinding)',
      );
    }
  }

  /** Headers about CORS that an answer has. */
  readonly headers: CommonHeaders = (request) => this.#cors.answer(request);

  /** Headers that the answer to a preflight has besides. */
  preflight(request: Headers): Headers {
    return this.#cors.preflight(request);
  }

  /** Why a request is not served; null when it may go on. `route`: the built-in one at its address. */
  refusal(exchange: Exchange, route: Route | null): ThreadmillError | null {
    const { headers } = exchange;
    const { origin, host, 'sec-fetch-site': site } = headers;
    const isOpen = this.#isOpen();
    // Probes know no names, and learn nothing but that the server answers.
    if (isOpen && host !== undefined && route?.path !== OK_PATH && !this.#servesHost(host)) {
      return this.#logOnce(host, fail('HOST_REFUSED', { host: host.slice(0, LIMITS.originCharsMax) }));
    }
    if (origin === undefined && (site === undefined || !isOpen)) return null;
    const crossSite = route === null ? 'links' : crossSiteOf(route);
    if (crossSite === 'always' || this.#isOwn(origin, host, site)) return null;
    if (isOpen && crossSite === 'never') {
      return fail('SAME_ORIGIN_REQUIRED', { method: exchange.method.toUpperCase(), path: exchange.path });
    }
    const cors = this.#cors;
    if (origin === undefined) {
      // A tag, a link or a form of a page on another site. From other ports of this machine it is `same-site`.
      if (site !== 'cross-site' || cors.everyone || (crossSite === 'links' && isLink(exchange))) return null;
      return this.#logOnce('another site', fail('ORIGIN_REFUSED', { origin: 'another site' }));
    }
    if (cors.names(origin)) return null;
    // Cookies are sent without a page's doing: with them the page would act as somebody who never said so.
    if (cors.everyone && headers['cookie'] === undefined) return null;
    return this.#logOnce(origin, fail('ORIGIN_REFUSED', { origin: origin.slice(0, LIMITS.originCharsMax) }));
  }

  get #cors(): Cors {
    return this.#isOpen() ? this.#openCors : this.#authCors;
  }

  /** Whether the page is the server's own, or there is no page: the console behind a proxy that ends TLS has another scheme. */
  #isOwn(origin: string | undefined, host: string | undefined, site: string | undefined): boolean {
    if (origin === undefined) return site === 'same-origin' || site === 'none';
    return origin === `http://${host}` || origin === `https://${host}` || this.#ownOrigins.has(origin);
  }

  /** The browser shows the page's author little of a refusal; the log tells whoever runs the server what to configure. */
  #logOnce(name: string, error: ThreadmillError): ThreadmillError {
    if (!this.#logged.has(name) && this.#logged.size < LOGGED_MAX) {
      this.#logged.add(name);
      this.#log.warn(error.message);
    }
    return error;
  }
}

function crossSiteOf({ crossSite, action }: Route): CrossSite {
  return crossSite ?? (isForOperators(action) ? 'never' : 'allowed');
}

/** Somebody followed a link, so that the tab itself goes there: no frame, no tag, and the other page reads nothing. */
function isLink({ method, headers }: Exchange): boolean {
  return (
    (method === 'get' || method === 'head') &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  );
}

/**
 * Which `Host` headers are served while nobody has to authenticate. A page whose own name is made to resolve to this machine (DNS
 * rebinding) is same-origin to its browser; its name is what gives it away. Addresses resolve to nothing else.
 */
function hostRule({ bound, allowed, publicUrl }: HostOptions): (host: string) => boolean {
  if (allowed.includes('*')) return () => true;
  const names = new Set([
    ...allowed,
    bound.toLowerCase(),
    ...(publicUrl === null ? [] : [new URL(publicUrl).hostname]),
  ]);
  const endings = allowed.filter((name) => name.startsWith('*.')).map((name) => name.slice(1));
  const addresses = !isLoopback(bound);
  // Nearly every request has the same header as the one before.
  let latest: string | null = null;
  return (header) => {
    if (header === latest) return true;
    const name = HOST.exec(header.toLowerCase())?.[1];
    if (name === undefined) return false;
    const isAllowed = names.has(name) || endings.some((ending) => name.endsWith(ending));
    if (!isLoopback(name) && !isAllowed && !(addresses && ADDRESS.test(name))) return false;
    latest = header;
    return true;
  };
}

function ownOriginsOf({ allowed, publicUrl }: HostOptions): ReadonlySet<string> {
  const names = allowed.filter((name) => !name.includes('*'));
  const origins = names.flatMap((name) => [`http://${name}`, `https://${name}`]);
  return new Set(publicUrl === null ? origins : [...origins, new URL(publicUrl).origin]);
}
