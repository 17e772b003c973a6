import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { Agent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { mayReach, type ReachRules } from '../../src/base/addresses.js';
import { LIMITS } from '../../src/base/limits.js';
import { NOT_PUBLIC } from '../../src/domain/webhook-url.js';
import type { WebhookResult } from '../../src/wire/webhook.js';

export interface WebhookPost {
  url: URL;
  body: Buffer;
  headers: Readonly<Record<string, string>>;
  timeoutMs: number;
}

/** The host name resolves to no allowed address. */
class RefusedAddressError extends Error {}
class TimeoutError extends Error {}

type LookupCallback = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/**
 * Posts only to allowed addresses. It connects to the address that was checked, so the name cannot resolve to
 * another one meanwhile.
 */
export class WebhookSender {
  readonly #plain: Agent;
  readonly #tls: HttpsAgent;

  constructor(rules: ReachRules) {
    const found = (hostname: string, options: LookupOptions, done: LookupCallback): void => {
      lookup(hostname, { ...options, all: true }, (error, addresses) => {
        if (error !== null) return done(error, '');
        const allowed = addresses.filter(({ address }) => mayReach(address, rules));
        if (allowed.length === 0) return done(new RefusedAddressError(`${hostname} ${NOT_PUBLIC}`), '');
        return options.all === true ? done(null, allowed) : done(null, allowed[0]!.address, allowed[0]!.family);
      });
    };
    // A reused connection was checked when it was opened.
    const options = {
      keepAlive: true,
      maxFreeSockets: LIMITS.webhooksConcurrentPerHostMax,
      timeout: LIMITS.webhookIdleMs,
      lookup: found,
    };
    this.#plain = new Agent(options);
    this.#tls = new HttpsAgent(options);
  }

  /** Never follows redirects; a redirect counts as a response. */
  async post(post: WebhookPost): Promise<WebhookResult> {
    const until = performance.now() + post.timeoutMs;
    for (;;) {
      const tried = await this.#try(post, Math.max(1, until - performance.now()));
      // The receiver closed an idle connection at the moment when it was reused. Try again.
      if (tried !== 'stale') return tried;
    }
  }

  #try({ url, body, headers }: WebhookPost, timeoutMs: number): Promise<WebhookResult | 'stale'> {
    return new Promise((resolve) => {
      const tls = url.protocol === 'https:';
      const options: RequestOptions = { method: 'POST', headers, agent: tls ? this.#tls : this.#plain };
      let result: WebhookResult | 'stale' = { kind: 'failed', why: 'the connection was closed without a response' };
      const request = tls ? httpsRequest(url, options) : httpRequest(url, options);
      const timer = setTimeout(() => request.destroy(new TimeoutError()), timeoutMs);
      request.on('response', (response) => {
        result = { kind: 'answered', status: response.statusCode!, retryAfterMs: retryAfter(response) };
        discardBody(response);
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        // After the response status, errors in its body do not matter.
        if (result !== 'stale' && result.kind === 'answered') return;
        if (error instanceof RefusedAddressError) result = { kind: 'refused', why: error.message };
        else if (error instanceof TimeoutError) result = { kind: 'failed', why: 'it did not respond in time' };
        else if (request.reusedSocket && error.code === 'ECONNRESET') result = 'stale';
        // Use only the code, because messages contain addresses that the reader must not see.
        else result = { kind: 'failed', why: error.code ?? 'the request could not be sent' };
      });
      request.on('close', () => {
        clearTimeout(timer);
        resolve(result);
      });
      request.end(body);
    });
  }
}

/** Discards the body of a response. A short one is read to the end, so that the connection can be reused. */
function discardBody(response: IncomingMessage): void {
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
    if (bytes > LIMITS.webhookResponseBytesMax) response.destroy();
  });
  response.on('error', () => undefined);
}

/** RFC 9110, 10.2.3: a number of seconds, or a date. */
function retryAfter({ headers }: IncomingMessage): number | null {
  const text = headers['retry-after'];
  if (text === undefined) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? Math.min(ms, LIMITS.webhookRetryAfterMsMax) : null;
}
