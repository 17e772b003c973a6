import type * as Packages from '../packages.js';
import { isPlain } from '../trace.js';

type Messages = typeof Packages.messages;
type Class = abstract new (...args: never[]) => object;

/** What messages have, also what their types hide. */
interface Message {
  lc_serializable: boolean;
  lc_kwargs: unknown;
  lc_id: string[];
  getType(): string;
}

interface MessagePrototype {
  toJSON: (this: Message) => object;
  toDict: (this: Message) => object;
}

/** Members of the JSON, which have the names of the constructor's arguments. */
const NAMES = new Set([
  ...['additional_kwargs', 'artifact', 'content', 'id', 'invalid_tool_calls', 'metadata', 'name', 'response_metadata'],
  ...['role', 'status', 'tool_call_chunks', 'tool_call_id', 'tool_calls', 'type', 'usage_metadata'],
]);

/** Members of a class that change the JSON of its messages. */
const READ_BY_JSON = ['lc_attributes', 'lc_secrets', 'lc_serializable_keys'];
/** Objects with such members are written in another way. */
const MARKS = ['lc', 'lc_serializable', '__lc_escaped__'];
const DEPTH_MAX = 64;
/** Instead of the copy of a value that is left to the library. */
const OTHER = Symbol('other');

/**
 * Makes the JSON of messages of the library's own classes cheap. A streamed answer has one for each token. The library
 * asks each class in the chain of prototypes for other names, secrets and further members, of which its messages have
 * none, and converts each name with regular expressions. Messages of other classes, with unknown members, or with
 * values that need more than a copy are left to the library. Known to fit @langchain/core 1.4.
 */
export function writeMessagesDirectly(messages: Messages): void {
  const base = messages.BaseMessage?.prototype as unknown as MessagePrototype | undefined;
  if (typeof base?.toDict !== 'function' || typeof base.toJSON !== 'function') return;
  const { toDict, toJSON } = base;
  const classes = new Set(Object.values(messages).filter((one): one is Class => isKnownClass(one, base)));

  function kwargsOf(message: Message): object | null {
    if (!classes.has(message.constructor as Class) || !message.lc_serializable) return null;
    const { lc_kwargs: given } = message;
    if (typeof given !== 'object' || given === null || !isPlain(given)) return null;
    const kwargs: Record<string, unknown> = {};
    for (const name of Object.keys(given)) {
      if (!NAMES.has(name)) return null;
      const source: object = name in message ? message : given;
      const value = copyOf((source as Record<string, unknown>)[name], 0);
      if (value === OTHER) return null;
      kwargs[name] = value;
    }
    return kwargs;
  }

  function toJsonDirectly(this: Message): object {
    const kwargs = kwargsOf(this);
    return kwargs === null ? toJSON.call(this) : { lc: 1, type: 'constructor', id: this.lc_id, kwargs };
  }
  function toDictDirectly(this: Message): object {
    const data = kwargsOf(this);
    return data === null ? toDict.call(this) : { type: this.getType(), data };
  }
  // Assigned, an inherited method becomes a member that `for in` finds.
  Object.defineProperty(base, 'toJSON', { value: toJsonDirectly, writable: true, configurable: true });
  Object.defineProperty(base, 'toDict', { value: toDictDirectly, writable: true, configurable: true });
}

/** True for a class of messages whose JSON has the arguments of its constructor under their own names. */
function isKnownClass(one: unknown, base: MessagePrototype): boolean {
  const prototype = typeof one === 'function' ? (one.prototype as object | undefined) : undefined;
  if (prototype === undefined || (prototype !== base && !Object.prototype.isPrototypeOf.call(base, prototype)))
    return false;
  if (READ_BY_JSON.some((name) => Reflect.get(prototype, name) !== undefined)) return false;
  const { toDict, toJSON, lc_aliases: aliases = {} } = prototype as MessagePrototype & { lc_aliases?: object };
  if (toDict !== base.toDict || toJSON !== base.toJSON) return false;
  return Object.entries(aliases).every(([name, alias]) => name === alias);
}

/** A copy as the library makes it, or `OTHER`. */
function copyOf(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  // The library finds circles.
  if (depth > DEPTH_MAX) return OTHER;
  if (Array.isArray(value)) {
    const copy = value.map((item) => copyOf(item, depth + 1));
    return copy.includes(OTHER) ? OTHER : copy;
  }
  if (!isPlain(value) || MARKS.some((mark) => mark in value)) return OTHER;
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const member = copyOf((value as Record<string, unknown>)[name], depth + 1);
    if (member === OTHER) return OTHER;
    copy[name] = member;
  }
  return copy;
}
