import { Agent, get } from 'node:http';
import autocannon, { type Request } from 'autocannon';
import { verify } from './bench.js';

/** How long a round is: smoke rounds are counted, so that a cold server has time for its first answers. */
export type Length = { seconds: number } | { requests: number };

export interface Load {
  url: string;
  clients: number;
  for: Length;
  request: Request;
  /** Every answer is checked, in timed rounds too. */
  check: (body: string) => boolean;
}

export interface LoadResult {
  responses: number;
  perSecond: number;
  latenciesMs: number[];
  /** From the first request to the last answer. */
  wallMs: number;
}

const JSON_HEADERS = { 'content-type': 'application/json' };

/** Sends requests and checks every answer. Throws when one is wrong: a fast wrong answer is no result. */
export async function load(options: Load): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  let first = Infinity;
  let last = 0;
  const instance = autocannon({
    url: options.url,
    connections: options.clients,
    ...('seconds' in options.for ? { duration: options.for.seconds } : { amount: options.for.requests }),
    timeout: 60,
    sampleInt: 100,
    excludeErrorStats: true,
    requests: [
      {
        ...options.request,
        headers: { ...(options.request.body === undefined ? {} : JSON_HEADERS), ...options.request.headers },
      },
    ],
    // A wait that takes a while is kept open by leading newlines, legal in JSON.
    verifyBody: options.check === undefined ? undefined : (body: string) => options.check!(body.trimStart()),
  });
  void instance.on('response', (_client, status, _bytes, responseTimeMs) => {
    const now = performance.now();
    first = Math.min(first, now - responseTimeMs);
    last = now;
    if (status < 300) latenciesMs.push(responseTimeMs);
  });
  const result = await instance;
  verify(
    result.errors + result.timeouts + result.resets === 0,
    `${result.errors} errors, ${result.timeouts} timeouts, ${result.resets} resets`,
  );
  verify(result.non2xx === 0, `${result.non2xx} answers were not 2xx`);
  verify(result.mismatches === 0, `${result.mismatches} bodies were wrong`);
  verify(latenciesMs.length > 0, 'no answer at all');
  const wallMs = last - first;
  return { responses: latenciesMs.length, perSecond: (latenciesMs.length / wallMs) * 1_000, latenciesMs, wallMs };
}

interface Paced {
  url: string;
  path: string;
  perSecond: number;
  seconds: number;
  /** Ends earlier when this settles. */
  until?: Promise<unknown>;
  check: (body: string) => boolean;
}

/**
 * Requests at a fixed pace, each sent when it is due whether or not those before were answered, so a slow answer hides none
 * behind it. Latencies from sending to the whole answer.
 */
export async function paced({ url, path, perSecond, seconds, until, check }: Paced): Promise<number[]> {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  const answers: Promise<number>[] = [];
  const one = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const sent = performance.now();
      get({ agent, hostname, port, path }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const ms = performance.now() - sent;
          if (response.statusCode === 200 && check(Buffer.concat(chunks).toString())) resolve(ms);
          else reject(new Error(`GET ${path} answered ${response.statusCode} and a wrong body`));
        });
        response.on('error', reject);
      }).on('error', reject);
    });
  const ended = new AbortController();
  until?.catch(() => undefined).finally(() => ended.abort());
  const begun = performance.now();
  for (let at = 0; at < perSecond * seconds && !ended.signal.aborted; at += 1) {
    const due = begun + (at * 1_000) / perSecond;
    while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
    const answer = one();
    answer.catch(() => undefined);
    answers.push(answer);
  }
  const latenciesMs = await Promise.all(answers);
  agent.destroy();
  return latenciesMs;
}

/** The same length for a contender that is timed by the clock. */
export function milliseconds(length: Length): number {
  return 'seconds' in length ? length.seconds * 1_000 : 200;
}

/** One request, for what is not timed. */
export async function ask<T>(url: string, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: JSON_HEADERS, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  verify(response.ok, `${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}
