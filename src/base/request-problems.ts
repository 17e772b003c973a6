import type { ValidationError, Validator } from '../../schemas/validator.js';
import { fail, type Problem, type ThreadmillError } from './errors.js';
import { LIMITS } from './limits.js';

export type RequestPart = 'body' | 'query' | 'path';

/** An INVALID_REQUEST error that names every problem with its place: `body.results.17.end_time: must be …`. */
export function invalidRequest(where: RequestPart, problems: readonly Problem[], cause?: unknown): ThreadmillError {
  const texts = new Map<string, string[]>();
  for (const { loc, msg } of problems) {
    const place = [where, ...loc].join('.');
    texts.set(place, [...(texts.get(place) ?? []), msg]);
  }
  return fail(
    'INVALID_REQUEST',
    {
      problems: [...texts].map(([place, messages]) => `${place}: ${[...new Set(messages)].join(' or ')}`).join('; '),
      places: problems.map(({ loc, msg, type }) => ({ loc: [where, ...loc], msg, type })),
    },
    cause,
  );
}

/**
 * Validates a value and returns its problems; none if it is valid. Reports all of them if the validator can and the
 * value is small, otherwise the first.
 */
export function findProblems(validator: Validator<unknown>, value: unknown): Problem[] {
  if (validator(value)) return [];
  const { allErrors } = validator;
  if (allErrors === undefined || !isSmall(value)) return problemsOf(validator.errors ?? []);
  allErrors(value);
  return problemsOf(allErrors.errors ?? []).slice(0, LIMITS.problemsMax);
}

/** True if the value has few names and elements. Stops counting at the limit. */
function isSmall(value: unknown): boolean {
  const open = [value];
  let members = 0;
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null) continue;
    const inside = Object.values(one);
    members += inside.length;
    if (members > LIMITS.allErrorsMembersMax) return false;
    open.push(...inside);
  }
  return true;
}

/** One problem for each fault. The branches of an `anyOf` are one fault: the branch that matched furthest counts. */
export function problemsOf(errors: readonly ValidationError[]): Problem[] {
  const faults: ValidationError[][] = [];
  for (const error of errors) {
    if (error.keyword !== 'anyOf') {
      faults.push([error]);
      continue;
    }
    // Ajv reports the errors of the branches before that of the anyOf.
    const branches: ValidationError[] = [];
    while (faults.length > 0 && faults.at(-1)!.every((one) => isInBranch(one, error)))
      branches.unshift(...faults.pop()!);
    faults.push(furthest(branches));
  }
  return faults.flatMap(mergedProblems);
}

function isInBranch(one: ValidationError, anyOf: ValidationError): boolean {
  if (one.schemaPath.startsWith(`${anyOf.schemaPath}/`)) return true;
  // A branch that is a reference has the path of its definition.
  return !one.schemaPath.startsWith('#/properties/') && one.instancePath.startsWith(anyOf.instancePath);
}

function furthest(errors: readonly ValidationError[]): ValidationError[] {
  const depth = (error: ValidationError): number =>
    error.instancePath.split('/').length + (error.keyword === 'required' ? 1 : 0);
  const deepest = Math.max(...errors.map(depth));
  return errors.filter((one) => depth(one) === deepest);
}

/** One problem for each place: `must be null or must be array`. */
function mergedProblems(errors: readonly ValidationError[]): Problem[] {
  const merged = new Map<string, Problem>();
  for (const problem of errors.map((error) => problemOf(error))) {
    const place = JSON.stringify(problem.loc);
    const known = merged.get(place);
    if (known === undefined) merged.set(place, problem);
    else if (!known.msg.split(' or ').includes(problem.msg)) known.msg += ` or ${problem.msg}`;
  }
  return [...merged.values()];
}

/** One problem from one validator error. `at` is the path of the validated value. */
export function problemOf(error: ValidationError, at: readonly (string | number)[] = []): Problem {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required') path.push(String(error.params['missingProperty']));
  if (error.keyword === 'additionalProperties') path.push(String(error.params['additionalProperty']));
  return {
    loc: [...at, ...path.map((part) => (/^\d+$/.test(part) ? Number(part) : part))],
    msg: messageOf(error),
    type: error.keyword === 'required' ? 'missing' : error.keyword,
  };
}

function messageOf(error: ValidationError): string {
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return 'is not a known field';
    case 'enum':
      return `must be one of ${(error.params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`;
    case 'format':
      return error.params['format'] === 'uuid' ? 'must be a UUID' : `must be a ${String(error.params['format'])}`;
    case 'type':
      return `must be ${[error.params['type']].flat().join(' or ')}`;
    default:
      return error.message ?? 'is not valid';
  }
}
