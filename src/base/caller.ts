import { contains, type JsonObject } from './json.js';

/**
 * Who asks. Every read of the store takes it first (P8), and it is sealed into stored runs. Until keys and handlers come
 * there is one built-in caller.
 */
export interface Caller {
  readonly identity: string;
  /** False for the built-in caller: nobody has proved to be anyone, so graphs are shown no user. */
  readonly authenticated: boolean;
  readonly displayName: string;
  readonly permissions: readonly string[];
  /** What `configurable.graph_auth_user` shows a graph; custom fields of a handler included. */
  readonly user: Readonly<Record<string, unknown>>;
  /** Which long-term items the caller's graphs reach. */
  readonly itemScope: string;
  /** What a record's metadata must contain for this caller to see it; null sees all. */
  readonly filter: Readonly<JsonObject> | null;
}

/** The one test of visibility: what a caller may not see does not exist for it. */
export function sees(caller: Caller, metadata: JsonObject): boolean {
  return caller.filter === null || contains(metadata, caller.filter);
}

export const LOCAL_CALLER: Caller = Object.freeze({
  identity: 'local',
  authenticated: false,
  displayName: 'local',
  permissions: Object.freeze([]),
  user: Object.freeze({ identity: 'local', display_name: 'local', is_authenticated: true, permissions: Object.freeze([]) }),
  itemScope: '',
  filter: null,
});

/** The server itself, for repair and for what follows from a change it has already been allowed to make. */
export const SERVER_CALLER: Caller = Object.freeze({ ...LOCAL_CALLER, identity: 'server', displayName: 'server', user: Object.freeze({ identity: 'server' }) });
