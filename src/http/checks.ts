import { fail } from '../base/errors.js';
import { isTooDeep, strictText } from '../base/json.js';
import { LIMITS } from '../base/limits.js';
import { furthest, refusal, type Where } from '../base/problems.js';
import type { Route } from './route.js';

/** No body counts as an empty object: clients leave it out where nothing is required. */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.byteLength === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(strictText(bytes)) as unknown;
  } catch (error) {
    throw fail('MALFORMED_JSON', { reason: error instanceof Error ? error.message : String(error) });
  }
  if (isTooDeep(value)) throw fail('INVALID_REQUEST', { problems: `body: is nested deeper than ${LIMITS.jsonDepthMax} levels` });
  return value;
}

export function check(where: Where, validator: Route['body'], value: unknown): void {
  if (validator === null || validator(value)) return;
  throw refusal(where, furthest(validator.errors ?? []));
}

/** Of a body that is a list, every element; of one that may be one, itself. */
export function checkEach({ each }: Route, body: unknown): void {
  if (each === null) return;
  if (!Array.isArray(body)) {
    check('body', each, body);
    return;
  }
  for (const [at, one] of (body as unknown[]).entries()) {
    if (!each(one)) throw refusal('body', furthest(each.errors ?? []).map((problem) => ({ ...problem, loc: [at, ...problem.loc] })));
  }
}
