import { assert } from './assert.js';

/** Microseconds since 1970-01-01T00:00:00Z, a safe integer. */
export type Micros = number;

/** End of the supported range: clients use years 1970 to 2199, which fit a safe integer. */
const END_US: Micros = Date.UTC(2200, 0, 1) * 1_000;

/**
 * Parses an ISO 8601 date-time. Null when the text is not one, or outside the years 1970 to 2199 in UTC.
 * Accepts T, t or one space between date and time; seconds optional; a fraction of 1 or more digits after '.' or ','
 * (cut after 6); Z, z, +hh:mm, +hhmm, +hh, the same with '-', or no offset (= UTC); a date alone is midnight UTC.
 */
export function parseMicros(text: string): Micros | null {
  // Char codes and Date.UTC: Date.parse reads naive times in the local zone, cuts to milliseconds and rolls days over.
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  // NaN (no digit there) fails every one of these comparisons.
  if (!(year >= 1969 && year <= 2200 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)))
    return null;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return null;
  if (text.length === 10) return inRange(Date.UTC(year, month - 1, day) * 1_000);

  const gap = text.charCodeAt(10);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  if (
    (gap !== UPPER_T && gap !== LOWER_T && gap !== SPACE) ||
    text.charCodeAt(13) !== COLON ||
    !(hour <= 23 && minute <= 59)
  )
    return null;
  let at = 16;
  let second = 0;
  let micros = 0;
  if (text.charCodeAt(at) === COLON) {
    second = twoDigits(text, at + 1);
    if (!(second <= 59)) return null;
    at += 3;
    const mark = text.charCodeAt(at);
    if (mark === DOT || mark === COMMA) {
      const first = at + 1;
      let unit = 100_000;
      for (at = first; isDigit(text.charCodeAt(at)); at += 1) {
        micros += (text.charCodeAt(at) - ZERO) * unit;
        unit = unit === 1 ? 0 : unit / 10;
      }
      if (at === first) return null;
    }
  }
  const offset = offsetMinutes(text, at);
  if (offset === null) return null;
  return inRange((Date.UTC(year, month - 1, day, hour, minute, second) - offset * 60_000) * 1_000 + micros);
}

/** '2024-01-02T03:04:05.678901+00:00' */
export function isoMicros(us: Micros): string {
  const [date, second, micros] = splitTime(us);
  return `${date}T${clock(second, ':')}.${sixDigits(micros)}+00:00`;
}

/** Compact form in a dotted order: '20240102T030405678901Z' */
export function compactMicros(us: Micros): string {
  const [date, second, micros] = splitTime(us);
  return `${date.slice(0, 4)}${date.slice(5, 7)}${date.slice(8)}T${clock(second, '')}${sixDigits(micros)}Z`;
}

const DAY_US = 86_400_000_000;
const TWO_DIGITS = Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0'));

// Cache: consecutive times mostly have the same day, and computing its calendar date is expensive.
let lastDay = 0;
let lastDate = '1970-01-01';

/** Date like '2024-01-02', second of that day, microsecond of that second. */
function splitTime(us: Micros): [date: string, second: number, micros: number] {
  assert(Number.isSafeInteger(us) && us >= 0 && us < END_US, 'a time lies between 1970 and 2199');
  const inDay = us % DAY_US;
  const day = (us - inDay) / DAY_US;
  if (day !== lastDay) {
    lastDate = new Date(day * 86_400_000).toISOString().slice(0, 10);
    lastDay = day;
  }
  const micros = inDay % 1_000_000;
  return [lastDate, (inDay - micros) / 1_000_000, micros];
}

function clock(second: number, colon: string): string {
  const minute = Math.floor(second / 60);
  return `${TWO_DIGITS[Math.floor(minute / 60)]}${colon}${TWO_DIGITS[minute % 60]}${colon}${TWO_DIGITS[second % 60]}`;
}

function sixDigits(micros: number): string {
  return `${TWO_DIGITS[Math.floor(micros / 10_000)]}${TWO_DIGITS[Math.floor(micros / 100) % 100]}${TWO_DIGITS[micros % 100]}`;
}

const ZERO = 48;
const SPACE = 32;
const PLUS = 43;
const COMMA = 44;
const DASH = 45;
const DOT = 46;
const COLON = 58;
const UPPER_T = 84;
const UPPER_Z = 90;
const LOWER_T = 116;
const LOWER_Z = 122;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= ZERO + 9;
}

/** Number of the two digits at `at`; NaN when they are not digits, or past the end. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at);
  const ones = text.charCodeAt(at + 1);
  return isDigit(tens) && isDigit(ones) ? (tens - ZERO) * 10 + ones - ZERO : NaN;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Offset from UTC in minutes, from the rest of the text; null when that is not an offset. */
function offsetMinutes(text: string, at: number): number | null {
  const left = text.length - at;
  if (left === 0) return 0;
  const sign = text.charCodeAt(at);
  if (sign === UPPER_Z || sign === LOWER_Z) return left === 1 ? 0 : null;
  if (sign !== PLUS && sign !== DASH) return null;
  const hours = twoDigits(text, at + 1);
  let minutes = NaN;
  if (left === 3) minutes = 0;
  else if (left === 5) minutes = twoDigits(text, at + 3);
  else if (left === 6 && text.charCodeAt(at + 3) === COLON) minutes = twoDigits(text, at + 4);
  if (!(hours <= 23 && minutes <= 59)) return null;
  return sign === DASH ? -(hours * 60 + minutes) : hours * 60 + minutes;
}

function inRange(us: Micros): Micros | null {
  return us >= 0 && us < END_US ? us : null;
}
