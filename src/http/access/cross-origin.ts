import { isForOperators } from '../../domain/actions.js';
import { fail, type ThreadmillError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { isLoopback } from '../../base/loopback.js';
import type { Logger } from '../../base/log/log.js';
import { createCors, type Cors, type CorsOptions } from './cors.js';
import type { Exchange, CommonHeaders } from '../transport/exchange.js';
import type { Headers } from '../transport/request-copy.js';
import { OK_PATH, type CrossSite, type Route } from '../route.js';

/** Names and addresses under which clients reach the server (src/config/http.ts). */
export interface HostOptions {
  /** Address that the server listens on. */
  bound: string;
  /** `http.allowed_hosts`: names, `*.example.com`, or `*` for all. Lower case. */
  allowed: readonly string[];
  /** LANGGRAPH_API_URL. */
  publicUrl: string | null;
}

export interface CrossOriginOptions {
  cors: CorsOptions;
  hosts: HostOptions;
  /** True while authentication is off. Creating the first key, or a handler that `dev` reloads, changes it. */
  isOpen: () => boolean;
  log: Logger;
}

/** A `Host` header: a name or an address, and optionally a port. */
const HOST = /^(\[[0-9a-f:.]+\]|[^:]+?)\.?(?::\d*)?$/;
/** An address, which browsers do not resolve: digits and dots, or brackets. */
const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/;
/** Each refused name is logged once. Clients choose the names, so the number of logged names is limited. */
const LOGGED_MAX = 100;

/**
 * Decides which web pages may use the server. It runs before every handler and covers all entry points: routes,
 * the project's own app, WebSockets and preflights. Browsers send requests of any page to any address, and only
 * headers say which page sent them (docs/decisions/0040-cross-origin.md).
 */
export class CrossOriginGuard {
  readonly #isOpen: () => boolean;
  readonly #log: Logger;
  /** In effect while authentication is off. */
  readonly #openCors: Cors;
  readonly #authCors: Cors;
  readonly #servesHost: (host: string) => boolean;
  /** Origins of this server that differ from its `Host` header because a proxy rewrites the header. */
  readonly #ownOrigins: ReadonlySet<string>;
  readonly #loggedNames = new Set<string>();

  constructor({ cors, hosts, isOpen, log }: CrossOriginOptions) {
    this.#isOpen = isOpen;
    this.#log = log;
    this.#openCors = createCors(cors, 'loopback');
    this.#authCors = createCors(cors, '*');
    this.#servesHost = createHostCheck(hosts);
    this.#ownOrigins = ownOriginsOf(hosts);
    if (!isOpen()) return;
    if (this.#openCors.allowsEveryone)
      log.warn('http.cors allows every origin, and authentication is off: any web page can use this server');
    if (hosts.allowed.includes('*')) {
      log.warn(
        'http.allowed_hosts is "*", and authentication is off: a web page can reach this server through a host name of its own (DNS rebinding)',
      );
    }
  }

  /** CORS headers of a response. */
  readonly corsHeaders: CommonHeaders = (request) => this.#cors.responseHeaders(request);

  /** Additional headers of a preflight response. */
  preflightHeaders(request: Headers): Headers {
    return this.#cors.preflightHeaders(request);
  }

  /**
   * Returns the error that refuses the request; null if the request is allowed. `route`: the built-in route at
   * its address.
   */
  findRefusal(exchange: Exchange, route: Route | null): ThreadmillError | null {
    const { headers } = exchange;
    const { origin, host, 'sec-fetch-site': site } = headers;
    const isOpen = this.#isOpen();
    // Probes use arbitrary host names, and only learn that the server responds.
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
      // A tag, a link or a form of a page on another site. Pages on other ports of this machine are
      // `same-site`.
      if (site !== 'cross-site' || cors.allowsEveryone || (crossSite === 'links' && isLink(exchange))) return null;
      return this.#logOnce('another site', fail('ORIGIN_REFUSED', { origin: 'another site' }));
    }
    if (cors.allows(origin)) return null;
    // Browsers attach cookies without the user's consent. With them, the page would act as that user.
    if (cors.allowsEveryone && headers['cookie'] === undefined) return null;
    return this.#logOnce(origin, fail('ORIGIN_REFUSED', { origin: origin.slice(0, LIMITS.originCharsMax) }));
  }

  get #cors(): Cors {
    return this.#isOpen() ? this.#openCors : this.#authCors;
  }

  /**
   * True if the page is served by this server, or no page is involved. Behind a proxy that terminates TLS the
   * console has another scheme.
   */
  #isOwn(origin: string | undefined, host: string | undefined, site: string | undefined): boolean {
    if (origin === undefined) return site === 'same-origin' || site === 'none';
    return origin === `http://${host}` || origin === `https://${host}` || this.#ownOrigins.has(origin);
  }

  /** Browsers hide the reason of a refusal from the page. The log tells the operator what to configure. */
  #logOnce(name: string, error: ThreadmillError): ThreadmillError {
    if (!this.#loggedNames.has(name) && this.#loggedNames.size < LOGGED_MAX) {
      this.#loggedNames.add(name);
      this.#log.warn(error.message);
    }
    return error;
  }
}

function crossSiteOf({ crossSite, action }: Route): CrossSite {
  return crossSite ?? (isForOperators(action) ? 'never' : 'allowed');
}

/**
 * True if a person followed a link and the tab itself navigates: not a frame or a tag, and the other page
 * cannot read the response.
 */
function isLink({ method, headers }: Exchange): boolean {
  return (
    (method === 'get' || method === 'head') &&
    headers['sec-fetch-mode'] === 'navigate' &&
    headers['sec-fetch-dest'] === 'document'
  );
}

/**
 * Returns the check for `Host` headers while authentication is off. A page can make its own name resolve to
 * this machine (DNS rebinding). The browser then treats the server as same-origin, but the `Host` header still
 * contains the page's name. Addresses cannot be rebound.
 */
function createHostCheck({ bound, allowed, publicUrl }: HostOptions): (host: string) => boolean {
  if (allowed.includes('*')) return () => true;
  const names = new Set([
    ...allowed,
    bound.toLowerCase(),
    ...(publicUrl === null ? [] : [new URL(publicUrl).hostname]),
  ]);
  const endings = allowed.filter((name) => name.startsWith('*.')).map((name) => name.slice(1));
  const addresses = !isLoopback(bound);
  // Nearly all requests have the same header as the previous one.
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
