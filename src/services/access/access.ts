import { isForOperators, splitAction, permissionOf, resourcesOf, type Action } from '../../domain/actions.js';
import {
  withFilters,
  keyCaller,
  LOCAL_CALLER,
  userCaller,
  type Caller,
  type Filters,
  type User,
} from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { filterProblem, type Filter } from '../../domain/filter.js';
import { asObject, type JsonObject } from '../../base/json/json.js';
import type { Logger } from '../../base/log/log.js';
import type { AuthPool } from '../../pool/user-code/auth-pool.js';
import { allows, type ApiKey, type ApiKeys } from '../../store/access/api-keys.js';
import { withoutSessionCookies } from './session-cookies.js';
import type { SignIn } from './sign-in.js';
import type { REVIEWS } from '../../store/access/key-scopes.js';
import type { AccessEvent, AuthReply, Verdict } from '../../wire/user-code/auth.js';

/** The parts of a request that identify the caller. Header names in lower case. */
export interface RequestFacts {
  method: string;
  /** Path and query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  /** Headers that occurred more than once although they must not. */
  duplicated: ReadonlySet<string>;
}

/** The parts of `auth` in langgraph.json that decide which checks apply. */
export interface AuthOptions {
  /** True: a valid API key with `x-auth-scheme: langsmith` authenticates the studio user. */
  allowsStudio: boolean;
  /** True: a valid API key is sufficient, and the handler is not called. */
  acceptsApiKeys: boolean;
}

/**
 * Test users of a walk over the routes. They replace the result of `authenticate`. Set only by `threadmill
 * doctor`.
 */
export interface WalkUsers {
  secret: string;
  users: ReadonlyMap<string, User>;
}

export const WALK_HEADER = 'x-threadmill-walk';

const STUDIO_USER: User = Object.freeze({
  kind: 'StudioUser',
  identity: 'langgraph-studio-user',
  display_name: 'langgraph-studio-user',
  is_authenticated: true,
  permissions: [],
});

/** The API keys that requests are checked against. */
export type CheckedKeys = Pick<ApiKeys, 'required' | 'check' | 'isKeyValid' | 'onEnded'>;

/** The actions of a request. */
export interface RequestedActions {
  /** Its handler sees the whole value. */
  action: Action;
  /** Further actions, whose handlers see only the ids of a value. */
  also: readonly Action[];
  /** Actions whose refusal hides their kind of record instead of refusing the request. */
  hiding: readonly Action[];
}

/** A caller and, for each value shown to a handler, the changed value or null. */
export interface AuthorizedRequest {
  caller: Caller;
  values: readonly (JsonObject | null)[];
}

/**
 * Authenticates and authorizes every request: API keys in this thread, the project's handlers in the auth
 * workers.
 */
export class Access {
  readonly #keys: CheckedKeys;
  #authPool: AuthPool | null;
  #auth: AuthOptions;
  readonly #walk: WalkUsers | null;
  readonly #signIn: Pick<SignIn, 'callerOf'> | null;
  readonly #log: Logger;
  /** Callbacks to run when a key or a session ends, by its id. */
  readonly #keyEndListeners = new Map<string, Set<() => void>>();

  constructor(options: {
    keys: CheckedKeys;
    authPool: AuthPool | null;
    auth: AuthOptions;
    walk: WalkUsers | null;
    /** Null: people cannot sign in. */
    signIn: Pick<SignIn, 'callerOf'> | null;
    log: Logger;
  }) {
    this.#keys = options.keys;
    this.#authPool = options.authPool;
    this.#auth = options.auth;
    this.#walk = options.walk;
    this.#signIn = options.signIn;
    this.#log = options.log;
    // The streams of a revoked key end with the key.
    options.keys.onEnded((keyIds) => this.endConnections(keyIds));
  }

