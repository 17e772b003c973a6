import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { connect, type ConnectionOptions } from 'node:tls';
import { LIMITS } from '../../base/limits.js';
import { waitForServerUrl, PLACEHOLDER_URL, type ServerAddress } from './server-address.js';

/**
 * A `fetch` for the server that this thread belongs to. The global `fetch` would use the project's proxy, give
 * up on a response after five minutes, and reject certificates without a known authority. Requests to other
 * addresses go to the global `fetch`.
 */
export function createServerFetch(own: ServerAddress): typeof fetch {
  const options = { keepAlive: true, timeout: LIMITS.selfConnectionIdleMs };
  const agent = own.fingerprint === null ? new Agent(options) : pinnedAgent(own.fingerprint, options);
  return async (input, init) => {
    const request = toRequest(await waitForServerUrl(own), input, init);
    if (request === null) return fetch(input, init);
    request.signal.throwIfAborted();
    const sent = httpRequest(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      agent,
      signal: request.signal,
    });
    try {
      const [answer] = await Promise.all([
        receiveResponse(sent),
        send(sent, request, init?.body instanceof ReadableStream),
      ]);
      return toResponse(answer, request);
    } catch (error) {
      sent.destroy();
      request.signal.throwIfAborted();
      throw fetchError(error as Error);
    }
  };
}

/**
 * Null if the request is for another server. Throws the same error as `fetch` while this server does not
 * listen, because the SDK retries on it.
 */
function toRequest(
  address: string | null,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Request | null {
  if (address === null) {
    throw fetchError(
      Object.assign(new Error('this server is not listening: it is starting or stopping'), {
        code: 'ECONNREFUSED',
      }),
    );
  }
  const given = input instanceof Request ? input.url : String(input);
  const path = given.startsWith(`${PLACEHOLDER_URL}/`) ? given.slice(PLACEHOLDER_URL.length) : given;
  const url = path.startsWith('/') ? address + path : path;
  if (new URL(url).origin !== new URL(address).origin) return null;
  // A streaming body needs `duplex`, which the types of Node 20 lack.
  return new Request(url, {
    ...(input instanceof Request ? copyOf(input) : {}),
    ...init,
    duplex: 'half',
  } as RequestInit);
}

function copyOf({ method, headers, body, signal }: Request): RequestInit {
  return { method, headers, body, signal };
}

function receiveResponse(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Errors after the response belong to the response.
    sent.on('error', reject);
    sent.once('response', resolve);
  });
}

/** A complete body is sent with its length, a stream in chunks. */
async function send(sent: ClientRequest, request: Request, isStream: boolean): Promise<void> {
  if (request.body === null) sent.end();
  else if (!isStream) sent.end(Buffer.from(await request.arrayBuffer()));
  else {
    // An early end rejects the request itself, or does not matter because there is a response.
    pipeline(Readable.fromWeb(request.body as NodeReadableStream), sent, () => undefined);
  }
}

/** Statuses whose responses have no body (Fetch, 2.2.3). */
const STATUSES_WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function toResponse(answer: IncomingMessage, { method, signal }: Request): Response {
  const headers = new Headers();
  for (let at = 0; at < answer.rawHeaders.length; at += 2)
    headers.append(answer.rawHeaders[at]!, answer.rawHeaders[at + 1]!);
  const init = { status: answer.statusCode!, statusText: answer.statusMessage!, headers };
  if (method === 'HEAD' || STATUSES_WITHOUT_BODY.has(init.status)) {
    answer.resume();
    return new Response(null, init);
  }
  addAbortSignal(signal, answer);
  // The default strategy counts chunks where it should count bytes (nodejs/node, Readable.toWeb).
  const body = Readable.toWeb(answer, {
    strategy: new ByteLengthQueuingStrategy({ highWaterMark: answer.readableHighWaterMark }),
  } as never);
  return new Response(body as ReadableStream, init);
}

/** The error that `fetch` throws: the SDK checks this text and the code of the cause. */
function fetchError(cause: Error): TypeError {
  return new TypeError('fetch failed', { cause });
}

/**
 * An agent that accepts only this certificate, the server's own one, whatever its names and issuer. It sends
 * nothing before it has checked the certificate.
 */
function pinnedAgent(fingerprint: string, options: { keepAlive: boolean; timeout: number }): Agent {
  const agent = new HttpsAgent(options);
  agent.createConnection = (to, done) => {
    const socket = connect({ ...(to as ConnectionOptions), rejectUnauthorized: false });
    const refuse = (error: Error): void => done!(error, socket);
    socket.once('error', refuse);
    socket.once('secureConnect', () => {
      socket.off('error', refuse);
      if (socket.getPeerX509Certificate()?.fingerprint256 === fingerprint) return done!(null, socket);
      socket.destroy();
      done!(new Error('another server answers at the address of this one: its certificate does not match'), socket);
    });
    return undefined;
  };
  return agent;
}
