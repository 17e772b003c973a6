/**
 * The only file that uses uWebSockets.js. It is imported late because it reads UWS_HTTP_MAX_HEADERS_SIZE on
 * load (reference/runtime-notes.md, section 2). The casts are for members that its types omit.
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
  /** Accepts no new connections. Open connections continue. */
  stopListening(): void;
}

let loaded: Uws | null = null;

/**
 * Cipher suites of TLS 1.2: only those with forward secrecy and authenticated encryption. BoringSSL's defaults
 * also include CBC with SHA-1, and RSA without forward secrecy. All suites of TLS 1.3 are safe and cannot be
 * configured.
 */
const TLS_1_2_CIPHERS = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** Creates the app; with `tls`, it serves only HTTPS. Throws CONFIG_INVALID when uWS rejects the files. */
export async function createApp(tls: TlsFiles | null): Promise<TemplatedApp> {
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= String(LIMITS.requestHeadBytesMax);
  try {
    loaded ??= (await import('uWebSockets.js')) as unknown as Uws;
  } catch (error) {
    throw new Error(
      `uWebSockets.js has no build for Node ${process.version} on ${process.platform}-${process.arch}. Use Node 20 or 22.`,
      { cause: error },
    );
  }
  // Omits the "uWebSockets" response header.
  loaded._cfg('silent');
  if (tls === null) return loaded.App();
  try {
    return loaded.SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile, ssl_ciphers: TLS_1_2_CIPHERS });
  } catch (error) {
    // BoringSSL supports fewer kinds of keys than Node's OpenSSL, and parses the whole chain.
    throw fail(
      'CONFIG_INVALID',
      {
        file: '--tls-cert',
        problem: `${tls.certFile} and its key match, but TLS cannot be started with them. Keys must be RSA, ECDSA (P-256, P-384, P-521) or Ed25519, and the file must not contain incomplete certificates.`,
      },
      error,
    );
  }
}

/** Connection counts of a server. */
export interface Sockets {
  open: number;
  /** Connections refused because of the limit. */
  refused: number;
}

/**
 * Counts open sockets and enforces the limit `max`: a further connection gets 503 before it sends a request,
 * and is closed. Call before `listen`. uWS does not report the end of a connection that became a WebSocket
 * (20.0.8 of uws-pack), so the WebSocket code calls `webSocketClosed`.
 */
export function countSockets(app: TemplatedApp, sockets: Sockets, { max, tls }: { max: number; tls: boolean }): void {
  void app.filter((res, change) => {
    sockets.open += change > 0 ? 1 : -1;
    if (change < 0 || sockets.open <= max) return;
    sockets.refused += 1;
    // No response is possible before the TLS handshake.
    if (tls) res.close();
    else
      res.cork(() => {
        res
          .writeStatus('503 Service Unavailable')
          .writeHeader('retry-after', '1')
          .writeHeader('content-type', 'application/json')
          .end(TOO_MANY_CONNECTIONS, true);
      });
  });
}

/** Call once for each closed WebSocket. */
export function webSocketClosed(sockets: Sockets): void {
  sockets.open -= 1;
}

const TOO_MANY_CONNECTIONS = JSON.stringify({
  detail: fail('OVERLOADED', { what: 'the maximum number of connections is reached' }).message,
});

/** Limit of open files of this process; null if the system does not provide it. */
export function openFilesMax(): number | null {
  try {
    const files = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return files === undefined ? null : Number(files);
  } catch {
    return null;
  }
}

/**
 * Returns null when the port is in use. The port is exclusive, because a second process would silently share it
 * otherwise.
 */
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
