import { fail, type ThreadmillError } from '../base/errors.js';
import type { Exchange } from './transport/exchange.js';

/** What a body may be: JSON, one JSON value a line, a form with files, or a file of unnamed type. */
export type BodyType = 'json' | 'json-lines' | 'form-data' | 'file';

const TYPES: Readonly<Record<BodyType, { example: string; pattern: RegExp }>> = {
  json: { example: 'application/json', pattern: /^application\/(?:[\w.+-]+\+)?json$/ },
  'json-lines': { example: 'application/x-ndjson', pattern: /^application\/(?:x-)?(?:ndjson|jsonl|jsonlines)$/ },
  'form-data': { example: 'multipart/form-data', pattern: /^multipart\/form-data$/ },
  file: { example: 'application/octet-stream', pattern: /^application\/octet-stream$/ },
};

/**
 * The error for a body whose content type the route does not take; null when it takes it, or there is no body.
 *
 * Browsers send three types across origins without asking first (a preflight): text/plain, forms, and no type at all. So none of them
 * counts as JSON. A body without a type is taken from programs: older versions of langsmith for Python send some; a browser is
 * told by the headers that it always has on a request with a body.
 */
export function unsupportedType(
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
