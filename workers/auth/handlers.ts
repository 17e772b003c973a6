import type { User } from '../../src/domain/caller.js';
import { filterProblem, type Filter } from '../../src/domain/filter.js';
import { isObject, type JsonObject } from '../../src/base/json/json.js';
import { LIMITS } from '../../src/base/limits.js';
import { boundedText, describeThrown } from '../../src/base/thrown.js';
import type { AccessEvent, GateAnswer, GateAsk, Verdict } from '../../src/wire/user-code/auth.js';
import type { UserCache } from './user-cache.js';

/** What `Auth` of `@langchain/langgraph-sdk/auth` keeps. Told by its shape: several copies of the SDK may be loaded. */
export interface HandlerCache {
  authenticate?: (request: Request) => unknown;
  callbacks?: Record<string, (event: JsonObject) => unknown>;
}

/** The handlers of an exported value, or why it is not an Auth object that can be used. */
export function handlersOf(exported: unknown): HandlerCache | string {
  const handlers = isObject(exported) ? (exported as Record<string, unknown>)['~handlerCache'] : undefined;
  if (!isObject(handlers))
    return 'is not an Auth object: export what `new Auth()` of @langchain/langgraph-sdk/auth makes';
  if (typeof handlers['authenticate'] !== 'function')
    return 'has no authenticate handler: without one nobody could be told apart';
  return handlers as HandlerCache;
}

type Outcome = GateAnswer extends infer A ? (A extends GateAnswer ? Omit<A, 'serial'> : never) : never;

/** Thrown on purpose, to end an ask with an outcome. */
class Stop extends Error {
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super('stop');
    this.outcome = outcome;
  }
}

/** Who it is, and what each event's handler says; the first refusal ends it. `turn` is told what is being called. */
export async function judge(
  handlers: HandlerCache,
  cache: UserCache | null,
  ask: GateAsk,
  turn: (serial: number) => void,
): Promise<GateAnswer> {
  const { serial } = ask;
  const call = async (where: string, handler: () => unknown): Promise<unknown> => {
    try {
      turn(serial);
      const returned = handler();
      turn(0);
      return await returned;
    } catch (error) {
      turn(0);
      throw new Stop(outcomeOf(where, error));
    }
  };
  try {
    let user = ask.user ?? cache?.get(ask.request.headers);
    if (user === undefined) {
      user = await authenticate(handlers, ask, call);
      // Not renewed by use: what was said of a token counts for as long as the developer said, and then is asked again.
      cache?.put(ask.request.headers, user);
    }
    const verdicts: Verdict[] = [];
    for (const event of ask.events)
      verdicts.push(await (event.hides === true ? decideWhatIsSeen : decide)(handlers, user, event, call));
    return { serial, type: 'allowed', user, verdicts };
  } catch (error) {
    return { serial, ...(error instanceof Stop ? error.outcome : outcomeOf('auth', error)) } as GateAnswer;
  }
}

type Call = (where: string, handler: () => unknown) => Promise<unknown>;

async function authenticate(handlers: HandlerCache, { request }: GateAsk, call: Call): Promise<User> {
  const shown = requestOf(request);
  const returned = await call('authenticate', () => handlers.authenticate!(shown));
  const given: JsonObject = typeof returned === 'string' ? { identity: returned } : isObject(returned) ? returned : {};
  const { identity } = given;
  const invalid = (problem: string): Stop =>
    new Stop({ type: 'failed', where: 'authenticate', message: problem, stack: null });
  if (typeof identity !== 'string' || identity === '')
    throw invalid('returned no identity: return text, or an object with identity');
  // What isStudioUser of the SDK goes by: only we say that someone is one.
  if (given['kind'] === 'StudioUser' || identity === 'langgraph-studio-user')
    throw invalid('returned the user of the studio, which no handler may');
  if (given['is_authenticated'] === false)
    throw new Stop({ type: 'refused', status: 401, detail: 'Not authenticated', headers: {} });
  const permissions = given['permissions'] ?? [];
  if (!Array.isArray(permissions) || !permissions.every((one) => typeof one === 'string'))
    throw invalid('returned permissions that are no list of text');
  return plain({
    ...given,
    identity,
    permissions,
    display_name: typeof given['display_name'] === 'string' ? given['display_name'] : identity,
    is_authenticated: true,
  }) as User;
}

/** Without its body. A header that the standard class does not take is left out: no client makes this fail. */
function requestOf({ method, url, headers }: GateAsk['request']): Request {
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

/** A user travels to graphs and into sealed runs as JSON. Throws what JSON cannot say, which is then the handler's mistake. */
function plain(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value)) as unknown;
  } catch (error) {
    throw new Stop({
      type: 'failed',
      where: 'authenticate',
      message: `returned a user that is no JSON: ${describeThrown(error).message}`,
      stack: null,
    });
  }
}

/** The most specific handler alone (agent-server.md, 17.2). Without one the event is allowed. */
async function decide(
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
  if (returned === false) throw new Stop({ type: 'denied' });
  if (returned !== undefined && returned !== null && returned !== true && !isObject(returned)) {
    throw new Stop({
      type: 'failed',
      where: `on("${event}")`,
      message: `Auth handler returned invalid result. Expected filter object, null, undefined or boolean. Got "${typeof returned}" instead.`,
      stack: null,
    });
  }
  const problem = isObject(returned) ? filterProblem(returned) : null;
  if (problem !== null)
    throw new Stop({
      type: 'failed',
      where: `on("${event}")`,
      message: `returned a filter that is not valid: ${problem}`,
      stack: null,
    });
  const after = JSON.stringify(value);
  return {
    filter: isObject(returned) ? (returned as Filter) : null,
    value: after === before ? null : (JSON.parse(after) as JsonObject),
  };
}

/** Whatever keeps the handler from allowing this keeps the user from seeing such records, and from nothing else. */
async function decideWhatIsSeen(handlers: HandlerCache, user: User, event: AccessEvent, call: Call): Promise<Verdict> {
  try {
    return await decide(handlers, user, event, call);
  } catch (error) {
    if (error instanceof Stop) return { filter: null, value: null, hidden: true };
    throw error;
  }
}

/** An HTTPException is told by its shape, as its SDK may be another copy. */
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
    // A value that cannot even be read is no HTTPException.
  }
  const { message, stack } = describeThrown(thrown);
  return { type: 'failed', where, message, stack };
}
