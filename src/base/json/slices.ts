import { fail } from '../errors.js';
import { knownName } from './name-cache.js';

/**
 * Position of a value in a JSON text. Free-form values are kept as the bytes that the client sent. If they were parsed
 * and serialized again, `-0`, `1e400` and numbers with twenty digits would change (docs/decisions/0012).
 *
 * The functions here check members, elements and commas strictly. Inside a value they only find its end; the user
 * of the value parses it. The caller checks UTF-8.
 */
export interface Slice {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Receives slices: an array, or a list that needs less memory. */
export interface SliceSink {
  readonly length: number;
  push(slice: Slice): unknown;
}

export interface Member {
  readonly key: string;
  readonly value: Slice;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** The only value of the text, without surrounding whitespace. Throws MALFORMED_JSON for none or several. */
export function wholeValue(bytes: Uint8Array): Slice {
  const start = skipSpace(bytes, 0);
  const end = valueEnd(bytes, start);
  if (skipSpace(bytes, end) < bytes.length) throw malformed('more follows after the value', end);
  return { start, end };
}

/**
 * Visits the members of the object that is the only value of the text, in one pass. Returns false when the value is not
 * an object. Throws MALFORMED_JSON.
 */
export function walkWholeObject(bytes: Uint8Array, each: (key: string, start: number) => number): boolean {
  const start = skipSpace(bytes, 0);
  if (bytes[start] !== OPEN_BRACE) {
    wholeValue(bytes);
    return false;
  }
  const end = walkMembers(bytes, start, each);
  if (skipSpace(bytes, end) < bytes.length) throw malformed('more follows after the value', end);
  return true;
}

/** The values of a text with one value per line; any whitespace separates them. Throws MALFORMED_JSON. */
export function* eachValue(bytes: Uint8Array): Generator<Slice> {
  for (let start = skipSpace(bytes, 0); start < bytes.length;) {
    const end = valueEnd(bytes, start);
    yield { start, end };
    start = skipSpace(bytes, end);
  }
}

export function isObjectSlice(bytes: Uint8Array, { start }: Slice): boolean {
  return bytes[start] === OPEN_BRACE;
}

export function isArraySlice(bytes: Uint8Array, { start }: Slice): boolean {
  return bytes[start] === OPEN_BRACKET;
}

/**
 * Members of the object in `slice`, in order. A repeated key is returned each time; the last one counts. Throws
 * MALFORMED_JSON.
 */
export function members(bytes: Uint8Array, slice: Slice): Member[] {
  const found: Member[] = [];
  walkMembers(bytes, slice.start, (key, start) => {
    const end = valueEnd(bytes, start);
    found.push({ key, value: { start, end } });
    return end;
  });
  return found;
}

/**
 * Visits the members of the object that begins at `from`. `each` receives the start of a value and returns its end.
 * Returns the end of the object. Not a generator, for speed: an upload has tens of thousands of small objects.
 */
export function walkMembers(bytes: Uint8Array, from: number, each: (key: string, start: number) => number): number {
  let at = skipSpace(bytes, from + 1);
  if (bytes[at] === CLOSE_BRACE) return at + 1;
  for (;;) {
    if (bytes[at] !== QUOTE) throw malformed('expected a name in double quotes', at);
    const keyEnd = stringEnd(bytes, at);
    const key = keyOf(bytes, at, keyEnd);
    at = skipSpace(bytes, keyEnd);
    if (bytes[at] !== COLON) throw malformed('expected a colon', at);
    const end = each(key, skipSpace(bytes, at + 1));
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_BRACE) return at + 1;
    if (bytes[at] !== COMMA) throw malformed('expected a comma or the end of the object', at);
    at = skipSpace(bytes, at + 1);
  }
}

/** Elements of the array in `slice`. Throws MALFORMED_JSON. */
export function* elements(bytes: Uint8Array, slice: Slice): Generator<Slice> {
  let at = skipSpace(bytes, slice.start + 1);
  if (bytes[at] === CLOSE_BRACKET) return;
  for (;;) {
    const end = valueEnd(bytes, at);
    yield { start: at, end };
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_BRACKET) return;
    if (bytes[at] !== COMMA) throw malformed('expected a comma or the end of the list', at);
    at = skipSpace(bytes, at + 1);
  }
}

