import { isObject, type JsonObject } from '../base/json/json.js';
import { LIMITS } from '../base/limits.js';

/**
 * Condition on an item's value in lists of long-term memory, with the semantics of LangGraph's own stores. Every name
 * must match, by value (objects by the given members, lists by each element) or by operators. `{$gt: 1}` and the other
 * comparisons work on numbers and on values that convert to numbers.
 */
export type ItemFilter = Readonly<JsonObject>;

const OPERATORS: Readonly<Record<string, (actual: unknown, operand: unknown) => boolean>> = {
  $eq: same,
  $ne: (actual, operand) => !same(actual, operand),
  $gt: (actual, operand) => numeric(actual) > numeric(operand),
  $gte: (actual, operand) => numeric(actual) >= numeric(operand),
  $lt: (actual, operand) => numeric(actual) < numeric(operand),
  $lte: (actual, operand) => numeric(actual) <= numeric(operand),
  $in: (actual, operand) => Array.isArray(operand) && operand.some((one) => same(actual, one)),
  $nin: (actual, operand) => !(Array.isArray(operand) && operand.some((one) => same(actual, one))),
};

/** Why the value is not a filter, with the place; null when it is one. */
export function itemFilterProblem(filter: ItemFilter): string | null {
  let parts = 0;
  /** `isOperand`: the value is compared as it is. */
  const problemIn = (wanted: unknown, at: string, depth: number, isOperand: boolean): string | null => {
    if (++parts > LIMITS.itemFilterPartsMax) return `filter: has more than ${LIMITS.itemFilterPartsMax} parts`;
    if (typeof wanted !== 'object' || wanted === null) return null;
    if (depth > LIMITS.itemFilterDepthMax) return `filter: is nested deeper than ${LIMITS.itemFilterDepthMax} levels`;
    const operators = !isOperand && isObject(wanted) && hasOperator(wanted);
    for (const [name, part] of Object.entries(wanted)) {
      if (operators && !Object.hasOwn(OPERATORS, name)) return noOperator(`${at}.${name}`);
      const problem = problemIn(part, `${at}.${name}`, depth + 1, isOperand || operators);
      if (problem !== null) return problem;
    }
    return null;
  };
  for (const [name, wanted] of Object.entries(filter)) {
    if (name.startsWith('$')) return noOperator(`filter.${name}`);
    const problem = problemIn(wanted, `filter.${name}`, 1, false);
    if (problem !== null) return problem;
  }
  return null;
}

function noOperator(place: string): string {
  return `${place}: is an unknown operator; ${Object.keys(OPERATORS).join(', ')} exist, below the name of a field`;
}

function hasOperator(value: JsonObject): boolean {
  return Object.keys(value).some((name) => name.startsWith('$'));
}

export function matchesItem(value: JsonObject, filter: ItemFilter): boolean {
  return Object.entries(filter).every(([name, wanted]) => matches(own(value, name), wanted));
}

function matches(actual: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return (
      Array.isArray(actual) && actual.length === wanted.length && wanted.every((one, at) => matches(actual[at], one))
    );
  if (!isObject(wanted)) return actual === wanted;
  if (hasOperator(wanted)) return Object.entries(wanted).every(([name, operand]) => OPERATORS[name]!(actual, operand));
  return isObject(actual) && Object.entries(wanted).every(([name, one]) => matches(own(actual, name), one));
}

function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Like `Number`, but NaN for objects: `{"valueOf": 1}` from a client would make `Number` throw. */
function numeric(value: unknown): number {
  return typeof value === 'object' && value !== null ? NaN : Number(value);
}

/** Equality of JSON values, regardless of the order of names. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one, at) => same(one, b[at]));
  if (!isObject(a) || !isObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]))
  );
}
