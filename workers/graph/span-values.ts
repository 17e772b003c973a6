import { describeThrown } from '../../src/base/thrown.js';
import { HiddenPaths } from '../../src/domain/hidden-paths.js';
import { boundedTraceValue, isStoredInTrace } from '../../src/domain/trace-values.js';
import { isPlain } from './trace.js';
import type { TraceJob } from '../../src/wire/runs/spans.js';
import type { WireJson } from './wire-json.js';

/** Makes the JSON of what a trace stores. */
export class SpanValues {
  readonly #json: WireJson;
  readonly #bytesMax: number;
  readonly #hidden: HiddenPaths;

  constructor(json: WireJson, { valueBytesMax, hide }: Pick<TraceJob, 'valueBytesMax' | 'hide'>) {
    this.#json = json;
    this.#bytesMax = valueBytesMax;
    this.#hidden = new HiddenPaths(hide);
  }

  /** Inputs or outputs that can be any value: one that is not an object becomes the member `name` of one. */
  object(value: unknown, name: string): Uint8Array {
    const isObject = typeof value === 'object' && value !== null && isPlain(value);
    return this.value(isObject ? value : { [name]: value });
  }

  /** Inputs or outputs, without what is hidden. */
  value(value: object): Uint8Array {
    return boundedTraceValue(this.#hidden.applyTo(this.#text(value)), this.#bytesMax);
  }

  /** Metadata and parameters. Of anything that is too long, the beginning and its length. */
  extra(value: object): Uint8Array {
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
