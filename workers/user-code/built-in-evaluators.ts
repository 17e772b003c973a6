import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject } from '../../src/base/json/json.js';
import { problemsOfSchema } from '../../src/domain/json-schema.js';
import type { BuiltInName, EvaluatorCall } from '../../src/wire/evaluation/evaluators.js';
import { SchemaValidator } from '../../src/domain/schema-validation.js';

/** What an evaluator looks at, found by the paths of the request. Undefined: there is nothing at the path. */
interface Compared {
  actual: unknown;
  expected: unknown;
  /** The run in the format of the API. */
  run: JsonObject;
}

interface BuiltInResult {
  score: boolean;
  /** Shown beside the score. */
  comment?: string;
}

/** Scores without code of the project. Each is true or false. */
export const BUILT_IN: Readonly<Record<BuiltInName, (compared: Compared, call: EvaluatorCall) => BuiltInResult>> = {
  exact_match: ({ actual, expected }, { ignore_case: ignoreCase }) => ({
    score: isDeepStrictEqual(fold(actual, ignoreCase), fold(expected, ignoreCase)),
  }),
  contains: ({ actual, expected }, { text, ignore_case: ignoreCase }) => {
    const wanted = text ?? textOf(expected);
    return { score: wanted !== '' && textOf(fold(actual, ignoreCase)).includes(textOf(fold(wanted, ignoreCase))) };
  },
  regex_match: ({ actual }, { pattern, ignore_case: ignoreCase }) => ({
    score: new RegExp(pattern ?? '', ignoreCase ? 'iu' : 'u').test(textOf(actual)),
  }),
  numeric_match: ({ actual, expected }, { tolerance }) => {
    const difference = Math.abs(numberOf(actual) - numberOf(expected));
    if (Number.isNaN(difference))
      return { score: false, comment: `Not both are numbers: ${short(actual)} and ${short(expected)}.` };
    return { score: difference <= (tolerance ?? 0), comment: `The difference is ${difference}.` };
  },
  json_schema: ({ actual }, { schema }) => {
    const [problem] = new SchemaValidator(schema ?? {}).problemsOf(actual ?? null);
    if (problem === undefined) return { score: true };
    const place = problem.loc.length === 0 ? 'The value' : problem.loc.join('.');
    return { score: false, comment: `${place} ${problem.msg}.` };
  },
  tool_calls: ({ actual, expected }) => {
    const [called, wanted] = [toolNames(actual), toolNames(expected)];
    return { score: isDeepStrictEqual(called, wanted), comment: `Called: ${called.join(', ') || 'no tool'}.` };
  },
  latency: ({ run }, { max }) => {
    const seconds = (Date.parse(String(run['end_time'])) - Date.parse(String(run['start_time']))) / 1_000;
    if (Number.isNaN(seconds)) throw new TypeError('the run has not ended');
    return { score: seconds <= (max ?? 0), comment: `The run took ${seconds} s.` };
  },
  cost: ({ run }, { max }) => {
    const dollars = numberOf(run['total_cost']);
    if (Number.isNaN(dollars)) throw new TypeError('the run has no cost: traces are off, or a price is unknown');
    return { score: dollars <= (max ?? 0), comment: `The run cost $${dollars}.` };
  },
};

/** Throws if an option is missing or wrong. */
export function checkOptions({ name, pattern, schema, max }: EvaluatorCall): void {
  if (name === 'regex_match') {
    if (pattern === null) throw new TypeError('it needs a "pattern"');
    RegExp(pattern, 'u');
  } else if (name === 'json_schema') {
    if (schema === null) throw new TypeError('it needs a "schema"');
    const [problem] = problemsOfSchema(schema);
    if (problem !== undefined) throw new TypeError(`${['schema', ...problem.loc].join('.')} ${problem.msg}`);
  } else if ((name === 'latency' || name === 'cost') && max === null)
    throw new TypeError(`it needs a "max" in ${name === 'cost' ? 'US dollars' : 'seconds'}`);
}

/**
 * The value at a path of names and indexes, such as `messages.-1.content`. A negative index counts from the end.
 * Undefined if there is none.
 */
export function valueAt(value: unknown, path: string | null): unknown {
  let found = value;
  for (const part of path === null || path === '' ? [] : path.split('.')) {
    if (Array.isArray(found)) found = /^-?\d+$/.test(part) ? (found as unknown[]).at(Number(part)) : undefined;
    else if (isObject(found) && Object.hasOwn(found, part)) found = found[part];
    else return undefined;
  }
  return found;
}

/** Names of the tools that messages call, in order. A list of names is such a list already. */
function toolNames(value: unknown): string[] {
  const list = Array.isArray(value) ? value : isObject(value) ? (value['messages'] ?? value['tool_calls']) : [];
  return (Array.isArray(list) ? (list as unknown[]) : []).flatMap((one): string[] => {
    if (typeof one === 'string') return [one];
    if (!isObject(one)) return [];
    if (Array.isArray(one['tool_calls'])) return toolNames(one['tool_calls']);
    return typeof one['name'] === 'string' && 'args' in one ? [one['name']] : [];
  });
}

/** The text of a value: strings as they are, the text parts of message content, everything else as JSON. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  if (Array.isArray(value) && value.every((part) => isObject(part) && typeof part['text'] === 'string'))
    return value.map((part) => (part as { text: string }).text).join('');
  return JSON.stringify(value);
}

function fold(value: unknown, ignoreCase: boolean): unknown {
  return ignoreCase && typeof value === 'string' ? value.toLowerCase() : value;
}

/** NaN if the value is neither a number nor a text of one. */
function numberOf(value: unknown): number {
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : typeof value === 'number' ? value : NaN;
}

const SHORT_CHARS = 60;

function short(value: unknown): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length > SHORT_CHARS ? `${text.slice(0, SHORT_CHARS - 1)}…` : text;
}
