import type { User } from '../../domain/caller.js';
import type { Filter } from '../../domain/filter.js';
import type { JsonObject } from '../../base/json/json.js';
import type { OwnServer } from './own-server.js';

/** What a gate worker is started with. */
export interface GateWorkerData {
  /** URL of the bundled module. */
  module: string;
  exportName: string;
  /** `env` of langgraph.json. */
  env: Record<string, string>;
  cache: UserCacheOptions | null;
  own: OwnServer;
}

/** `auth.cache`: users are remembered by the values of these headers, only where the developer says so. */
export interface UserCacheOptions {
  headers: readonly string[];
  ttlMs: number;
  entriesMax: number;
}

/** What access is asked for: `threads:create_run` is resource and action. */
export interface AccessEvent {
  resource: string;
  action: string;
  value: JsonObject;
  /** A refusal hides the kind of record, and does not refuse the request. */
  hides?: boolean;
}

/** Travels as JSON text: what clients sent stays what it is (decision 4). */
export interface GateAsk {
  serial: number;
  request: { method: string; url: string; headers: Readonly<Record<string, string>> };
  /** Known already, as a studio user is: `authenticate` is not called. */
  user: User | null;
  events: readonly AccessEvent[];
}

/** Answer to one event. `value` is null when the handler changed nothing. */
export interface Verdict {
  filter: Filter | null;
  value: JsonObject | null;
  /** The event `hides`, and its handler did not allow it. */
  hidden?: boolean;
}

export type GateAnswer = { serial: number } & (
  | { type: 'allowed'; user: User; verdicts: Verdict[] }
  /** The handler threw an HTTPException. */
  | { type: 'refused'; status: number; detail: string; headers: Record<string, string> }
  /** An access handler returned false. */
  | { type: 'denied' }
  /** The handler threw something else, or returned what means nothing. */
  | { type: 'failed'; where: string; message: string; stack: string | null }
);
