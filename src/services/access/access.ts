import { isForOperators, kindOf, permissionOf, resourcesOf, type Action } from '../../domain/actions.js';
import {
  allowed,
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
import type { GatePool } from '../../pool/user-code/auth-pool.js';
import { allows, type ApiKey, type ApiKeys } from '../../store/access/api-keys.js';
import type { AccessEvent, GateAnswer, Verdict } from '../../wire/user-code/auth.js';

/** What of a request tells who asks. Names of headers in lower case. */
export interface RequestFacts {
  method: string;
  /** Path and query. */
  target: string;
  headers: Readonly<Record<string, string>>;
  /** Headers that came twice although they may not. */
  duplicated: ReadonlySet<string>;
}

/** `auth` of langgraph.json, as far as it says who is asked at all. */
export interface AuthOptions {
  /** A valid API key with `x-auth-scheme: langsmith` is the studio's user. */
  studio: boolean;
  /** A valid API key is enough, the handler is not asked. */
  keys: boolean;
}

/** Users that a walk over the routes pretends to be, put in after `authenticate`: only `threadmill doctor` sets them. */
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

/** A caller and, when a handler changed them, the values it was shown of the request. */
export interface Admission {
  caller: Caller;
  values: readonly (JsonObject | null)[];
}

/** Decides for every request who asks and what it may: keys here, the developer's handlers in the gate. */
export class Access {
  readonly #keys: ApiKeys;
  #gate: GatePool | null;
  #auth: AuthOptions;
  readonly #walk: WalkUsers | null;
  readonly #log: Logger;
  /** What is open for the holder of a key. */
  readonly #tracked = new Map<string, Set<() => void>>();

  constructor(options: {
    keys: ApiKeys;
    gate: GatePool | null;
    auth: AuthOptions;
    walk: WalkUsers | null;
    log: Logger;
  }) {
    this.#keys = options.keys;
    this.#gate = options.gate;
    this.#auth = options.auth;
    this.#walk = options.walk;
    this.#log = options.log;
    // A revoked key's streams end with it.
    options.keys.onEnded((keyIds) => {
      for (const keyId of keyIds) for (const cut of [...(this.#tracked.get(keyId) ?? [])]) cut();
    });
  }

  /** Goes by these handlers from now on. */
  use(gate: GatePool, auth: AuthOptions): void {
    this.#gate = gate;
    this.#auth = auth;
  }

  /** Nobody is asked who they are. */
  get open(): boolean {
    return this.#gate === null && !this.#keys.required;
  }

  /** The developer's handlers tell users apart. */
  get asksHandler(): boolean {
    return this.#gate !== null;
  }

  /** Who asks, when that needs no handler; null when the gate must be asked. Throws UNAUTHENTICATED, KEY_SCOPE, INVALID_REQUEST. */
  atOnce(facts: RequestFacts, actions: readonly Action[]): Caller | null {
    for (const name of ['authorization', 'x-api-key', 'x-auth-scheme']) {
      // One proxy reads the first, another one the last.
      if (facts.duplicated.has(name)) throw fail('INVALID_REQUEST', { problems: `header.${name}: comes twice` });
    }
    if (isForOperators(actions[0]!)) return this.#operator(facts, actions[0]);
    if (this.#gate !== null) {
      const key = this.#auth.keys && facts.headers['x-auth-scheme'] !== 'langsmith' ? this.#keyOf(facts) : null;
      return key === null ? null : inScope(key, actions);
    }
    if (!this.#keys.required) return LOCAL_CALLER;
    const key = this.#keyOf(facts);
    if (key === null)
      throw fail('UNAUTHENTICATED', {
        reason:
          presented(facts) === null
            ? 'send an API key as x-api-key, or as Authorization: Bearer'
            : 'the API key is unknown, expired or revoked',
      });
    return inScope(key, actions);
  }

  /** Who it is, without asking what it may: before more is done for a stranger. Throws what the handler refuses with. */
  async identify(facts: RequestFacts): Promise<Caller> {
    const known = this.#knownUser(facts, []);
    const { user } = await this.#judge(facts, known?.user ?? null, []);
    return userCaller(user, known?.keyId ?? null);
  }

  /**
   * Asks the developer's handlers. Throws what they refuse with. `also` are further actions, shown the ids of a value alone.
   * Of several values each must be allowed, and what is seen passes the filters of all. What of `looks` is refused hides
   * its kind of record and refuses nothing.
   */
  async ask(
    facts: RequestFacts,
    action: Action,
    also: readonly Action[],
    values: readonly JsonObject[],
    looks: readonly Action[] = [],
  ): Promise<Admission> {
    const needed = [action, ...also];
    const actions = [...needed, ...looks];
    const events = values.flatMap((value) => {
      const ids = Object.fromEntries(Object.entries(value).filter(([name]) => name.endsWith('_id')));
      return actions.map((one, at): AccessEvent => {
        const { kind, verb } = kindOf(one);
        return {
          resource: kind,
          action: verb,
          value: at === 0 ? value : ids,
          ...(at < needed.length ? {} : { hides: true }),
        };
      });
    });
    const known = this.#knownUser(facts, needed);
    const { user, verdicts } = await this.#judge(facts, known?.user ?? null, events);
    const firsts = verdicts.filter((_, at) => at % actions.length === 0);
    const stamp = stampOf(values[0]!, firsts[0]!.value);
    let judged = verdicts;
    try {
      if (stamp !== null && LOOKS.has(kindOf(action).verb))
        judged = [narrowed(verdicts[0]!, stamp), ...verdicts.slice(1)];
    } catch (error) {
      this.#log.error({ err: error, action }, 'the auth handler failed');
      throw fail('AUTH_FAILED', { where: action }, error);
    }
    const caller = allowed(
      userCaller(user, known?.keyId ?? null),
      filtersOf(
        values.flatMap(() => actions),
        judged,
      ),
      stamp,
    );
    return { caller, values: firsts.map(({ value }) => value) };
  }

  async #judge(
    facts: RequestFacts,
    known: User | null,
    events: readonly AccessEvent[],
  ): Promise<Extract<GateAnswer, { type: 'allowed' }>> {
    const answer = await this.#gate!.ask({
      request: { method: facts.method.toUpperCase(), url: urlOf(facts), headers: withoutWalk(facts.headers) },
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

  /** False when the key that a caller came with has ended since. */
  stands({ keyId }: Caller): boolean {
    return keyId === null || this.#keys.holds(keyId);
  }

  /** `cut` is called when the caller's key ends; call what is returned when there is nothing left to cut. */
  track({ keyId }: Caller, cut: () => void): () => void {
    if (keyId === null) return () => undefined;
    const open = this.#tracked.get(keyId) ?? new Set();
    this.#tracked.set(keyId, open);
    open.add(cut);
    return () => {
      open.delete(cut);
      if (open.size === 0 && this.#tracked.get(keyId) === open) this.#tracked.delete(keyId);
    };
  }

  /** Keys are made on the machine: their holder may be told of it, whatever a handler says of its users. */
  #operator(facts: RequestFacts, action: Action): Caller {
    if (this.open) return LOCAL_CALLER;
    const key = this.#keyOf(facts);
    if (key === null)
      throw fail('UNAUTHENTICATED', {
        reason:
          'this is for whoever runs the server: send an API key of its own as x-api-key, or as Authorization: Bearer',
      });
    return inScope(key, [action]);
  }

  #keyOf(facts: RequestFacts): ApiKey | null {
    const text = presented(facts);
    return text === null ? null : this.#keys.check(text);
  }

  /** Users that no handler has to tell, and the key that says so. Throws UNAUTHENTICATED, KEY_SCOPE. */
  #knownUser(facts: RequestFacts, actions: readonly Action[]): { user: User; keyId: string | null } | null {
    const walk = this.#walk === null ? undefined : facts.headers[WALK_HEADER];
    if (walk !== undefined) {
      const user = walk.startsWith(`${this.#walk!.secret}:`)
        ? this.#walk!.users.get(walk.slice(this.#walk!.secret.length + 1))
        : undefined;
      if (user !== undefined) return { user, keyId: null };
    }
    if (!this.#auth.studio || facts.headers['x-auth-scheme'] !== 'langsmith') return null;
    // The header alone proves nothing.
    const key = this.#keyOf(facts);
    if (key === null) throw fail('UNAUTHENTICATED', { reason: 'the studio needs an API key' });
    inScope(key, actions);
    return { user: { ...STUDIO_USER, permissions: key.scopes }, keyId: key.keyId };
  }
}

function inScope(key: ApiKey, actions: readonly Action[]): Caller {
  for (const action of actions)
    if (action !== 'public' && !allows(key.scopes, permissionOf(action))) throw fail('KEY_SCOPE', { action });
  return keyCaller(key);
}

/** The text that is sent as a key. */
function presented({ headers }: RequestFacts): string | null {
  const plain = headers['x-api-key'];
  if (plain !== undefined && plain !== '') return plain;
  return /^bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? null;
}

/** The address that was asked for, as far as a client can be believed. */
export function urlOf({ target, headers }: RequestFacts): string {
  // A host of the client's making must not hide where it wants to go.
  const url = `http://${headers['host'] ?? ''}${target}`;
  return /^[\w.:[\]-]+$/.test(headers['host'] ?? '') && URL.canParse(url) ? url : `http://localhost${target}`;
}

/** The server's own header, which is nobody else's business. */
export function withoutWalk(headers: RequestFacts['headers']): Record<string, string> {
  const { [WALK_HEADER]: _walk, ...rest } = headers;
  return rest;
}

/** Several actions on one kind of record: all their filters must be passed, each once. Of a kind that one of them hides none is seen. */
function filtersOf(actions: readonly Action[], verdicts: readonly Verdict[]): Filters {
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

/** Verbs that only look for records. */
const LOOKS: ReadonlySet<string> = new Set(['search', 'list_namespaces']);

/**
 * What a handler stamps on a search is a condition, as it is on what is made. It joins the filter, which lets the assistants
 * of configured graphs through: as a wish of the client's it would hide them.
 */
function narrowed(verdict: Verdict, stamp: JsonObject): Verdict {
  const condition = Object.fromEntries(
    Object.entries(stamp).map(([name, value]) => [name, Array.isArray(value) ? { $contains: value } : value]),
  );
  const problem = filterProblem(condition);
  if (problem !== null) throw new Error(`stamped metadata on a search that cannot narrow it: ${problem}`);
  return { ...verdict, filter: verdict.filter === null ? condition : { $and: [verdict.filter, condition] } };
}

/** What the handler added to the metadata it was shown, or changed in it. */
function stampOf(shown: JsonObject, changed: JsonObject | null): JsonObject | null {
  if (changed === null) return null;
  const before = asObject(shown['metadata']);
  const entries = Object.entries(asObject(changed['metadata'])).filter(
    ([name, value]) => !Object.hasOwn(before, name) || JSON.stringify(before[name]) !== JSON.stringify(value),
  );
  return entries.length === 0 ? null : Object.fromEntries(entries);
}
