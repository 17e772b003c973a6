import { isObject } from '../../src/base/json/json.js';
import { parseMicros } from '../../src/base/micros.js';
import { FilterSyntaxError, quote, type FilterPart, type FilterValue } from './filter-parse.js';

/**
 * How values of a field are compared. `word` ignores case, `id` is a UUID with or without dashes, `error` is
 * text that can also be compared with true and false to test its presence. `loose` is any JSON scalar: it
 * compares as text, and with ordering operators also as a number.
 */
export type Kind = 'text' | 'word' | 'id' | 'number' | 'time' | 'seconds' | 'flag' | 'error' | 'loose';

export type ValueTest = (actual: FilterValue | undefined) => boolean;

/** Compiles the test for `operator` and a literal. Throws FilterSyntaxError when they do not fit together. */
export function valueTest(operator: string, kind: Kind, written: FilterPart): ValueTest {
  if (operator === 'in') {
    if (written.type !== 'list') throw new FilterSyntaxError('in needs a list such as ["a", "b"]', written.at);
    const wanted = new Set(written.values.map((value) => (value === null ? null : literal(kind, value, written.at))));
    return (actual) => wanted.has(isNone(actual) ? null : toComparable(kind, actual));
  }
  const value = valueOf(written, `${operator} needs a value to compare with`);
  if (operator === 'eq') return equals(kind, value, written.at);
  if (operator === 'neq') {
    // A run without a value differs from every value.
    const equal = equals(kind, value, written.at);
    return (actual) => !equal(actual);
  }
  if (operator === 'like') return like(textOf(written, 'like needs a pattern in quotes; % matches any text'));
  return ordered(operator, kind, value, written.at);
}

/** The text of a quoted literal. Throws FilterSyntaxError with the message `hint`. */
export function textOf(part: FilterPart, hint: string): string {
  if (part.type === 'value' && typeof part.value === 'string') return part.value;
  throw new FilterSyntaxError(hint, part.at);
}

/** Matches text that contains `needle`, ignoring case. */
export function containsText(needle: string): ValueTest {
  const lower = needle.toLowerCase();
  return (actual) => !isNone(actual) && String(actual).toLowerCase().includes(lower);
}

export function isNone(value: FilterValue | undefined): value is null | undefined {
  return value === null || value === undefined;
}

/** A JSON value as filters compare it. Undefined for objects and lists, which cannot be compared. */
export function scalar(value: unknown): FilterValue | undefined {
  return typeof value === 'object' && value !== null ? undefined : (value as FilterValue | undefined);
}

/** Limits for searching a document, so that one large run does not block a query. */
const LEAVES_MAX = 10_000;
const LEAF_KEY_CHARS_MAX = 1_000;
const LEAF_LEVELS_MAX = 32;

/**
 * Flattens a JSON document into keys and values. Nested keys are joined by dots. Items of a list have the key
 * of the list, which also appears alone, without a value. Empty for anything but a JSON object.
 */
export function leaves(json: FilterValue | undefined): { key: string; value: FilterValue | undefined }[] {
  const found: { key: string; value: FilterValue | undefined }[] = [];
  if (typeof json !== 'string') return found;
  let root: unknown;
  try {
    root = JSON.parse(json);
  } catch {
    return found;
  }
  if (!isObject(root)) return found;
  let level: { prefix: string; node: object }[] = [{ prefix: '', node: root }];
  for (let depth = 0; level.length > 0 && depth < LEAF_LEVELS_MAX; depth += 1) {
    const next: typeof level = [];
    for (const { prefix, node } of level) {
      const isList = Array.isArray(node);
      for (const [name, value] of Object.entries(node) as [string, unknown][]) {
        if (found.length >= LEAVES_MAX) return found;
        const key = isList ? prefix : prefix === '' ? name : `${prefix}.${name}`;
        if (key.length > LEAF_KEY_CHARS_MAX) continue;
        found.push({ key, value: scalar(value) });
        if (typeof value === 'object' && value !== null) next.push({ prefix: key, node: value });
      }
    }
    level = next;
  }
  return found;
}

function equals(kind: Kind, value: FilterValue, at: number): ValueTest {
  if (value === null) return isNone;
  if (kind === 'error' && typeof value === 'boolean') return (actual) => isNone(actual) !== value;
  const wanted = literal(kind, value, at);
  return (actual) => !isNone(actual) && toComparable(kind, actual) === wanted;
}

