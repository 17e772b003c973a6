import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body, parsed. */
  json: Record<string, unknown>;
}

export interface Receiver {
  url: string;
  port: number;
  /** All so far. */
  received: Received[];
  /** The next that was not taken yet. */
  next(): Promise<Received>;
  close(): Promise<void>;
}

interface Test {
  teardown(callback: () => unknown): void;
}

/** A status, or what answers by itself; it may also not answer at all. */
export type Answering = (received: Received, response: ServerResponse, at: number) => number | null;

/** What receives webhooks: a server of its own on loopback. */
export async function receiver(t: Test, answering: Answering = () => 200, port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const waiting: ((one: Received) => void)[] = [];
  let taken = 0;
  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = [];
    request.on('data', (chunk: Buffer) => parts.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const one: Received = {
        method: request.method!,
        path: request.url!,
        headers: request.headers,
        text,
        json: JSON.parse(text) as Record<string, unknown>,
      };
      received.push(one);
      const status = answering(one, response, received.length - 1);
      if (status !== null) response.writeHead(status).end('thank you');
      const first = waiting.shift();
      if (first === undefined) return;
      taken += 1;
      first(one);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  t.teardown(() => (server.listening ? close() : undefined));
  const { port: at } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${at}`,
    port: at,
    received,
    close,
    next() {
      const one = received[taken];
      if (one !== undefined && waiting.length === 0) {
        taken += 1;
        return Promise.resolve(one);
      }
      return new Promise((resolve) => {
        waiting.push(resolve);
      });
    },
  };
}

/** Webhooks of a test go to this machine, and come again soon. */
export const LOOPBACK = { THREADMILL_WEBHOOK_ALLOW_ADDRESSES: '127.0.0.0/8' };
export const SOON = { ...LOOPBACK, THREADMILL_WEBHOOK_RETRY_SECS: '0.05,0.05,0.05' };

interface Told {
  status: string;
  url: string;
  run_id: string;
  thread_id: string;
  next_attempt_at: string | null;
  attempts: { sent_at: string; duration_ms: number; status_code: number | null; error: string | null }[];
}

interface Asked {
  get(path: string): Promise<Response>;
}

export async function told(server: Asked, threadId: string, runId: string): Promise<Told> {
  return (await (await server.get(`/threads/${threadId}/runs/${runId}/webhook`)).json()) as Told;
}

/** What became of it, as soon as nothing is owed any more. */
export async function outcome(server: Asked, threadId: string, runId: string): Promise<Told> {
  for (;;) {
    const one = await told(server, threadId, runId);
    if (one.status === 'delivered' || one.status === 'failed') return one;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}
