import { passes, type Filter } from './filter.js';
import { SCOPES_OF_ROLE, type Role } from './roles.js';
import { parseJson, type JsonBytes, type JsonObject } from '../base/json/json.js';

/**
 * Kinds of records with filters. Dependent records (runs of a thread, examples of a dataset) share the filter of
 * theirs.
 */
export const RESOURCES = ['assistants', 'threads', 'crons', 'store', 'datasets', 'experiments'] as const;
export type Resource = (typeof RESOURCES)[number];

/**
 * Filters that a caller's records must match; null allows all. A missing kind was not authorized: no record is
 * visible.
 */
export type Filters = Readonly<Partial<Record<Resource, Filter | null>>>;

/** Only this module can create callers, so that nothing reads the store on behalf of somebody unchecked. */
declare const checked: unique symbol;

/**
 * The user of one request and its follow-up work. Every read of the store takes it first. It is sealed into
 * stored runs.
 */
export interface Caller {
  readonly [checked]: true;
  readonly identity: string;
  /** The API key that was used, which may be revoked later; null without a key. */
  readonly keyId: string | null;
  /** The session of a person who signed in, which may end later; null for all others. */
  readonly sessionId: string | null;
  /** False for the built-in caller. Nobody authenticated, so graphs see no user. */
  readonly authenticated: boolean;
  readonly displayName: string;
  readonly permissions: readonly string[];
  /** Value of `configurable.graph_auth_user` in graphs, with custom fields of a handler. */
  readonly user: Readonly<JsonObject>;
  /** The scope of long-term memory that the caller's graphs can access. */
  readonly itemScope: string;
  readonly filters: Filters;
  /** Metadata that the access handler adds to records that this request creates or changes; null for none. */
  readonly stamp: Readonly<JsonObject> | null;
}

type CallerFields = Omit<Caller, typeof checked>;

/** The caller's filter for these records: null for no restriction, undefined when it may see none. */
export function filterOf(caller: Caller, resource: Resource): Filter | null | undefined {
  return caller.filters[resource];
}

/** The only visibility test. Invisible records do not exist for the caller. `metadata` is only called when needed. */
export function sees(caller: Caller, resource: Resource, metadata: () => JsonObject): boolean {
  const filter = filterOf(caller, resource);
  return filter !== undefined && (filter === null || passes(filter, metadata()));
}

/** The same for a record with this stored metadata; null counts as none. */
export function seesStored(caller: Caller, resource: Resource, metadata: JsonBytes | null): boolean {
  return sees(caller, resource, () => (metadata === null ? {} : (parseJson(metadata) as JsonObject)));
}

const EVERYTHING: Filters = Object.freeze(Object.fromEntries(RESOURCES.map((resource) => [resource, null])));

function caller(who: CallerFields): Caller {
  return Object.freeze({ ...who }) as Caller;
}

/** The caller without authentication: the owner of this machine. */
export const LOCAL_CALLER: Caller = caller({
  identity: 'local',
  keyId: null,
  sessionId: null,
  authenticated: false,
  displayName: 'local',
  permissions: Object.freeze([]),
  user: Object.freeze({
    identity: 'local',
    display_name: 'local',
    is_authenticated: true,
    permissions: Object.freeze([]),
  }),
  itemScope: '',
  filters: EVERYTHING,
  stamp: null,
});

/** The caller of public routes, which sees no stored records. */
export const NOBODY: Caller = caller({ ...LOCAL_CALLER, identity: 'nobody', displayName: 'nobody', filters: {} });

/** The server itself, for repairs and for consequences of a change that was already authorized. */
export const SERVER_CALLER: Caller = caller({
  ...LOCAL_CALLER,
  identity: 'server',
  displayName: 'server',
  user: Object.freeze({ identity: 'server' }),
});

/** The holder of an API key. Sees what the server's owner sees, within the key's scopes. */
export function keyCaller(key: { keyId: string; name: string; scopes: readonly string[] }): Caller {
  const identity = `key:${key.keyId}`;
  return caller({
    ...LOCAL_CALLER,
    identity,
    keyId: key.keyId,
    authenticated: true,
    displayName: key.name,
    permissions: key.scopes,
    user: { identity, display_name: key.name, is_authenticated: true, permissions: key.scopes },
  });
}

/** A person who signed in to the console (services/access/sign-in.ts). */
export interface SignedInPerson {
  /** Id at the identity provider. */
  readonly subject: string;
  readonly name: string;
  readonly email: string | null;
  readonly role: Role;
}

/** A person who signed in. Sees what the server's owner sees, within the scopes of the role. */
export function personCaller({ subject, name, email, role }: SignedInPerson, sessionId: string): Caller {
  const identity = `person:${subject}`;
  const permissions = SCOPES_OF_ROLE[role];
  return caller({
    ...LOCAL_CALLER,
    identity,
    sessionId,
    authenticated: true,
    displayName: name,
    permissions,
    user: { identity, display_name: name, email, role, is_authenticated: true, permissions },
  });
}

/** A user as returned by an `authenticate` handler, with custom fields. */
export interface User {
  readonly identity: string;
  readonly display_name: string;
  readonly is_authenticated: boolean;
  readonly permissions: readonly string[];
  readonly [field: string]: unknown;
}

/** The caller for a handler's user, before authorization. */
export function userCaller(user: User, keyId: string | null = null): Caller {
  return caller({
    identity: user.identity,
    keyId,
    sessionId: null,
    authenticated: true,
    displayName: user.display_name,
    permissions: user.permissions,
    user,
    itemScope: user.identity,
    filters: {},
    stamp: null,
  });
}

/** The same caller after authorization. */
export function withFilters(who: Caller, filters: Filters, stamp: Readonly<JsonObject> | null): Caller {
  return caller({ ...who, filters, stamp });
}

/** A caller that this server serialized earlier. */
export function deserializeCaller(packed: unknown): Caller {
  return caller(packed as CallerFields);
}
