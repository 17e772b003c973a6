import { isMessage, type MessageLike } from './message.js';
import { isPlain, isUnchanged, traceOf, type Trace } from './trace.js';

/** The hash by which content is stored, and its text (`hashKey`). Lists of a chat have thousands of them. */
export interface Address {
  readonly hash: Uint8Array;
  readonly key: string;
}

/** The cached serialization of an object. Valid while the object matches its trace. */
export interface SerializedObject {
  trace: Trace;
  json: string;
  /** Where the stored form is, once it has an address. */
  address: Address | null;
}

const DEPTH_MAX = 200;

/**
 * Serializes values as the JSON that clients see: messages are flattened to `{...fields, type}` at every depth,
 * everything else is like JSON.stringify. Messages and other objects that repeat are serialized once
 * (`remember`).
 */
export class WireJson {
  readonly #remembered = new WeakMap<object, SerializedObject>();

  /**
   * JSON text; `null` for values that JSON cannot represent. Never throws for values that a graph may emit: a
   * cycle becomes "[Circular]".
   */
  text(value: unknown): string {
    return this.#write(value, 0) ?? 'null';
  }

  /**
   * Appends a member to the text of an object's other members. Leaves it out if JSON cannot represent its value.
   * `depth`: how deep the value is.
   */
  withMember(members: string, name: string, value: unknown, depth: number): string {
    const json = this.#write(value, depth);
    if (json === undefined) return members;
    return members === '' ? textOfName(name) + json : `${members},${textOfName(name)}${json}`;
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
    const json = isMessage(value) ? this.#message(value, 0) : JSON.stringify(value);
    const entry: SerializedObject = { trace, json, address: null };
    this.#remembered.set(value, entry);
    return entry;
  }

  /** Adds an object that was just revived from its stored form. */
  adopt(value: object, json: string, address: Address): void {
    const trace = traceOf(value);
    if (trace !== null) this.#remembered.set(value, { trace, json, address });
  }

  #write(value: unknown, depth: number): string | undefined {
    switch (typeof value) {
      case 'string':
        return textOfString(value);
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
    if (Array.isArray(value)) return this.#list(value, depth);
    if (isMessage(value)) return this.remember(value)?.json ?? this.#message(value, depth);
    if (isPlain(value)) return this.#object(value as Record<string, unknown>, depth);
    const toJson = (value as { toJSON?: unknown }).toJSON;
    if (typeof toJson === 'function') return this.#write((toJson as () => unknown).call(value), depth + 1);
    if (value instanceof Error) return JSON.stringify({ error: value.name, message: value.message });
    if (value instanceof Map) return this.#object(Object.fromEntries(value as Map<string, unknown>), depth);
    if (value instanceof Set) return this.#list([...(value as Set<unknown>)], depth);
    return this.#object(value as Record<string, unknown>, depth);
  }

  #list(values: readonly unknown[], depth: number): string {
    let text = '[';
    for (let i = 0; i < values.length; i += 1) {
      if (i > 0) text += ',';
      text += this.#write(values[i], depth + 1) ?? 'null';
    }
    return text + ']';
  }

  #object(object: Record<string, unknown>, depth: number): string {
    const names = Object.keys(object);
    if (isFlat(object, names)) return JSON.stringify(object);
    let members = '';
    for (let i = 0; i < names.length; i += 1)
      members = this.withMember(members, names[i]!, object[names[i]!], depth + 1);
    return `{${members}}`;
  }

  #message(message: MessageLike, depth: number): string {
    const { type, data } = message.toDict();
    return this.#object({ ...data, type }, depth + 1);
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

/** True for objects with only leaves, which JSON.stringify serializes correctly and fastest. */
function isFlat(object: Record<string, unknown>, names: readonly string[]): boolean {
  for (let i = 0; i < names.length; i += 1) {
    const value = object[names[i]!];
    if ((typeof value === 'object' && value !== null) || typeof value === 'bigint') return false;
  }
  return true;
}
