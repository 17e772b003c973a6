import { describeThrown } from '../../src/base/thrown.js';
import { HiddenPaths } from '../../src/domain/hidden-paths.js';
import { boundedTraceText, isStoredInTrace } from '../../src/domain/trace-values.js';
import type { HideFunction, StepValue } from './hide-function.js';
import { isPlain } from './trace.js';
import type { RecorderSettings } from '../../src/wire/runs/spans.js';
import type { WireJson } from './wire-json.js';

/** The value as an object: one that is not becomes the member `name` of one. */
export function asTraceObject(value: unknown, name: string): object {
  return typeof value === 'object' && value !== null && isPlain(value) ? value : { [name]: value };
}

/** The settings by their JSON, and what follows from them. */
interface ReadSettings {
  settings: RecorderSettings;
  hidden: HiddenPaths;
}

/** Runs of an assistant have the same settings. */
const read = new Map<string, ReadSettings>();
const READ_MAX = 100;

function readSettings(text: string): ReadSettings {
  let found = read.get(text);
  if (found === undefined) {
    const settings = JSON.parse(text) as RecorderSettings;
    found = { settings, hidden: new HiddenPaths(settings.hide) };
    if (read.size >= READ_MAX) read.clear();
    read.set(text, found);
  }
  return found;
}

/** Makes the JSON of what a trace stores. */
export class SpanValues {
  readonly settings: RecorderSettings;
  readonly #json: WireJson;
  readonly #hidden: HiddenPaths;
  /** Null: it is not configured, or not on this node. */
  readonly #hideFunction: HideFunction | null;

  constructor(json: WireJson, settings: string, hideFunction: HideFunction | null) {
    this.#json = json;
    ({ settings: this.settings, hidden: this.#hidden } = readSettings(settings));
    this.#hideFunction = hideFunction;
  }

  /** Inputs or outputs of a step without what is hidden, null if that is everything. */
  value(value: object, step: StepValue): string | null {
    const { hideInputs, hideOutputs, hidesByFunction, valueBytesMax } = this.settings;
    if (step.kind === 'inputs' ? hideInputs : hideOutputs) return null;
    const text = this.#hidden.applyTo(this.#text(value));
    if (!hidesByFunction) return boundedTraceText(text, valueBytesMax);
    if (this.#hideFunction === null) return null;
    return boundedTraceText(this.#text(this.#hideFunction.applyTo(JSON.parse(text), step)), valueBytesMax);
  }

  /** Metadata and parameters. Of anything that is too long, the beginning and its length. */
  extra(value: object): string {
    return boundedTraceText(this.#text(value), this.settings.valueBytesMax);
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
  storable(value: Record<string, unknown>, known: Record<string, unknown> = {}): Record<string, unknown> {
    const storable: Record<string, unknown> = {};
    for (const name of Object.keys(value))
      if (known[name] !== value[name] && isStoredInTrace(name)) storable[name] = value[name];
    return storable;
  }
}
