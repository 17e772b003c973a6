import { assert } from '../../src/base/assert.js';
import { finite, mean, quantile, scaleFor } from './statistics.js';

/**
 * Scores of two experiments over the same examples. Both arrays have the same length and order of examples, and
 * all numbers are finite.
 */
export interface Pairs {
  baseline: Float64Array;
  candidate: Float64Array;
}

export type Verdict = 'better' | 'worse' | 'not_enough_evidence';

export interface PairedDifference {
  pairs: number;
  baseline_mean: number | null;
  /** Mean of the candidate. */
  mean: number | null;
  /** Mean of candidate minus baseline, regardless of which direction is better. */
  difference: number | null;
  /** [low, high] of the difference; null for fewer than two pairs. */
  interval: [number, number] | null;
  confidence: number;
  /** Number of pairs by direction, with higherIsBetter applied. Unchanged pairs are exactly equal. */
  improved: number;
  regressed: number;
  unchanged: number;
  /** Verdict about the candidate. */
  verdict: Verdict;
}

export interface ComparisonOptions {
  /** Share of the resamples inside the interval, between 0 and 1 exclusive; default 0.95. */
  confidence?: number;
  higherIsBetter: boolean;
  /** Default 2,000. */
  resamples?: number;
  /** An integer. The same pairs and seed give the same result, bit for bit. */
  seed: number;
}

const CONFIDENCE = 0.95;
const RESAMPLES = 2_000;

/**
 * With fewer pairs there is no verdict. A bootstrap only repeats the differences it has seen: if all have the
 * same sign, its interval never includes 0, even for two pairs. Pure chance puts four of four in one direction
 * once in 16, and five of five once in 32. Five is the smallest number for which this is rarer than 1 in 20.
 * From five pairs on, equal differences also count as evidence.
 */
const VERDICT_PAIRS_MIN = 5;

/**
 * More differences than this are resampled in this many groups, which takes a few milliseconds for any number
 * of pairs.
 */
const GROUPS_MAX = 1_000;

/**
 * Percentile bootstrap of the mean difference. Examples are resampled as pairs, so that the difficulty of an
 * example cancels out.
 *
 * Above 1,000 pairs, the shuffled differences are summed in 1,000 groups of nearly equal size, and a resample
 * draws groups. The mean of a resample is the sum of the drawn groups divided by the number of pairs in them,
 * which weights groups by size. This is valid because groups of shuffled pairs are exchangeable, like the pairs
 * themselves, and the mean of k pairs has 1/k of the variance of one pair: the mean of all groups then varies
 * like the mean of all pairs. The cost is a less precise width of about 2 % (1 / √2,000, the error of a
 * deviation estimated from 1,000 values). That is no more than the error that 2,000 resamples have at the tails
 * anyway.
 */
export function pairedDifference(pairs: Pairs, options: ComparisonOptions): PairedDifference {
  const { baseline, candidate } = pairs;
  const { confidence = CONFIDENCE, resamples = RESAMPLES, higherIsBetter, seed } = options;
  assert(baseline.length === candidate.length, 'each pair has both sides');
  assert(
    confidence > 0 && confidence < 1 && resamples > 0 && Number.isSafeInteger(seed),
    'a bootstrap has a confidence between 0 and 1, resamples and an integer seed',
  );
  let higher = 0,
    lower = 0,
    size = 0;
  for (let at = 0; at < baseline.length; at += 1) {
    const from = baseline[at]!,
      to = candidate[at]!;
    if (to > from) higher += 1;
    else if (to < from) lower += 1;
    size = Math.max(size, Math.abs(from), Math.abs(to));
  }
  const counts = {
    pairs: baseline.length,
    confidence,
    improved: higherIsBetter ? higher : lower,
    regressed: higherIsBetter ? lower : higher,
    unchanged: baseline.length - higher - lower,
  };
  if (baseline.length === 0)
    return {
      ...counts,
      baseline_mean: null,
      mean: null,
      difference: null,
      interval: null,
      verdict: 'not_enough_evidence',
    };

  // The difference of very large values can overflow; halving both avoids that. Only such values are halved.
  const half = size > Number.MAX_VALUE / 2 ? 0.5 : 1;
  const differences = candidate.map((to, at) => to * half - baseline[at]! * half);
  const difference = mean(differences);
  const interval = baseline.length < 2 ? null : bootstrap(differences, difference, { confidence, resamples, seed });
  return {
    ...counts,
    baseline_mean: mean(baseline),
    mean: mean(candidate),
    difference: finite(difference / half),
    interval: interval === null ? null : [finite(interval[0] / half), finite(interval[1] / half)],
    verdict:
      interval === null || baseline.length < VERDICT_PAIRS_MIN
        ? 'not_enough_evidence'
        : verdict(interval, higherIsBetter),
  };
}

