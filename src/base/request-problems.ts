import type { ValidationError } from '../../schemas/validator.js';
import { fail, type Problem, type ThreadmillError } from './errors.js';

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

/** Problems from a validator's errors. Of the branches of an `anyOf`, reports the one that matched furthest. */
export function problemsOf(errors: readonly ValidationError[]): Problem[] {
  const depth = (error: ValidationError): number =>
    error.instancePath.split('/').length + (error.keyword === 'required' ? 1 : 0);
  const causes = errors.filter((error) => error.keyword !== 'anyOf');
  const deepest = Math.max(...causes.map(depth));
  return causes.filter((one) => depth(one) === deepest).map((error) => problemOf(error));
}

/** One problem from one validator error. `at` is the path of the validated value. */
export function problemOf(error: ValidationError, at: readonly (string | number)[] = []): Problem {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required') path.push(String(error.params['missingProperty']));
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
