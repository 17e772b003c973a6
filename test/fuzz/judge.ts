import { isUtf8 } from 'node:buffer';
import { isObject } from '../../src/base/json/json.js';
import type { ErrorFormat } from '../../src/http/errors.js';
import { routeName } from '../../src/cli/walk/requests.js';
import type { Route } from '../../src/http/route.js';
import type { Place } from './place.js';
import type { Written } from './request.js';
import { exchange, headerOf, type Answer } from './wire.js';

/**
 * An answer that takes longer is a hang: no bound of the server that a request may wait for is longer than 30 s
 * (LIMITS.editMs).
 */
const LIMIT_MS = 45_000;
const LISTEN_MS = 40;

/** What came of a request, in a word or two, for the tally. */
export interface Verdict {
  outcome: string;
  /** Null when all is as it should be. */
  problem: string | null;
}

/** Sends a request to a server that is at rest, and looks at everything that it must leave as it was. */
export async function judge(place: Place, route: Route, written: Written): Promise<Verdict> {
  if (!place.still) await place.rest();
  place.still = false;
  const { status, outcome, problem } = await sent(place, route, written);
  if (problem === null && status >= 400 && written.wellFormed) {
    place.still = await place.isAsItWas();
    if (!place.still)
      return { outcome, problem: `refused with ${outcome}, and yet the store changed (${place.changed})` };
  }
  return { outcome, problem };
}

/** Sends them all at once: what each of them must leave as it was cannot be told, but they are answered as ever. */
export async function judgeCrowd(place: Place, crowd: readonly (readonly [Route, Written])[]): Promise<string[]> {
  place.still = false;
  const verdicts = await Promise.all(
    crowd.map(async ([route, written]) => ({ route, ...(await sent(place, route, written)) })),
  );
  const problems = verdicts.flatMap(({ route, problem }) =>
    problem === null ? [] : [`${routeName(route)}: ${problem}`],
  );
  await place.rest();
  return problems;
}

/** 0: there was no answer. */
async function sent(place: Place, route: Route, written: Written): Promise<Verdict & { status: number }> {
  const { method, bytes, wellFormed } = written;
  const found = await exchange(place.port, bytes, {
    method,
    halfClose: !wellFormed,
    limitMs: LIMIT_MS,
    listenMs: LISTEN_MS,
  });
  const complaint = await place.complaint('answer' in found && found.answer.status < 500);
  if ('silent' in found)
    return {
      status: 0,
      outcome: 'silent',
      problem: `no answer within ${LIMIT_MS / 1_000} s: ${JSON.stringify(found.silent)}`,
    };
  place.mayGoOn ||= !('answer' in found);
  if ('closed' in found)
    return {
      status: 0,
      outcome: 'closed',
      problem:
        complaint ??
        (wellFormed ? `the connection was closed without an answer: ${JSON.stringify(found.closed)}` : null),
    };
  const { answer } = found;
  if (answer.end === 'left') place.mayGoOn = true;
  const problem = complaint ?? problemOf(route, written, answer);
  const outcome = `${answer.status}${answer.end === 'left' ? ' left' : ''}`;
  return {
    status: answer.status,
    outcome,
    problem: problem === null ? null : `${problem}: ${answer.status} ${answer.body.subarray(0, 400).toString()}`,
  };
}

function problemOf(route: Route, { method, wellFormed, own, fits }: Written, answer: Answer): string | null {
  const { status, headers, body, end } = answer;
  const twice = headers
    .map(([name]) => name)
    .filter((name, at, all) => all.indexOf(name) !== at && name !== 'set-cookie');
  if (twice.length > 0) return `the answer has ${twice.join(', ')} several times`;
  if (status < 200 || status > 599) return 'no status';
  if (headerOf(answer, 'x-request-id') === null) return wellFormed ? 'uWebSockets.js answered by itself' : null;
  // 501 and 503 are said on purpose, with a code of ours.
  if (status >= 500 && status !== 501 && status !== 503) return 'an error of the server';
  if (status === 503 && headerOf(answer, 'retry-after') === null) return '503 without retry-after';
  if (end === 'broken' && wellFormed) return 'the answer broke off';
  // What it names may be gone by now, or be there already; what it says is as right as ever.
  if (fits && status === 422) return 'what fits was refused';
  if (end !== 'whole' || method === 'HEAD' || status === 204 || status === 304) return null;
  const type = headerOf(answer, 'content-type') ?? '';
  if (status >= 400 && route.errors === 'otlp' && type === 'application/x-protobuf')
    return body.byteLength > 0 ? null : 'an error without a body';
  if (status >= 400)
    return type === 'application/json' ? wrongForm(body, formsOf(route, status, own)) : `an error as ${type}`;
  if (type !== 'application/json' || body.byteLength === 0) return null;
  if (!isUtf8(body)) return 'the answer is not UTF-8';
  try {
    JSON.parse(body.toString());
  } catch (error) {
    return `the answer is no JSON (${String(error)})`;
  }
  return null;
}

function formsOf(route: Route, status: number, own: boolean): readonly ErrorFormat[] {
  if (!own) return ['agent', 'evaluation', 'ingest', 'otlp'];
  if (route.alternative !== null) return [route.errors, route.alternative.route.errors];
  // A path parameter may make an address that another route has.
  return status === 404 || status === 405 ? [route.errors, 'agent'] : [route.errors];
}

/** What is wrong with an error's body; null when it has one of the forms (docs/errors.md). */
function wrongForm(body: Buffer, forms: readonly ErrorFormat[]): string | null {
  let value: unknown;
  try {
    value = JSON.parse(body.toString());
  } catch {
    return 'the error is no JSON';
  }
  const isText = (one: unknown): boolean => typeof one === 'string' && one !== '';
  const fits =
    isObject(value) &&
    forms.some((form) => {
      const { detail, error, details, code, message } = value;
      if (form === 'otlp') return Number.isInteger(code) && isText(message);
      if (form === 'ingest') return isText(error) && isText(details);
      if (isText(detail)) return true;
      return (
        form === 'evaluation' &&
        Array.isArray(detail) &&
        detail.length > 0 &&
        detail.every((one) => isObject(one) && Array.isArray(one['loc']) && isText(one['msg']) && isText(one['type']))
      );
    });
  return fits ? null : `an error that has not the form "${forms.join('" or "')}"`;
}
