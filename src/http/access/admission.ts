import { kindOf } from '../../domain/actions.js';
import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { asObject, isObject, setOwn, type JsonObject } from '../../base/json/json.js';
import { sourceOf } from '../../base/json/pieces.js';
import { LIMITS } from '../../base/limits.js';
import type { Access, RequestFacts } from '../../services/access/access.js';
import { validate, validateEach } from '../validation.js';
import type { ParsedRequest, Route, Shown } from '../route.js';

/** The authenticated caller. `body` or `query` is present if the project's auth handler changed it. */
export interface Admitted {
  caller: Caller;
  body?: unknown;
  query?: unknown;
}

/**
 * Authenticates and authorizes a request. Returns the caller and, if the auth handler changed the request, its
 * new body or query.
 */
export async function admit(
  access: Access,
  wanted: Route,
  facts: RequestFacts,
  asked: ParsedRequest,
): Promise<Admitted> {
  const also = [...wanted.also, ...wanted.needs(asked)];
  const known = access.authenticateWithoutHandler(facts, [wanted.action, ...also]);
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
  const { caller, values } = await access.authorize(
    facts,
    wanted.action,
    also,
    shown.map(({ value }) => value),
    wanted.looks,
  );
  const counts = given.map((one, at) => taken(wanted, one, shown[at]!, values[at]!));
  if (counts.every((one, at) => one === given[at])) return { caller };
  const changed = isList ? counts : counts[0];
  validate(part, wanted[part], changed);
  if (part === 'body') validateEach(wanted, changed);
  return { caller, [part]: changed };
}

/** The default view that an auth handler gets of a request: all parameters, by their API names. */
const PLAINLY: Shown = {
  // Path parameters come last, so that a body that names another record cannot hide the addressed one.
  value: ({ params, query, body }) => ({ ...asObject(query), ...asObject(body), ...params }),
  back: (asked, changed) => ({ ...asked, ...changed }),
};

/**
 * Verbs that store the metadata of the body. Handlers of all other verbs see no metadata, so any metadata they
 * set is their own.
 */
const STORES: ReadonlySet<string> = new Set(['create', 'update', 'create_run']);

interface ShownPart {
  value: JsonObject;
  chars: number;
  /** Members that are too large to show to the handler. */
  hidden: JsonObject;
  hiddenArguments: JsonObject;
}

/** Merges the handler's changes into the request, or into one element of a list. */
function taken(
  route: Route,
  asked: unknown,
  { value, hidden, hiddenArguments }: ShownPart,
  changed: JsonObject | null,
): unknown {
  const { kind, verb } = kindOf(route.action);
  // On a search, metadata that the handler sets narrows the caller's filter. On evaluation records it stays
  // with the caller.
  if (changed === null || !isObject(asked) || !(TAKES_BACK.has(verb) || kind === 'store')) return asked;
  const { metadata, ...rest } = changedIn(value, changed);
  const stored = metadata !== undefined && route.errors === 'agent' && STORES.has(verb);
  const back: JsonObject = { ...rest, ...hidden, ...(stored ? { metadata } : {}) };
  if (isObject(back['kwargs'])) back['kwargs'] = { ...back['kwargs'], ...hiddenArguments };
  return (route.shown ?? PLAINLY).back(asked, back);
}

/** Builds the view of a request that the auth handler gets. */
function shownOf(route: Route, asked: ParsedRequest): ShownPart {
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

/** Handlers decide by these members, so they are shown even when large. */
const ALWAYS_SHOWN: ReadonlySet<string> = new Set(['metadata', 'namespace']);
const NONE: ReadonlySet<string> = new Set();

/** Splits an object into its small and its large members. */
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

/**
 * Verbs whose request the handler may change: those that store or search. For long-term memory it may change
 * every request, because the namespace is part of it.
 */
const TAKES_BACK: ReadonlySet<string> = new Set([...STORES, 'search']);

function changedIn(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}
