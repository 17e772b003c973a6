import {
  elements,
  isArraySlice,
  isObjectSlice,
  memberMap,
  bytesOf,
  wholeValue,
  type Slice,
} from '../base/json/slices.js';

/** Parts of a thread that a path can begin with. */
export const PATH_ROOTS = ['values', 'metadata', 'config', 'interrupts'] as const;
export type PathRoot = (typeof PATH_ROOTS)[number];

/** A path to a part of a thread: `values.messages[-1].content`. */
export interface JsonPath {
  root: PathRoot;
  /** Member names and list indexes. Negative indexes count from the end. */
  steps: readonly (string | number)[];
}

const PATH = /^(values|metadata|config|interrupts)((?:\.[^.[\]]+|\[-?\d{1,9}\])*)$/;
const STEP = /\.([^.[\]]+)|\[(-?\d+)\]/g;

/** Null when the text is not a path. */
export function parsePath(text: string): JsonPath | null {
  const match = PATH.exec(text);
  if (match === null) return null;
  const steps = [...match[2]!.matchAll(STEP)].map(([, name, place]) => name ?? Number(place));
  return { root: match[1] as PathRoot, steps };
}

/** The bytes of a JSON text at this path, without parsing; undefined when there is none. */
export function bytesAtPath(json: Uint8Array, steps: readonly (string | number)[]): Uint8Array | undefined {
  let slice: Slice | undefined = wholeValue(json);
  for (const step of steps) {
    if (slice === undefined) return undefined;
    slice = typeof step === 'string' ? memberOf(json, slice, step) : elementOf(json, slice, step);
  }
  return slice === undefined ? undefined : bytesOf(json, slice);
}

function memberOf(json: Uint8Array, slice: Slice, name: string): Slice | undefined {
  return isObjectSlice(json, slice) ? memberMap(json, slice).get(name) : undefined;
}

function elementOf(json: Uint8Array, slice: Slice, place: number): Slice | undefined {
  return isArraySlice(json, slice) ? [...elements(json, slice)].at(place) : undefined;
}
