import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import type { Services } from '../../services/context.js';
import { refuse, type Accept, type Ahead } from './accept.js';
import { admitted } from '../access/admission.js';
import { wireError } from '../errors.js';
import type { Exchange } from './exchange.js';
import { factsOf } from '../access/request-facts.js';
import type { Route } from '../route.js';
import type { Connection, SocketTalk } from './web-socket.js';
import { webSocketClosed, type HttpRequest, type Sockets, type TemplatedApp, type WebSocket } from './uws.js';

export interface SocketOptions {
  services: Services;
  log: Logger;
  bodyBytesMax: number;
  sockets: Sockets;
  accept: Accept;
  ahead: Ahead;
  params: (req: HttpRequest) => Record<string, string>;
}

/** What uWS keeps for a socket. */
interface Data {
  /** Why it is closed as soon as it is open: a page's script sees the code of a close, and never an answer to its request. */
  refused: { status: number; reason: string } | null;
  open: (connection: Connection) => SocketTalk;
  connection: UwsConnection | null;
  talk: SocketTalk | null;
  /** Set when it was admitted. */
  caller: Caller | null;
  untrack: () => void;
}

class UwsConnection implements Connection {
  #ws: WebSocket<Data> | null;

  constructor(ws: WebSocket<Data>) {
    this.#ws = ws;
  }

  get ready(): boolean {
    return this.#ws !== null && this.#ws.getBufferedAmount() < LIMITS.socketBufferedBytesMax;
  }

  send(message: string | Uint8Array): void {
    this.#ws?.send(message, false);
  }

  together(send: () => void): void {
    this.#ws?.cork(send);
  }

  close(status: number, reason: string): void {
    const ws = this.#ws;
    this.#ws = null;
    ws?.end(4_000 + status, shortened(reason));
  }

  gone(): void {
    this.#ws = null;
  }
}

let open = 0;

/** WebSockets that are connected now. */
export function openSockets(): number {
  return open;
}

/** Serves WebSockets at the address of a route. */
export function serveSockets(
  app: TemplatedApp,
  pattern: string,
  route: Route,
  { services, log, bodyBytesMax, sockets, accept, ahead, params }: SocketOptions,
): void {
  app.ws<Data>(pattern, {
    maxPayloadLength: bodyBytesMax,
    idleTimeout: LIMITS.socketIdleS,
    sendPingsAutomatically: true,
    // Nothing is dropped: what a client does not take is not read from the log.
    maxBackpressure: 0,
    upgrade(res, req, context) {
      const exchange = accept(res, req);
      let found: Record<string, string>;
      try {
        found = params(req);
      } catch (error) {
        refuse(exchange, error, log, route.errors);
        return;
      }
      const data: Data = {
        refused: null,
        connection: null,
        talk: null,
        caller: null,
        untrack: () => undefined,
        open: (connection) =>
          route.socket!({ params: found, exchange, connection, services, log, queuedBytesMax: bodyBytesMax }),
      };
      const refused = (error: unknown): void => {
        const { status, message } = wireError(error, log, route.errors, exchange.requestId);
        data.refused = { status, reason: message };
      };
      const upgrade = async (): Promise<void> => {
        try {
          data.caller = await admit(exchange, found);
        } catch (error) {
          refused(error);
        }
        exchange.upgrade(data, context);
      };
      ahead(
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
      const { refused, caller } = data;
      const connection = new UwsConnection(ws);
      data.connection = connection;
      if (refused !== null) connection.close(refused.status, refused.reason);
      else {
        // Whoever holds a key that ends is no longer listened to.
        data.untrack = services.access.track(caller!, () => connection.close(401, 'the API key has ended'));
        data.talk = data.open(connection);
      }
    },
    message(ws, message) {
      // uWS takes the memory back when this returns.
      ws.getUserData().talk?.message(Buffer.from(Buffer.from(message)));
    },
    drain(ws) {
      ws.getUserData().talk?.drained();
    },
    close(ws) {
      const { connection, talk, untrack } = ws.getUserData();
      open -= 1;
      webSocketClosed(sockets);
      untrack();
      connection?.gone();
      talk?.closed();
    },
  });

  const admit = async (exchange: Exchange, found: Record<string, string>): Promise<Caller> => {
    if (open >= LIMITS.socketsMax) throw fail('OVERLOADED', { what: `${open} WebSockets are open` });
    const { caller } = await admitted(services.access, route, factsOf(exchange), {
      params: found,
      query: undefined,
      body: {},
    });
    exchange.caller = caller.identity;
    services.quotas.request(caller);
    return caller;
  };
}

/** A close has room for 123 bytes. */
function shortened(reason: string): string {
  const bytes = Buffer.from(reason);
  return bytes.byteLength <= 123 ? reason : `${bytes.toString('utf8', 0, 119).replace(/�+$/, '')}…`;
}
