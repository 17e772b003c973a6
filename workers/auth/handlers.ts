import type { User } from '../../src/domain/caller.js';
import { filterProblem, type Filter } from '../../src/domain/filter.js';
import { isObject, type JsonObject } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { boundedText, describeThrown } from '../../src/base/thrown.js';
import type { AccessEvent, AuthReply, AuthCall, Verdict } from '../../src/wire/user-code/auth.js';
import type { UserCache } from './user-cache.js';

/**
 * The handlers inside an `Auth` object of `@langchain/langgraph-sdk/auth`. Recognized by its shape, because
 * several copies of the SDK may be loaded.
 */
export interface HandlerCache {
  authenticate?: (request: Request) => unknown;
  callbacks?: Record<string, (event: JsonObject) => unknown>;
}

/** Returns the handlers of an exported value, or an error text if it is not a usable Auth object. */
export function toHandlers(exported: unknown): HandlerCache | string {
  const handlers = isObject(exported) ? (exported as Record<string, unknown>)['~handlerCache'] : undefined;
  if (!isObject(handlers))
    return 'is not an Auth object: export the result of `new Auth()` from @langchain/langgraph-sdk/auth';
  if (typeof handlers['authenticate'] !== 'function')
    return 'has no authenticate handler, so callers cannot be identified';
  return handlers as HandlerCache;
}

type Outcome = AuthReply extends infer A ? (A extends AuthReply ? Omit<A, 'serial'> : never) : never;

/** Thrown to end a call with an outcome. */
class CallEnded extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('stop');
    this.outcome = outcome;
  }
}

/**
 * Authenticates the user and runs the handler of each event. The first refusal ends the call. `turn` is called
 * with the serial before a handler runs, and with 0 after it.
 */
export async function evaluateCall(
  handlers: HandlerCache,
  cache: UserCache | null,
  authCall: AuthCall,
  setCurrentCall: (serial: number) => void,
): Promise<AuthReply> {
  const { serial } = authCall;
  const call = async (where: string, handler: () => unknown): Promise<unknown> => {
    try {
      setCurrentCall(serial);
      const returned = handler();
      setCurrentCall(0);
      return await returned;
    } catch (error) {
      setCurrentCall(0);
      throw new CallEnded(outcomeOf(where, error));
    }
  };
  try {
    let user = authCall.user ?? cache?.get(authCall.request.headers);
    if (user === undefined) {
      user = await authenticate(handlers, authCall, call);
      // Using an entry does not renew it: a user is authenticated again after the configured time.
      cache?.put(authCall.request.headers, user);
    }
    const verdicts: Verdict[] = [];
    for (const event of authCall.events)
      verdicts.push(
        await (event.hides === true ? runVisibilityHandler : runAccessHandler)(handlers, user, event, call),
      );
    return { serial, type: 'allowed', user, verdicts };
  } catch (error) {
    return { serial, ...(error instanceof CallEnded ? error.outcome : outcomeOf('auth', error)) } as AuthReply;
  }
}

type Call = (where: string, handler: () => unknown) => Promise<unknown>;

async function authenticate(handlers: HandlerCache, { request }: AuthCall, call: Call): Promise<User> {
  const shown = requestOf(request);
  const returned = await call('authenticate', () => handlers.authenticate!(shown));
  const given: JsonObject = typeof returned === 'string' ? { identity: returned } : isObject(returned) ? returned : {};
  const { identity } = given;
  const invalid = (problem: string): CallEnded =>
    new CallEnded({ type: 'failed', where: 'authenticate', message: problem, stack: null });
  if (typeof identity !== 'string' || identity === '')
    throw invalid('returned no identity: return a string, or an object with an identity');
  // These members make the SDK's isStudioUser return true. Only the server may set them.
  if (given['kind'] === 'StudioUser' || identity === 'langgraph-studio-user')
    throw invalid('returned the Studio user, which is reserved for the server');
  if (given['is_authenticated'] === false)
    throw new CallEnded({ type: 'refused', status: 401, detail: 'Not authenticated', headers: {} });
  const permissions = given['permissions'] ?? [];
  if (!Array.isArray(permissions) || !permissions.every((one) => typeof one === 'string'))
    throw invalid('returned permissions that are not a list of strings');
  return toPlainJson({
    ...given,
    identity,
    permissions,
    display_name: typeof given['display_name'] === 'string' ? given['display_name'] : identity,
    is_authenticated: true,
  }) as User;
}

