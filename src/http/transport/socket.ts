import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { asBytes } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import type { Services } from '../../services/context.js';
import type { CreateExchange, PreHandler } from '../pre-handler.js';
import { sendError } from '../send-error.js';
import { admit } from '../access/admission.js';
import { toWireError } from '../errors.js';
import type { Exchange } from './exchange.js';
import { requestFacts } from '../access/request-facts.js';
import type { Route } from '../route.js';
import type { Connection, SocketHandler } from './web-socket.js';
import type { HttpApp, HttpRequest, WebSocket } from './http-app.js';

export interface SocketOptions {
  services: Services;
  log: Logger;
  bodyBytesMax: number;
  createExchange: CreateExchange;
  preHandler: PreHandler;
  params: (req: HttpRequest) => Record<string, string>;
}

/** uWebSockets.js copies the members of this object. */
interface SocketData {
  socket: ServedSocket;
}

class SocketConnection implements Connection {
  #ws: WebSocket<SocketData> | null;

  constructor(ws: WebSocket<SocketData>) {
    this.#ws = ws;
  }

  get isReady(): boolean {
    return this.#ws !== null && this.#ws.getBufferedAmount() < LIMITS.socketBufferedBytesMax;
  }

  send(message: string | Uint8Array): void {
    this.#ws?.send(asBytes(message), false);
  }

  batch(send: () => void): void {
    this.#ws?.cork(send);
  }

  close(status: number, reason: string): void {
    const ws = this.#ws;
    this.#ws = null;
    ws?.end(4_000 + status, shortened(reason));
  }

  markClosed(): void {
    this.#ws = null;
  }
}

let open = 0;
/** Of all sockets whose callers are being authorized. */
let earlyBytes = 0;

/** Number of open WebSockets. */
export function countOpenSockets(): number {
  return open;
}

/** Serves WebSockets at the path of a route. */
export function serveSockets(app: HttpApp, pattern: string, route: Route, options: SocketOptions): void {
  app.sockets<SocketData>(pattern, {
    maxPayloadBytes: options.bodyBytesMax,
    idleTimeoutS: LIMITS.socketIdleS,
    upgrade(res, req, context) {
      const exchange = options.createExchange(res, req);
      let params: Record<string, string>;
      try {
        params = options.params(req);
      } catch (error) {
        sendError(exchange, error, options.log, route.errors);
        return;
      }
      const socket = new ServedSocket(exchange, route, params, options);
      exchange.upgrade({ socket }, context, (status) => socket.close(status, 'the server refused the connection'));
    },
    open: (ws) => ws.getUserData().socket.onOpen(new SocketConnection(ws)),
    // The memory is used again after this callback.
    message: (ws, message) => ws.getUserData().socket.onMessage(Buffer.from(new Uint8Array(message))),
    drain: (ws) => ws.getUserData().socket.onDrain(),
    close: (ws) => ws.getUserData().socket.onClose(),
  });
}

/**
 * A WebSocket from its upgrade to its close. Its caller is authorized after the upgrade, because scripts can see the
 * code of a close but not the response to an upgrade request. Messages that arrive meanwhile are kept.
 */
class ServedSocket {
  readonly #exchange: Exchange;
  readonly #route: Route;
  readonly #params: Record<string, string>;
  readonly #options: SocketOptions;
  #connection: SocketConnection | null = null;
  /** Set when the caller is authorized. */
  #handler: SocketHandler | null = null;
  #early: Buffer[] = [];
  #earlyBytes = 0;
  #untrack = (): void => undefined;

  constructor(exchange: Exchange, route: Route, params: Record<string, string>, options: SocketOptions) {
    this.#exchange = exchange;
    this.#route = route;
    this.#params = params;
    this.#options = options;
  }

  onOpen(connection: SocketConnection): void {
    open += 1;
    this.#connection = connection;
    this.#options.preHandler(
      this.#exchange,
      this.#route,
      () => void this.#accept(),
      (error) => this.#refuse(error),
    );
  }

  onMessage(bytes: Buffer): void {
    if (this.#handler !== null) this.#handler.onMessage(bytes);
    else if (this.#connection !== null) this.#keepEarly(bytes);
  }

  onDrain(): void {
    this.#handler?.onDrain();
  }

  onClose(): void {
    open -= 1;
    this.#dropEarly();
    this.#untrack();
    this.#connection?.markClosed();
    this.#connection = null;
    if (this.#handler !== null) this.#handler.onClose();
    else this.#exchange.abort();
  }

  /** `status`: of the response that would refuse the request. */
  close(status: number, reason: string): void {
    this.#connection?.close(status, reason);
    this.#connection = null;
    this.#dropEarly();
    this.#exchange.endUpgrade(status);
  }

  async #accept(): Promise<void> {
    const { services, log, bodyBytesMax } = this.#options;
    let caller: Caller;
    try {
      caller = await this.#authorize();
    } catch (error) {
      this.#refuse(error);
      return;
    }
    const connection = this.#connection;
    // The client has gone, or the key has ended.
    if (connection === null) return;
    this.#untrack = services.access.onKeyEnded(caller, () =>
      connection.close(401, 'the API key was revoked or has expired'),
    );
    this.#exchange.endUpgrade(101);
    this.#handler = this.#route.openSocket!({
      params: this.#params,
      exchange: this.#exchange,
      connection,
      services,
      log,
      queuedBytesMax: bodyBytesMax,
    });
    const early = this.#early;
    this.#dropEarly();
    for (const bytes of early) this.#handler.onMessage(bytes);
  }

  async #authorize(): Promise<Caller> {
    const { access, quotas } = this.#options.services;
    // This one is counted.
    if (open > LIMITS.socketsMax) throw fail('OVERLOADED', { what: `${LIMITS.socketsMax} WebSockets are open` });
    const { caller } = await admit(access, this.#route, requestFacts(this.#exchange), {
      params: this.#params,
      query: undefined,
      body: {},
    });
    this.#exchange.caller = caller.identity;
    quotas.countRequest(caller);
    return caller;
  }

  #refuse(error: unknown): void {
    if (this.#connection === null) return;
    const { status, message } = toWireError(error, this.#options.log, this.#route.errors, this.#exchange.requestId);
    this.close(status, message);
  }

  #keepEarly(bytes: Buffer): void {
    if (earlyBytes + bytes.byteLength > LIMITS.socketEarlyBytesMax) {
      this.close(503, 'too many commands wait for the authorization of their callers');
      return;
    }
    this.#early.push(bytes);
    this.#earlyBytes += bytes.byteLength;
    earlyBytes += bytes.byteLength;
  }

  #dropEarly(): void {
    this.#early = [];
    earlyBytes -= this.#earlyBytes;
    this.#earlyBytes = 0;
  }
}

/** The reason of a close frame can have at most 123 bytes. */
function shortened(reason: string): Uint8Array {
  const bytes = Buffer.from(reason);
  return bytes.byteLength <= 123 ? bytes : Buffer.from(`${bytes.toString('utf8', 0, 119).replace(/�+$/, '')}…`);
}