  /** Ends the responses in progress of keys or sessions that have ended. */
  endConnections(ids: readonly string[]): void {
    for (const id of ids) for (const cut of [...(this.#keyEndListeners.get(id) ?? [])]) cut();
  }

  /** Switches to new handlers. */
  replaceAuth(authPool: AuthPool, auth: AuthOptions): void {
    this.#authPool = authPool;
    this.#auth = auth;
  }

  /** True if requests need no authentication. */
  get isOpen(): boolean {
    return this.#authPool === null && !this.#keys.required && this.#signIn === null;
  }

  /** True if the project's handlers identify users. */
  get hasAuthHandler(): boolean {
    return this.#authPool !== null;
  }

  /**
   * Authenticates a request if no handler is needed. Null if the auth workers must be called. Throws
   * UNAUTHENTICATED, KEY_SCOPE, ROLE_SCOPE, SESSION_ORIGIN, INVALID_REQUEST.
   */
  authenticateWithoutHandler(
    facts: RequestFacts,
    actions: readonly Action[],
    sufficientScope: typeof REVIEWS | null = null,
  ): Caller | null {
    for (const name of ['authorization', 'x-api-key', 'x-auth-scheme']) {
      // With duplicates, proxies disagree: some use the first value, others the last.
      if (facts.duplicated.has(name))
        throw fail('INVALID_REQUEST', { problems: `header.${name}: must not occur more than once` });
    }
    const person = this.#signedInPerson(facts);
    if (person !== null) return personInScope(person, actions, sufficientScope);
    if (isForOperators(actions[0]!)) return this.#authenticateOperator(facts, actions[0]);
    if (this.#authPool !== null) {
      const key =
        this.#auth.acceptsApiKeys && facts.headers['x-auth-scheme'] !== 'langsmith' ? this.#presentedKey(facts) : null;
      return key === null ? null : callerInScope(key, actions, sufficientScope);
    }
    if (this.isOpen) return LOCAL_CALLER;
    const key = this.#presentedKey(facts);
    if (key === null)
      throw fail('UNAUTHENTICATED', {
        reason:
          presentedKeyText(facts) === null
            ? `${this.#signIn === null ? '' : 'sign in, or '}send an API key as x-api-key, or as Authorization: Bearer`
            : 'the API key is unknown, expired or revoked',
      });
    return callerInScope(key, actions, sufficientScope);
  }

  /** Who sends a request, as far as that is known without an auth handler. Throws SESSION_ORIGIN. */
  identify(facts: RequestFacts): Caller | null {
    const key = this.#presentedKey(facts);
    if (key !== null) return keyCaller(key);
    return this.#signedInPerson(facts) ?? (this.isOpen ? LOCAL_CALLER : null);
  }

  /**
   * Identifies the caller without authorizing anything, so that unauthenticated requests are refused early.
   * Throws the errors of the handler.
   */
  async authenticate(facts: RequestFacts): Promise<Caller> {
    const known = this.#knownUser(facts, []);
    const { user } = await this.#callHandlers(facts, known?.user ?? null, []);
    return userCaller(user, known?.keyId ?? null);
  }

  /**
   * Calls the project's handlers to authorize a request. Throws their errors. With several values, each must be
   * allowed, and the filters of all of them apply.
   */
  async authorize(
    facts: RequestFacts,
    { action, also, hiding }: RequestedActions,
    values: readonly JsonObject[],
  ): Promise<AuthorizedRequest> {
    const needed = [action, ...also];
    const actions = [...needed, ...hiding];
    const events = values.flatMap((value) => {
      const ids = Object.fromEntries(Object.entries(value).filter(([name]) => name.endsWith('_id')));
      return actions.map((one, at): AccessEvent => {
        const { kind, verb } = splitAction(one);
        return {
          resource: kind,
          action: verb,
          value: at === 0 ? value : ids,
          ...(at < needed.length ? {} : { hides: true }),
        };
      });
    });
    const known = this.#knownUser(facts, needed);
    const { user, verdicts } = await this.#callHandlers(facts, known?.user ?? null, events);
    const firsts = verdicts.filter((_, at) => at % actions.length === 0);
    const stamp = changedMetadata(values[0]!, firsts[0]!.value);
    let narrowed = verdicts;
    try {
      if (stamp !== null && SEARCH_OPERATIONS.has(splitAction(action).verb))
        narrowed = [narrowByMetadata(verdicts[0]!, stamp), ...verdicts.slice(1)];
    } catch (error) {
      this.#log.error({ err: error, action }, 'the auth handler failed');
      throw fail('AUTH_FAILED', { where: action }, error);
    }
    const caller = withFilters(
      userCaller(user, known?.keyId ?? null),
      combineFilters(
        values.flatMap(() => actions),
        narrowed,
      ),
      stamp,
    );
    return { caller, values: firsts.map(({ value }) => value) };
  }

  async #callHandlers(
    facts: RequestFacts,
    known: User | null,
    events: readonly AccessEvent[],
  ): Promise<Extract<AuthReply, { type: 'allowed' }>> {
    const answer = await this.#authPool!.call({
      request: {
        method: facts.method.toUpperCase(),
        url: requestUrl(facts),
        headers: headersForProject(facts.headers),
      },
      user: known,
      events,
    });
    switch (answer.type) {
      case 'refused':
        throw fail('AUTH_REFUSED', { detail: answer.detail, status: answer.status, headers: answer.headers });
      case 'denied':
        throw fail('FORBIDDEN', { action: events.map(({ resource, action }) => `${resource}:${action}`).join() });
      case 'failed':
        this.#log.error(
          { where: answer.where, stack: answer.stack ?? undefined },
          `the auth handler failed: ${answer.message}`,
        );
        throw fail('AUTH_FAILED', { where: answer.where });
      case 'allowed':
        return answer;
    }
  }

  /** False if the caller's key has ended since it authenticated. */
  isKeyValid({ keyId }: Caller): boolean {
    return keyId === null || this.#keys.isKeyValid(keyId);
  }

  /** Calls `cut` when the caller's key or session ends. Returns a function that unregisters it. */
  onKeyEnded(caller: Caller, cut: () => void): () => void {
    const keyId = caller.keyId ?? caller.sessionId;
    if (keyId === null) return () => undefined;
    const open = this.#keyEndListeners.get(keyId) ?? new Set();
    this.#keyEndListeners.set(keyId, open);
    open.add(cut);
    return () => {
      open.delete(cut);
      if (open.size === 0 && this.#keyEndListeners.get(keyId) === open) this.#keyEndListeners.delete(keyId);
    };
  }

  /**
   * API keys are created on the server's machine. Their holders may therefore use the operator routes,
   * independent of the handlers.
   */
  #authenticateOperator(facts: RequestFacts, action: Action): Caller {
    if (this.isOpen) return LOCAL_CALLER;
    const key = this.#presentedKey(facts);
    if (key === null)
      throw fail('UNAUTHENTICATED', {
        reason: `this route is for operators: ${this.#signIn === null ? '' : 'sign in, or '}send an API key of this server as x-api-key, or as Authorization: Bearer`,
      });
    return callerInScope(key, [action]);
  }

  /** A request that presents a credential in a header does not use the session of its browser. */
  #signedInPerson(facts: RequestFacts): Caller | null {
    if (this.#signIn === null || presentsCredential(facts)) return null;
    return this.#signIn.callerOf(facts.method, facts.headers);
  }

  #presentedKey(facts: RequestFacts): ApiKey | null {
    const text = presentedKeyText(facts);
    return text === null ? null : this.#keys.check(text);
  }

  /** Users that need no handler call, with their key. Throws UNAUTHENTICATED, KEY_SCOPE. */
  #knownUser(facts: RequestFacts, actions: readonly Action[]): { user: User; keyId: string | null } | null {
    const walk = this.#walk === null ? undefined : facts.headers[WALK_HEADER];
    if (walk !== undefined) {
      const user = walk.startsWith(`${this.#walk!.secret}:`)
        ? this.#walk!.users.get(walk.slice(this.#walk!.secret.length + 1))
        : undefined;
      if (user !== undefined) return { user, keyId: null };
    }
    if (!this.#auth.allowsStudio || facts.headers['x-auth-scheme'] !== 'langsmith') return null;
    // The header alone proves nothing.
    const key = this.#presentedKey(facts);
    if (key === null) throw fail('UNAUTHENTICATED', { reason: 'the studio needs an API key' });
    callerInScope(key, actions);
    return { user: { ...STUDIO_USER, permissions: key.scopes }, keyId: key.keyId };
  }
}

