import { fail, type ThreadmillError } from '../base/errors.js';
import type { Exchange } from './transport/exchange.js';

/** Supported kinds of bodies: JSON, JSON lines, a form with files, a binary file, Protocol Buffers, or JSON as text. */
export type BodyType = 'json' | 'json-lines' | 'form-data' | 'file' | 'text' | 'protobuf';

const PROTOBUF_TYPE = /^application\/(?:x-)?protobuf$/;

const TYPES: Readonly<Record<BodyType, { example: string; pattern: RegExp }>> = {
  json: { example: 'application/json', pattern: /^application\/(?:[\w.+-]+\+)?json$/ },
  'json-lines': { example: 'application/x-ndjson', pattern: /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines)$/ },
  'form-data': { example: 'multipart/form-data', pattern: /^multipart\/form-data$/ },
  protobuf: { example: 'application/x-protobuf', pattern: PROTOBUF_TYPE },
  file: { example: 'application/octet-stream', pattern: /^application\/octet-stream$/ },
  // Only for methods that browsers never send across origins without a preflight, such as PUT.
  text: { example: 'text/plain', pattern: /^text\/plain$/ },
};

/**
 * Returns an error if the route does not accept the body's content type; null if it does or there is no body.
 *
 * Browsers send three kinds of bodies across origins without a preflight: text/plain, forms, and bodies without
 * a type. So none of them counts as JSON. A body without a type is accepted from programs, because older
 * versions of langsmith for Python send some. Browsers are recognized by headers that they always send with a
 * body.
 */
export function unsupportedTypeError(
  { headers, contentLength, method }: Exchange,
  accepted: readonly BodyType[],
): ThreadmillError | null {
  const given = headers['content-type'] ?? '';
  if (given === 'application/json' && accepted.includes('json')) return null;
  if (contentLength === 0 || method === 'get' || method === 'head') return null;
  if (given === '') {
    if (headers['origin'] === undefined && headers['sec-fetch-site'] === undefined) return null;
  } else {
    const type = given.split(';', 1)[0]!.trim().toLowerCase();
    if (accepted.some((one) => TYPES[one].pattern.test(type))) return null;
  }
  const found =
    given === ''
      ? 'no content type'
      : `the content type ${JSON.stringify(given.slice(0, SHOWN_CHARS))}, which is not supported here`;
  return fail('UNSUPPORTED_MEDIA_TYPE', {
    found,
    accepted: accepted.map((one) => `content-type: ${TYPES[one].example}`).join(', or '),
  });
}

const SHOWN_CHARS = 100;

/** True if the body is in Protocol Buffers. */
export function isProtobuf({ headers }: Pick<Exchange, 'headers'>): boolean {
  return PROTOBUF_TYPE.test((headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase());
}
