import { readFileSync } from 'node:fs';
import { createServer, ServerResponse, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { LIMITS } from '../../../base/limits.js';
import { NOT_SERVING_STATUS } from '../../forward/not-serving.js';
import { ChannelServer } from '../../forward/channel/channel-server.js';
import { nodeServerTls, REQUESTS_PROTOCOL, RUNS_PROTOCOL } from '../../forward/node-tls.js';
import { SocketLink } from '../../forward/socket-link.js';
import type { HttpApp, HttpAppOptions, HttpResponse, Listener } from '../http-app.js';
import type { RouteCallback, RouteMethod, SocketBehavior } from '../http-app.js';
import { TLS_1_2_CIPHERS, tlsRefused } from '../tls.js';
import { TOO_MANY_CONNECTIONS } from '../too-many-connections.js';
import type { ParsedRequest } from '../parsed-request.js';
import { NodeRequest } from './request.js';
import { NodeResponse, type Upgrade } from './response.js';
import { Router } from './router.js';
import { WebSocketRoute } from './web-sockets.js';

export interface NodeAppOptions extends HttpAppOptions {
  /** Of a port for the nodes of a cluster. */
  node?: {
    /** Connections use it instead of certificates (http/forward/node-tls.ts). */
    key: Buffer;
    /** While it returns false, every request is answered with 421 without being looked at. */
    isServing: () => boolean;
    /** Takes the connections for runs. */
    onLink: (socket: TLSSocket) => void;
  };
}

/** Serves HTTP over node:http and node:https, and WebSockets over the package ws. */
export class NodeApp implements HttpApp {
  readonly transport = 'node';
  readonly #createServer: () => Server;
  /** One for each port. The first exists before it listens, so that wrong TLS files are found at once. */
  readonly #servers: [Server, ...Server[]];
  readonly #routes = new Router<RouteCallback>();
  readonly #socketRoutes = new Router<WebSocketRoute<unknown>>();
  readonly #openSocketRoutes: WebSocketRoute<unknown>[] = [];
  readonly #channels = new Set<ChannelServer>();
  readonly #isServing: () => boolean;
  readonly #isNodePort: boolean;

  constructor({ tls, node, sockets, connectionsMax }: NodeAppOptions) {
    this.#isNodePort = node !== undefined;
    this.#isServing = node?.isServing ?? (() => true);
    this.#createServer = () => {
      const server = createHttpServer(tls, node?.key ?? null);
      if (node !== undefined) divertLinks(server, { ...node, onChannel: (socket) => this.#openChannel(socket) });
      server.on('connection', (socket) => {
        sockets.open += 1;
        socket.once('close', () => {
          sockets.open -= 1;
        });
        if (sockets.open <= connectionsMax) return;
        sockets.refused += 1;
        // No response is possible before the TLS handshake.
        if (tls !== null || node !== undefined) socket.destroy();
        else socket.end(REFUSAL);
      });
      server.on('request', (message, response) => this.#serve(message, response));
      server.on('upgrade', (message, socket, head) => this.#serveUpgrade(message, socket, head));
      return server;
    };
    this.#servers = [this.#createServer()];
  }

  route(method: RouteMethod | 'any', pattern: string, callback: RouteCallback): void {
    this.#routes.add(method, pattern, callback);
  }

  sockets<T>(pattern: string, behavior: SocketBehavior<T>): void {
    const route = new WebSocketRoute(behavior as SocketBehavior<unknown>);
    this.#socketRoutes.add('get', pattern, route);
    this.#openSocketRoutes.push(route);
  }

  listen(host: string, port: number): Promise<Listener | null> {
    const [first] = this.#servers;
    const server = first.listening ? this.#createServer() : first;
    if (server !== first) this.#servers.push(server);
    return new Promise((resolve) => {
      server.once('error', () => resolve(null));
      server.listen({ host, port, exclusive: true }, () => {
        resolve({
          port: (server.address() as AddressInfo).port,
          stopListening: () => void server.close(),
        });
      });
    });
  }

  close(): void {
    for (const route of this.#openSocketRoutes) route.close();
    for (const channel of this.#channels) channel.close();
    for (const server of this.#servers) {
      server.close();
      server.closeAllConnections();
    }
  }

  #serve(message: IncomingMessage, response: ServerResponse): void {
    if (!this.#isServing()) {
      // The body is read, because a connection that closes before it may lose the response.
      message.resume();
      // A request that is sent over this connection while it is being closed would have an unknown outcome.
      response.writeHead(NOT_SERVING_STATUS, { connection: 'close' }).end();
      return;
    }
    const request = new NodeRequest(message, this.#isNodePort);
    this.#respond(request, new NodeResponse(message, response));
  }

  #openChannel(socket: TLSSocket): void {
    const channel = new ChannelServer(new SocketLink(socket), {
      isServing: this.#isServing,
      respond: (request, response) => this.#respond(request, response),
      onClosed: () => this.#channels.delete(channel),
    });
    this.#channels.add(channel);
  }

  #respond(request: ParsedRequest, response: HttpResponse): void {
    const found = this.#routes.find(request.method, request.path);
    // The fallback of all routes matches every path.
    if (found === null) throw new Error(`no route matches ${request.method} ${request.path}`);
    request.params = found.params;
    found.value(response, request);
  }

  /** node:http leaves the response to an upgrade request to us. */
  #serveUpgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => undefined);
    const response = new ServerResponse(message);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as Socket);
    response.once('finish', () => (socket as Socket).destroySoon());
    if (!this.#isServing()) {
      response.writeHead(NOT_SERVING_STATUS, { connection: 'close' }).end();
      return;
    }
    const request = new NodeRequest(message, this.#isNodePort);
    const found = isWebSocket(message) ? this.#socketRoutes.find(request.method, request.path) : null;
    if (found === null && hasBody(message)) {
      // Its body is not read any more.
      response.writeHead(400, { 'content-type': 'application/json', connection: 'close' });
      response.end(UPGRADE_WITH_BODY);
      return;
    }
    message.push(null);
    if (found === null) {
      this.#respond(request, new NodeResponse(message, response));
      return;
    }
    request.params = found.params;
    const upgrade: Upgrade = (data) => {
      response.detachSocket(socket as Socket);
      found.value.accept(message, socket, head, data);
    };
    found.value.behavior.upgrade(new NodeResponse(message, response, upgrade), request, message);
  }
}

function createHttpServer(tls: HttpAppOptions['tls'], nodeKey: Buffer | null): Server {
  const options: ServerOptions = {
    highWaterMark: LIMITS.writeBytesMax,
    keepAliveTimeout: LIMITS.idleSocketMs,
    headersTimeout: LIMITS.idleSocketMs,
    connectionsCheckingInterval: LIMITS.idleSocketMs / 4,
    // BodyRateGuard ends slow requests. A large body may take long.
    requestTimeout: 0,
    maxHeaderSize: LIMITS.requestHeadBytesMax,
    // Other protocols than WebSockets are offers (RFC 9110, 7.8) that we do not take. Node 24.9 and later.
    ...{ shouldUpgradeCallback: isWebSocket },
  };
  const server =
    nodeKey !== null
      ? createTlsServer({ ...options, ...nodeServerTls(nodeKey), handshakeTimeout: LIMITS.idleSocketMs })
      : tls === null
        ? createServer(options)
        : createTls(tls, options);
  // The size of the head limits them.
  server.maxHeadersCount = 0;
  return server;
}

/** Connections for runs and for requests do not reach node:http. */
function divertLinks(
  server: Server,
  { isServing, onLink, onChannel }: NonNullable<NodeAppOptions['node']> & { onChannel: (socket: TLSSocket) => void },
): void {
  const serveHttp = server.listeners('secureConnection') as ((socket: TLSSocket) => void)[];
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === REQUESTS_PROTOCOL) onChannel(socket);
    else if (socket.alpnProtocol !== RUNS_PROTOCOL) for (const serve of serveHttp) serve.call(server, socket);
    else if (isServing()) onLink(socket);
    else socket.destroy();
  });
}

function createTls(tls: NonNullable<HttpAppOptions['tls']>, options: ServerOptions): Server {
  try {
    return createTlsServer({
      ...options,
      cert: readFileSync(tls.certFile),
      key: readFileSync(tls.keyFile),
      ciphers: [...TLS_1_3_CIPHERS, ...TLS_1_2_CIPHERS].join(':'),
      minVersion: 'TLSv1.2',
      handshakeTimeout: LIMITS.idleSocketMs,
    });
  } catch (error) {
    throw tlsRefused(tls, error);
  }
}

/** OpenSSL takes the suites of both versions in one list. */
const TLS_1_3_CIPHERS = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

const UPGRADE_WITH_BODY = JSON.stringify({ detail: 'Send a request with a body without the header "Upgrade".' });

function isWebSocket({ headers, method }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

const REFUSAL = [
  `HTTP/1.1 ${TOO_MANY_CONNECTIONS.status}`,
  ...Object.entries(TOO_MANY_CONNECTIONS.headers).map(([name, value]) => `${name}: ${value}`),
  `content-length: ${Buffer.byteLength(TOO_MANY_CONNECTIONS.body)}`,
  'connection: close',
  '',
  TOO_MANY_CONNECTIONS.body,
].join('\r\n');
