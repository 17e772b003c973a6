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
/** Instead of a value that is not compared. */
const ANY = Symbol('any');
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
    const field = (value as unknown as Record<string, unknown>)[name];
    trace.push(name);
    // A field that was never set is missing in the JSON, unlike undefined inside data.
    if (BOOKKEEPING_FIELDS.has(name)) trace.push(ANY);
    else if (field === undefined) trace.push(undefined);
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
  // A function `toJSON` of the object itself would be no leaf that the trace can have.
  if (trace[at] === OBJECT) return hasPlainPrototype(value) ? matchMembers(value, trace, at, at + 2) : -1;
  if (trace[at] !== MESSAGE || trace[at + 2] !== value.constructor) return -1;
  if (trace[at + 3] !== countMembers((value as { lc_kwargs?: object }).lc_kwargs)) return -1;
  return matchMembers(value, trace, at, at + 4);
}

function countMembers(value: object | undefined): number {
  let count = 0;
  // Unlike for `Object.keys`, V8 makes no list of the names. A name more only means that the value is written again.
  for (const _name in value) count += 1;
  return count;
}

/** Like `matchTrace`, for the members alone, which begin at `first` in the trace. */
function matchMembers(value: object, trace: Trace, at: number, first: number): number {
  let left = trace[at + 1] as number;
  let next = first;
  for (const name in value) {
    if (left === 0) {
      // Inherited names come last.
      if (Object.hasOwn(value, name)) return -1;
      break;
    }
    left -= 1;
    if (trace[next] !== name) return -1;
    if (trace[next + 1] === ANY) next += 2;
    else next = matchTrace((value as Record<string, unknown>)[name], trace, next + 1);
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
  return hasPlainPrototype(value) && typeof (value as { toJSON?: unknown }).toJSON !== 'function';
}

function hasPlainPrototype(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as unknown;
  return prototype === Object.prototype || prototype === null;
}
