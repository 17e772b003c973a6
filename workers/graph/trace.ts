import { isMessage } from './message.js';

/**
 * A trace is the flat list of a value's contents: structure marks, keys and leaves in traversal order.
 * Comparing an object with its own trace is several times cheaper than serializing it again, and detects
 * changes at any depth. So serialized forms can be reused even for objects that user code may have changed in
 * place.
 */
export type Trace = unknown[];

const ARRAY = Symbol('array');
const OBJECT = Symbol('object');
const MESSAGE = Symbol('message');
const DEPTH_MAX = 64;

/** A message's own fields that are bookkeeping of the class and not content. */
const BOOKKEEPING_FIELDS = new Set(['lc_kwargs', 'lc_serializable', 'lc_namespace']);

/** Null when the value contains anything other than plain JSON data. Only the value itself may be a message. */
export function traceOf(value: object): Trace | null {
  const trace: Trace = [];
  return appendTrace(value, trace, 0, true) ? trace : null;
}

export function isUnchanged(value: object, trace: Trace): boolean {
  return matchTrace(value, trace, 0) === trace.length;
}

function appendTrace(value: unknown, trace: Trace, depth: number, top: boolean): boolean {
  if (typeof value !== 'object' || value === null) {
    trace.push(value);
    return value === null || isJsonLeaf(value);
  }
  if (depth > DEPTH_MAX) return false;
  if (Array.isArray(value)) {
    trace.push(ARRAY, value.length);
    for (let i = 0; i < value.length; i += 1) if (!appendTrace(value[i], trace, depth + 1, false)) return false;
    return true;
  }
  if (isPlain(value)) {
    const names = Object.keys(value);
    trace.push(OBJECT, names.length);
    for (const name of names) {
      trace.push(name);
      if (!appendTrace((value as Record<string, unknown>)[name], trace, depth + 1, false)) return false;
    }
    return true;
  }
  if (!top || !isMessage(value)) return false;
  const fields = Object.keys(value);
  trace.push(MESSAGE, fields.length, value.constructor, Object.keys(value.lc_kwargs).length);
  for (const name of fields) {
    if (BOOKKEEPING_FIELDS.has(name)) continue;
    const field = (value as unknown as Record<string, unknown>)[name];
    trace.push(name);
    // A field that was never set is missing in the JSON, unlike undefined inside data.
    if (field === undefined) trace.push(undefined);
    else if (!appendTrace(field, trace, depth + 1, false)) return false;
  }
  return true;
}

/** Returns the position in the trace after `value`, or -1 when it differs. */
function matchTrace(value: unknown, trace: Trace, at: number): number {
  if (typeof value !== 'object' || value === null) return Object.is(value, trace[at]) ? at + 1 : -1;
  if (Array.isArray(value)) {
    if (trace[at] !== ARRAY || trace[at + 1] !== value.length) return -1;
    let next = at + 2;
    for (let i = 0; i < value.length; i += 1) {
      next = matchTrace(value[i], trace, next);
      if (next < 0) return -1;
    }
    return next;
  }
  if (trace[at] === OBJECT) return isPlain(value) ? matchMembers(value, trace, at) : -1;
  if (trace[at] !== MESSAGE || trace[at + 2] !== value.constructor) return -1;
  if (trace[at + 3] !== Object.keys((value as { lc_kwargs?: object }).lc_kwargs ?? {}).length) return -1;
  return matchMembers(value, trace, at);
}

/** Like `matchTrace`, for the members alone. */
function matchMembers(value: object, trace: Trace, at: number): number {
  const isOfMessage = trace[at] === MESSAGE;
  let left = trace[at + 1] as number;
  let next = at + (isOfMessage ? 4 : 2);
  // Unlike for `Object.keys`, V8 makes no list of the names.
  for (const name in value) {
    if (left === 0) {
      // Inherited names come last.
      if (Object.hasOwn(value, name)) return -1;
      break;
    }
    left -= 1;
    if (isOfMessage && BOOKKEEPING_FIELDS.has(name)) continue;
    if (trace[next] !== name) return -1;
    next = matchTrace((value as Record<string, unknown>)[name], trace, next + 1);
    if (next < 0) return -1;
  }
  return left === 0 ? next : -1;
}

function isJsonLeaf(value: unknown): boolean {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0))
  );
}

/** True for objects as created by JSON.parse. */
export function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as unknown;
  return (
    (prototype === Object.prototype || prototype === null) &&
    typeof (value as { toJSON?: unknown }).toJSON !== 'function'
  );
}
