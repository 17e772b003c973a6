/**
 * The one place that knows uWebSockets.js. It is imported late because it reads UWS_HTTP_MAX_HEADERS_SIZE when it loads
 * (reference/runtime-notes.md, section 2), and its types miss what is cast here.
 */
import { readFileSync } from 'node:fs';
import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';

export type {
  HttpRequest,
  HttpResponse,
  TemplatedApp,
  us_socket_context_t as SocketContext,
  WebSocket,
} from 'uWebSockets.js';

/** Absolute paths of PEM files; checked by src/config/http.ts. */
export interface TlsFiles {
  certFile: string;
  keyFile: string;
}

interface Uws {
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

export interface Listener {
  port: number;
  /** No new connections; those that are open go on. */
  stopListening(): void;
}

let loaded: Uws | null = null;

/**
 * Suites of TLS 1.2: a key of each connection's own (forward secrecy), and a cipher that authenticates what it encrypts. By default
 * BoringSSL also offers CBC with SHA-1, and RSA without forward secrecy. TLS 1.3 has neither, and its suites cannot be configured.
 */
const TLS_1_2_CIPHERS = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** With `tls` it speaks https only. Throws CONFIG_INVALID when uWS does not take the files. */
export async function createApp(tls: TlsFiles | null): Promise<TemplatedApp> {
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= String(LIMITS.headBytesMax);
  try {
    loaded ??= (await import('uWebSockets.js')) as unknown as Uws;
  } catch (error) {
    throw new Error(
      `uWebSockets.js has no build for Node ${process.version} on ${process.platform}-${process.arch}. Use Node 20 or 22.`,
      { cause: error },
    );
  }
  // No "uWebSockets" header on answers.
  loaded._cfg('silent');
  if (tls === null) return loaded.App();
  try {
    return loaded.SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile, ssl_ciphers: TLS_1_2_CIPHERS });
  } catch (error) {
    // BoringSSL knows fewer kinds of keys than Node's OpenSSL, and reads the whole chain.
    throw fail(
      'CONFIG_INVALID',
      {
        file: '--tls-cert',
        problem: `${tls.certFile} and its key belong together, but cannot be served with. Keys may be RSA, ECDSA (P-256, P-384, P-521) or Ed25519, and every certificate of the file must be whole.`,
      },
      error,
    );
  }
}

/** Connections of a server. */
export interface Sockets {
  open: number;
  /** That were one too many. */
  refused: number;
}

/**
 * Keeps the number of open sockets right, and at `max`: one more gets 503 before it has asked anything, and is closed. Call
 * before `listen`. uWS does not tell a filter of the end of a connection that became a WebSocket (20.0.8 of uws-pack): whoever
 * serves those calls `webSocketClosed`.
 */
export function countSockets(app: TemplatedApp, sockets: Sockets, { max, tls }: { max: number; tls: boolean }): void {
  void app.filter((res, change) => {
    sockets.open += change > 0 ? 1 : -1;
    if (change < 0 || sockets.open <= max) return;
    sockets.refused += 1;
    // Before the handshake nothing can be said.
    if (tls) res.close();
    else
      res.cork(() => {
        res
          .writeStatus('503 Service Unavailable')
          .writeHeader('retry-after', '1')
          .writeHeader('content-type', 'application/json')
          .end(FULL, true);
      });
  });
}

/** At the close of every WebSocket, once. */
export function webSocketClosed(sockets: Sockets): void {
  sockets.open -= 1;
}

const FULL = JSON.stringify({ detail: fail('OVERLOADED', { what: 'it has as many connections as it takes' }).message });

/** Files that the system lets this process have open; null where it does not say. */
export function openFilesMax(): number | null {
  try {
    const files = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return files === undefined ? null : Number(files);
  } catch {
    return null;
  }
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
