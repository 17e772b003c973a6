/**
 * The one place that knows uWebSockets.js. It is imported late because it reads UWS_HTTP_MAX_HEADERS_SIZE when it loads
 * (reference/runtime-notes.md, section 2), and its types miss what is cast here.
 */
import type { TemplatedApp, us_listen_socket } from 'uWebSockets.js';
import { LIMITS } from '../base/limits.js';

export type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js';

interface Uws {
  App(): TemplatedApp;
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

export async function createApp(): Promise<TemplatedApp> {
  process.env['UWS_HTTP_MAX_HEADERS_SIZE'] ??= String(LIMITS.headBytesMax);
  try {
    loaded ??= (await import('uWebSockets.js')) as unknown as Uws;
  } catch (error) {
    throw new Error(`uWebSockets.js has no build for Node ${process.version} on ${process.platform}-${process.arch}. Use Node 20 or 22.`, { cause: error });
  }
  // No "uWebSockets" header on answers.
  loaded._cfg('silent');
  return loaded.App();
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
