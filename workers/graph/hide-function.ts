import type { LogError } from '../../src/wire/user-code/code-log.js';
import type { FunctionSource } from '../../src/wire/user-code/graph-source.js';

/** Inputs or outputs of a step, as the function of `traces.hide_with` gets them beside the value. */
export interface StepValue {
  kind: 'inputs' | 'outputs';
  /** Name and type of the step: a node's name and `chain`, for example. */
  name: string;
  runType: string;
}

type UserFunction = (value: unknown, step: { kind: string; name: string; run_type: string }) => unknown;

/** What takes the place of a value that could not be given to the function, or that the function failed on. */
const HIDDEN = { hidden: 'traces.hide_with failed' };

/** The function of `traces.hide_with`, which says what a trace stores of inputs and outputs. */
export class HideFunction {
  readonly #call: UserFunction;
  readonly #logError: LogError;
  #hasFailed = false;

  private constructor(call: UserFunction, logError: LogError) {
    this.#call = call;
    this.#logError = logError;
  }

  /** Throws if the module does not load, or exports no such function. */
  static async load({ module, exportName }: FunctionSource, logError: LogError): Promise<HideFunction> {
    const exported = ((await import(module)) as Record<string, unknown>)[exportName];
    if (typeof exported !== 'function') throw new Error(`the file has no function "${exportName}".`);
    return new HideFunction(exported as UserFunction, logError);
  }

  /** What is stored of a value, an object. A value that the function fails on is hidden. */
  applyTo(value: unknown, { kind, name, runType }: StepValue): object {
    try {
      const result = this.#call(value, { kind, name, run_type: runType });
      if (typeof result === 'object' && result !== null && 'then' in result)
        throw new TypeError('it returned a promise. It must be synchronous.');
      if (typeof result === 'object' && result !== null && !Array.isArray(result)) return result;
      return { [kind === 'inputs' ? 'input' : 'output']: result ?? null };
    } catch (error) {
      // Once: it may fail at every step.
      if (!this.#hasFailed) this.#logError('traces.hide_with failed; such values are hidden', error);
      this.#hasFailed = true;
      return HIDDEN;
    }
  }
}