/** Throws KEY_SCOPE. */
function callerInScope(key: ApiKey, actions: readonly Action[], sufficientScope: typeof REVIEWS | null = null): Caller {
  const missing = findMissingAction(key.scopes, actions, sufficientScope);
  if (missing !== null) throw fail('KEY_SCOPE', { action: missing });
  return keyCaller(key);
}

/** Throws ROLE_SCOPE. */
function personInScope(person: Caller, actions: readonly Action[], sufficientScope: typeof REVIEWS | null): Caller {
  const missing = findMissingAction(person.permissions, actions, sufficientScope);
  if (missing !== null) throw fail('ROLE_SCOPE', { role: String(person.user['role']), action: missing });
  return person;
}

/** The first action that the scopes do not allow; null if they allow all. */
export function findMissingAction(
  scopes: readonly string[],
  actions: readonly Action[],
  sufficientScope: typeof REVIEWS | null,
): Action | null {
  const reviews = sufficientScope !== null && allows(scopes, sufficientScope);
  const isAllowed = (action: Action): boolean => {
    if (action === 'public') return true;
    const permission = permissionOf(action);
    return allows(scopes, permission) || (reviews && permission.startsWith('experiments:'));
  };
  return actions.find((action) => !isAllowed(action)) ?? null;
}

