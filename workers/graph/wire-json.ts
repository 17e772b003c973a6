import { attachedValues } from '../../src/base/attached-values.js';
import { SHARED_TEXT_CHARS_MIN } from '../../src/wire/evaluation/shared-texts.js';
import { isMessage, type MessageLike } from './message.js';
import type { Address, SerializedObject } from './serialized-object.js';
import type { TraceTexts } from './trace-texts.js';
import { isPlain, isUnchanged, traceOf } from './trace.js';

const DEPTH_MAX = 200;

/**
 * Serializes values as the JSON that clients see: messages are flattened to `{...fields, type}` at every depth,
 * everything else is like JSON.stringify. Messages and other objects that repeat are serialized once
 * (`remember`).
 */
export class WireJson {
  readonly #remembered = attachedValues<SerializedObject>();

  /**
   * JSON text; `null` for values that JSON cannot represent. Never throws for values that a graph may emit: a
   * cycle becomes "[Circular]". With `shared`, long texts and messages are written as their marks.
   */
  text(value: unknown, shared: TraceTexts | null = null): string {
    return this.#write(value, 0, shared) ?? 'null';
  }

  /**
   * Appends a member to the text of an object's other members. Leaves it out if JSON cannot represent its value.
   * `depth`: how deep the value is.
   */
  withMember(members: string, name: string, value: unknown, depth: number): string {
    return appended(members, name, this.#write(value, depth, null));
  }

  /**
   * The cache entry of a plain object or message, created when missing or stale. Null when the value contains
   * anything else.
   */
  remember(value: object): SerializedObject | null {
    const known = this.#remembered.get(value);
    if (known !== undefined && isUnchanged(value, known.trace)) return known;
    const trace = traceOf(value);
    if (trace === null) {
      if (known !== undefined) this.#remembered.delete(value);
      return null;
    }
    const json = isMessage(value) ? this.#message(value, 0, null) : JSON.stringify(value);
    const entry: SerializedObject = { trace, json, address: null, shared: null };
    this.#remembered.set(value, entry);
    return entry;
  }

  /** Adds an object that was just revived from its stored form. */
  adopt(value: object, json: string, address: Address): void {
    const trace = traceOf(value);
    if (trace !== null) this.#remembered.set(value, { trace, json, address, shared: null });
  }

  #write(value: unknown, depth: number, shared: TraceTexts | null): string | undefined {
    switch (typeof value) {
      case 'string':
        return shared === null || value.length < SHARED_TEXT_CHARS_MIN
          ? textOfString(value)
          : markOrText(JSON.stringify(value), shared);
      case 'number':
        return Number.isFinite(value) ? String(Object.is(value, -0) ? 0 : value) : 'null';
      case 'boolean':
        return value ? 'true' : 'false';
      case 'bigint':
        return JSON.stringify(value.toString());
      case 'object':
        break;
      default:
        return undefined;
    }
    if (value === null) return 'null';
    if (depth > DEPTH_MAX) return '"[Circular]"';
    if (Array.isArray(value)) return this.#list(value, depth, shared);
    if (isMessage(value)) {
      const known = this.remember(value);
      if (known === null) return this.#message(value, depth, shared);
      return shared === null ? known.json : markOfKnown(known, shared);
    }
    if (isPlain(value)) return this.#object(value as Record<string, unknown>, depth, shared);
    const toJson = (value as { toJSON?: unknown }).toJSON;
    if (typeof toJson === 'function') return this.#write((toJson as () => unknown).call(value), depth + 1, shared);
    if (value instanceof Error) return JSON.stringify({ error: value.name, message: value.message });
    if (value instanceof Map) return this.#object(Object.fromEntries(value as Map<string, unknown>), depth, shared);
    if (value instanceof Set) return this.#list([...(value as Set<unknown>)], depth, shared);
    return this.#object(value as Record<string, unknown>, depth, shared);
  }

