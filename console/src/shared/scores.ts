import { figure } from '../components/format.js';
import { longNumber, parseJson, prettyJson } from '../api/json.js';

/** How scores and what was said are told in little space. */

/** A member of an object that was made of somebody's names: `__proto__` is one like another. */
export function own<T>(object: Readonly<Record<string, T>> | null | undefined, name: string): T | undefined {
  return object !== null && object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** With its sign, as a minus of its own width. */
export function signed(value: number, format: (size: number) => string = figure): string {
  return value === 0 ? '±0' : `${value > 0 ? '+' : '−'}${format(Math.abs(value))}`;
}

export function seconds(value: number): string {
  return `${figure(value)} s`;
}

/** A value in so many characters: a single text without its name, several by their names, a list as JSON. */
export function short(value: unknown, charsMax: number): string {
  const text = textOf(value);
  return text.length > charsMax ? `${text.slice(0, charsMax)}…` : text;
}

/** The beginning of a value that the server has cut: whole values are short enough to be told better. */
export function shortPreview(preview: string, charsMax: number): string {
  try {
    return short(parseJson(preview), charsMax);
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
    if (longNumber(value) === null && values.length > 0)
      return values.map(([name, one]) => `${name}: ${typeof one === 'string' ? one : prettyLine(one)}`).join(' · ');
  }
  return prettyLine(value);
}

function prettyLine(value: unknown): string {
  return (JSON.stringify(value) as string | undefined) ?? prettyJson(value);
}
