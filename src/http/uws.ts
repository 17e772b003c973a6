/**
 * The one place that knows uWebSockets.js. It is imported late because it reads UWS_HTTP_MAX_HEADERS_SIZE when it loads
 * (reference/runtime-notes.md, section 2), and its types miss what is cast here.
 */
import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { fail } from '../base/errors.js';
import { LIMITS } from '../base/limits.js';

export type { HttpRequest, HttpResponse, TemplatedApp, us_socket_context_t as SocketContext, WebSocket } from 'uWebSockets.js';

/** Absolute paths of PEM files; checked by src/config-http.ts. */
export interface TlsFiles {
  certFile: string;
  keyFile: string;
}

interface Uws {
  App(): TemplatedApp;
  SSLApp(options: { cert_file_name: string; key_file_name: string }): TemplatedApp;
  us_listen_socket_close(socket: us_listen_socket): void;
  us_socket_local_port(socket: us_listen_socket): number;
  LIBUS_LISTEN_EXCLUSIVE_PORT: number;
  _cfg(option: string): void;
}

type ListenOptionsFirst = (host: string, port: number, options: number, done: (socket: us_listen_socket | false) => void) => void;

export interface Listener {
  port: number;
  /** No new connections; those that are open go on. */
  stopListening(): void;
}

let loaded: Uws | null = null;

/** With `tls` it speaks https only. Throws CONFIG_INVALID when uWS does not take the files. */
export async function createApp(tls: TlsFiles | null): Promise<TemplatedApp> {
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= String(LIMITS.headBytesMax);
  try {
    loaded ??= (await import('uWebSockets.js')) as unknown as Uws;
  } catch (error) {
    throw new Error(`uWebSockets.js has no build for Node ${process.version} on ${process.platform}-${process.arch}. Use Node 20 or 22.`, { cause: error });
  }
  // No "uWebSockets" header on answers.
  loaded._cfg('silent');
  if (tls === null) return loaded.App();
  try {
    return loaded.SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile });
  } catch (error) {
    // BoringSSL knows fewer kinds of keys than Node's OpenSSL, and reads the whole chain.
    throw fail('CONFIG_INVALID', { file: '--tls-cert', problem: `${tls.certFile} and its key belong together, but cannot be served with. Keys may be RSA, ECDSA (P-256, P-384, P-521) or Ed25519, and every certificate of the file must be whole.` }, error);
  }
}

/** Keeps the number of open sockets right. Call before `listen`. */
export function countSockets(app: TemplatedApp, sockets: { open: number }): void {
  void app.filter((_res, change) => { sockets.open += change > 0 ? 1 : -1; });
}

/** Null when the port is taken: exclusive, or a second process would silently share it. */
export function listen(app: TemplatedApp, host: string, port: number): Promise<Listener | null> {
  const uws = loaded!;
  return new Promise((resolve) => {
    (app.listen as unknown as ListenOptionsFirst).call(app, host, port, uws.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
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
