import {
  elements,
  isArraySlice,
  isObjectSlice,
  memberMap,
  bytesOf,
  wholeValue,
  type Slice,
} from '../base/json/slices.js';

/** What of a thread a path may begin with. */
export const PATH_ROOTS = ['values', 'metadata', 'config', 'interrupts'] as const;
export type PathRoot = (typeof PATH_ROOTS)[number];

/** `values.messages[-1].content`: where a part of a thread stands. */
export interface JsonPath {
  root: PathRoot;
  /** Names of members, and places in lists; negative ones count from the end. */
  steps: readonly (string | number)[];
}

const PATH = /^(values|metadata|config|interrupts)((?:\.[^.[\]]+|\[-?\d{1,9}\])*)$/;
const STEP = /\.([^.[\]]+)|\[(-?\d+)\]/g;

/** Null when the text is no path. */
export function parsePath(text: string): JsonPath | null {
  const match = PATH.exec(text);
  if (match === null) return null;
  const steps = [...match[2]!.matchAll(STEP)].map(([, name, place]) => name ?? Number(place));
  return { root: match[1] as PathRoot, steps };
}

/** The part of a JSON text that the steps lead to, as the bytes it is; undefined when there is none. Nothing is parsed. */
export function partOf(json: Uint8Array, steps: readonly (string | number)[]): Uint8Array | undefined {
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
