import { createContext, Script } from 'node:vm';
import { isObject, jsonBytes, parseJson, type JsonBytes } from '../../src/base/json/json.js';
import type { Problem } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import type { Schema, Transformation } from '../../src/domain/json-schema.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import { SchemaTooComplexError, SchemaValidator } from '../../src/domain/schema-validation.js';
import { transformSides } from './transform-examples.js';

type Loc = readonly (string | number)[];

/** The content of an example that is about to be stored. */
export interface NewContent {
  /** Place of the example in the request. */
  loc: Loc;
  inputs: JsonBytes;
  outputs: JsonBytes | null;
  /** `extra` of the run that the example is made from. */
  runExtra: JsonBytes | null;
}

type Content = Pick<NewContent, 'inputs' | 'outputs'>;

export function hasRules({ inputsSchema, outputsSchema, transformations }: DatasetRecord): boolean {
  return (inputsSchema ?? outputsSchema ?? transformations) !== null;
}

/**
 * Transforms the content as the dataset says, then checks it against the schemas of the dataset. Without
 * transformations the bytes stay as they are. Outputs that are missing are not checked. Throws INVALID_REQUEST, which
 * names every example and place.
 *
 * The schemas are user input. They are interpreted, with a limit of steps for each example, and a limit of time for
 * all of them, because a pattern can take exponentially long.
 */
export function applyDatasetRules(
  dataset: DatasetRecord,
  contents: readonly NewContent[],
  outputsName = 'outputs',
): readonly Content[] {
  if (!hasRules(dataset) || contents.length === 0) return contents;
  const rules = new DatasetRules(dataset, outputsName);
  const changed = withTimeLimit(() => contents.map((content) => rules.apply(content)));
  if (changed === null)
    throw invalidRequest('body', [
      { loc: [], msg: 'cannot be checked against the schema of the dataset in time', type: 'json_schema_time' },
    ]);
  if (rules.problems.length > 0) throw invalidRequest('body', rules.problems);
  return changed;
}

class DatasetRules {
  readonly problems: Problem[] = [];
  readonly #schemas: { inputs: Schema | null; outputs: Schema | null };
  readonly #validators: { inputs: SchemaValidator | null; outputs: SchemaValidator | null };
  readonly #transformations: readonly Transformation[];
  readonly #outputsName: string;

  constructor({ inputsSchema, outputsSchema, transformations }: DatasetRecord, outputsName: string) {
    const schemaOf = (json: JsonBytes | null): Schema | null => (json === null ? null : (parseJson(json) as Schema));
    const list = transformations === null ? [] : parseJson(transformations);
    this.#schemas = { inputs: schemaOf(inputsSchema), outputs: schemaOf(outputsSchema) };
    this.#validators = {
      inputs: this.#schemas.inputs === null ? null : new SchemaValidator(this.#schemas.inputs),
      outputs: this.#schemas.outputs === null ? null : new SchemaValidator(this.#schemas.outputs),
    };
    this.#transformations = list as Transformation[];
    this.#outputsName = outputsName;
  }

  apply({ loc, inputs, outputs, runExtra }: NewContent): Content {
    let [inputsValue, outputsValue] = [parseJson(inputs), outputs === null ? null : parseJson(outputs)];
    let content: Content = { inputs, outputs };
    if (this.#transformations.length > 0) {
      const changed = transformSides({ inputs: inputsValue, outputs: outputsValue }, this.#transformations, {
        schemas: this.#schemas,
        runExtra: runExtra === null ? null : parseJson(runExtra),
      });
      content = {
        inputs: changed.inputs === inputsValue || !isObject(changed.inputs) ? inputs : jsonBytes(changed.inputs),
        outputs: changed.outputs === outputsValue || !isObject(changed.outputs) ? outputs : jsonBytes(changed.outputs),
      };
      [inputsValue, outputsValue] = [changed.inputs, changed.outputs];
    }
    this.#check(this.#validators.inputs, inputsValue, [...loc, 'inputs']);
    if (outputsValue !== null) this.#check(this.#validators.outputs, outputsValue, [...loc, this.#outputsName]);
    return content;
  }

  #check(validator: SchemaValidator | null, value: unknown, loc: Loc): void {
    if (validator === null || this.problems.length >= LIMITS.problemsMax) return;
    try {
      for (const problem of validator.problemsOf(value))
        this.problems.push({ ...problem, loc: [...loc, ...problem.loc] });
    } catch (error) {
      if (!(error instanceof SchemaTooComplexError)) throw error;
      this.problems.push({ loc: [...loc], msg: 'is too complex for the schema of the dataset', type: 'json_schema' });
    }
  }
}

const sandbox = createContext({ work: null });
const callWork = new Script('work()');

/** The result, or null if it took too long: Node ends running code, also inside a regular expression. */
function withTimeLimit<T>(work: () => T): T | null {
  sandbox['work'] = work;
  try {
    return callWork.runInContext(sandbox, { timeout: LIMITS.datasetRulesMs }) as T;
  } catch (error) {
    // The error belongs to the other context, so `instanceof Error` is false.
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return null;
    throw error;
  } finally {
    sandbox['work'] = null;
  }
}
