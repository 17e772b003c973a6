import { isObject, type JsonObject } from '../base/json/json.js';

/**
 * Condition on a record's metadata for a caller to see it, as returned by an access handler (agent-server.md, 17.2).
 * Every name must match: `name: scalar`, `{$eq: scalar}`, or `{$contains: value | [values]}` (the metadata has a list
 * with all of them). `$or` and `$and` have lists of filters.
 */
export type Filter = Readonly<JsonObject>;

const COMBINATORS = ['$or', '$and'] as const;
const DEPTH_MAX = 8;
const PARTS_MAX = 1_000;

/** Why the value is not a filter, with the place; null when it is one. */
export function filterProblem(value: unknown): string | null {
  const seen = { parts: 0 };
  return problemIn(value, 'filter', 0, seen);
}

function problemIn(value: unknown, at: string, depth: number, seen: { parts: number }): string | null {
  if (!isObject(value)) return `${at} must be an object`;
  if (depth > DEPTH_MAX) return `${at} is nested deeper than ${DEPTH_MAX} levels`;
  for (const [name, wanted] of Object.entries(value)) {
    const place = `${at}.${name}`;
    if (++seen.parts > PARTS_MAX) return `${at} has more than ${PARTS_MAX} parts`;
    if (isCombinator(name)) {
      if (!Array.isArray(wanted)) return `${place} must be a list of filters`;
      for (const [index, part] of wanted.entries()) {
        const problem = problemIn(part, `${place}.${index}`, depth + 1, seen);
        if (problem !== null) return problem;
      }
    } else if (name.startsWith('$')) return `${place} is an unknown operator; only $or and $and exist here`;
    else if (!isScalar(wanted)) {
      const problem = operatorProblem(wanted, place);
      if (problem !== null) return problem;
    }
  }
  return null;
}

function operatorProblem(wanted: unknown, place: string): string | null {
  if (!isObject(wanted)) return `${place} must be text, a number, a boolean, null, {$eq: …} or {$contains: …}`;
  const operators = Object.entries(wanted);
  if (operators.length === 0) return `${place} has no operator`;
  for (const [operator, operand] of operators) {
    if (
      operator === '$eq'
        ? !isScalar(operand)
        : operator === '$contains'
          ? !(isScalar(operand) || (Array.isArray(operand) && operand.every(isScalar)))
          : true
    ) {
      return `${place}.${operator} is an unknown operator; only {$eq: scalar} and {$contains: scalar or list of scalars} exist`;
    }
  }
  return null;
}

function isCombinator(name: string): name is (typeof COMBINATORS)[number] {
  return (COMBINATORS as readonly string[]).includes(name);
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** True if the metadata matches. An empty filter matches everything, an empty `$or` nothing. */
export function passes(filter: Filter, metadata: JsonObject): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    if (name === '$or') return (wanted as Filter[]).some((part) => passes(part, metadata));
    if (name === '$and') return (wanted as Filter[]).every((part) => passes(part, metadata));
    const actual = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    if (!isObject(wanted)) return actual === wanted;
    return Object.entries(wanted).every(([operator, operand]) =>
      operator === '$eq' ? actual === operand : holds(actual, operand),
    );
  });
}

function holds(actual: unknown, operand: unknown): boolean {
  return Array.isArray(actual) && (Array.isArray(operand) ? operand : [operand]).every((one) => actual.includes(one));
}

/**
 * Equalities that every match fulfills. Each is a list of alternatives of which a match has at least one, such as the
 * branches of an `$or`. All other conditions are left to `passes`.
 */
export function equalitiesOf(filter: Filter): { name: string; value: unknown }[][] {
  return Object.entries(filter).flatMap(([name, wanted]): { name: string; value: unknown }[][] => {
    if (name === '$and') return (wanted as Filter[]).flatMap((part) => equalitiesOf(part));
    if (name === '$or') {
      const branches = (wanted as Filter[]).map(
        (part) => equalitiesOf(part).find((alternatives) => alternatives.length === 1)?.[0],
      );
      return branches.includes(undefined) ? [] : [branches as { name: string; value: unknown }[]];
    }
    if (!isObject(wanted)) return [[{ name, value: wanted }]];
    return Object.hasOwn(wanted, '$eq') ? [[{ name, value: wanted['$eq'] }]] : [];
  });
}