/**
 * Averages the repetitions of each example, because repetitions are not independent examples. One value per
 * example, in order of appearance.
 */
export function meanByExample(values: Iterable<[exampleId: string, value: number]>): Map<string, number> {
  const repetitions = new Map<string, number[]>();
  for (const [exampleId, value] of values) {
    const known = repetitions.get(exampleId);
    if (known === undefined) repetitions.set(exampleId, [value]);
    else known.push(value);
  }
  const means = new Map<string, number>();
  for (const [exampleId, known] of repetitions) means.set(exampleId, mean(known));
  return means;
}

function verdict([low, high]: [number, number], higherIsBetter: boolean): Verdict {
  if (low <= 0 && high >= 0) return 'not_enough_evidence';
  return low > 0 === higherIsBetter ? 'better' : 'worse';
}

/** The interval of the mean of `differences`, which is `difference`. */
function bootstrap(
  differences: Float64Array,
  difference: number,
  { confidence, resamples, seed }: Required<Omit<ComparisonOptions, 'higherIsBetter'>>,
): [number, number] {
  // Sums of equal differences would deviate from them by rounding.
  if (differences.every((one) => one === differences[0])) return [difference, difference];
  const random = sfc32(seed);
  const scale = scaleFor(differences.reduce((size, one) => Math.max(size, Math.abs(one)), 0));
  const scaled = differences.map((one) => one * scale);
  const means =
    scaled.length <= GROUPS_MAX
      ? resampledMeans(scaled, null, resamples, random)
      : resampledMeans(...grouped(scaled, random), resamples, random);
  means.sort();
  const tail = (1 - confidence) / 2;
  // For a skewed distribution and a low confidence, the percentiles may exclude the mean. Extend the interval
  // so that it always contains its own estimate.
  return [Math.min(quantile(means, tail) / scale, difference), Math.max(quantile(means, 1 - tail) / scale, difference)];
}

/**
 * Sums and sizes of GROUPS_MAX groups of the values in random order. Sizes differ by at most one. Shuffles
 * `values` in place.
 */
function grouped(values: Float64Array, random: Int32Array): [sums: Float64Array, sizes: Float64Array] {
  const draws = new Int32Array(values.length);
  draw(random, draws);
  for (let at = values.length - 1; at > 0; at -= 1) {
    const other = Math.floor(((draws[at]! >>> 0) / 2 ** 32) * (at + 1));
    const moved = values[at]!;
    values[at] = values[other]!;
    values[other] = moved;
  }
  const sums = new Float64Array(GROUPS_MAX),
    sizes = new Float64Array(GROUPS_MAX);
  for (let group = 0, at = 0; group < GROUPS_MAX; group += 1) {
    const end = Math.floor(((group + 1) * values.length) / GROUPS_MAX);
    sizes[group] = end - at;
    for (; at < end; at += 1) sums[group]! += values[at]!;
  }
  return [sums, sizes];
}

/** Means of `resamples` resamples of the groups, unsorted. `sizes` is null when each group is one pair. */
function resampledMeans(
  sums: Float64Array,
  sizes: Float64Array | null,
  resamples: number,
  random: Int32Array,
): Float64Array {
  const means = new Float64Array(resamples),
    draws = new Int32Array(sums.length),
    groups = sums.length;
  for (let resample = 0; resample < resamples; resample += 1) {
    draw(random, draws);
    let sum = 0,
      pairs = 0;
    for (let at = 0; at < groups; at += 1) {
      // The upper half of draw × groups is as uniform as a division. It stays within 32-bit integers because
      // there are at most 1,000 groups.
      const bits = draws[at]!;
      const group = ((bits >>> 16) * groups + (((bits & 0xffff) * groups) >>> 16)) >>> 16;
      sum += sums[group]!;
      if (sizes !== null) pairs += sizes[group]!;
    }
    means[resample] = sum / (sizes === null ? groups : pairs);
  }
  return means;
}

/**
 * State of sfc32 (Doty-Humphrey, PractRand): 128 bits in four 32-bit integers, the fastest kind of numbers in
 * JavaScript.
 */
function sfc32(seed: number): Int32Array {
  const state = Int32Array.of(seed | 0, Math.floor(seed / 2 ** 32), 0, 1);
  // PractRand's own seeding also discards a few rounds, until similar seeds give unrelated numbers.
  draw(state, new Int32Array(15));
  return state;
}

/**
 * Fills `out` with uniform 32-bit integers. Filling a whole block keeps the state in registers, which is twice
 * as fast as a method call per number.
 */
function draw(state: Int32Array, out: Int32Array): void {
  let a = state[0]!,
    b = state[1]!,
    c = state[2]!,
    counter = state[3]!;
  for (let at = 0; at < out.length; at += 1) {
    const next = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + next) | 0;
    out[at] = next;
  }
  state[0] = a;
  state[1] = b;
  state[2] = c;
  state[3] = counter;
}
