import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
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

/** The data that the transport stores with a socket. */
interface SocketData {
  /**
   * The reason for closing the socket right after it opens. Scripts can see the code of a close, but not the
   * response to an upgrade request.
   */
  refusal: { status: number; reason: string } | null;
  open: (connection: Connection) => SocketHandler;
  connection: SocketConnection | null;
  handler: SocketHandler | null;
  /** Set after authorization. */
  caller: Caller | null;
  untrack: () => void;
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
    this.#ws?.send(message, false);
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

/** Number of open WebSockets. */
export function countOpenSockets(): number {
  return open;
}

/** Serves WebSockets at the path of a route. */
export function serveSockets(
  app: HttpApp,
  pattern: string,
  route: Route,
  { services, log, bodyBytesMax, createExchange, preHandler, params }: SocketOptions,
): void {
  app.sockets<SocketData>(pattern, {
    maxPayloadBytes: bodyBytesMax,
    idleTimeoutS: LIMITS.socketIdleS,
    upgrade(res, req, context) {
      const exchange = createExchange(res, req);
      let found: Record<string, string>;
      try {
        found = params(req);
      } catch (error) {
        sendError(exchange, error, log, route.errors);
        return;
      }
      const data: SocketData = {
        refusal: null,
        connection: null,
        handler: null,
        caller: null,
        untrack: () => undefined,
        open: (connection) =>
          route.openSocket!({ params: found, exchange, connection, services, log, queuedBytesMax: bodyBytesMax }),
      };
      const refused = (error: unknown): void => {
        const { status, message } = toWireError(error, log, route.errors, exchange.requestId);
        data.refusal = { status, reason: message };
      };
      const upgrade = async (): Promise<void> => {
        try {
          data.caller = await authorize(exchange, found);
        } catch (error) {
          refused(error);
        }
        exchange.upgrade(data, context);
      };
      preHandler(
        exchange,
        route,
        () => void upgrade(),
        (error) => {
          refused(error);
          exchange.upgrade(data, context);
        },
      );
    },
    open(ws) {
      const data = ws.getUserData();
      open += 1;
      const { refusal, caller } = data;
      const connection = new SocketConnection(ws);
      data.connection = connection;
      if (refusal !== null) connection.close(refusal.status, refusal.reason);
      else {
        // Close the socket when the caller's API key expires or is revoked.
        data.untrack = services.access.onKeyEnded(caller!, () =>
          connection.close(401, 'the API key was revoked or has expired'),
        );
        data.handler = data.open(connection);
      }
    },
    message(ws, message) {
      // The memory is used again after this callback.
      ws.getUserData().handler?.onMessage(Buffer.from(new Uint8Array(message)));
    },
    drain(ws) {
      ws.getUserData().handler?.onDrain();
    },
    close(ws) {
      const { connection, handler, untrack } = ws.getUserData();
      open -= 1;
      untrack();
      connection?.markClosed();
      handler?.onClose();
    },
  });

  const authorize = async (exchange: Exchange, found: Record<string, string>): Promise<Caller> => {
    if (open >= LIMITS.socketsMax) throw fail('OVERLOADED', { what: `${open} WebSockets are open` });
    const { caller } = await admit(services.access, route, requestFacts(exchange), {
      params: found,
      query: undefined,
      body: {},
    });
    exchange.caller = caller.identity;
    services.quotas.countRequest(caller);
    return caller;
  };
}

/** The reason of a close frame can have at most 123 bytes. */
function shortened(reason: string): string {
  const bytes = Buffer.from(reason);
  return bytes.byteLength <= 123 ? reason : `${bytes.toString('utf8', 0, 119).replace(/�+$/, '')}…`;
}
