import { drawBits, sfc32 } from './random-bits.js';

/**
 * Paired permutation test of a mean difference (sign-flip test), and the interval that belongs to it.
 *
 * If an experiment makes no difference, baseline and candidate of each pair could be swapped, which flips the
 * sign of the pair's difference. The p-value is the share of all sign patterns whose mean is at least as far from
 * 0 as the observed one. It assumes nothing about the distribution of the values.
 *
 * A sign pattern is the same as a subset: the sum over the flipped pairs is at most 0 exactly when the pattern's
 * mean is at least the observed one. The means of random subsets are therefore the interval of the same test
 * (Hartigan, "Using subsample values as typical values", 1969). Both are computed from the same subsets, so the
 * interval excludes 0 exactly when the p-value is at most the level.
 */
export interface SignFlips {
  pValue: number;
  /** Differences that the same test does not reject at this level; null if the pairs are too few for an interval. */
  intervalAt(level: number): [number, number] | null;
}

/** Up to this number of changed pairs, every pattern is counted. */
const EXACT_PAIRS_MAX = 12;
/** Number of subsets, with their complements, when every pattern is counted. */
const EXACT_SAMPLES = 2 ** (EXACT_PAIRS_MAX + 1);
/** Number of random subsets above it, including the observed pattern. Complements double it. */
const RANDOM_SUBSETS = 5_000;
/**
 * More pairs are not flipped one by one: the sum over those with the smallest differences is drawn from a normal
 * distribution with the same variance. They are many and none of them stands out, so this is accurate.
 */
const SINGLE_PAIRS_MAX = 512;
/**
 * Random subsets are too few for p-values below this. There, Hoeffding's inequality gives an upper bound of the
 * p-value, and an interval that is a little too wide.
 */
const RANDOM_P_MIN = 0.002;
/** Differences are rounded to multiples of the largest one divided by this, so that sums are exact. */
const UNITS = 2 ** 40;
/** A p-value or level may be off by this factor because of rounding. */
const SLACK = 1 + 1e-9;

/** True if the test rejects at this level. */
export function isSignificant(pValue: number, level: number): boolean {
  return pValue <= level * SLACK;
}

/** Fewer changed pairs cannot be significant, even if all agree: half of their patterns is twice 1 in 2 ** pairs. */
export function changedPairsMin(level: number): number {
  return Math.ceil(1 - Math.log2(level * SLACK));
}

/** The result does not depend on the order of the differences. They are finite, and not empty. */
export function signFlips(differences: Float64Array, seed: number): SignFlips {
  let size = 0;
  for (const one of differences) size = Math.max(size, Math.abs(one));
  if (size === 0)
    return {
      pValue: 1,
      intervalAt: (level) => (differences.length < changedPairsMin(level) ? null : [0, 0]),
    };
  const units = differences.map((one) => Math.round((one / size) * UNITS));
  // Negative means are computed as their mirror image, so that swapped experiments give mirrored results.
  const sign = sum(units) < 0 ? -1 : 1;
  const sorted = largestFirst(units, sign);
  const samples = samplesOf(sorted, seed);
  const value = (one: number): number => sign * (one / UNITS) * size + 0;
  return {
    pValue: samples.pValue,
    intervalAt(level) {
      const interval = samples.intervalAt(level);
      if (interval === null) return null;
      const [low, high] = interval;
      return sign > 0 ? [value(low), value(high)] : [value(high), value(low)];
    },
  };
}

/** Sorted by size, descending, and by sign if sizes are equal. */
function largestFirst(units: Float64Array, sign: 1 | -1): Float64Array {
  // A sort without a comparator is several times faster. Twice the size leaves the lowest bit for the sign.
  const keys = units.map((one) => Math.abs(one) * 2 + (one * sign < 0 ? 0 : 1)).sort();
  return keys.reverse().map((key) => (key % 2 === 0 ? -key / 2 : (key - 1) / 2));
}

/** Sum and number of pairs of some subsets. Their complements count as well. */
interface Subsets {
  sums: Float64Array;
  pairs: Float64Array;
}

