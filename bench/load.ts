import { Agent, get } from 'node:http';
import autocannon, { type Request } from 'autocannon';
import { verify } from './bench.js';

/** Length of a round. Smoke rounds count requests, so that a cold server has time for its first answers. */
export type Length = { seconds: number } | { requests: number };

export interface Load {
  url: string;
  clients: number;
  length: Length;
  request: Request;
  /** Checks the body of every answer, in measured rounds too. */
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

/** Sends requests and checks every answer. Throws if one is wrong. */
export async function sendLoad(options: Load): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  let first = Infinity;
  let last = 0;
  const instance = autocannon({
    url: options.url,
    connections: options.clients,
    ...('seconds' in options.length ? { duration: options.length.seconds } : { amount: options.length.requests }),
    timeout: 60,
    sampleInt: 100,
    excludeErrorStats: true,
    requests: [
      {
        ...options.request,
        headers: { ...(options.request.body === undefined ? {} : JSON_HEADERS), ...options.request.headers },
      },
    ],
    // The server keeps a long wait open with leading newlines, which JSON allows.
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

interface PacedLoad {
  url: string;
  path: string;
  perSecond: number;
  seconds: number;
  /** Stops early when this promise settles. */
  until?: Promise<unknown>;
  check: (body: string) => boolean;
}

/**
 * Sends requests at a fixed rate, each when it is due, whether or not earlier ones were answered. So a slow answer does
 * not hide the latency of later requests. Returns latencies from sending to the complete answer, in ms.
 */
export async function sendPaced({ url, path, perSecond, seconds, until, check }: PacedLoad): Promise<number[]> {
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
          else reject(new Error(`GET ${path} returned ${response.statusCode} with a wrong body`));
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

/** The length for a contender that is measured by time only. */
export function durationMs(length: Length): number {
  return 'seconds' in length ? length.seconds * 1_000 : 200;
}

/**
 * Warms up both sides for this time each, in turns of `turn`. A side that rests for 8 s gives memory back, and V8
 * discards compiled code with it: after a warm-up at one go, the first side would be measured while V8 compiles again.
 */
export async function warmUpInTurns(
  length: Length,
  turn: Length,
  ours: (length: Length) => Promise<unknown>,
  reference: ((length: Length) => Promise<unknown>) | null,
): Promise<void> {
  const isByTime = 'seconds' in length && 'seconds' in turn;
  const turns = isByTime ? Math.ceil(length.seconds / turn.seconds) : 1;
  for (let at = 0; at < turns; at += 1) {
    await ours(isByTime ? turn : length);
    await reference?.(isByTime ? turn : length);
  }
}

/** Sends one request that is not measured. Throws if the status is not 2xx. */
export async function sendJson<T>(url: string, method: string, path: string, body?: unknown): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: JSON_HEADERS, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  verify(response.ok, `${method} ${path} returned ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
}