/**
 * The request without its body. Skips headers that the standard class rejects, so that no client can make this
 * fail.
 */
function requestOf({ method, url, headers }: AuthCall['request']): Request {
  const shown = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    try {
      shown.set(name, value);
    } catch {
      continue;
    }
  }
  return new Request(URL.canParse(url) ? url : 'http://localhost/', { method, headers: shown });
}

/**
 * Users are sent to graphs and stored with runs as JSON. A value that JSON cannot represent is an error of the
 * handler.
 */
function toPlainJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value)) as unknown;
  } catch (error) {
    throw new CallEnded({
      type: 'failed',
      where: 'authenticate',
      message: `returned a user that is not valid JSON: ${describeThrown(error).message}`,
      stack: null,
    });
  }
}

/** Runs only the most specific handler (agent-server.md, 17.2). Without one, the event is allowed. */
async function runAccessHandler(
  { callbacks }: HandlerCache,
  user: User,
  { resource, action, value }: AccessEvent,
  call: Call,
): Promise<Verdict> {
  const event = [`${resource}:${action}`, resource, `*:${action}`, '*'].find(
    (one) => callbacks !== undefined && Object.hasOwn(callbacks, one) && typeof callbacks[one] === 'function',
  );
  if (event === undefined) return { filter: null, value: null };
  const before = JSON.stringify(value);
  const returned = await call(`on("${event}")`, () =>
    callbacks![event]!({
      event: `${resource}:${action}`,
      resource,
      action,
      value,
      permissions: user.permissions,
      user,
    }),
  );
  if (returned === false) throw new CallEnded({ type: 'denied' });
  if (returned !== undefined && returned !== null && returned !== true && !isObject(returned)) {
    throw new CallEnded({
      type: 'failed',
      where: `on("${event}")`,
      message: `Auth handler returned invalid result. Expected filter object, null, undefined or boolean. Got "${typeof returned}" instead.`,
      stack: null,
    });
  }
  const problem = isObject(returned) ? filterProblem(returned) : null;
  if (problem !== null)
    throw new CallEnded({
      type: 'failed',
      where: `on("${event}")`,
      message: `returned an invalid filter: ${problem}`,
      stack: null,
    });
  const after = JSON.stringify(value);
  return {
    filter: isObject(returned) ? (returned as Filter) : null,
    value: after === before ? null : (JSON.parse(after) as JsonObject),
  };
}

/** Any refusal or failure of the handler hides the records of this event, and affects nothing else. */
async function runVisibilityHandler(
  handlers: HandlerCache,
  user: User,
  event: AccessEvent,
  call: Call,
): Promise<Verdict> {
  try {
    return await runAccessHandler(handlers, user, event, call);
  } catch (error) {
    if (error instanceof CallEnded) return { filter: null, value: null, hidden: true };
    throw error;
  }
}

/** Recognizes an HTTPException by its shape, because it may come from another copy of the SDK. */
function outcomeOf(where: string, thrown: unknown): Outcome {
  try {
    const { status, headers, message } = isObject(thrown)
      ? (thrown as { status?: unknown; headers?: unknown; message?: unknown })
      : {};
    if (
      typeof status === 'number' &&
      Number.isInteger(status) &&
      status >= 400 &&
      status <= 599 &&
      headers !== undefined
    ) {
      const detail = typeof message === 'string' ? boundedText(message, LIMITS.refusalTextCharsMax) : '';
      return {
        type: 'refused',
        status,
        detail,
        headers: Object.fromEntries(new Headers(headers as Record<string, string>)),
      };
    }
  } catch {
    // A value that cannot be read is not an HTTPException.
  }
  const { message, stack } = describeThrown(thrown);
  return { type: 'failed', where, message, stack };
}