  #list(values: readonly unknown[], depth: number, shared: TraceTexts | null): string {
    if (shared !== null) return this.#listWithMarks(values, depth, shared);
    let text = '[';
    for (let i = 0; i < values.length; i += 1) {
      if (i > 0) text += ',';
      text += this.#write(values[i], depth + 1, null) ?? 'null';
    }
    return text + ']';
  }

  #listWithMarks(values: readonly unknown[], depth: number, shared: TraceTexts): string {
    // Joined, they are one string. Put together with `+`, V8 keeps a tree of two nodes for each until the step is sent.
    const texts: string[] = [];
    for (let i = 0; i < values.length; i += 1) texts.push(this.#item(values, i, depth + 1, shared) ?? 'null');
    return `[${texts.join(',')}]`;
  }

  /** Like `#write`, for an item of a list. */
  #item(values: readonly unknown[], index: number, depth: number, shared: TraceTexts): string | undefined {
    const value = values[index];
    const known = shared.messages[index];
    if (known !== undefined && known.message === value && isUnchanged(known.message, known.serialized.trace))
      return markOfKnown(known.serialized, shared);
    const text = this.#write(value, depth, shared);
    if (typeof value !== 'object' || value === null) return text;
    const serialized = this.#remembered.get(value);
    if (serialized !== undefined) shared.messages[index] = { message: value, serialized };
    return text;
  }

  #object(object: Record<string, unknown>, depth: number, shared: TraceTexts | null): string {
    const names = Object.keys(object);
    if (isFlat(object, names, shared === null ? Infinity : SHARED_TEXT_CHARS_MIN)) return JSON.stringify(object);
    return `{${this.#members(object, names, depth, shared)}}`;
  }

  #members(
    object: Record<string, unknown>,
    names: readonly string[],
    depth: number,
    shared: TraceTexts | null,
  ): string {
    let members = '';
    for (let i = 0; i < names.length; i += 1)
      members = appended(members, names[i]!, this.#write(object[names[i]!], depth + 1, shared));
    return members;
  }

  #message(message: MessageLike, depth: number, shared: TraceTexts | null): string {
    const { type, data } = message.toDict();
    if (Object.hasOwn(data, 'type')) return this.#object({ ...data, type }, depth + 1, shared);
    const members = this.#members(data, Object.keys(data), depth + 1, shared);
    return `{${appended(members, 'type', this.#write(type, depth + 2, null))}}`;
  }
}

/** Characters that JSON does not escape. */
const PLAIN = /^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/;
/** Longer strings take as long to test as to serialize. */
const PLAIN_CHARS_MAX = 64;

/** Like `JSON.stringify`, which takes twice as long for names, ids and other short strings. */
function textOfString(value: string): string {
  return value.length <= PLAIN_CHARS_MAX && PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
}

/** The names of members in JSON, with the colon. Most values have the same few. */
const nameTexts = new Map<string, string>();
const NAME_TEXTS_MAX = 1_000;

function textOfName(name: string): string {
  let text = nameTexts.get(name);
  if (text === undefined) {
    text = `${textOfString(name)}:`;
    if (name.length <= PLAIN_CHARS_MAX && nameTexts.size < NAME_TEXTS_MAX) nameTexts.set(name, text);
  }
  return text;
}

/** The text of an object's members with one more, or without it if JSON cannot represent its value. */
function appended(members: string, name: string, json: string | undefined): string {
  if (json === undefined) return members;
  return members === '' ? textOfName(name) + json : `${members},${textOfName(name)}${json}`;
}

function markOfKnown(known: SerializedObject, shared: TraceTexts): string {
  known.shared = shared.share(known.json, known.shared);
  return known.shared?.mark ?? known.json;
}

function markOrText(json: string, shared: TraceTexts): string {
  return shared.share(json)?.mark ?? json;
}

/**
 * True for objects with only leaves, which JSON.stringify serializes correctly and fastest. A text that has `longChars`
 * characters or more is none of these.
 */
function isFlat(object: Record<string, unknown>, names: readonly string[], longChars: number): boolean {
  for (let i = 0; i < names.length; i += 1) {
    const value = object[names[i]!];
    if ((typeof value === 'object' && value !== null) || typeof value === 'bigint') return false;
    if (typeof value === 'string' && value.length >= longChars) return false;
  }
  return true;
}