function presentsCredential({ headers }: RequestFacts): boolean {
  return (headers['x-api-key'] ?? '') !== '' || (headers['authorization'] ?? '') !== '';
}

/** The API key in the headers, as text. */
function presentedKeyText({ headers }: RequestFacts): string | null {
  const plain = headers['x-api-key'];
  if (plain !== undefined && plain !== '') return plain;
  return /^bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? null;
}

/** The URL of the request, as far as the client can be trusted. */
export function requestUrl({ target, headers }: RequestFacts): string {
  // A malformed Host header must not hide the requested path.
  const url = `http://${headers['host'] ?? ''}${target}`;
  return /^[\w.:[\]-]+$/.test(headers['host'] ?? '') && URL.canParse(url) ? url : `http://localhost${target}`;
}

/** The headers as code of the project sees them: without the server's internal header and the sessions of people. */
export function headersForProject(headers: RequestFacts['headers']): Record<string, string> {
  const { [WALK_HEADER]: _walk, cookie, ...rest } = headers;
  const others = cookie === undefined ? undefined : withoutSessionCookies(cookie);
  return others === undefined ? rest : { ...rest, cookie: others };
}

/**
 * Combines the filters of several actions for each kind of record: records must pass all of them. If one action
 * hides a kind, no record of that kind is visible.
 */
function combineFilters(actions: readonly Action[], verdicts: readonly Verdict[]): Filters {
  const found: Partial<Record<string, Map<string, Filter>>> = {};
  const hidden = new Set(actions.flatMap((action, at) => (verdicts[at]!.hidden === true ? resourcesOf(action) : [])));
  actions.forEach((action, at) => {
    const { filter } = verdicts[at]!;
    for (const resource of resourcesOf(action)) {
      if (hidden.has(resource)) continue;
      const filters = (found[resource] ??= new Map());
      if (filter !== null) filters.set(JSON.stringify(filter), filter);
    }
  });
  return Object.fromEntries(
    Object.entries(found).map(([resource, filters]) => {
      const [first, ...others] = filters!.values();
      return [resource, first === undefined ? null : others.length === 0 ? first : { $and: [first, ...others] }];
    }),
  );
}

/** Operations that only look for records. */
const SEARCH_OPERATIONS: ReadonlySet<string> = new Set(['search', 'list_namespaces']);

/**
 * Metadata that a handler sets on a search is a condition. It becomes part of the filter, which lets the
 * assistants of configured graphs pass. As part of the client's query, it would hide them.
 */
function narrowByMetadata(verdict: Verdict, stamp: JsonObject): Verdict {
  const condition = Object.fromEntries(
    Object.entries(stamp).map(([name, value]) => [name, Array.isArray(value) ? { $contains: value } : value]),
  );
  const problem = filterProblem(condition);
  if (problem !== null)
    throw new Error(`the handler set metadata on a search that cannot be used as a filter: ${problem}`);
  return { ...verdict, filter: verdict.filter === null ? condition : { $and: [verdict.filter, condition] } };
}

/** Metadata that the handler added or changed. */
function changedMetadata(shown: JsonObject, changed: JsonObject | null): JsonObject | null {
  if (changed === null) return null;
  const before = asObject(shown['metadata']);
  const entries = Object.entries(asObject(changed['metadata'])).filter(
    ([name, value]) => !Object.hasOwn(before, name) || JSON.stringify(before[name]) !== JSON.stringify(value),
  );
  return entries.length === 0 ? null : Object.fromEntries(entries);
}
