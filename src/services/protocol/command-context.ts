import type { Caller } from '../../domain/caller.js';
import type { JsonObject } from '../../base/json/json.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { Services } from '../context.js';
import type { RunRequestContext } from '../runs/request-context.js';

/** Error codes of the second protocol (streaming-protocol-v2.md, section 2). */
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

/** An error with a code of the protocol, sent as the response to a command. */
export class ProtocolError extends Error {
  readonly code: ProtocolCode;

  constructor(code: ProtocolCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** The protocol code for an HTTP status. */
export function codeForStatus(status: number): ProtocolCode {
  if (status === 401 || status === 403) return 'permission_denied';
  if (status === 404) return 'no_such_run';
  return status >= 500 || status === 429 ? 'unknown_error' : 'invalid_argument';
}

/** The sender of a command and its context. */
export interface CommandContext {
  services: Services;
  caller: Caller;
  threadId: string;
  origin: RunRequestContext;
  /** True if nobody waits for the response anymore. */
  isAborted: () => boolean;
}

export interface CommandRequest extends CommandContext {
  params: JsonObject;
}

export interface CommandResult {
  /** JSON. */
  result: string;
  meta?: JsonObject;
}

/** The thread of a command. Throws `no_such_run`, with the name of the command, if it does not exist. */
export function requireThread({ services, caller, threadId }: CommandContext, method: string): ThreadRecord {
  const thread = services.threads.find(caller, threadId);
  if (thread === undefined) throw new ProtocolError('no_such_run', `${method}: nothing has run on this thread`);
  return thread;
}

/** The namespace in the format of checkpoints. Throws `invalid_argument`. */
export function parseNamespace(params: JsonObject, method: string): string {
  const { namespace = [] } = params;
  if (!Array.isArray(namespace) || !namespace.every((segment) => typeof segment === 'string'))
    throw new ProtocolError('invalid_argument', `${method}: namespace: must be a list of strings`);
  return namespace.join('|');
}
