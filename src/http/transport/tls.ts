import { fail, type ThreadmillError } from '../../base/errors.js';
import type { TlsFiles } from './http-app.js';

/**
 * Cipher suites of TLS 1.2: only those with forward secrecy and authenticated encryption. The defaults of both
 * transports also include others. All suites of TLS 1.3 are safe.
 */
export const TLS_1_2_CIPHERS = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
];

/** The transport rejects files that Node could read. */
export function tlsRefused({ certFile }: TlsFiles, cause: unknown): ThreadmillError {
  return fail(
    'CONFIG_INVALID',
    {
      file: '--tls-cert',
      problem: `${certFile} and its key match, but TLS cannot be started with them. Keys must be RSA, ECDSA (P-256, P-384, P-521) or Ed25519, and the file must not contain incomplete certificates.`,
    },
    cause,
  );
}
