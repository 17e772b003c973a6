import Negotiator from 'negotiator';
import { fail } from '../../base/errors.js';
import { isObject, type JsonObject } from '../../base/json/json.js';

/** Codes of JSON-RPC 2.0. */
export const RPC_CODES = { method: -32601, params: -32602, internal: -32603 } as const;

/** Error result of one call. It is sent in a response with status 200. */
export class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface RpcCall {
  id: string | number;
  method: string;
  /** Null if the parameters are not an object. */
  params: JsonObject | null;
}

/** Returns null for messages without a response: notifications and responses from the client. Throws RPC_INVALID. */
export function readCall(message: unknown): RpcCall | null {
  if (!isObject(message) || message['jsonrpc'] !== '2.0') throw invalidRpc('The body is not a JSON-RPC 2.0 message.');
  const { id, method, params } = message;
  if (method === undefined && id !== undefined && (message['result'] !== undefined || message['error'] !== undefined))
    return null;
  if (typeof method !== 'string') throw invalidRpc('The JSON-RPC message has no method.');
  if (id === undefined) return null;
  if (typeof id !== 'string' && typeof id !== 'number')
    throw invalidRpc('The id of a JSON-RPC request must be a string or a number.');
  return { id, method, params: params === undefined ? {} : isObject(params) ? params : null };
}

/** Throws RpcError. */
export function requireObjectParams({ params }: RpcCall): JsonObject {
  if (params === null) throw new RpcError(RPC_CODES.params, 'Invalid params: params must be an object.');
  return params;
}

/** The method of a message, which may be invalid. */
export function methodOf(message: unknown): string | null {
  return isObject(message) && typeof message['method'] === 'string' ? message['method'] : null;
}

/** The parameters of a message, which may be invalid. */
export function paramsOf(message: unknown): JsonObject {
  return isObject(message) && isObject(message['params']) ? message['params'] : {};
}

/** `result` is JSON text, so that a graph's output is passed through unparsed. */
export function resultText({ id }: RpcCall, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

export function errorText({ id }: RpcCall, { code, message }: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

/** Throws RPC_INVALID unless the client accepts all of these types. Without the header it accepts everything. */
export function requireAccept(accept: string | undefined, types: readonly string[]): void {
  const accepted = new Negotiator({ headers: accept === undefined ? {} : { accept } }).mediaTypes([...types]);
  if (accepted.length < types.length) throw invalidRpc(`The Accept header must contain ${types.join(' and ')}.`);
}

export function invalidRpc(reason: string): Error {
  return fail('RPC_INVALID', { reason });
}
