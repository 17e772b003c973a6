import { describeThrown } from '../../src/base/thrown.js';
import { utf8 } from '../../src/base/json/json.js';
import { isPlain } from './trace.js';
import type { WireJson } from './wire-json.js';

/** Characters that are kept of a value that is too long. */
const BEGINNING_CHARS = 2_000;

/** Names whose values are not stored: secrets, what the server knows of the caller, and internals of the library. */
const LEFT_OUT =
  /^__|^langgraph_(?:auth_|path$|triggers$)|^checkpoint_ns$|(?:api|access|secret|private)[_-]?key|token$|secret|password|authorization|credential/i;

/** Makes the JSON of a trace's values. */
export class SpanValues {
  readonly #json: WireJson;
  readonly #bytesMax: number;

  constructor(json: WireJson, bytesMax: number) {
    this.#json = json;
    this.#bytesMax = bytesMax;
  }

  /** Inputs or outputs are an object: any other value becomes its member `name`. */
  object(value: unknown, name: string): Uint8Array {
    const isObject = typeof value === 'object' && value !== null && isPlain(value);
    return this.bounded(isObject ? value : { [name]: value });
  }

  /** Of a value that is too long, the beginning and its length. */
  bounded(value: object): Uint8Array {
    const text = this.#text(value);
    const bytes = utf8(text);
    if (bytes.byteLength <= this.#bytesMax) return bytes;
    const beginning = text.slice(0, Math.min(BEGINNING_CHARS, this.#bytesMax)).toWellFormed();
    return utf8(JSON.stringify({ truncated: true, bytes: bytes.byteLength, beginning }));
  }

  /** Code of the user can throw while a value is read. */
  #text(value: object): string {
    try {
      return this.#json.text(value);
    } catch (error) {
      return JSON.stringify({ unreadable: describeThrown(error).message });
    }
  }

  /** The members whose values may be stored and are not the same in `known`. */
  settings(value: Record<string, unknown>, known: Record<string, unknown> = {}): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(value).filter(([name, member]) => !LEFT_OUT.test(name) && known[name] !== member),
    );
  }
}
