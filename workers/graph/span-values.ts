import { describeThrown } from '../../src/base/thrown.js';
import { HiddenPaths } from '../../src/domain/hidden-paths.js';
import { boundedTraceText, isStoredInTrace, isWithin } from '../../src/domain/trace-values.js';
import type { HideFunction, StepValue } from './hide-function.js';
import { isPlain } from './trace.js';
import type { TraceTexts } from './trace-texts.js';
import type { RecorderSettings } from '../../src/wire/runs/spans.js';
import type { WireJson } from './wire-json.js';

/** The value as an object: one that is not becomes the member `name` of one. */
export function asTraceObject(value: unknown, name: string): object {
  return typeof value === 'object' && value !== null && isPlain(value) ? value : { [name]: value };
}

type Members = Readonly<Record<string, unknown>>;

/** What is stored of a step beside its inputs and outputs. */
export interface StepExtra {
  metadata: Members;
  /** Metadata that has the same value here is left out. */
  known: Members;
  /** Replaces metadata of these names; undefined removes it. */
  own: Members;
  /** Of a model call. */
  parameters: Members | undefined;
}

/** Depth of the values of metadata in the JSON. */
const EXTRA_DEPTH = 2;

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

  /** Inputs or outputs of a step without what is hidden, with marks for texts in `shared`. Null: all is hidden. */
  value(value: object, step: StepValue, shared: TraceTexts): string | null {
    const { hideInputs, hideOutputs, hide, hidesByFunction } = this.settings;
    if (step.kind === 'inputs' ? hideInputs : hideOutputs) return null;
    if (hide.length === 0 && !hidesByFunction) return this.#withMarks(value, shared);
    if (hidesByFunction && this.#hideFunction === null) return null;
    const shown = this.#hidden.shown(JSON.parse(readable(() => this.#json.text(value))));
    return this.#withMarks(hidesByFunction ? this.#hideFunction!.applyTo(shown, step) : shown, shared);
  }

  #withMarks(value: unknown, shared: TraceTexts): string {
    const { valueBytesMax } = this.settings;
    const count = shared.begin();
    const text = readable(() => this.#json.text(value, shared));
    if (isWithin(text, valueBytesMax - shared.savedBytes)) return text;
    const full = shared.expand(text);
    shared.undo(count);
    return boundedTraceText(full, valueBytesMax);
  }

  /** Metadata and parameters as JSON. Of anything that is too long, the beginning and its length. */
  extra({ metadata, known, own, parameters }: StepExtra): string {
    const text = readable(() => {
      const extra = `"metadata":{${this.#storable(metadata, known, own)}}`;
      if (parameters === undefined) return `{${extra}}`;
      return `{${extra},"invocation_params":{${this.#storable(parameters, {}, {})}}}`;
    });
    return boundedTraceText(text, this.settings.valueBytesMax);
  }

  /** The text of the members that may be stored and are not the same in `known`, and of those of `own`. */
  #storable(value: Members, known: Members, own: Members): string {
    let text = '';
    for (const name of Object.keys(value)) {
      if (known[name] === value[name] || Object.hasOwn(own, name) || !isStoredInTrace(name)) continue;
      text = this.#json.withMember(text, name, value[name], EXTRA_DEPTH);
    }
    for (const name of Object.keys(own)) text = this.#json.withMember(text, name, own[name], EXTRA_DEPTH);
    return text;
  }
}

/** Code of the user can throw while a value is read. */
function readable(write: () => string): string {
  try {
    return write();
  } catch (error) {
    return JSON.stringify({ unreadable: describeThrown(error).message });
  }
}
