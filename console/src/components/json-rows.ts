import { longNumber } from '../api/json.js';
import { count } from './format.js';

export type JsonKind = 'text' | 'number' | 'word' | 'list' | 'object';

/** One line of a tree of JSON. */
export interface JsonRow {
  /** Keys from the root, as JSON: tells the row from all others. */
  path: string;
  depth: number;
  /** Null for the root. */
  name: string | null;
  kind: JsonKind;
  value: unknown;
  open: boolean;
  /** Where it stands among those beside it, from 1. */
  place: number;
  of: number;
}

export function kindOf(value: unknown): JsonKind {
  if (longNumber(value) !== null) return 'number';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object' && value !== null) return 'object';
  return typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'word';
}

export function hasParts(value: unknown): boolean {
  const kind = kindOf(value);
  return (kind === 'list' || kind === 'object') && Object.keys(value as object).length > 0;
}

/** Lines in order, of what is open. `isOpen` is asked for everything that has parts. */
export function rowsOf(root: unknown, isOpen: (path: string, depth: number) => boolean): JsonRow[] {
  const rows: JsonRow[] = [];
  const visit = (value: unknown, keys: readonly (string | number)[], place: number, of: number): void => {
    const path = JSON.stringify(keys);
    const open = hasParts(value) && isOpen(path, keys.length);
    rows.push({
      path,
      depth: keys.length,
      name: keys.length === 0 ? null : String(keys.at(-1)),
      kind: kindOf(value),
      value,
      open,
      place,
      of,
    });
    if (!open) return;
    const parts = Array.isArray(value) ? value.map((part, at) => [at, part] as const) : Object.entries(value as object);
    parts.forEach(([key, part], at) => visit(part, [...keys, key], at + 1, parts.length));
  };
  visit(root, [], 1, 1);
  return rows;
}

/** What a value is, in a line. Text is cut after `max` characters. */
export function summaryOf(value: unknown, max = 300): string {
  const long = longNumber(value);
  if (long !== null) return long;
  switch (kindOf(value)) {
    case 'list':
      return `[${count((value as unknown[]).length)}]`;
    case 'object': {
      const names = Object.keys(value as object);
      return names.length === 0
        ? '{}'
        : `{${names.slice(0, 4).join(', ').slice(0, 60)}${names.length > 4 ? ', …' : ''}}`;
    }
    case 'text': {
      const text = value as string;
      return JSON.stringify(text.length > max ? `${text.slice(0, max)}…` : text);
    }
    default:
      return Object.is(value, -0) ? '-0' : String(value);
  }
}
