import { attachedValues } from '../attached-values.js';
import { jsonBytes, type JsonBytes } from './json.js';
import { sourceOf } from './parse-in-pieces.js';

const encoded = attachedValues<JsonBytes>();

/** The value as JSON. An object is encoded once, however often it is asked for, so it must not change afterwards. */
export function encodeOnce(value: unknown): JsonBytes {
  if (typeof value !== 'object' || value === null) return jsonBytes(value ?? null);
  const known = sourceOf(value) ?? encoded.get(value);
  if (known !== undefined) return known;
  const bytes = jsonBytes(value);
  encoded.set(value, bytes);
  return bytes;
}
