import { asObject, asText, isObject, parseJson, type JsonBytes } from '../../src/base/json/json.js';
import { KiB } from '../../src/base/limits.js';

const PREVIEW_CHARS = 400;
/** Longer values are not parsed for a preview. */
const PARSED_BYTES_MAX = 64 * KiB;

/**
 * A text for lists of runs: the last message of a conversation or of a prompt, or the answer of a model. Of any other
 * value the beginning of its JSON.
 */
export function previewOf(json: JsonBytes | null): string | null {
  if (json === null) return null;
  const text = json.byteLength > PARSED_BYTES_MAX ? null : messageText(parseJson(json));
  if (text === null) return textBeginning(json, PREVIEW_CHARS) ?? asText(json);
  return text.length <= PREVIEW_CHARS ? text : cut(text, PREVIEW_CHARS);
}

/** The first characters of a text that is longer than `charsMax`; null for a shorter one. */
export function textBeginning(json: Uint8Array, charsMax: number): string | null {
  // A character takes at most four bytes.
  const text = asText(json.subarray(0, charsMax * 4));
  return text.length <= charsMax ? null : cut(text, charsMax);
}

function cut(text: string, charsMax: number): string {
  return `${text.slice(0, charsMax).toWellFormed()}…`;
}

/** Null for a value without messages, and for a message without text. */
function messageText(value: unknown): string | null {
  const { messages, generations } = asObject(value);
  if (Array.isArray(generations)) return contentText(asObject(generations.flat()[0])['message']);
  // Prompts are lists of lists.
  return Array.isArray(messages) ? contentText(messages.flat().at(-1)) : null;
}

/** Messages are flat, or in LangChain's serialized form. */
function contentText(message: unknown): string | null {
  const { kwargs, ...flat } = asObject(message);
  const { content, tool_calls: calls } = isObject(kwargs) ? kwargs : flat;
  const parts = Array.isArray(content) ? content.map((part) => asObject(part)['text']) : [content];
  const text = parts
    .filter((part) => typeof part === 'string')
    .join('')
    .trim();
  if (text !== '') return text;
  const names = Array.isArray(calls) ? calls.map((call) => asObject(call)['name']) : [];
  return names.length === 0 ? null : `Calls ${names.filter((name) => typeof name === 'string').join(', ')}`;
}
