import { fail } from '../base/errors.js';
import { isObject, isTooDeep, strictText } from '../base/json/json.js';
import { memberCountOf, parseInPieces } from '../base/json/parse-in-pieces.js';
import { LIMITS } from '../base/limits.js';
import { findProblems, invalidRequest, type RequestPart } from '../base/request-problems.js';
import type { Needs } from '../services/context.js';
import { reserveBodyBytes } from './transport/body.js';
import type { Route } from './route.js';

/** An empty body counts as an empty object: clients omit the body where nothing is required. */
export function parseBody(bytes: Buffer): unknown {
  if (bytes.byteLength === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(strictText(bytes)) as unknown;
  } catch (error) {
    throw fail('MALFORMED_JSON', { reason: error instanceof Error ? error.message : String(error) });
  }
  if (isTooDeep(value))
    throw fail('INVALID_REQUEST', { problems: `body: is nested deeper than ${LIMITS.jsonDepthMax} levels` });
  return value;
}

/** Like `parseBody`, but parses a large body in slices so that other work can run in between. */
export async function parseLargeBody(
  { timeSlicer }: Needs<'timeSlicer'>,
  bytes: Buffer,
  gone: () => boolean,
  { largeInput }: Pick<Route, 'largeInput'>,
): Promise<unknown> {
  if (bytes.byteLength <= LIMITS.jsonPieceBytes) return parseBody(bytes);
  const release = reserveBodyBytes(bytes.byteLength);
  let body: unknown;
  try {
    body = await timeSlicer.run(
      parseInPieces(bytes, largeInput ? LIMITS.inputMembersMax : LIMITS.bodyMembersMax),
      gone,
    );
  } finally {
    release();
  }
  if (!largeInput) return body;
  const besideInput = memberCountOf(body) - memberCountOf(isObject(body) ? body['input'] : undefined);
  if (besideInput > LIMITS.bodyMembersMax)
    throw fail('INVALID_REQUEST', {
      problems: `body: contains more than ${LIMITS.bodyMembersMax} names and elements outside its input`,
    });
  return body;
}

export function validate(where: RequestPart, validator: Route['body'], value: unknown): void {
  if (validator === null) return;
  const problems = findProblems(validator, value);
  if (problems.length > 0) throw invalidRequest(where, problems);
}

/** Validates every element of a body that is a list. A body that only may be a list is validated as one element. */
export function validateEach({ elementValidator }: Route, body: unknown): void {
  if (elementValidator === null) return;
  if (!Array.isArray(body)) {
    validate('body', elementValidator, body);
    return;
  }
  for (const [at, one] of (body as unknown[]).entries()) {
    const problems = findProblems(elementValidator, one);
    if (problems.length > 0)
      throw invalidRequest(
        'body',
        problems.map((problem) => ({ ...problem, loc: [at, ...problem.loc] })),
      );
  }
}
