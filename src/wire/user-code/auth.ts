import type { User } from '../../domain/caller.js';
import type { Filter } from '../../domain/filter.js';
import type { JsonObject } from '../../base/json/json.js';
import type { ServerAddress } from './server-address.js';

/** Start data of an auth worker. */
export interface AuthWorkerData {
  /** URL of the bundled module. */
  module: string;
  exportName: string;
  /** `env` of langgraph.json. */
  env: Record<string, string>;
  cache: UserCacheOptions | null;
  own: ServerAddress;
}

/** `auth.cache`: users are cached by the values of these headers. Off unless the developer configures it. */
export interface UserCacheOptions {
  headers: readonly string[];
  ttlMs: number;
  entriesMax: number;
}

/** An action to authorize. `threads:create_run` is resource and action. */
export interface AccessEvent {
  resource: string;
  action: string;
  value: JsonObject;
  /** True: if the handler refuses, records of this kind are hidden and the request continues. */
  hides?: boolean;
}

/** Sent as JSON text, so that client data stays unchanged (decision 4). */
export interface AuthCall {
  serial: number;
  request: { method: string; url: string; headers: Readonly<Record<string, string>> };
  /** An already known user, such as the studio user: `authenticate` is not called. */
  user: User | null;
  events: readonly AccessEvent[];
}

/** Result for one event. `value` is null if the handler changed nothing. */
export interface Verdict {
  filter: Filter | null;
  value: JsonObject | null;
  /** True if the event has `hides` and its handler did not allow it. */
  hidden?: boolean;
}

export type AuthReply = { serial: number } & (
  | { type: 'allowed'; user: User; verdicts: Verdict[] }
  /** The handler threw an HTTPException. */
  | { type: 'refused'; status: number; detail: string; headers: Record<string, string> }
  /** An access handler returned false. */
  | { type: 'denied' }
  /** The handler threw another error or returned an invalid value. */
  | { type: 'failed'; where: string; message: string; stack: string | null }
);
