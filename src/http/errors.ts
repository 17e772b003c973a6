import { randomUUID } from 'node:crypto';
import { fail, ThreadmillError } from '../base/errors.js';
import type { Logger } from '../base/log.js';
import type { ValidationError } from '../../schemas/validator.js';

/** An error as API B sends it: status and `{"detail": text}` (agent-server.md, 1.3). */
export interface WireError {
  status: number;
  body: string;
  headers: Record<string, string>;
}

/** What is thrown on purpose goes out as it is; anything else is logged under a reference and says only that. */
export function wireError(thrown: unknown, log: Logger): WireError {
  const error = thrown instanceof ThreadmillError ? thrown : unexpected(thrown, log);
  if (error.status >= 500 && error !== thrown) return { status: error.status, body: JSON.stringify({ detail: error.message }), headers: {} };
  const headers: Record<string, string> = {};
  if (error.code === 'METHOD_NOT_ALLOWED') headers['allow'] = String(error.params['allowed']);
  if (error.status === 503) headers['retry-after'] = '1';
  return { status: error.status, body: JSON.stringify({ detail: error.message }), headers };
}

function unexpected(thrown: unknown, log: Logger): ThreadmillError {
  const reference = randomUUID();
  log.error({ err: thrown, reference }, 'a request failed unexpectedly');
  return fail('INTERNAL', { reference }, thrown);
}

/**
 * What a validator found, with the place in front: `body.stream_mode.1: must be one of …`. Of the branches of a choice the
 * one that got furthest is meant.
 */
export function invalid(where: 'body' | 'query' | 'path', errors: readonly ValidationError[]): ThreadmillError {
  const depth = (error: ValidationError): number => error.instancePath.split('/').length + (error.keyword === 'required' ? 1 : 0);
  const causes = errors.filter((error) => error.keyword !== 'anyOf');
  const deepest = Math.max(...causes.map(depth));
  const problems = new Map<string, string[]>();
  for (const error of causes.filter((one) => depth(one) === deepest)) {
    const place = placeOf(where, error);
    problems.set(place, [...(problems.get(place) ?? []), messageOf(error)]);
  }
  return fail('INVALID_REQUEST', { problems: [...problems].map(([place, messages]) => `${place}: ${[...new Set(messages)].join(' or ')}`).join('; ') });
}

function placeOf(where: string, error: ValidationError): string {
  const path = error.instancePath.split('/').slice(1).map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  if (error.keyword === 'required') path.push(String(error.params['missingProperty']));
  return [where, ...path].join('.');
}

function messageOf(error: ValidationError): string {
  switch (error.keyword) {
    case 'required': return 'is required';
    case 'enum': return `must be one of ${(error.params['allowedValues'] as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`;
    case 'format': return error.params['format'] === 'uuid' ? 'must be a UUID' : `must be a ${String(error.params['format'])}`;
    case 'type': return `must be ${[error.params['type']].flat().join(' or ')}`;
    default: return error.message ?? 'is not valid';
  }
}
