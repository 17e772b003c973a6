import { LIMITS } from '../../base/limits.js';

/** How a worker thread reaches the server of its own process. */
export interface ServerAddress {
  /** Host to dial on this machine: a name or an address, in URL syntax. */
  host: string;
  /** Prefix of every path. */
  mountPrefix: string;
  /** SHA-256 fingerprint of the server's certificate, in the format of node:crypto. Null: plain HTTP. */
  fingerprint: string | null;
  /**
   * A single number: the port, NOT_LISTENING_YET or STOPPED_LISTENING. Shared memory, because threads start
   * before the port is known and also after.
   */
  port: SharedArrayBuffer;
}

/**
 * Returns the address to dial for a server that listens on `host`. The unspecified addresses mean every address
 * of this machine.
 */
export function createServerAddress(host: string, mountPrefix: string, fingerprint: string | null): ServerAddress {
  const dialHost = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return {
    host: dialHost.includes(':') ? `[${dialHost}]` : dialHost,
    mountPrefix,
    fingerprint,
    port: new SharedArrayBuffer(4),
  };
}

const NOT_LISTENING_YET = 0;
const STOPPED_LISTENING = -1;

/** Publishes the port to every thread. Null: the server accepts no more connections. */
export function publishPort({ port }: ServerAddress, number: number | null): void {
  const shared = new Int32Array(port);
  Atomics.store(shared, 0, number ?? STOPPED_LISTENING);
  Atomics.notify(shared, 0);
}

/** Null while the server does not listen. */
export function serverUrl({ host, mountPrefix, fingerprint, port }: ServerAddress): string | null {
  const number = Atomics.load(new Int32Array(port), 0);
  return number === NOT_LISTENING_YET || number === STOPPED_LISTENING
    ? null
    : `${fingerprint === null ? 'http' : 'https'}://${host}:${number}${mountPrefix}`;
}

/**
 * Waits until the server listens. Needed because runs that resume after a restart begin just before the port
 * opens.
 */
export async function waitForServerUrl(own: ServerAddress): Promise<string | null> {
  await Atomics.waitAsync(new Int32Array(own.port), 0, NOT_LISTENING_YET, LIMITS.selfCallWaitMs).value;
  return serverUrl(own);
}

/**
 * Placeholder URL for clients that are created before the server listens. Their calls go to the real address.
 * No host name ends in `.invalid` (RFC 2606).
 */
export const PLACEHOLDER_URL = 'http://threadmill.invalid';
