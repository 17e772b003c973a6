import { passes, type Filter } from './filter.js';
import type { JsonObject } from '../base/json/json.js';

/** Kinds of records that filters are about. What lies below one (runs of a thread, examples of a dataset) goes with it. */
export const RESOURCES = ['assistants', 'threads', 'crons', 'store', 'datasets', 'experiments'] as const;
export type Resource = (typeof RESOURCES)[number];

/** What a caller's records must match; null: all of them. A kind that is not named here was not asked about: none is seen. */
export type Filters = Readonly<Partial<Record<Resource, Filter | null>>>;

/** Only this module makes one, so that nothing reads the store for someone who was never checked. */
declare const checked: unique symbol;

/** Who asks, for one request and what follows from it. Every read of the store takes it first (P8); it is sealed into stored runs. */
export interface Caller {
  readonly [checked]: true;
  readonly identity: string;
  /** The API key that was presented, which may be revoked; null for others. */
  readonly keyId: string | null;
  /** False for the built-in caller: nobody has proved to be anyone, so graphs are shown no user. */
  readonly authenticated: boolean;
  readonly displayName: string;
  readonly permissions: readonly string[];
  /** What `configurable.graph_auth_user` shows a graph; custom fields of a handler included. */
  readonly user: Readonly<JsonObject>;
  /** Which long-term items the caller's graphs reach. */
  readonly itemScope: string;
  readonly filters: Filters;
  /** What the access handler wants in the metadata of records that this request makes or changes; null: nothing. */
  readonly stamp: Readonly<JsonObject> | null;
}

type Who = Omit<Caller, typeof checked>;

/** What restricts the caller among these records: a filter, null for nothing; undefined: it may see none. */
export function filterOf(caller: Caller, resource: Resource): Filter | null | undefined {
  return caller.filters[resource];
}

/** The one test of visibility: what a caller may not see does not exist for it. `metadata` is only asked for when it matters. */
export function sees(caller: Caller, resource: Resource, metadata: () => JsonObject): boolean {
  const filter = filterOf(caller, resource);
  return filter !== undefined && (filter === null || passes(filter, metadata()));
}

const EVERYTHING: Filters = Object.freeze(Object.fromEntries(RESOURCES.map((resource) => [resource, null])));

function caller(who: Who): Caller {
  return Object.freeze({ ...who }) as Caller;
}

/** Nobody is asked who they are: this machine's owner. */
export const LOCAL_CALLER: Caller = caller({
  identity: 'local',
  keyId: null,
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

/** Of routes that anyone may ask: nothing that is stored is seen. */
export const NOBODY: Caller = caller({ ...LOCAL_CALLER, identity: 'nobody', displayName: 'nobody', filters: {} });

/** The server itself, for repair and for what follows from a change it has already been allowed to make. */
export const SERVER_CALLER: Caller = caller({
  ...LOCAL_CALLER,
  identity: 'server',
  displayName: 'server',
  user: Object.freeze({ identity: 'server' }),
});

/** The holder of an API key: what the server's owner sees, within the key's scopes. */
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

/** A user as an `authenticate` handler names it, custom fields included. */
export interface User {
  readonly identity: string;
  readonly display_name: string;
  readonly is_authenticated: boolean;
  readonly permissions: readonly string[];
  readonly [field: string]: unknown;
}

/** A handler's user, before it is known what it may see. */
export function userCaller(user: User, keyId: string | null = null): Caller {
  return caller({
    identity: user.identity,
    keyId,
    authenticated: true,
    displayName: user.display_name,
    permissions: user.permissions,
    user,
    itemScope: user.identity,
    filters: {},
    stamp: null,
  });
}

/** The same caller with what it was allowed. */
export function allowed(who: Caller, filters: Filters, stamp: Readonly<JsonObject> | null): Caller {
  return caller({ ...who, filters, stamp });
}

/** A caller as it was packed or sealed by us. */
export function revivedCaller(packed: unknown): Caller {
  return caller(packed as Who);
}
