import type { UserCodeCall, UserCodeCalls, UserCodeWorkerData } from '../../src/wire/user-code/user-code.js';
import { encodeFloats } from '../../src/wire/numbers.js';
import { readWorkerData } from '../../src/wire/worker-data.js';
import type { RunUserCode } from './open-graph.js';

type Embed = (texts: readonly string[]) => unknown;

let loaded: Promise<Embed> | null = null;

/** Computes vectors with the project's function and validates them, because all stored vectors must be comparable. */
export async function embed(
  { texts }: UserCodeCall<'embed'>,
  runUserCode: RunUserCode,
): Promise<UserCodeCalls['embed']['reply']> {
  const { dims } = readWorkerData<UserCodeWorkerData>().embed!;
  const embedTexts = await (loaded ??= load());
  if (texts.length === 0) return { numbers: '' };
  const vectors = await runUserCode(() => embedTexts(texts));
  if (!Array.isArray(vectors))
    throw new TypeError(`it returned ${kindOf(vectors)} instead of a list with a list of numbers for each text`);
  if (vectors.length !== texts.length)
    throw new RangeError(`it returned ${vectors.length} vectors for ${texts.length} texts`);
  const numbers = new Float32Array(texts.length * dims);
  for (const [at, vector] of vectors.entries()) numbers.set(normalize(vector, dims), at * dims);
  return { numbers: encodeFloats(numbers) };
}

async function load(): Promise<Embed> {
  const { module, exportName } = readWorkerData<UserCodeWorkerData>().embed!;
  const exported = ((await import(module)) as Record<string, unknown>)[exportName];
  if (typeof exported !== 'function')
    throw new TypeError(`the export "${exportName}" is ${kindOf(exported)}, not a function`);
  return exported as Embed;
}

/** Normalizes the vector to length 1, so that a comparison is one dot product. A zero vector stays as it is. */
function normalize(vector: unknown, dims: number): Float64Array {
  if (!Array.isArray(vector) && !(vector instanceof Float32Array) && !(vector instanceof Float64Array))
    throw new TypeError(`it returned ${kindOf(vector)} for a text instead of a list of numbers`);
  if (vector.length !== dims)
    throw new RangeError(`it returned ${vector.length} numbers for a text, but store.index.dims is ${dims}`);
  const numbers = Float64Array.from(vector as ArrayLike<number>);
  if (!numbers.every((number, at) => typeof vector[at] === 'number' && Number.isFinite(number)))
    throw new TypeError('it returned a value that is not a finite number');
  const length = Math.hypot(...numbers);
  return length === 0 ? numbers : numbers.map((number) => number / length);
}

function kindOf(value: unknown): string {
  return value === null
    ? 'null'
    : Array.isArray(value)
      ? 'a list'
      : value === undefined
        ? 'undefined'
        : `a ${typeof value}`;
}
