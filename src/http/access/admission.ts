import { splitAction } from '../../domain/actions.js';
import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { asObject, isObject, setOwn, type JsonObject } from '../../base/json/json.js';
import { sourceOf } from '../../base/json/parse-in-pieces.js';
import { LIMITS } from '../../base/limits.js';
import type { Access, RequestFacts } from '../../services/access/access.js';
import { validate, validateEach } from '../validation.js';
import type { ParsedRequest, Route, AuthView } from '../route.js';

/** The authenticated caller. `body` or `query` is present if the project's auth handler changed it. */
export interface Admission {
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
  route: Route,
  facts: RequestFacts,
  request: ParsedRequest,
): Promise<Admission> {
  const also = [...route.additionalActions, ...route.conditionalActions(request)];
  const known = access.authenticateWithoutHandler(facts, [route.action, ...also], route.sufficientScope);
  if (known !== null) return { caller: known };
  const part = route.body === null ? 'query' : 'body';
  const isList = route.elementValidator !== null && Array.isArray(request[part]);
  const parts = isList ? (request[part] as unknown[]) : [request[part]];
  const views = parts.map((one) => buildAuthView(route, { ...request, [part]: one }));
  const chars = views.reduce((sum, one) => sum + one.chars, 0);
  if (views.length > 1 && chars > LIMITS.handlerListCharsMax)
    throw fail('INVALID_REQUEST', {
      problems: `body: is too large to be shown to the auth handler: more than ${LIMITS.handlerListCharsMax} characters`,
    });
  const { caller, values } = await access.authorize(
    facts,
    { action: route.action, also, hiding: route.relatedReads },
    views.map(({ value }) => value),
  );
  const changedParts = parts.map((one, at) => applyHandlerChanges(route, one, views[at]!, values[at]!));
  if (changedParts.every((one, at) => one === parts[at])) return { caller };
  const changed = isList ? changedParts : changedParts[0];
  validate(part, route[part], changed);
  if (part === 'body') validateEach(route, changed);
  return { caller, [part]: changed };
}

/** The default view that an auth handler gets of a request: all parameters, by their API names. */
const DEFAULT_VIEW: AuthView = {
  // Path parameters come last, so that a body that names another record cannot hide the addressed one.
  buildValue: ({ params, query, body }) => ({ ...asObject(query), ...asObject(body), ...params }),
  applyChanges: (request, changed) => ({ ...request, ...changed }),
};

/**
 * Verbs that store the metadata of the body. Handlers of all other verbs see no metadata, so any metadata they
 * set is their own.
 */
const STORING_VERBS: ReadonlySet<string> = new Set(['create', 'update', 'create_run']);

interface ViewedRequest {
  value: JsonObject;
  chars: number;
  /** Members that are too large to show to the handler. */
  hidden: JsonObject;
  hiddenArguments: JsonObject;
}

/** Merges the handler's changes into the request, or into one element of a list. */
function applyHandlerChanges(
  route: Route,
  request: unknown,
  { value, hidden, hiddenArguments }: ViewedRequest,
  changed: JsonObject | null,
): unknown {
  const { kind, verb } = splitAction(route.action);
  // On a search, metadata that the handler sets narrows the caller's filter. On evaluation records it stays
  // with the caller.
  if (changed === null || !isObject(request) || !(CHANGEABLE_VERBS.has(verb) || kind === 'store')) return request;
  const { metadata, ...rest } = changedMembers(value, changed);
  const stored = metadata !== undefined && route.errors === 'agent' && STORING_VERBS.has(verb);
  const back: JsonObject = { ...rest, ...hidden, ...(stored ? { metadata } : {}) };
  if (isObject(back['kwargs'])) back['kwargs'] = { ...back['kwargs'], ...hiddenArguments };
  return (route.authView ?? DEFAULT_VIEW).applyChanges(request, back);
}

/** Builds the view of a request that the auth handler gets. */
function buildAuthView(route: Route, request: ParsedRequest): ViewedRequest {
  const all = (route.authView ?? DEFAULT_VIEW).buildValue(request);
  const metadata =
    route.errors === 'agent' && STORING_VERBS.has(splitAction(route.action).verb) ? asObject(all['metadata']) : {};
  const [value, hidden] = splitLargeMembers({ ...all, metadata }, ALWAYS_SHOWN);
  const [kwargs, hiddenArguments] = isObject(value['kwargs'])
    ? splitLargeMembers(value['kwargs'], NONE)
    : [undefined, {}];
  if (kwargs !== undefined) value['kwargs'] = kwargs;
  const chars = JSON.stringify(value).length;
  if (chars > LIMITS.handlerValueCharsMax)
    throw fail('INVALID_REQUEST', {
      problems: `body.metadata: is too large to be shown to the auth handler: more than ${LIMITS.handlerValueCharsMax} characters`,
    });
  return { value, chars, hidden, hiddenArguments };
}

/** Handlers decide by these members, so they are shown even when large. */
const ALWAYS_SHOWN: ReadonlySet<string> = new Set(['metadata', 'namespace']);
const NONE: ReadonlySet<string> = new Set();

/** Splits an object into its small and its large members. */
function splitLargeMembers(object: JsonObject, always: ReadonlySet<string>): [small: JsonObject, large: JsonObject] {
  const small: JsonObject = {};
  const large: JsonObject = {};
  for (const [name, value] of Object.entries(object)) {
    const isLarge =
      !always.has(name) &&
      name !== 'kwargs' &&
      typeof value === 'object' &&
      value !== null &&
      (sourceOf(value)?.byteLength ?? JSON.stringify(value).length) > LIMITS.handlerMemberCharsMax;
    setOwn(
      isLarge || (typeof value === 'string' && value.length > LIMITS.handlerMemberCharsMax) ? large : small,
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
const CHANGEABLE_VERBS: ReadonlySet<string> = new Set([...STORING_VERBS, 'search']);

function changedMembers(before: JsonObject, after: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(after).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])),
  );
}
