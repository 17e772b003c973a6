import { formatNumber } from '../components/format.js';
import { rawNumber, parseJson, prettyJson } from '../api/json.js';

/** Compact formatting of scores and values. */

/** Own property of an object with user-defined keys, so that `__proto__` is an ordinary name. */
export function ownProperty<T>(object: Readonly<Record<string, T>> | null | undefined, name: string): T | undefined {
  return object !== null && object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A number with its sign. The minus is U+2212, as wide as the plus. */
export function formatSigned(value: number, format: (size: number) => string = formatNumber): string {
  return value === 0 ? '±0' : `${value > 0 ? '+' : '−'}${format(Math.abs(value))}`;
}

export function formatSeconds(value: number): string {
  return `${formatNumber(value)} s`;
}

/** A value in at most `charsMax` characters. A single string is shown without its name, a list as JSON. */
export function shortText(value: unknown, charsMax: number): string {
  const text = textOf(value);
  return text.length > charsMax ? `${text.slice(0, charsMax)}…` : text;
}

/** Text for a preview of the server. A preview that parses is the whole value and can be formatted better. */
export function shortPreviewText(preview: string, charsMax: number): string {
  try {
    return shortText(parseJson(preview), charsMax);
  } catch {
    return preview.slice(0, charsMax);
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'object' && !Array.isArray(value)) {
    const values = Object.entries(value) as [string, unknown][];
    if (values.length === 1 && typeof values[0]![1] === 'string') return values[0]![1];
    if (rawNumber(value) === null && values.length > 0)
      return values.map(([name, one]) => `${name}: ${typeof one === 'string' ? one : prettyLine(one)}`).join(' · ');
  }
  return prettyLine(value);
}

function prettyLine(value: unknown): string {
  return (JSON.stringify(value) as string | undefined) ?? prettyJson(value);
}
