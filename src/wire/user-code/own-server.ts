import { LIMITS } from '../../base/limits.js';

/** How a thread reaches the server that it is a thread of. */
export interface OwnServer {
  /** What a client on this machine dials: a name or an address, as it stands in a URL. */
  host: string;
  /** Before every path. */
  mountPrefix: string;
  /** SHA-256 of the certificate that the server shows, as node:crypto writes it; null: plain HTTP. */
  fingerprint: string | null;
  /** One number: the port, or NOT_YET or NO_MORE. Shared, because threads start before it is known and again after it. */
  port: SharedArrayBuffer;
}

/** Where to dial a server that listens on `host`: the unspecified addresses are every address of this machine. */
export function ownServer(host: string, mountPrefix: string, fingerprint: string | null): OwnServer {
  const dialled = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return {
    host: dialled.includes(':') ? `[${dialled}]` : dialled,
    mountPrefix,
    fingerprint,
    port: new SharedArrayBuffer(4),
  };
}

const NOT_YET = 0;
const NO_MORE = -1;

/** Tells every thread; null: the server takes no more connections. */
export function listensOn({ port }: OwnServer, number: number | null): void {
  const shared = new Int32Array(port);
  Atomics.store(shared, 0, number ?? NO_MORE);
  Atomics.notify(shared, 0);
}

/** Null while nobody listens. */
export function addressOf({ host, mountPrefix, fingerprint, port }: OwnServer): string | null {
  const number = Atomics.load(new Int32Array(port), 0);
  return number === NOT_YET || number === NO_MORE
    ? null
    : `${fingerprint === null ? 'http' : 'https'}://${host}:${number}${mountPrefix}`;
}

/** The address, as soon as there is one: runs that a restart goes on with begin a moment before the port opens. */
export async function addressSoon(own: OwnServer): Promise<string | null> {
  await Atomics.waitAsync(new Int32Array(own.port), 0, NOT_YET, LIMITS.ownWaitMs).value;
  return addressOf(own);
}

/** What a client that is made while nobody listens takes for the address; its calls go to the real one. No name ends so (RFC 2606). */
export const UNKNOWN_ADDRESS = 'http://threadmill.invalid';
