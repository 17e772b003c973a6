import { asText, type JsonBytes } from '../../src/base/json/json.js';
import { chunksOf, unpackAttachments, type Attachment } from '../../src/store/evaluation/attachments.js';
import type { Reader } from '../../src/store/reader.js';
import { bytesOf, isObjectSlice, members, wholeValue } from '../../src/base/json/slices.js';

export const JSON_LINES = 'application/x-ndjson';

/** With four bytes per character, such a name is still valid on every file system. */
const FILE_NAME_CHARS = 60;

/**
 * Removes line breaks from JSON text. A raw newline can only be between tokens, where a space has the same
 * meaning.
 */
export function onOneLine(json: string): string {
  return /[\r\n]/.test(json) ? json.replace(/[\r\n]/g, ' ') : json;
}

/**
 * Serializes an object as JSON text, which is several times faster than joining bytes for small records.
 * Undefined values are omitted.
 */
export function objectText(fields: Record<string, unknown>): string {
  let text = '';
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    text += `${text === '' ? '{' : ','}"${name}":${value instanceof Uint8Array ? asText(value) : value instanceof JsonText ? value.text : JSON.stringify(value)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** Text that is already JSON. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Serializes a record as one line. */
export function jsonLine(fields: Record<string, unknown>): string {
  return `${onOneLine(objectText(fields))}\n`;
}

/** Attachments as JSON that `readJsonAttachments` reads, chunk by chunk. Throws ATTACHMENT_NOT_FOUND. */
function* attachmentsText(reader: Reader, attachments: readonly Attachment[]): Generator<string> {
  for (const [at, attachment] of attachments.entries()) {
    const { name, mime } = attachment;
    yield `${at === 0 ? '{' : ','}${JSON.stringify(name)}:{"mime_type":${JSON.stringify(mime)},"data":"`;
    for (const chunk of chunksOf(reader, attachment)) yield Buffer.from(chunk).toString('base64');
    yield '"}';
  }
  yield '}';
}

/**
 * Adds the attachments of a record to its line, as a last member. Each chunk is a piece of its own, because a line may
 * be larger than the memory for it.
 */
export function* lineWithAttachments(line: string, reader: Reader, stored: JsonBytes | null): Generator<string> {
  const attachments = unpackAttachments(stored);
  if (attachments.length === 0) yield line;
  else {
    yield line.slice(0, -'}\n'.length);
    yield ',"attachments":';
    yield* attachmentsText(reader, attachments);
    yield '}\n';
  }
}

/** Null when the JSON is not an object or has no such member. */
export function memberBytes(json: JsonBytes | null, name: string): JsonBytes | null {
  if (json === null) return null;
  const whole = wholeValue(json);
  if (!isObjectSlice(json, whole)) return null;
  let found: JsonBytes | null = null;
  for (const { key, value } of members(json, whole)) if (key === name) found = bytesOf(json, value);
  return found;
}

/** Makes a file name that is valid on any system. The header that carries it also contains the full name. */
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
