import { createHash } from 'node:crypto';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { SecretRemover } from './remove-secrets.js';

/** Text, except for a byte order mark or invalid UTF-8. */
const utf8Text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function textOf(bytes: Uint8Array): string | null {
  try {
    return utf8Text.decode(bytes);
  } catch {
    return null;
  }
}

/** A request's body as a recording compares it. */
export interface RequestBody {
  /** Empty if the body could not be read. */
  hash: string;
  /** Without secrets. Null: it is not text, is a stream, or is too long. */
  text: string | null;
}

export const UNREADABLE_BODY: RequestBody = { hash: '', text: null };

const TEXT_CHARS_MAX = 1_024 * 1_024;

export function requestBodyOf(bytes: Uint8Array, secrets: SecretRemover): RequestBody {
  const text = textOf(bytes);
  const clean = text === null ? null : secrets.text(text);
  return {
    hash: createHash('sha256')
      .update(clean ?? bytes)
      .digest('base64url'),
    text: clean !== null && clean.length <= TEXT_CHARS_MAX ? clean : null,
  };
}

/** Headers of the connection that an answer came on. */
const CONNECTION_HEADERS = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive']);

export function withoutConnectionHeaders(headers: readonly [string, string][]): [string, string][] {
  return headers.filter(([name]) => !CONNECTION_HEADERS.has(name.toLowerCase()));
}

const DECODED_BYTES_MAX = 64 * 1_024 * 1_024;

/** A body as its reader gets it, or null if the encoding is not known or the body is not complete. */
export function decodedBody(bytes: Uint8Array, encoding: string): Uint8Array | null {
  const options = { maxOutputLength: DECODED_BYTES_MAX };
  try {
    switch (encoding.toLowerCase()) {
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(bytes, options);
      case 'deflate':
        return inflateSync(bytes, options);
      case 'br':
        return brotliDecompressSync(bytes, options);
      default:
        return null;
    }
  } catch {
    return null;
  }
}
