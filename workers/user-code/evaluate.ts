import { isObject, type JsonObject } from '../../src/base/json/json.js';
import { isBuiltIn, type EvaluatorCall, type EvaluatorScore } from '../../src/wire/evaluation/evaluators.js';
import type { UserCodeCall, UserCodeCalls, UserCodeWorkerData } from '../../src/wire/user-code/user-code.js';
import { readWorkerData } from '../../src/wire/worker-data.js';
import { BUILT_IN, checkOptions, valueAt } from './built-in-evaluators.js';
import { boundedJson, type RunUserCode } from './open-graph.js';

type EvaluatorFunction = (...args: unknown[]) => unknown;

const loaded = new Map<string, Promise<EvaluatorFunction>>();

/** Throws if the evaluator cannot be called: a function that does not load, options that are wrong. */
export async function loadEvaluator(
  { evaluator }: UserCodeCall<'evaluator.load'>,
  runUserCode: RunUserCode,
): Promise<UserCodeCalls['evaluator.load']['reply']> {
  if (!isBuiltIn(evaluator.name)) await load(evaluator.name);
  else runUserCode(() => checkOptions(evaluator));
  return {};
}

/** Scores a run of an experiment. Throws what the evaluator throws, and for results that are no scores. */
export async function evaluate(
  { evaluator, run, example }: UserCodeCall<'evaluate'>,
  runUserCode: RunUserCode,
): Promise<UserCodeCalls['evaluate']['reply']> {
  const { name } = evaluator;
  if (isBuiltIn(name)) {
    const { score, comment } = runUserCode(() =>
      BUILT_IN[name](
        {
          actual: valueAt(run['outputs'], evaluator.path),
          expected: valueAt(example['outputs'], evaluator.reference_path),
          run,
        },
        evaluator,
      ),
    );
    return { scores: [scoreOf({ score, comment }, evaluator)] };
  }
  const call = await load(name);
  const result = await runUserCode(() => callEvaluator(call, run, example));
  return { scores: runUserCode(() => resultsOf(result).map((one) => scoreOf(one, evaluator))) };
}

/** Scores an experiment as a whole. Throws as `evaluate` does. */
export async function evaluateSummary(
  { evaluator, runs, examples }: UserCodeCall<'evaluate.summary'>,
  runUserCode: RunUserCode,
): Promise<UserCodeCalls['evaluate.summary']['reply']> {
  const call = await load(evaluator.name);
  const result = await runUserCode(() =>
    call.length >= 2
      ? call(runs, examples)
      : call({
          runs,
          examples,
          inputs: examples.map((example) => example['inputs']),
          outputs: runs.map((run) => run['outputs'] ?? {}),
          referenceOutputs: examples.map((example) => example['outputs'] ?? {}),
        }),
  );
  return { scores: runUserCode(() => resultsOf(result).map((one) => scoreOf(one, evaluator))) };
}

function load(name: string): Promise<EvaluatorFunction> {
  let promise = loaded.get(name);
  if (promise === undefined) {
    promise = importEvaluator(name);
    loaded.set(name, promise);
  }
  return promise;
}

async function importEvaluator(name: string): Promise<EvaluatorFunction> {
  const source = readWorkerData<UserCodeWorkerData>().evaluators.find((one) => one.name === name);
  if (source === undefined) throw new Error(`langgraph.json has no evaluator "${name}" any more`);
  const exported = ((await import(source.module)) as Record<string, unknown>)[source.exportName];
  if (typeof exported !== 'function') throw new TypeError(`the export "${source.exportName}" is not a function`);
  return exported as EvaluatorFunction;
}

/** Both forms of the `langsmith` client: `({ run, example, inputs, … })`, and `(run, example)`. */
function callEvaluator(evaluator: EvaluatorFunction, run: JsonObject, example: JsonObject): unknown {
  if (evaluator.length >= 2) return evaluator(run, example);
  return evaluator({
    run,
    example,
    inputs: example['inputs'],
    outputs: run['outputs'] ?? {},
    referenceOutputs: example['outputs'] ?? {},
    attachments: {},
  });
}

/** An evaluator returns one result, a list of them, or `{results}`. */
function resultsOf(result: unknown): unknown[] {
  if (Array.isArray(result)) return result;
  if (isObject(result) && Array.isArray(result['results'])) return result['results'];
  return [result];
}

function scoreOf(result: unknown, { name, key }: EvaluatorCall): EvaluatorScore {
  const given = typeof result === 'number' || typeof result === 'boolean' ? { score: result } : result;
  if (!isObject(given))
    throw new TypeError(`it returned ${describe(given)} instead of a score, such as {"key": "${name}", "score": 1}`);
  const { score = null, value = null, comment = null, correction = null } = given;
  if (score !== null && typeof score !== 'boolean' && !(typeof score === 'number' && Number.isFinite(score)))
    throw new TypeError(`its score is ${describe(score)}, not a finite number, true or false`);
  if (score === null && value === null && comment === null)
    throw new TypeError('its result has neither a score nor a value nor a comment');
  if (comment !== null && typeof comment !== 'string') throw new TypeError('its comment is not a text');
  const named = given['key'];
  const json = (one: unknown): string | null => (one === null ? null : boundedJson(one));
  return {
    key: key ?? (typeof named === 'string' && named !== '' ? named : name),
    score: json(typeof score === 'boolean' ? Number(score) : score),
    value: json(value),
    comment: json(comment),
    correction: json(correction),
  };
}

function describe(value: unknown): string {
  return value === undefined
    ? 'nothing'
    : typeof value === 'number'
      ? String(value)
      : `a value of type ${typeof value}`;
}
