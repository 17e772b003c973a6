import { Agent, request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { addAbortSignal, pipeline, Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { connect, type ConnectionOptions } from 'node:tls';
import { LIMITS } from '../../base/limits.js';
import { addressSoon, UNKNOWN_ADDRESS, type OwnServer } from './own-server.js';

/**
 * `fetch` for the server that this thread belongs to. Not the global one: that goes by whatever proxy the project sets up
 * for it, gives up on an answer after five minutes, and knows only certificates that some authority vouches for. Whatever
 * has another address goes there all the same.
 */
export function ownFetch(own: OwnServer): typeof fetch {
  const options = { keepAlive: true, timeout: LIMITS.ownIdleMs };
  const agent = own.fingerprint === null ? new Agent(options) : pinned(own.fingerprint, options);
  return async (input, init) => {
    const request = requestOf(await addressSoon(own), input, init);
    if (request === null) return fetch(input, init);
    request.signal.throwIfAborted();
    const sent = httpRequest(request.url, {
      method: request.method,
      headers: Object.fromEntries(request.headers),
      agent,
      signal: request.signal,
    });
    try {
      const [answer] = await Promise.all([answerOf(sent), send(sent, request, init?.body instanceof ReadableStream)]);
      return responseOf(answer, request);
    } catch (error) {
      sent.destroy();
      request.signal.throwIfAborted();
      throw failed(error as Error);
    }
  };
}

/** Null: it is for another server. Throws what `fetch` throws while nobody listens here: the SDK tries again then. */
function requestOf(
  address: string | null,
  input: string | URL | Request,
  init: RequestInit | undefined,
): Request | null {
  if (address === null) {
    throw failed(
      Object.assign(new Error('this server does not listen: it has not started yet, or is being stopped'), {
        code: 'ECONNREFUSED',
      }),
    );
  }
  const given = input instanceof Request ? input.url : String(input);
  const path = given.startsWith(`${UNKNOWN_ADDRESS}/`) ? given.slice(UNKNOWN_ADDRESS.length) : given;
  const url = path.startsWith('/') ? address + path : path;
  if (new URL(url).origin !== new URL(address).origin) return null;
  // `duplex` is what a body that streams needs, and the types of Node 20 do not have it.
  return new Request(url, {
    ...(input instanceof Request ? copyOf(input) : {}),
    ...init,
    duplex: 'half',
  } as RequestInit);
}

function copyOf({ method, headers, body, signal }: Request): RequestInit {
  return { method, headers, body, signal };
}

function answerOf(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // An error after the answer is the answer's own.
    sent.on('error', reject);
    sent.once('response', resolve);
  });
}

/** A body that is there is sent with its length; a stream as it comes. */
async function send(sent: ClientRequest, request: Request, streams: boolean): Promise<void> {
  if (request.body === null) sent.end();
  else if (!streams) sent.end(Buffer.from(await request.arrayBuffer()));
  else {
    // What ends it early is told by the request, or does not matter: there is an answer.
    pipeline(Readable.fromWeb(request.body as NodeReadableStream), sent, () => undefined);
  }
}

/** Statuses whose answers have no body (Fetch, 2.2.3). */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

function responseOf(answer: IncomingMessage, { method, signal }: Request): Response {
  const headers = new Headers();
  for (let at = 0; at < answer.rawHeaders.length; at += 2)
    headers.append(answer.rawHeaders[at]!, answer.rawHeaders[at + 1]!);
  const init = { status: answer.statusCode!, statusText: answer.statusMessage!, headers };
  if (method === 'HEAD' || NO_BODY.has(init.status)) {
    answer.resume();
    return new Response(null, init);
  }
  addAbortSignal(signal, answer);
  // Its own strategy counts chunks where it should count bytes (nodejs/node, Readable.toWeb).
  const body = Readable.toWeb(answer, {
    strategy: new ByteLengthQueuingStrategy({ highWaterMark: answer.readableHighWaterMark }),
  } as never);
  return new Response(body as ReadableStream, init);
}

/** As `fetch` says it: the SDK goes by this text and by the code of the cause. */
function failed(cause: Error): TypeError {
  return new TypeError('fetch failed', { cause });
}

/**
 * Takes this one certificate and no other, whatever names it is for and whoever vouches for it: it is the server's own.
 * Nothing is sent before it was seen.
 */
function pinned(fingerprint: string, options: { keepAlive: boolean; timeout: number }): Agent {
  const agent = new HttpsAgent(options);
  agent.createConnection = (to, done) => {
    const socket = connect({ ...(to as ConnectionOptions), rejectUnauthorized: false });
    const refuse = (error: Error): void => done!(error, socket);
    socket.once('error', refuse);
    socket.once('secureConnect', () => {
      socket.off('error', refuse);
      if (socket.getPeerX509Certificate()?.fingerprint256 === fingerprint) return done!(null, socket);
      socket.destroy();
      done!(new Error('another server answers at the address of this one: its certificate is not ours'), socket);
    });
    return undefined;
  };
  return agent;
}
