import { requestBodyOf, UNREADABLE_BODY, type RequestBody } from './http-body.js';
import { formText } from './observe-fetch.js';
import { secretRemover } from './run-recorder.js';
import type { DispatchOptions } from './undici-dispatchers.js';

/** A request's body, and the body to send in its place. */
export interface ReadBody {
  body: Promise<RequestBody>;
  sent: unknown;
}

/** Reads the body without taking it away from the request. */
export function readBody({ body }: DispatchOptions): ReadBody | null {
  const bytes = bytesOf(body);
  if (bytes !== null) return { body: Promise.resolve(requestBodyOf(bytes, secretRemover())), sent: body };
  if (!isForm(body)) return null;
  const read = formText(body).then((text) => requestBodyOf(Buffer.from(text), secretRemover()));
  return { body: read.catch(() => UNREADABLE_BODY), sent: body };
}

/**
 * A body whose pieces come one by one, as undici's own `fetch` sends each body. Null for a stream, and for a form of
 * `fetch`, which has a new boundary between its parts each time.
 */
export function piecesOf({ body, headers }: DispatchOptions): AsyncIterable<unknown> | null {
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body) || 'pipe' in body) return null;
  const type: unknown = (headers as Record<string, unknown> | null | undefined)?.['content-type'];
  if (String(type).startsWith('multipart/')) return null;
  return body as AsyncIterable<unknown>;
}

export async function wholeOf(pieces: AsyncIterable<unknown>): Promise<Uint8Array> {
  const copies: Uint8Array[] = [];
  for await (const piece of pieces) copies.push(Buffer.from(bytesOf(piece) ?? []));
  return Buffer.concat(copies);
}

/** The same pieces. `onEnd` gets the whole body, or null if it was not sent to its end. */
export async function* copied(
  pieces: AsyncIterable<unknown>,
  onEnd: (body: Uint8Array | null) => void,
): AsyncGenerator<unknown> {
  const copies: Uint8Array[] = [];
  try {
    for await (const piece of pieces) {
      copies.push(Buffer.from(bytesOf(piece) ?? []));
      yield piece;
    }
    onEnd(Buffer.concat(copies));
  } finally {
    onEnd(null);
  }
}

function bytesOf(body: unknown): Uint8Array | null {
  if (body === undefined || body === null) return new Uint8Array(0);
  if (typeof body === 'string') return Buffer.from(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return body instanceof ArrayBuffer ? new Uint8Array(body) : null;
}

/** Also the class of the package, which is not the built-in one. */
function isForm(body: unknown): body is FormData {
  return Object.prototype.toString.call(body) === '[object FormData]';
}