function ordered(operator: string, kind: Kind, value: FilterValue, at: number): ValueTest {
  if (value === null || kind === 'flag')
    throw new FilterSyntaxError(`${operator} compares by order, but null, true and false have no order`, at);
  const as = kind === 'loose' && typeof value === 'number' ? 'number' : kind;
  const wanted = literal(as, value, at);
  return (actual) => {
    const found = isNone(actual) ? null : toComparable(as, actual);
    // NaN and null have no order. A number never meets a text here, because both values have the same kind.
    if (found === null) return false;
    switch (operator) {
      case 'gt':
        return found > wanted;
      case 'gte':
        return found >= wanted;
      case 'lt':
        return found < wanted;
      default:
        return found <= wanted;
    }
  };
}

/**
 * Ignores case; % matches any text and cannot be escaped. Uses only plain searches from left to right, so no
 * pattern is slow.
 */
function like(pattern: string): ValueTest {
  const parts = pattern.toLowerCase().split('%');
  const first = parts[0]!;
  const last = parts[parts.length - 1]!;
  return (actual) => {
    if (isNone(actual)) return false;
    const text = String(actual).toLowerCase();
    if (parts.length === 1) return text === first;
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let at = first.length;
    for (let i = 1; i < parts.length - 1; i += 1) {
      const found = text.indexOf(parts[i]!, at);
      if (found === -1 || found + parts[i]!.length > end) return false;
      at = found + parts[i]!.length;
    }
    return true;
  };
}

function valueOf(part: FilterPart, hint: string): FilterValue {
  if (part.type === 'value') return part.value;
  throw new FilterSyntaxError(
    part.type === 'word' ? `${hint}; ${quote(part.name)} is not a value; put text in quotes` : hint,
    part.at,
  );
}

/** Converts a literal to the form that `reading` returns. */
function literal(kind: Kind, value: string | number | boolean, at: number): string | number | boolean {
  let form: string | number | boolean | null;
  if (kind === 'time')
    form =
      typeof value === 'string' ? parseMicros(value) : typeof value === 'number' ? Math.round(value * 1_000) : null;
  else if (kind === 'seconds') form = secondsOf(value);
  else form = toComparable(kind, value);
  if (form === null) throw new FilterSyntaxError(`${quote(String(value))} is not a valid ${EXPECTED[kind]}`, at);
  return form;
}

const EXPECTED: Record<Kind, string> = {
  text: 'text',
  word: 'text',
  id: 'id',
  error: 'text',
  loose: 'value',
  flag: 'true or false',
  number: 'number',
  seconds: 'number of seconds or duration like "1.5s" (us, ms, s, m, h, d)',
  time: 'ISO 8601 time or number of milliseconds since 1970',
};

/** Converts a field's value to the form in which it is compared; null if it has none. */
function toComparable(kind: Kind, value: string | number | boolean): string | number | boolean | null {
  switch (kind) {
    case 'word':
      return String(value).toLowerCase();
    case 'id':
      return plainId(String(value));
    case 'number':
    case 'time':
    case 'seconds':
      return numberOf(value);
    case 'flag':
      return flagOf(value);
    default:
      return String(value);
  }
}

/** Booleans count as 1 and 0, as they do for scores. */
function numberOf(value: string | number | boolean): number | null {
  const number = typeof value === 'string' && value.trim() === '' ? NaN : Number(value);
  return Number.isNaN(number) ? null : number;
}

function flagOf(value: string | number | boolean): boolean | null {
  if (typeof value === 'boolean') return value;
  const text = String(value).toLowerCase();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : null;
}

/** Clients write UUIDs with and without dashes, and in both cases (evaluation-api.md, section 0.3). */
function plainId(text: string): string {
  return text.replaceAll('-', '').toLowerCase();
}

const DURATION = /^(\d+(?:\.\d+)?) ?(us|ms|s|m|min|h|d)?$/;
const UNIT_SECONDS: Record<string, number> = { us: 1e-6, ms: 1e-3, s: 1, m: 60, min: 60, h: 3_600, d: 86_400 };

function secondsOf(value: string | number | boolean): number | null {
  if (typeof value === 'number') return value;
  const match = typeof value === 'string' ? DURATION.exec(value) : null;
  return match === null ? null : Number(match[1]) * UNIT_SECONDS[match[2] ?? 's']!;
}
