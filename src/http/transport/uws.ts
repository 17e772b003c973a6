/**
 * The only file that uses uWebSockets.js. Its binary is loaded late because it reads UWS_HTTP_MAX_HEADERS_SIZE then.
 * The casts are for members that its types omit.
 */
import { createRequire } from 'node:module';
import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { LIMITS } from '../../base/limits.js';
import { uwsBinary } from '../../base/program-files.js';
import { noteHandler } from './cork.js';
import type {
  HttpApp,
  HttpAppOptions,
  Listener,
  RouteCallback,
  RouteMethod,
  SocketBehavior,
  Sockets,
  TlsFiles,
} from './http-app.js';
import { TLS_1_2_CIPHERS, tlsRefused } from './tls.js';
import { TOO_MANY_CONNECTIONS } from './too-many-connections.js';

export interface Uws {
  App(): TemplatedApp;
  SSLApp(options: { cert_file_name: string; key_file_name: string; ssl_ciphers: string }): TemplatedApp;
  us_listen_socket_close(socket: us_listen_socket): void;
  us_socket_local_port(socket: us_listen_socket): number;
  LIBUS_LISTEN_EXCLUSIVE_PORT: number;
  _cfg(option: string): void;
}

type ListenOptionsFirst = (
  host: string,
  port: number,
  options: number,
  done: (socket: us_listen_socket | false) => void,
) => void;

let loaded: Uws | null = null;

/** Throws when there is no binary for this machine and this version of Node. */
export function loadUws(): Uws {
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= String(LIMITS.requestHeadBytesMax);
  loaded ??= createRequire(import.meta.url)(uwsBinary()) as Uws;
  // Omits the "uWebSockets" response header.
  loaded._cfg('silent');
  return loaded;
}

/** Serves HTTP and WebSockets over uWebSockets.js. */
export class UwsApp implements HttpApp {
  readonly transport = 'uws';
  readonly #uws: Uws;
  readonly #app: TemplatedApp;
  readonly #sockets: Sockets;

  /** Throws CONFIG_INVALID when uWebSockets.js rejects the files of `tls`. */
  constructor(uws: Uws, options: HttpAppOptions) {
    this.#uws = uws;
    this.#app = createTemplatedApp(uws, options.tls);
    this.#sockets = options.sockets;
    limitConnections(this.#app, options);
  }

  route(method: RouteMethod | 'any', pattern: string, callback: RouteCallback): void {
    this.#app[method === 'delete' ? 'del' : method](pattern, (res, req) => {
      noteHandler(res);
      callback(res, req);
    });
  }

  sockets<T>(pattern: string, { maxPayloadBytes, idleTimeoutS, ...behavior }: SocketBehavior<T>): void {
    this.#app.ws<T>(pattern, {
      maxPayloadLength: maxPayloadBytes,
      idleTimeout: idleTimeoutS,
      sendPingsAutomatically: true,
      // Never drop messages. Events that a client does not read stay in the log.
      maxBackpressure: 0,
      upgrade: (res, req, context) => behavior.upgrade(res, req, context),
      open: (ws) => behavior.open(ws),
      message: (ws, message, isBinary) => behavior.message(ws, message, isBinary),
      drain: (ws) => behavior.drain(ws),
      close: (ws) => {
        // uWS does not report the end of a connection that became a WebSocket (20.0.8 of uws-pack).
        this.#sockets.open -= 1;
        behavior.close(ws);
      },
    });
  }

  listen(host: string, port: number): Promise<Listener | null> {
    const uws = this.#uws;
    return new Promise((resolve) => {
      const listen = this.#app.listen as unknown as ListenOptionsFirst;
      // Otherwise a second process would silently share the port.
      listen.call(this.#app, host, port, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
        if (socket === false) {
          resolve(null);
          return;
        }
        let open = true;
        resolve({
          port: uws.us_socket_local_port(socket),
          stopListening() {
            if (open) uws.us_listen_socket_close(socket);
            open = false;
          },
        });
      });
    });
  }

  close(): void {
    this.#app.close();
  }
}

function createTemplatedApp(uws: Uws, tls: TlsFiles | null): TemplatedApp {
  if (tls === null) return uws.App();
  try {
    return uws.SSLApp({
      cert_file_name: tls.certFile,
      key_file_name: tls.keyFile,
      ssl_ciphers: TLS_1_2_CIPHERS.join(':'),
    });
  } catch (error) {
    // BoringSSL supports fewer kinds of keys than Node's OpenSSL, and parses the whole chain.
    throw tlsRefused(tls, error);
  }
}

/** Call before `listen`. */
function limitConnections(app: TemplatedApp, { sockets, connectionsMax, tls }: HttpAppOptions): void {
  void app.filter((res, change) => {
    sockets.open += change > 0 ? 1 : -1;
    if (change < 0 || sockets.open <= connectionsMax) return;
    sockets.refused += 1;
    // No response is possible before the TLS handshake.
    if (tls !== null) res.close();
    else
      res.cork(() => {
        res.writeStatus(TOO_MANY_CONNECTIONS.status);
        for (const [name, value] of Object.entries(TOO_MANY_CONNECTIONS.headers)) res.writeHeader(name, value);
        res.end(Buffer.from(TOO_MANY_CONNECTIONS.body), true);
      });
  });
}
