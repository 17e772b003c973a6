import { rawNumber } from '../api/json.js';

/** JSON values as source code. */

/** Longer values are written over several lines. */
const LINE_CHARS_MAX = 72;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

interface Notation {
  literal: (value: string | number | boolean | null) => string;
  /** A number that a double cannot hold. */
  raw: (digits: string) => string;
  key: (name: string) => string;
  indent: string;
  /** Inside of the braces of an object in one line. */
  space: string;
}

const JAVASCRIPT: Notation = {
  literal: (value) => (typeof value === 'string' ? javascriptText(value) : JSON.stringify(value)),
  raw: (digits) => `JSON.rawJSON('${digits}')`,
  // As a plain key, it would set the prototype of the object.
  key: (name) => (name === '__proto__' ? "['__proto__']" : IDENTIFIER.test(name) ? name : javascriptText(name)),
  indent: '  ',
  space: ' ',
};

const PYTHON: Notation = {
  literal: (value) =>
    // The escapes of JSON are escapes of Python too.
    value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value),
  raw: (digits) => digits,
  key: (name) => JSON.stringify(name),
  indent: '    ',
  space: '',
};

export function javascriptLiteral(value: unknown, indent = ''): string {
  return literal(value, indent, JAVASCRIPT);
}

export function pythonLiteral(value: unknown, indent = ''): string {
  return literal(value, indent, PYTHON);
}

/** Quotes a text for POSIX shells, if it has any character that they interpret. */
export function shellQuoted(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** In single quotes, unless that needs escapes. */
function javascriptText(text: string): string {
  const json = JSON.stringify(text);
  return json === `"${text}"` && !text.includes("'") ? `'${text}'` : json;
}

function literal(value: unknown, indent: string, notation: Notation): string {
  const raw = rawNumber(value);
  if (raw !== null) return notation.raw(raw);
  if (typeof value !== 'object' || value === null) return notation.literal(value as string | number | boolean | null);
  const inner = indent + notation.indent;
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => literal(item, inner, notation))
    : Object.entries(value)
        .filter(([, item]) => item !== undefined)
        .map(([name, item]) => `${notation.key(name)}: ${literal(item, inner, notation)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return open + close;
  const line = isList ? `[${items.join(', ')}]` : `{${notation.space}${items.join(', ')}${notation.space}}`;
  return line.length <= LINE_CHARS_MAX && !line.includes('\n')
    ? line
    : `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}
