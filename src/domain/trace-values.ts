/** What a trace stores of the inputs and outputs of steps. */
export interface ValueSettings {
  /** Inputs and outputs of all steps are left out. */
  hideInputs: boolean;
  hideOutputs: boolean;
  /** Paths in inputs and outputs whose values are hidden. */
  hide: readonly string[];
  /** Longer values are stored as their beginning. */
  valueBytesMax: number;
}

/** Names whose values are not stored: secrets, what the server knows of the caller, and internals of the library. */
const LEFT_OUT = [
  /^__|^langgraph_(?:auth_|path$|triggers$)|^checkpoint_ns$/i,
  /(?:api|access|secret|private)[_-]?key|token$|secret|password|authorization|credential/i,
];

/** Characters that are kept of a value that is too long. */
const BEGINNING_CHARS = 2_000;

/** Answers by name: every step of every run asks for the same few. */
const known = new Map<string, boolean>();
const KNOWN_MAX = 1_000;

/** True if a trace may store the metadata or parameter with this name. */
export function isStoredInTrace(name: string): boolean {
  let isStored = known.get(name);
  if (isStored === undefined) {
    isStored = !LEFT_OUT.some((pattern) => pattern.test(name));
    if (known.size < KNOWN_MAX) known.set(name, isStored);
  }
  return isStored;
}

/** The JSON text of an object as bytes. If it is too long: its beginning and its length, as JSON. */
export function boundedTraceValue(text: string, bytesMax: number): Uint8Array {
  return Buffer.from(boundedTraceText(text, bytesMax));
}

/** In UTF-8, a unit of UTF-16 takes at most so many bytes. */
const UNIT_BYTES_MAX = 3;

/** True if the text has at most so many bytes in UTF-8. */
export function isWithin(text: string, bytesMax: number): boolean {
  return text.length * UNIT_BYTES_MAX <= bytesMax || Buffer.byteLength(text) <= bytesMax;
}

/** Like `boundedTraceValue`, as a text. */
export function boundedTraceText(text: string, bytesMax: number): string {
  if (isWithin(text, bytesMax)) return text;
  const bytes = Buffer.byteLength(text);
  const beginning = text.slice(0, Math.min(BEGINNING_CHARS, bytesMax)).toWellFormed();
  return JSON.stringify({ truncated: true, bytes, beginning });
}

const TRUNCATED = Buffer.from('{"truncated":true,"bytes":');

/** True for a value that `boundedTraceValue` has shortened. */
export function isTruncatedTraceValue(value: Uint8Array): boolean {
  return TRUNCATED.equals(value.subarray(0, TRUNCATED.byteLength));
}
