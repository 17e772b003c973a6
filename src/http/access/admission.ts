import { kindOf } from '../../domain/actions.js';
import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { asObject, isObject, setOwn, type JsonObject } from '../../base/json/json.js';
import { sourceOf } from '../../base/json/pieces.js';
import { LIMITS } from '../../base/limits.js';
import type { Access, RequestFacts } from '../../services/access/access.js';
import { check, checkEach } from '../validation.js';
import type { Asked, Route, Shown } from '../route.js';

/** Who asks and, where the developer's handler changed it, what counts of what was asked. */
export interface Admitted {
  caller: Caller;
  body?: unknown;
  query?: unknown;
}

/** The caller and, where it counts, what was asked with what the developer's handler changed in it. */
export async function admitted(access: Access, wanted: Route, facts: RequestFacts, asked: Asked): Promise<Admitted> {
  const also = [...wanted.also, ...wanted.needs(asked)];
  const known = access.atOnce(facts, [wanted.action, ...also]);
  if (known !== null) return { caller: known };
  const part = wanted.body === null ? 'query' : 'body';
  const isList = wanted.each !== null && Array.isArray(asked[part]);
  const given = isList ? (asked[part] as unknown[]) : [asked[part]];
  const shown = given.map((one) => shownOf(wanted, { ...asked, [part]: one }));
  const chars = shown.reduce((sum, one) => sum + one.chars, 0);
  if (shown.length > 1 && chars > LIMITS.shownListCharsMax)
    throw fail('INVALID_REQUEST', {
      problems: `body: is too large to be shown to the auth handler: more than ${LIMITS.shownListCharsMax} characters`,
    });
  const { caller, values } = await access.ask(
    facts,
    wanted.action,
    also,
    shown.map(({ value }) => value),
    wanted.looks,
  );
  const counts = given.map((one, at) => taken(wanted, one, shown[at]!, values[at]!));
  if (counts.every((one, at) => one === given[at])) return { caller };
  const changed = isList ? counts : counts[0];
  check(part, wanted[part], changed);
  if (part === 'body') checkEach(wanted, changed);
  return { caller, [part]: changed };
}

/** What the handler is shown when a route does not say: all that the request names, in the API's own words. */
const PLAINLY: Shown = {
  // The path last: a body that names another record does not hide which one it is about.
  value: ({ params, query, body }) => ({ ...asObject(query), ...asObject(body), ...params }),
  back: (asked, changed) => ({ ...asked, ...changed }),
};

/** Verbs of what is stored with the metadata of its body; all others are shown none, so that what is stamped is the handler's. */
const STORES: ReadonlySet<string> = new Set(['create', 'update', 'create_run']);

interface ShownPart {
  value: JsonObject;
  chars: number;
  /** What is too large to be shown. */
  hidden: JsonObject;
  hiddenArguments: JsonObject;
}

/** What was asked, or one part of it, with what the handler changed in what it was shown. */
function taken(
  route: Route,
  asked: unknown,
  { value, hidden, hiddenArguments }: ShownPart,
  changed: JsonObject | null,
): unknown {
  const { kind, verb } = kindOf(route.action);
  // What was stamped on a search narrows the caller's filter; on evaluation results it travels with the caller.
  if (changed === null || !isObject(asked) || !(TAKES_BACK.has(verb) || kind === 'store')) return asked;
  const { metadata, ...rest } = changedIn(value, changed);
  const stored = metadata !== undefined && route.errors === 'agent' && STORES.has(verb);
  const back: JsonObject = { ...rest, ...hidden, ...(stored ? { metadata } : {}) };
  if (isObject(back['kwargs'])) back['kwargs'] = { ...back['kwargs'], ...hiddenArguments };
  return (route.shown ?? PLAINLY).back(asked, back);
}

/** What a handler is shown of a request. */
function shownOf(route: Route, asked: Asked): ShownPart {
  const all = (route.shown ?? PLAINLY).value(asked);
  const metadata = route.errors === 'agent' && STORES.has(kindOf(route.action).verb) ? asObject(all['metadata']) : {};
  const [value, hidden] = withoutLarge({ ...all, metadata }, ALWAYS_SHOWN);
  const [kwargs, hiddenArguments] = isObject(value['kwargs']) ? withoutLarge(value['kwargs'], NONE) : [undefined, {}];
  if (kwargs !== undefined) value['kwargs'] = kwargs;
  const chars = JSON.stringify(value).length;
  if (chars > LIMITS.shownCharsMax)
    throw fail('INVALID_REQUEST', {
      problems: `body.metadata: is too large to be shown to the auth handler: more than ${LIMITS.shownCharsMax} characters`,
    });
  return { value, chars, hidden, hiddenArguments };
}

/** What handlers decide by: were it left out, one that looks at it would fail. */
const ALWAYS_SHOWN: ReadonlySet<string> = new Set(['metadata', 'namespace']);
const NONE: ReadonlySet<string> = new Set();

/** The object without its large members, and those. */
function withoutLarge(object: JsonObject, always: ReadonlySet<string>): [small: JsonObject, large: JsonObject] {
  const small: JsonObject = {};
  const large: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    const isLarge =
      !always.has(name) &&
      name !== 'kwargs' &&
      typeof value === 'object' &&
      value !== null &&
      (sourceOf(value)?.byteLength ?? JSON.stringify(value).length) > LIMITS.shownMemberCharsMax;
    setOwn(
      isLarge || (typeof value === 'string' && value.length > LIMITS.shownMemberCharsMax) ? large : small,
      name,
      value,
    );
  }
  return [small, large];
}

/** Verbs whose request the handler may change: what is stored, or what is looked for. Of long-term memory all: there it says where. */
const TAKES_BACK: ReadonlySet<string> = new Set([...STORES, 'search']);

function changedIn(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}