/** `sorted` has the largest size first and a sum of at least 0. */
function samplesOf(sorted: Float64Array, seed: number): SignFlips {
  const length = sorted.length;
  let changed = length;
  while (sorted[changed - 1] === 0) changed -= 1;
  const isExact = changed <= EXACT_PAIRS_MAX;
  const random = sfc32(seed);
  const { sums, pairs } = !isExact
    ? randomSubsets(sorted, random)
    : length <= EXACT_PAIRS_MAX
      ? allSubsets(sorted, 1)
      : withUnchanged(allSubsets(sorted.subarray(0, changed), EXACT_SAMPLES / 2 ** changed), length - changed, random);
  const total = sum(sorted);
  // Rounded sums are 0 if they differ from it by less than the rounding of their parts. A normal distribution has
  // no gaps, but sums of equal steps do: half a step toward 0 makes up for that.
  const tolerance = Math.max(
    Math.min(length, SINGLE_PAIRS_MAX),
    length > SINGLE_PAIRS_MAX && !isExact ? Math.abs(sorted[changed - 1]!) / 2 : 0,
  );
  const count = 2 * sums.length;
  const means = new Float64Array(count);
  let known = 0;
  let against = 0;
  const add = (subsetSum: number, subsetPairs: number): void => {
    const snapped = Math.abs(subsetSum) <= tolerance ? 0 : subsetSum;
    if (snapped <= 0) against += 1;
    if (subsetPairs > 0) means[known++] = snapped / subsetPairs;
  };
  for (let at = 0; at < sums.length; at += 1) {
    add(sums[at]!, pairs[at]!);
    add(total - sums[at]!, length - pairs[at]!);
  }
  const ordered = means.subarray(0, known).sort();
  const empty = count - known;
  const counted = Math.min(1, (2 * against) / count);
  const bounds = new Bounds(sorted, total, changed);
  const pValue = isExact || counted >= RANDOM_P_MIN ? counted : Math.min(RANDOM_P_MIN, bounds.pValue);
  return {
    pValue,
    intervalAt(level) {
      let interval: [number, number] | null;
      if (!isExact && level * SLACK < RANDOM_P_MIN) interval = bounds.intervalAt(level);
      else {
        // The mean of an empty subset is unknown, so it counts as lower and higher than all others.
        const outside = Math.floor((level * SLACK * count) / 2);
        const at = outside - empty;
        interval = outside < 1 || at < 0 ? null : [ordered[at]!, ordered[known - 1 - at]!];
      }
      if (interval === null || isSignificant(pValue, level)) return interval;
      return [Math.min(interval[0], 0), Math.max(interval[1], 0)];
    },
  };
}

/** Every subset without the last pair, so that the complements are the others. Each is repeated. */
function allSubsets(units: Float64Array, repeats: number): Subsets {
  const masks = 2 ** (units.length - 1);
  const sums = new Float64Array(masks * repeats),
    pairs = new Float64Array(masks * repeats);
  for (let mask = 1; mask < masks; mask += 1) {
    const rest = mask & (mask - 1);
    sums[mask] = sums[rest]! + units[31 - Math.clz32(mask ^ rest)]!;
    pairs[mask] = pairs[rest]! + 1;
  }
  for (let repeat = 1; repeat < repeats; repeat += 1) {
    sums.copyWithin(repeat * masks, 0, masks);
    pairs.copyWithin(repeat * masks, 0, masks);
  }
  return { sums, pairs };
}

/** Adds a random number of unchanged pairs to each subset. They change its mean, but not the sign of its sum. */
function withUnchanged({ sums, pairs }: Subsets, unchanged: number, random: Int32Array): Subsets {
  const drawn = normals(sums.length, random);
  for (let at = 0; at < pairs.length; at += 1) {
    const more = Math.round(unchanged / 2 + (Math.sqrt(unchanged) / 2) * drawn[at]!);
    pairs[at]! += Math.min(Math.max(more, 0), unchanged);
  }
  return { sums, pairs };
}

