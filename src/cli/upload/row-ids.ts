import { v5 } from 'uuid';
import { asText } from '../../base/json/json.js';
import {
  elements,
  isArraySlice,
  isObjectSlice,
  memberMap,
  parse,
  wholeValue,
  type Slice,
} from '../../base/json/slices.js';
import { LIMITS } from '../../base/limits.js';

/** Random, and fixed forever: the ids of stored rows depend on it. */
const NAMESPACE = '5b7c1f3e-9d0a-4c55-8a86-2f0d6f2b7c19';

/** Generates ids for rows without one. Equal inputs get the same id, in every file and on every machine. */
export class RowIds {
  /** By the id of inputs: the id of the first form in which they were written. */
  readonly #formByInputsId = new Map<string, string>();

  /** `inputs` is valid JSON. */
  idOf(inputs: Uint8Array): string {
    const id = v5(canonical(inputs, wholeValue(inputs), 0), NAMESPACE);
    // The server compares inputs as text, so members in another order are other inputs, and one upload must not have
    // two forms of an example. Another form gets an id of its own.
    const written = v5(withoutWhitespace(asText(inputs)), id);
    const first = this.#formByInputsId.get(id);
    if (first === undefined) this.#formByInputsId.set(id, written);
    return first === undefined || first === written ? id : written;
  }
}

/** The same text for equal values: members sorted, no whitespace, strings normalized. Numbers keep their text. */
function canonical(bytes: Uint8Array, slice: Slice, depth: number): string {
  // The server rejects deeper values.
  if (depth <= LIMITS.jsonDepthMax) {
    if (isObjectSlice(bytes, slice)) {
      const sorted = [...memberMap(bytes, slice)].sort(([a], [b]) => (a < b ? -1 : 1));
      return `{${sorted.map(([key, value]) => `${JSON.stringify(key)}:${canonical(bytes, value, depth + 1)}`).join(',')}}`;
    }
    if (isArraySlice(bytes, slice))
      return `[${[...elements(bytes, slice)].map((value) => canonical(bytes, value, depth + 1)).join(',')}]`;
  }
  return bytes[slice.start] === 0x22
    ? JSON.stringify(parse(bytes, slice))
    : asText(bytes.subarray(slice.start, slice.end));
}

function withoutWhitespace(json: string): string {
  return json.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1');
}
