import type { JsonObject } from '../../base/json/json.js';

/** Evaluators that need no code of the project (workers/user-code/built-in-evaluators.ts). */
export const BUILT_IN_EVALUATORS = [
  'exact_match',
  'contains',
  'regex_match',
  'numeric_match',
  'json_schema',
  'tool_calls',
  'latency',
  'cost',
] as const;

export type BuiltInName = (typeof BUILT_IN_EVALUATORS)[number];

export function isBuiltIn(name: string): name is BuiltInName {
  return (BUILT_IN_EVALUATORS as readonly string[]).includes(name);
}

/** An evaluator function of the project, in its bundle. */
export interface EvaluatorSource {
  name: string;
  /** URL of the module to import. */
  module: string;
  exportName: string;
}

/** What is known of an evaluator by its name. */
export interface EvaluatorKind {
  name: string;
  /** It scores an experiment as a whole. */
  isSummary: boolean;
}

/** An evaluator as a request asks for it. The options are those of the API, for built-in evaluators. */
export interface EvaluatorCall {
  name: string;
  isSummary: boolean;
  /** Name of the score; null: as the evaluator names it. */
  key: string | null;
  /** Where to look in the outputs and in the reference outputs: `messages.-1.content`. Null: all of it. */
  path: string | null;
  reference_path: string | null;
  /** Of `contains`: the text to look for; null: the reference. */
  text: string | null;
  /** Of `regex_match`. */
  pattern: string | null;
  /** Of `numeric_match`: largest difference that counts as equal. */
  tolerance: number | null;
  /** Of `json_schema`: what the outputs must match. */
  schema: JsonObject | null;
  /** Of `latency` in seconds and of `cost` in US dollars: the most that is good. */
  max: number | null;
  ignore_case: boolean;
}

/** A score in the form in which it is stored. The values are JSON text. */
export interface EvaluatorScore {
  key: string;
  score: string | null;
  value: string | null;
  comment: string | null;
  correction: string | null;
}

/** The options that a client or langgraph.json gives, and defaults for the others. */
export function evaluatorCall(
  given: { name: string } & { [K in keyof EvaluatorCall]?: EvaluatorCall[K] | null | undefined },
  isSummary = false,
): EvaluatorCall {
  return {
    name: given.name,
    isSummary,
    key: given.key ?? null,
    path: given.path ?? null,
    reference_path: given.reference_path ?? null,
    text: given.text ?? null,
    pattern: given.pattern ?? null,
    tolerance: given.tolerance ?? null,
    schema: given.schema ?? null,
    max: given.max ?? null,
    ignore_case: given.ignore_case ?? false,
  };
}
