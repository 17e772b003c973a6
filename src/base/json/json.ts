import { LIMITS } from '../limits.js';

/** JSON as UTF-8 bytes: the form in which free-form JSON is stored and sent. */
export type JsonBytes = Uint8Array;

const decoder = new TextDecoder('utf-8', { fatal: true });

export function jsonBytes(value: unknown): JsonBytes {
  return Buffer.from(JSON.stringify(value) ?? 'null', 'utf8');
}

export function parseJson(bytes: JsonBytes): unknown {
  return JSON.parse(asText(bytes));
}

export function asText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}

export function utf8(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

/** Bytes as they are; text in UTF-8. */
export function asBytes(data: Uint8Array | string): Uint8Array {
  return typeof data === 'string' ? utf8(data) : data;
}

/** Text of a request body. Throws TypeError for bytes that are not UTF-8. */
export function strictText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty object. */
export function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/** Sets an own property with any name: a field or channel may be called `__proto__`. */
export function setOwn(target: object, name: string, value: unknown): void {
  if (name in target)
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  // The usual case, in a fifth of the time.
  else (target as JsonObject)[name] = value;
}

/** A copy of the object with the members for which `keeps` is true. */
export function filterMembers(object: JsonObject, keeps: (name: string, value: unknown) => boolean): JsonObject {
  const kept: JsonObject = {};
  for (const name of Object.keys(object)) if (keeps(name, object[name])) setOwn(kept, name, object[name]);
  return kept;
}

/** True when `value` nests deeper than the limit. */
export function isTooDeep(value: unknown, depthMax: number = LIMITS.jsonDepthMax): boolean {
  return exceededLimit(value, depthMax, Infinity) === 'depth';
}

/** Why a free-form value is refused: nested too deeply, or too many names and elements. Null when it is accepted. */
export function boundsProblem(value: unknown): string | null {
  switch (exceededLimit(value, LIMITS.jsonDepthMax, LIMITS.jsonMembersMax)) {
    case 'depth':
      return `is nested deeper than ${LIMITS.jsonDepthMax} levels`;
    case 'members':
      return `holds more than ${LIMITS.jsonMembersMax} names and elements`;
    case null:
      return null;
  }
}

/** The first limit that a value exceeds. Iterative, so that the check itself cannot overflow the stack. */
function exceededLimit(value: unknown, depthMax: number, membersMax: number): 'depth' | 'members' | null {
  let level: unknown[] = [value];
  let members = 0;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax) return 'depth';
    const next: unknown[] = [];
    for (const node of level) {
      if (typeof node !== 'object' || node === null) continue;
      const children: unknown[] = Array.isArray(node) ? node : Object.values(node);
      members += children.length;
      if (members > membersMax) return 'members';
      for (const child of children) if (typeof child === 'object' && child !== null) next.push(child);
    }
    level = next;
  }
  return null;
}

/** JSON containment as in clients' metadata filters: objects and lists must contain, all other values must be equal. */
export function contains(actual: unknown, wanted: unknown): boolean {
  if (isObject(wanted)) {
    if (!isObject(actual)) return false;
    return Object.entries(wanted).every(([key, value]) => Object.hasOwn(actual, key) && contains(actual[key], value));
  }
  if (Array.isArray(wanted)) {
    return Array.isArray(actual) && wanted.every((value) => actual.some((item) => contains(item, value)));
  }
  return actual === wanted;
}

/** Joins JSON texts into one buffer without parsing any of them. */
export function joinBytes(parts: readonly (Uint8Array | string)[]): Buffer {
  return Buffer.concat(parts.map(asBytes));
}
