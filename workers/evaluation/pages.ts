import { invalidRequest } from '../../src/base/request-problems.js';
import { canonicalUuid } from '../../src/base/ids.js';
import { LIMITS } from '../../src/base/limits.js';
import { parseMicros } from '../../src/base/micros.js';
import { jsonArray } from './records-json.js';

/** Returns a page of a list in memory. */
export function sliceOfPage<T>(
  items: readonly T[],
  { offset, limit }: { offset?: number | null; limit?: number | null },
  limitOtherwise: number = LIMITS.pageRows,
): readonly T[] {
  const from = offset ?? 0;
  return items.slice(from, from + (limit ?? limitOtherwise));
}

/**
 * Serializes a list as JSON. Throws INVALID_REQUEST when it is too large. A shortened page is not possible,
 * because clients take a short page for the last one.
 */
export function listJson<T>(items: readonly T[], jsonOf: (item: T) => Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (const item of items) {
    const part = jsonOf(item);
    bytes += part.byteLength;
    if (bytes > LIMITS.pageBytesMax)
      throw invalidRequest('query', [
        {
          loc: ['limit'],
          msg: `the first ${parts.length + 1} of these exceed ${LIMITS.pageBytesMax} bytes together; request fewer at once`,
          type: 'too_large',
        },
      ]);
    parts.push(part);
  }
  return jsonArray(parts);
}

/**
 * Converts ids to their canonical form. Clients send a single id or a list. Throws INVALID_REQUEST, which names
 * the invalid id.
 */
export function parseIds(
  given: readonly string[] | string | null | undefined,
  name: string,
  where: 'query' | 'body' = 'query',
): string[] | null {
  const values = typeof given === 'string' ? [given] : given;
  if (values === undefined || values === null || values.length === 0) return null;
  return values.map((value, at) => parseId(value, [name, at], where));
}

export function parseId(value: string, loc: (string | number)[], where: 'query' | 'body' = 'query'): string {
  const id = canonicalUuid(value);
  if (id === null) throw invalidRequest(where, [{ loc, msg: 'must be a UUID', type: 'uuid_parsing' }]);
  return id;
}

/** Parses a time. Null stays null, and numbers are epoch milliseconds. Throws INVALID_REQUEST. */
export function parseTime(
  value: string | number | null | undefined,
  name: string,
  where: 'query' | 'body' = 'query',
): number | null {
  if (value === undefined || value === null) return null;
  const us = typeof value === 'number' ? Math.round(value * 1_000) : parseMicros(value);
  if (us === null || !Number.isSafeInteger(us))
    throw invalidRequest(where, [{ loc: [name], msg: 'must be an ISO 8601 date-time', type: 'datetime_parsing' }]);
  return us;
}

/**
 * Decodes the cursor of a page: the position after which the page begins. Throws INVALID_REQUEST for a cursor
 * that this server did not create.
 */
export function parseCursor<T>(text: string | null | undefined, fits: (value: unknown) => value is T): T | null {
  if (text === undefined || text === null || text === '') return null;
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown;
    if (fits(value)) return value;
  } catch {
    // Not JSON: refused below, like any other invalid cursor.
  }
  throw invalidRequest('body', [{ loc: ['cursor'], msg: 'is not a cursor of this server', type: 'cursor' }]);
}

export function cursorText(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
