import type { Caller } from '../../domain/caller.js';
import type { JsonObject } from '../../base/json/json.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { Services } from '../context.js';
import type { Origin } from '../runs/request-context.js';

/** Codes of the second protocol (streaming-protocol-v2.md, section 2). */
export type ProtocolCode =
  | 'invalid_argument'
  | 'unknown_command'
  | 'unknown_error'
  | 'no_such_run'
  | 'no_such_subscription'
  | 'no_such_namespace'
  | 'no_such_checkpoint'
  | 'permission_denied'
  | 'not_supported';

/** A refusal in the protocol's own words: what a command is answered with. */
export class ProtocolError extends Error {
  readonly code: ProtocolCode;

  constructor(code: ProtocolCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** What a refusal that has a status over HTTP is called. */
export function codeOfStatus(status: number): ProtocolCode {
  if (status === 401 || status === 403) return 'permission_denied';
  if (status === 404) return 'no_such_run';
  return status >= 500 || status === 429 ? 'unknown_error' : 'invalid_argument';
}

/** Who sends a command, from where. */
export interface Sender {
  services: Services;
  caller: Caller;
  threadId: string;
  origin: Origin;
  /** Nobody waits for the answer any more. */
  gone: () => boolean;
}

export interface Call extends Sender {
  params: JsonObject;
}

export interface Done {
  /** JSON. */
  result: string;
  meta?: JsonObject;
}

/** The thread that a command is about. Throws `no_such_run` where there is none, in the command's name. */
export function threadOf({ services, caller, threadId }: Sender, method: string): ThreadRecord {
  const thread = services.threads.find(caller, threadId);
  if (thread === undefined) throw new ProtocolError('no_such_run', `${method}: nothing has run on this thread`);
  return thread;
}

/** A namespace as checkpoints name it. Throws `invalid_argument`. */
export function namespaceOf(params: JsonObject, method: string): string {
  const { namespace = [] } = params;
  if (!Array.isArray(namespace) || !namespace.every((segment) => typeof segment === 'string'))
    throw new ProtocolError('invalid_argument', `${method}: namespace: must be a list of strings`);
  return namespace.join('|');
}
