import { describeThrown } from '../../src/base/thrown.js';
import { boundedTraceValue, isStoredInTrace } from '../../src/domain/trace-values.js';
import { isPlain } from './trace.js';
import type { WireJson } from './wire-json.js';

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
    return boundedTraceValue(this.#text(value), this.#bytesMax);
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
      Object.entries(value).filter(([name, member]) => isStoredInTrace(name) && known[name] !== member),
    );
  }
}
