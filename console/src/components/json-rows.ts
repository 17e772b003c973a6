import { rawNumber } from '../api/json.js';
import { formatCount } from './format.js';

export type JsonKind = 'string' | 'number' | 'literal' | 'array' | 'object';

/** One row of a JSON tree. */
export interface JsonRow {
  /** Keys from the root, as JSON. Unique among the rows. */
  path: string;
  depth: number;
  /** Key within the parent, or null for the root. */
  name: string | null;
  kind: JsonKind;
  value: unknown;
  isOpen: boolean;
  /** Position among its siblings, from 1. */
  position: number;
  /** Number of siblings, this one included. */
  siblingCount: number;
}

export function jsonKind(value: unknown): JsonKind {
  if (rawNumber(value) !== null) return 'number';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'object' && value !== null) return 'object';
  return typeof value === 'string' ? 'string' : typeof value === 'number' ? 'number' : 'literal';
}

export function hasChildren(value: unknown): boolean {
  const kind = jsonKind(value);
  return (kind === 'array' || kind === 'object') && Object.keys(value as object).length > 0;
}

/** The visible rows in order. `isOpen` decides for each value that has children. */
export function flattenJson(root: unknown, isOpen: (path: string, depth: number) => boolean): JsonRow[] {
  const rows: JsonRow[] = [];
  const visit = (value: unknown, keys: readonly (string | number)[], place: number, of: number): void => {
    const path = JSON.stringify(keys);
    const open = hasChildren(value) && isOpen(path, keys.length);
    rows.push({
      path,
      depth: keys.length,
      name: keys.length === 0 ? null : String(keys.at(-1)),
      kind: jsonKind(value),
      value,
      isOpen: open,
      position: place,
      siblingCount: of,
    });
    if (!open) return;
    const parts = Array.isArray(value) ? value.map((part, at) => [at, part] as const) : Object.entries(value as object);
    parts.forEach(([key, part], at) => visit(part, [...keys, key], at + 1, parts.length));
  };
  visit(root, [], 1, 1);
  return rows;
}

/** A value in one line. Strings are cut after `max` characters. */
export function summarizeValue(value: unknown, max = 300): string {
  const long = rawNumber(value);
  if (long !== null) return long;
  switch (jsonKind(value)) {
    case 'array':
      return `[${formatCount((value as unknown[]).length)}]`;
    case 'object': {
      const names = Object.keys(value as object);
      return names.length === 0
        ? '{}'
        : `{${names.slice(0, 4).join(', ').slice(0, 60)}${names.length > 4 ? ', …' : ''}}`;
    }
    case 'string': {
      const text = value as string;
      return JSON.stringify(text.length > max ? `${text.slice(0, max)}…` : text);
    }
    default:
      return Object.is(value, -0) ? '-0' : String(value);
  }
}
