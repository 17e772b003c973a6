import { asText, type JsonBytes } from '../../src/base/json/json.js';
import { bytesOf, isObjectSlice, members, wholeValue } from '../../src/base/json/slices.js';

export const JSON_LINES = 'application/x-ndjson';

/** With four bytes a character it still is a name that every file system takes. */
const FILE_NAME_CHARS = 60;

/** A JSON text in which no line ends: a raw newline can only stand between tokens, where a space means the same. */
export function onOneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]/g, ' ') : json;
}

/** JSON of an object as text, which for small records is several times as fast as joining bytes. Values that are undefined are left out. */
export function objectText(fields: Record<string, unknown>): string {
  let text = '';
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    text += `${text === '' ? '{' : ','}"${name}":${value instanceof Uint8Array ? asText(value) : value instanceof JsonText ? value.text : JSON.stringify(value)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** Text that is JSON already. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A record as a line of its own. */
export function jsonLine(fields: Record<string, unknown>): string {
  return `${onOneLine(objectText(fields))}\n`;
}

/** Null when the JSON is no object, or has no such member. */
export function memberOf(json: JsonBytes | null, name: string): JsonBytes | null {
  if (json === null) return null;
  const whole = wholeValue(json);
  if (!isObjectSlice(json, whole)) return null;
  let found: JsonBytes | null = null;
  for (const { key, value } of members(json, whole)) if (key === name) found = bytesOf(json, value);
  return found;
}

/** A name as a file may have it on any system; the header that carries it says it in full. */
export function fileNameOf(name: string, extension: string): string {
  const safe = name
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u001f\u007f"*/:<>?\\|]/g, '_')
    .replace(/^\.+/, '_')
    .slice(0, FILE_NAME_CHARS)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
  return `${safe === '' ? 'export' : safe}.${extension}`;
}
