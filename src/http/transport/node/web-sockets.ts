import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket as WsSocket } from 'ws';
import type { SocketBehavior, WebSocket } from '../http-app.js';

/** A WebSocket of the package ws. */
class NodeWebSocket<T> implements WebSocket<T> {
  readonly #ws: WsSocket;
  readonly #socket: Duplex;
  readonly #data: T;

  constructor(ws: WsSocket, socket: Duplex, data: T) {
    this.#ws = ws;
    this.#socket = socket;
    this.#data = data;
  }

  getUserData(): T {
    return this.#data;
  }

  send(message: Uint8Array, isBinary: boolean): void {
    this.#ws.send(message, { binary: isBinary });
  }

  getBufferedAmount(): number {
    return this.#ws.bufferedAmount;
  }

  cork(callback: () => void): void {
    this.#socket.cork();
    try {
      callback();
    } finally {
      this.#socket.uncork();
    }
  }

  end(code: number, reason: Uint8Array): void {
    this.#ws.close(code, Buffer.from(reason));
  }
}

/** The WebSockets of one route. */
export class WebSocketRoute<T> {
  readonly behavior: SocketBehavior<T>;
  readonly #server: WebSocketServer;
  /** Nothing came from these clients since the last ping. */
  readonly #quiet = new Set<WsSocket>();
  readonly #timer: NodeJS.Timeout;

  constructor(behavior: SocketBehavior<T>) {
    this.behavior = behavior;
    this.#server = new WebSocketServer({
      noServer: true,
      maxPayload: behavior.maxPayloadBytes,
      perMessageDeflate: false,
      // A client that offers several protocols expects one of them in the response.
      handleProtocols: ([first]) => first ?? false,
    });
    this.#timer = setInterval(() => this.#ping(), (behavior.idleTimeoutS * 1_000) / 2).unref();
  }

  /** Completes the handshake. A request that is no valid handshake is answered with an error. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer, data: T): void {
    this.#server.handleUpgrade(request, socket, head, (ws) => {
      const { behavior } = this;
      const connection = new NodeWebSocket(ws, socket, data);
      const onActivity = (): void => void this.#quiet.delete(ws);
      ws.on('pong', onActivity);
      ws.on('ping', onActivity);
      ws.on('message', (message: Buffer, isBinary) => {
        onActivity();
        behavior.message(connection, message, isBinary);
      });
      socket.on('drain', () => behavior.drain(connection));
      // A client that breaks the protocol. `close` follows.
      ws.on('error', () => undefined);
      ws.once('close', () => {
        onActivity();
        behavior.close(connection);
      });
      behavior.open(connection);
    });
  }

  close(): void {
    clearInterval(this.#timer);
    for (const ws of this.#server.clients) ws.terminate();
    this.#server.close();
  }

  #ping(): void {
    for (const ws of this.#server.clients) {
      if (this.#quiet.has(ws)) ws.terminate();
      else {
        this.#quiet.add(ws);
        ws.ping();
      }
    }
  }
}
