import { assert } from '../../src/base/assert.js';

/** Sums, means and percentiles of doubles. All results are finite and never -0, so that JSON preserves them. */

type Numbers = Float64Array | readonly number[];

/**
 * Interpolates linearly between the closest ranks. `sorted` must be ascending and not empty, `q` from 0 to 1.
 * The result is never outside the two ranks.
 */
export function quantile(sorted: Numbers, q: number): number {
  assert(sorted.length > 0 && q >= 0 && q <= 1, 'a quantile is of something and from 0 to 1');
  const rank = (sorted.length - 1) * q;
  const below = Math.floor(rank);
  const low = sorted[below]!,
    high = sorted[Math.ceil(rank)]!,
    part = rank - below;
  const gap = high - low;
  // The gap of two huge values with opposite signs overflows. The weighted sum does not, but is inexact when
  // both ranks are equal.
  const between = Number.isFinite(gap) ? low + gap * part : low * (1 - part) + high * part;
  return finite(Math.min(Math.max(between, low), high));
}

/**
 * Arithmetic mean of finite numbers; not empty. The result is never outside their range, so equal values have
 * exactly themselves as mean.
 */
export function mean(values: Numbers): number {
  assert(values.length > 0, 'a mean is of something');
  let min = values[0]!,
    max = min;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const scale = scaleFor(Math.max(-min, max));
  return finite(Math.min(Math.max(scaledSum(values, scale) / values.length / scale, min), max));
}

/** Makes a number representable in JSON: 0 for -0, and the largest double for anything larger. */
export function finite(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE) + 0;
}

/**
 * A power of two that scales `size` to about 1. Sums and squares of scaled values cannot overflow, and the
 * scaling causes no relevant rounding.
 */
export function scaleFor(size: number): number {
  // Up to 2 ** 1000, the power and its inverse are both normal doubles. Larger values need no more scaling.
  return size === 0 ? 1 : 2 ** -Math.min(Math.max(Math.floor(Math.log2(size)), -1000), 1000);
}

/** Sample deviation of at least two ascending values. Uses two passes and corrects the rounding error of the mean. */
export function deviation(sorted: Float64Array, mean: number): number {
  const scale = scaleFor(Math.max(-sorted[0]!, sorted.at(-1)!));
  const center = mean * scale;
  let squares = 0,
    rest = 0;
  for (const value of sorted) {
    const apart = value * scale - center;
    squares += apart * apart;
    rest += apart;
  }
  const variance = Math.max(0, squares - (rest * rest) / sorted.length) / (sorted.length - 1);
  return finite(Math.sqrt(variance) / scale);
}

/** Sum of values times scale, with Neumaier's compensation: a hundred thousand costs of one cent add up exactly. */
function scaledSum(values: Numbers, scale: number): number {
  let sum = 0,
    lost = 0;
  for (const value of values) {
    const term = value * scale,
      next = sum + term;
    lost += Math.abs(sum) >= Math.abs(term) ? sum - next + term : term - next + sum;
    sum = next;
  }
  return sum + lost;
}

export function totalOrNull(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  let size = 0;
  for (const value of values) size = Math.max(size, Math.abs(value));
  const scale = scaleFor(size);
  return finite(scaledSum(values, scale) / scale);
}

export function quantileOrNull(sorted: Float64Array, q: number): number | null {
  return sorted.length === 0 ? null : quantile(sorted, q);
}

/** The same over the values of several ascending arrays together. */
export function quantileOfAll(arrays: readonly Float64Array[], q: number): number | null {
  const filled = arrays.filter(({ length }) => length > 0);
  if (filled.length < 2) return quantileOrNull(filled[0] ?? new Float64Array(0), q);
  const rank = (filled.reduce((sum, { length }) => sum + length, 0) - 1) * q;
  const below = Math.floor(rank);
  const ranks = rank === below ? [valueAt(filled, below)] : [valueAt(filled, below), valueAt(filled, below + 1)];
  return quantile(ranks, rank - below);
}

/** The value with this rank, from 0. Halves the range of values that it can be in. */
function valueAt(arrays: readonly Float64Array[], rank: number): number {
  let low = Math.min(...arrays.map((one) => one[0]!));
  let high = Math.max(...arrays.map((one) => one.at(-1)!));
  while (low < high) {
    // The sum of two huge values would overflow.
    const middle = low / 2 + high / 2;
    if (middle <= low || middle >= high) break;
    if (countUpTo(arrays, middle) > rank) high = middle;
    else low = middle;
  }
  return countUpTo(arrays, low) > rank ? low : high;
}

/** How many values are at most this one. */
function countUpTo(arrays: readonly Float64Array[], value: number): number {
  let count = 0;
  for (const one of arrays) {
    let from = 0;
    let to = one.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (one[middle]! <= value) from = middle + 1;
      else to = middle;
    }
    count += from;
  }
  return count;
}

/** A typed array sorts numerically, and several times faster than with a comparator. */
export function sorted(values: readonly number[]): Float64Array {
  return Float64Array.from(values).sort();
}

export function pushFinite(column: number[], value: number | null): void {
  if (value !== null && Number.isFinite(value)) column.push(value + 0);
}
