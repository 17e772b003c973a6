import type { ConnectionOptions, TlsOptions } from 'node:tls';

/**
 * Nodes of a cluster talk over TLS 1.3 with a shared key instead of certificates. Without the key nobody can send a
 * request, and recorded traffic cannot be replayed.
 */
const VERSION = { minVersion: 'TLSv1.3', ciphers: 'TLS_AES_128_GCM_SHA256:PSK' } as const;

/**
 * The TLS handshake names the protocol of a connection (ALPN). A connection without one of these names carries a
 * WebSocket.
 */
export const RUNS_PROTOCOL = 'threadmill-runs/1';
export const REQUESTS_PROTOCOL = 'threadmill-requests/1';
export type LinkProtocol = typeof RUNS_PROTOCOL | typeof REQUESTS_PROTOCOL;

/** Both sides name the key by this. */
const IDENTITY = 'threadmill';

export function nodeServerTls(key: Buffer): TlsOptions {
  return {
    ...VERSION,
    ALPNProtocols: [RUNS_PROTOCOL, REQUESTS_PROTOCOL, 'http/1.1'],
    pskCallback: (_socket, identity) => (identity === IDENTITY ? key : null),
  };
}

export function nodeClientTls(key: Buffer): ConnectionOptions {
  return {
    ...VERSION,
    pskCallback: () => ({ psk: key, identity: IDENTITY }),
    // The key proves who the other side is. There is no certificate with a name.
    checkServerIdentity: () => undefined,
  };
}