/** The empty subset, which is the observed pattern, and random ones. */
function randomSubsets(sorted: Float64Array, random: Int32Array): Subsets {
  const single = sorted.subarray(0, SINGLE_PAIRS_MAX);
  const chunks = Math.ceil(single.length / 8);
  const { sums: chunkSums, pairs: chunkPairs } = chunkTables(single, chunks);
  const sums = new Float64Array(RANDOM_SUBSETS),
    pairs = new Float64Array(RANDOM_SUBSETS);
  const bits = new Int32Array(Math.ceil((chunks * (RANDOM_SUBSETS - 1)) / 4));
  drawBits(random, bits);
  const bytes = new Uint8Array(bits.buffer);
  for (let at = 1, next = 0; at < RANDOM_SUBSETS; at += 1) {
    let subsetSum = 0,
      subsetPairs = 0;
    for (let chunk = 0; chunk < chunks; chunk += 1, next += 1) {
      const entry = (chunk << 8) | bytes[next]!;
      subsetSum += chunkSums[entry]!;
      subsetPairs += chunkPairs[entry]!;
    }
    sums[at] = subsetSum;
    pairs[at] = subsetPairs;
  }
  if (sorted.length > SINGLE_PAIRS_MAX) addMany({ sums, pairs }, sorted.subarray(SINGLE_PAIRS_MAX), random);
  return { sums, pairs };
}

/** For each eight pairs the sum and number of each of their 256 subsets. */
function chunkTables(single: Float64Array, chunks: number): { sums: Float64Array; pairs: Uint8Array } {
  const sums = new Float64Array(chunks * 256),
    pairs = new Uint8Array(chunks * 256);
  for (let chunk = 0; chunk < chunks; chunk += 1) {
    for (let mask = 1; mask < 256; mask += 1) {
      const rest = mask & (mask - 1);
      const pair = chunk * 8 + 31 - Math.clz32(mask ^ rest);
      const exists = pair < single.length;
      sums[chunk * 256 + mask] = sums[chunk * 256 + rest]! + (exists ? single[pair]! : 0);
      pairs[chunk * 256 + mask] = pairs[chunk * 256 + rest]! + (exists ? 1 : 0);
    }
  }
  return { sums, pairs };
}

/** Adds the normal approximation of a random subset of many pairs. Its sum and its number of pairs are correlated. */
function addMany({ sums, pairs }: Subsets, many: Float64Array, random: Int32Array): void {
  const total = sum(many);
  let squares = 0;
  for (const one of many) squares += one * one;
  const slope = total / many.length;
  const rest = Math.sqrt(Math.max(0, squares - total * slope)) / 2;
  const spread = Math.sqrt(many.length) / 2;
  const forPairs = normals(sums.length, random),
    forSums = normals(sums.length, random);
  // The first subset is the empty one.
  for (let at = 1; at < sums.length; at += 1) {
    const apart = spread * forPairs[at]!;
    pairs[at]! += many.length / 2 + apart;
    sums[at]! += total / 2 + slope * apart + rest * forSums[at]!;
  }
}

/** Hoeffding's inequality for the sum of randomly signed differences. */
class Bounds {
  readonly pValue: number;
  readonly #length: number;
  readonly #mean: number;
  readonly #variance: number;

  constructor(sorted: Float64Array, total: number, changed: number) {
    let squares = 0;
    for (let at = 0; at < changed; at += 1) squares += sorted[at]! * sorted[at]!;
    this.#length = sorted.length;
    this.#mean = total / sorted.length;
    this.#variance = Math.max(0, squares / sorted.length - this.#mean ** 2);
    this.pValue = Math.min(1, 2 * Math.exp((-total * (total / squares)) / 2));
  }

  /** The differences from which the pairs are so far away that the bound is above the level. */
  intervalAt(level: number): [number, number] | null {
    const squares = 2 * Math.log(2 / (level * SLACK));
    if (this.#length <= squares) return null;
    const half = Math.sqrt((squares * this.#variance) / (this.#length - squares));
    return [this.#mean - half, this.#mean + half];
  }
}

/** Standard normal numbers, by Box and Muller. */
function normals(count: number, random: Int32Array): Float64Array {
  const bits = new Int32Array(count + (count % 2));
  drawBits(random, bits);
  const drawn = new Float64Array(bits.length);
  for (let at = 0; at < bits.length; at += 2) {
    const radius = Math.sqrt(-2 * Math.log(((bits[at]! >>> 0) + 1) / 2 ** 32));
    const angle = (2 * Math.PI * (bits[at + 1]! >>> 0)) / 2 ** 32;
    drawn[at] = radius * Math.cos(angle);
    drawn[at + 1] = radius * Math.sin(angle);
  }
  return drawn;
}

function sum(values: Float64Array): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
