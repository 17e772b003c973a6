import type { DeskAsk, DeskKinds, DeskWorkerData } from '../../src/wire/user-code/user-code.js';
import { numbersText } from '../../src/wire/numbers.js';
import { ownWorkerData } from '../../src/wire/worker-data.js';
import type { Call } from './call.js';

type Embed = (texts: readonly string[]) => unknown;

let loaded: Promise<Embed> | null = null;

/** What the project's function says of texts, checked: what is stored must be comparable with all that is there. */
export async function embed({ texts }: DeskAsk<'embed'>, call: Call): Promise<DeskKinds['embed']['answer']> {
  const { dims } = ownWorkerData<DeskWorkerData>().embed!;
  const say = await (loaded ??= load());
  if (texts.length === 0) return { numbers: '' };
  const vectors = await call(() => say(texts));
  if (!Array.isArray(vectors))
    throw new TypeError(`it returned ${kindOf(vectors)}, not a list with a list of numbers for each text`);
  if (vectors.length !== texts.length)
    throw new RangeError(`it returned ${vectors.length} vectors for ${texts.length} texts`);
  const numbers = new Float32Array(texts.length * dims);
  for (const [at, vector] of vectors.entries()) numbers.set(unit(vector, dims), at * dims);
  return { numbers: numbersText(numbers) };
}

async function load(): Promise<Embed> {
  const { module, exportName } = ownWorkerData<DeskWorkerData>().embed!;
  const exported = ((await import(module)) as Record<string, unknown>)[exportName];
  if (typeof exported !== 'function')
    throw new TypeError(`the export "${exportName}" is ${kindOf(exported)}, not a function`);
  return exported as Embed;
}

/** The same direction with length 1, so that comparing is one product; a vector of zeros has none and stays. */
function unit(vector: unknown, dims: number): Float64Array {
  if (!Array.isArray(vector) && !(vector instanceof Float32Array) && !(vector instanceof Float64Array))
    throw new TypeError(`it returned ${kindOf(vector)} for a text, not a list of numbers`);
  if (vector.length !== dims)
    throw new RangeError(`it returned ${vector.length} numbers for a text; store.index.dims says ${dims}`);
  const numbers = Float64Array.from(vector as ArrayLike<number>);
  if (!numbers.every((number, at) => typeof vector[at] === 'number' && Number.isFinite(number)))
    throw new TypeError('it returned something that is no finite number');
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
