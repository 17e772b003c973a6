import { joinBytes, type JsonBytes } from '../../src/base/json/json.js';
import {
  bytesOf,
  elements,
  isArraySlice,
  isObjectSlice,
  memberMap,
  wholeValue,
  type Slice,
} from '../../src/base/json/slices.js';

const INDEX = /^-?\d+$/;
const NULL = 'null';

/**
 * The part of a JSON object at a path of names and indexes, such as `messages.-1.content`, as an object: a part that is
 * none is put into one, under the last name of the path. Keeps the bytes of the value. Null if there is nothing, or
 * null.
 */
export function partOf(json: JsonBytes, path: string | null): JsonBytes | null {
  const names = path === null || path === '' ? [] : path.split('.');
  let found: Slice = wholeValue(json);
  for (const name of names) {
    const next = memberOf(json, found, name);
    if (next === undefined) return null;
    found = next;
  }
  const bytes = bytesOf(json, found);
  if (isObjectSlice(json, found)) return bytes;
  if (Buffer.from(bytes).toString() === NULL) return null;
  const name = names.findLast((one) => !INDEX.test(one)) ?? 'value';
  return joinBytes([`{${JSON.stringify(name)}:`, bytes, '}']);
}

/** A negative index counts from the end. */
function memberOf(json: JsonBytes, slice: Slice, name: string): Slice | undefined {
  if (isObjectSlice(json, slice)) return memberMap(json, slice).get(name);
  if (!isArraySlice(json, slice) || !INDEX.test(name)) return undefined;
  return [...elements(json, slice)].at(Number(name));
}