/**
 * Returns the end of the list that begins at `from` and adds its elements to `found`, up to `max`. Throws
 * MALFORMED_JSON.
 */
export function walkElements(bytes: Uint8Array, from: number, found: SliceSink, max: number): number {
  let at = skipSpace(bytes, from + 1);
  if (bytes[at] === CLOSE_BRACKET) return at + 1;
  for (;;) {
    const end = valueEnd(bytes, at);
    if (found.length < max) found.push({ start: at, end });
    at = skipSpace(bytes, end);
    if (bytes[at] === CLOSE_BRACKET) return at + 1;
    if (bytes[at] !== COMMA) throw malformed('expected a comma or the end of the list', at);
    at = skipSpace(bytes, at + 1);
  }
}

/** Parses the value in `slice`. Throws MALFORMED_JSON with its position in the text. */
export function parse(bytes: Uint8Array, slice: Slice): unknown {
  try {
    return JSON.parse(textOf(bytes, slice.start, slice.end)) as unknown;
  } catch (error) {
    throw malformed(error instanceof Error ? error.message : String(error), slice.start);
  }
}

/**
 * Members of an object by name, in a Map because a name may be `__proto__`. The last of repeated names counts, but all
 * must be valid JSON.
 */
export function memberMap(bytes: Uint8Array, slice: Slice): Map<string, Slice> {
  const found = new Map<string, Slice>();
  walkMembers(bytes, slice.start, (key, start) => {
    const end = valueEnd(bytes, start);
    const hidden = found.get(key);
    if (hidden !== undefined) parse(bytes, hidden);
    found.set(key, { start, end });
    return end;
  });
  return found;
}

export function bytesOf(bytes: Uint8Array, { start, end }: Slice): Uint8Array {
  return bytes.subarray(start, end);
}

/** Decodes the name between these quotes. Most names need no parser. */
function keyOf(bytes: Uint8Array, start: number, end: number): string {
  const known = knownName(bytes, start + 1, end - 1);
  if (known !== null) return known;
  for (let at = start + 1; at < end - 1; at += 1) {
    const byte = bytes[at]!;
    if (byte === BACKSLASH || byte < 0x20) return parse(bytes, { start, end }) as string;
  }
  return textOf(bytes, start + 1, end - 1);
}

/** Fastest for a Buffer: other arrays are wrapped first. */
function textOf(bytes: Uint8Array, start: number, end: number): string {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return buffer.toString('utf8', start, end);
}

function malformed(reason: string, at: number): Error {
  return fail('MALFORMED_JSON', { reason: `${reason} (at byte ${at})` });
}

export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) break;
    at += 1;
  }
  return at;
}

/** Strings up to this length are scanned faster than a native search is called. */
const SHORT_STRING = 32;

/** Position after the closing quote of the string that begins at `start`. */
export function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at <= start + SHORT_STRING; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH || byte === undefined) break;
  }
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  throw malformed('a string is not closed', start);
}

/**
 * Position after the value that begins at `start`. Counts brackets without checking their content. Throws
 * MALFORMED_JSON.
 */
export function valueEnd(bytes: Uint8Array, start: number): number {
  let depth = 0;
  let at = start;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = stringEnd(bytes, at);
      if (depth === 0) return at;
      continue;
    }
    if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth += 1;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth === 0) break;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === COMMA || byte === COLON || byte <= 0x20)) break;
    at += 1;
  }
  if (depth > 0) throw malformed('a list or an object is not closed', start);
  if (at === start)
    throw malformed(start >= bytes.length ? 'the text ends where a value is expected' : 'expected a value', start);
  return at;
}
