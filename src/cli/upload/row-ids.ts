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

/** Made for this once; ids of rows in every store depend on it. */
const NAMESPACE = '5b7c1f3e-9d0a-4c55-8a86-2f0d6f2b7c19';

/** Ids for rows that have none: equal inputs get one id, in every file and on every machine. */
export class RowIds {
  /** Of every id: how its inputs were first written. */
  readonly #written = new Map<string, string>();

  /** `inputs` is valid JSON. */
  idOf(inputs: Uint8Array): string {
    const id = v5(canonical(inputs, wholeValue(inputs), 0), NAMESPACE);
    // The server takes names in another order for other inputs, and one example has one form within an upload.
    const written = v5(withoutSpace(asText(inputs)), id);
    const first = this.#written.get(id);
    if (first === undefined) this.#written.set(id, written);
    return first === undefined || first === written ? id : written;
  }
}

/** One text for equal values: names in order, no space, one way to write a string. Numbers stay as they are written. */
function canonical(bytes: Uint8Array, slice: Slice, depth: number): string {
  // The server refuses what is deeper.
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

function withoutSpace(json: string): string {
  return json.replace(/("[^"\\]*(?:\\.[^"\\]*)*")|\s+/g, '$1');
}
