import { isObject } from '../base/json/json.js';
import { isBuiltIn } from '../wire/evaluation/evaluators.js';
import { parseModuleSpec } from './auth.js';

/** An entry of `evaluators` of langgraph.json. */
export interface EvaluatorConfig {
  name: string;
  /** It scores an experiment as a whole. */
  isSummary: boolean;
  /** Absolute path. */
  file: string;
  exportName: string;
  /** As written in langgraph.json, for messages. */
  path: string;
}

/** Reads `evaluators` of langgraph.json. `problem` makes an error that names the file. */
export function readEvaluators(value: unknown, root: string, problem: (text: string) => Error): EvaluatorConfig[] {
  if (value === undefined || value === null) return [];
  if (!isObject(value))
    throw problem(
      'evaluators: must be an object with a path for each name, such as {"correct": "./evals.ts:correct"}.',
    );
  return Object.entries(value).map(([name, given]) => {
    const { path, summary = false } = isObject(given) ? given : { path: given };
    if (isBuiltIn(name)) throw problem(`evaluators.${name}: is the name of a built-in evaluator. Choose another name.`);
    if (typeof path !== 'string' || path === '')
      throw problem(
        `evaluators.${name}: must be "path:function", such as "./evals.ts:correct", or {"path", "summary"}.`,
      );
    if (typeof summary !== 'boolean') throw problem(`evaluators.${name}.summary: must be true or false.`);
    return { name, path, isSummary: summary, ...parseModuleSpec(path, root) };
  });
}
