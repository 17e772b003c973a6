import { assert } from '../../src/base/assert.js';
import { changedPairsMin, isSignificant, signFlips } from './sign-flips.js';
import { finite, mean } from './numbers.js';

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
  /** Mean of the baseline over the pairs. */
  baseline_mean: number | null;
  /** Mean of the candidate over the pairs. */
  mean: number | null;
  /** Mean of candidate minus baseline, regardless of which direction is better. */
  difference: number | null;
  /**
   * [low, high] of the differences that the test does not reject: 0 is inside exactly if there is no verdict. Null
   * if there are too few pairs for an interval of this confidence.
   */
  interval: [number, number] | null;
  confidence: number;
  /** Confidence of this interval: higher than `confidence` if the verdict is corrected. */
  interval_confidence: number;
  /** Probability of a difference as large as this one by chance alone. Corrected if the verdict is. */
  p_value: number | null;
  /** Number of pairs by direction, with higherIsBetter applied. Unchanged pairs are exactly equal. */
  improved: number;
  regressed: number;
  unchanged: number;
  /** With fewer improved and regressed pairs than this, no verdict is possible at this confidence. */
  changed_pairs_min: number;
  /** Verdict about the candidate. */
  verdict: Verdict;
}

export interface ComparisonOptions {
  /** Between 0 and 1 exclusive; default 0.95. A false verdict has at most the remaining probability. */
  confidence?: number;
  higherIsBetter: boolean;
  /** An integer. The same pairs and seed give the same result, bit for bit, in any order of the pairs. */
  seed: number;
  /** Level of the test after a correction; default 1 - confidence. */
  level?: number;
}

const CONFIDENCE = 0.95;

/** Probability of a false verdict at this confidence, without the rounding error of the subtraction. */
export function levelOf(confidence: number): number {
  return Math.round((1 - confidence) * 1e15) / 1e15;
}

/**
 * The difference of the means over the pairs, with the verdict of a paired permutation test and its interval.
 * Comparing pairs cancels the difficulty of the examples out.
 */
export function pairedDifference(pairs: Pairs, options: ComparisonOptions): PairedDifference {
  const { baseline, candidate } = pairs;
  const { confidence = CONFIDENCE, higherIsBetter, seed } = options;
  assert(baseline.length === candidate.length, 'each pair has both sides');
  assert(
    confidence > 0 && confidence < 1 && Number.isSafeInteger(seed),
    'a comparison has a confidence between 0 and 1 and an integer seed',
  );
  const level = options.level ?? levelOf(confidence);
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
    interval_confidence: options.level === undefined ? confidence : 1 - level,
    improved: higherIsBetter ? higher : lower,
    regressed: higherIsBetter ? lower : higher,
    unchanged: baseline.length - higher - lower,
    changed_pairs_min: changedPairsMin(levelOf(confidence)),
  };
  if (baseline.length === 0)
    return {
      ...counts,
      baseline_mean: null,
      mean: null,
      difference: null,
      interval: null,
      p_value: null,
      verdict: 'not_enough_evidence',
    };

  // The difference of very large values can overflow; halving both avoids that. Only such values are halved.
  const half = size > Number.MAX_VALUE / 2 ? 0.5 : 1;
  // Sums of the same values in another order can differ in the last bit.
  const differences = candidate.map((to, at) => to * half - baseline[at]! * half).sort();
  const difference = mean(differences);
  const test = signFlips(differences, seed);
  const interval = test.intervalAt(level);
  return {
    ...counts,
    baseline_mean: mean(baseline.slice().sort()),
    mean: mean(candidate.slice().sort()),
    difference: finite(difference / half),
    interval:
      interval === null
        ? null
        : [finite(Math.min(interval[0], difference) / half), finite(Math.max(interval[1], difference) / half)],
    p_value: test.pValue,
    verdict: !isSignificant(test.pValue, level)
      ? 'not_enough_evidence'
      : difference > 0 === higherIsBetter
        ? 'better'
        : 'worse',
  };
}

/** The level at which a test of several is judged, and its corrected p-value. */
export interface Corrected {
  level: number;
  pValue: number;
}

/**
 * Holm's correction: the probability of even one false verdict among all tests is at most `level`. The smallest
 * p-value is judged at the level divided by the number of tests, the next at the level divided by one less, and so
 * on until one is not significant. That one and all after it are judged at the level at which it failed.
 */
export function holm(pValues: readonly number[], level: number): Corrected[] {
  const corrected: Corrected[] = [];
  const order = pValues.map((_, at) => at).sort((a, b) => pValues[a]! - pValues[b]! || a - b);
  let remaining = pValues.length;
  let hasFailed = false;
  let least = 0;
  order.forEach((at, rank) => {
    least = Math.max(least, Math.min(1, pValues[at]! * (pValues.length - rank)));
    if (!hasFailed && !isSignificant(pValues[at]!, level / remaining)) hasFailed = true;
    corrected[at] = { level: level / remaining, pValue: least };
    if (!hasFailed) remaining -= 1;
  });
  return corrected;
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
