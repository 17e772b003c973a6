import type { JsonBytes } from '../../src/base/json.js';
import { bytesOf, isObjectSlice, members, wholeValue } from '../../src/base/json-slices.js';
import { jsonObject } from './records-json.js';

export const JSON_LINES = 'application/x-ndjson';

const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
/** With four bytes a character it still is a name that every file system takes. */
const FILE_NAME_CHARS = 60;

/** A JSON text in which no line ends, changed in place: a raw newline can only stand between tokens, where a space means the same. */
export function onOneLine<T extends Uint8Array>(json: T): T {
  for (const end of [NEWLINE, RETURN]) {
    for (let at = json.indexOf(end); at !== -1; at = json.indexOf(end, at + 1)) json[at] = SPACE;
  }
  return json;
}

/** A record as a line of its own. Values that are undefined are left out. */
export function jsonLine(fields: Record<string, unknown>): Buffer {
  return Buffer.concat([onOneLine(jsonObject(fields)), Buffer.from([NEWLINE])]);
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
  // oxlint-disable-next-line no-control-regex
  const safe = [...name.replace(/[\u0000-\u001f\u007f"*/:<>?\\|]/g, '_').replace(/^\.+/, '_')].slice(0, FILE_NAME_CHARS).join('').trim();
  return `${safe === '' ? 'export' : safe}.${extension}`;
}
