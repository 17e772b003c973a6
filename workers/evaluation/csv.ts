import { stringify } from 'csv-stringify/sync';
import { fail } from '../../src/base/errors.js';
import { asText, type JsonBytes } from '../../src/base/json/json.js';
import { bytesOf, isObjectSlice, members, wholeValue } from '../../src/base/json/slices.js';
import { LIMITS } from '../../src/base/limits.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { onOneLine } from './export-lines.js';

export const CSV = 'text/csv; charset=utf-8';

/** The content of one cell: plain text, or any JSON value. */
export interface Field {
  group: string;
  /** Null when the group is a single column. */
  name: string | null;
  value: string | JsonBytes | null;
}

/** The rows of one pass over the records. Null marks a point to pause at. Called twice. */
type Rows = () => Iterable<Iterable<Field> | null>;

const ROWS_AT_ONCE = 16;

/**
 * Writes CSV as defined by RFC 4180. The first pass collects the columns: the single ones and, for each group
 * of free-form values, every name in any record. Throws INVALID_REQUEST when there are too many, and
 * EXPORT_CHANGED when the second pass finds a new column.
 */
export function* csvPieces(groups: readonly string[], singles: readonly string[], rows: Rows): Generator<string> {
  const titles = new Map(groups.map((group) => [group, new Set<string>(singles.includes(group) ? [group] : [])]));
  let count = singles.length;
  for (const fields of rows()) {
    for (const field of fields ?? []) {
      const known = titles.get(field.group)!;
      const before = known.size;
      known.add(columnTitle(field));
      count += known.size - before;
      if (count > LIMITS.csvColumnsMax)
        throw invalidRequest('query', [
          {
            loc: ['format'],
            msg: `csv would have more than ${LIMITS.csvColumnsMax} columns; use the format jsonl`,
            type: 'too_many_columns',
          },
        ]);
    }
    yield '';
  }
  const header = [...titles.values()].flatMap((group) => [...group]);
  const columns = new Map(header.map((title, at) => [title, at]));
  let lines: string[][] = [header.map(escapeFormula)];
  for (const fields of rows()) {
    if (fields !== null) lines.push(lineOf(columns, fields));
    if (lines.length < ROWS_AT_ONCE) {
      yield '';
      continue;
    }
    yield csvText(lines);
    lines = [];
  }
  yield csvText(lines);
}

/** The members of a free-form object as columns. Any other value is one column with the group's name. */
export function* membersAsFields(group: string, json: JsonBytes | null): Generator<Field> {
  if (json === null) return;
  const whole = wholeValue(json);
  if (!isObjectSlice(json, whole)) {
    yield { group, name: null, value: json };
    return;
  }
  for (const { key, value } of members(json, whole)) yield { group, name: key, value: bytesOf(json, value) };
}

function columnTitle({ group, name }: Field): string {
  return name === null ? group : `${group}.${name}`;
}

function lineOf(columns: ReadonlyMap<string, number>, fields: Iterable<Field>): string[] {
  const line = Array.from({ length: columns.size }, () => '');
  for (const field of fields) {
    const column = columns.get(columnTitle(field));
    if (column === undefined) throw fail('EXPORT_CHANGED', { column: columnTitle(field) });
    line[column] = cellOf(field.value);
  }
  return line;
}

function csvText(lines: readonly string[][]): string {
  return lines.length === 0 ? '' : stringify(lines as string[][], { record_delimiter: '\r\n' });
}

/**
 * Strings stay as they are, numbers keep every digit as sent, lists and objects become JSON, and null becomes
 * an empty cell.
 */
function cellOf(value: Field['value']): string {
  if (value === null) return '';
  if (typeof value === 'string') return escapeFormula(value);
  const text = asText(value);
  switch (text[0]) {
    case '"':
      return escapeFormula(JSON.parse(text) as string);
    case '{':
    case '[':
      return onOneLine(text);
    case 'n':
      return '';
    default:
      return text;
  }
}

/**
 * Characters that spreadsheets interpret as the start of a formula (OWASP, CSV injection). Signed numbers start
 * the same way but are safe.
 */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function escapeFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}
