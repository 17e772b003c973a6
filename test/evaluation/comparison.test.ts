import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import t from 'tap';
import {
  meanByExample,
  pairedDifference,
  type PairedDifference,
  type Pairs,
} from '../../workers/evaluation/comparison.js';

/** One seed for good: a property that fails fails for everyone, and none fails by chance. */
fc.configureGlobal({ seed: 20_260_801, numRuns: 150 });

const pairsOf = (rows: readonly (readonly [baseline: number, candidate: number])[]): Pairs => ({
  baseline: Float64Array.from(rows, ([baseline]) => baseline),
  candidate: Float64Array.from(rows, ([, candidate]) => candidate),
});
const compared = (
  rows: readonly (readonly [number, number])[],
  more: { higherIsBetter?: boolean; seed?: number; confidence?: number; resamples?: number } = {},
): PairedDifference => pairedDifference(pairsOf(rows), { higherIsBetter: true, seed: 1, resamples: 300, ...more });
const shifted = (...differences: number[]): [number, number][] => differences.map((difference) => [0, difference]);

const score = fc.oneof(
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.integer({ min: -2, max: 2 }),
  fc.constantFrom(0, 1, -0),
);
const rows = fc.array(fc.tuple(score, score), { maxLength: 60 });
const seed = fc.maxSafeInteger();

function near(actual: number | null, wanted: number | null, tolerance: number, what: string): void {
  if (actual === null || wanted === null) assert.equal(actual, wanted, what);
  else assert.ok(Math.abs(actual - wanted) <= tolerance, `${what}: ${actual} is not ${wanted}`);
}

/** Uniform from 0 to 1, another generator than the one under test (mulberry32). */
function uniform(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Standard normal, by Box and Muller. */
const normal = (random: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

t.test('matches the plain formulas in counts, means and difference', (t) => {
  fc.assert(
    fc.property(rows, fc.boolean(), seed, (rows, higherIsBetter, seed) => {
      const result = compared(rows, { higherIsBetter, seed });
      const average = (values: number[]): number | null =>
        values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
      assert.equal(result.pairs, rows.length);
      near(result.baseline_mean, average(rows.map(([baseline]) => baseline)), 1e-6, 'baseline_mean');
      near(result.mean, average(rows.map(([, candidate]) => candidate)), 1e-6, 'mean');
      near(result.difference, average(rows.map(([baseline, candidate]) => candidate - baseline)), 1e-6, 'difference');
      assert.equal(
        result.improved,
        rows.filter(([baseline, candidate]) => (higherIsBetter ? candidate > baseline : candidate < baseline)).length,
      );
      assert.equal(result.unchanged, rows.filter(([baseline, candidate]) => candidate === baseline).length);
      assert.equal(result.improved + result.regressed + result.unchanged, rows.length);
      assert.equal(result.confidence, 0.95);
    }),
  );
  t.pass('150 comparisons');
  t.end();
});

t.test('keeps the interval around the difference and within the pairs, and derives the verdict from it', (t) => {
  fc.assert(
    fc.property(
      rows,
      fc.boolean(),
      seed,
      fc.constantFrom(0.01, 0.5, 0.95, 0.999),
      (rows, higherIsBetter, seed, confidence) => {
        const { interval, difference, verdict } = compared(rows, { higherIsBetter, seed, confidence });
        assert.equal(interval === null, rows.length < 2);
        if (interval === null) return assert.equal(verdict, 'not_enough_evidence');
        const [low, high] = interval,
          differences = rows.map(([baseline, candidate]) => candidate - baseline);
        assert.ok(low <= difference! && difference! <= high);
        const slack = 1e-6;
        assert.ok(low >= Math.min(...differences) - slack && high <= Math.max(...differences) + slack);
        const positive = low > 0,
          negative = high < 0;
        assert.equal(
          verdict,
          rows.length < 5 || (!positive && !negative)
            ? 'not_enough_evidence'
            : positive === higherIsBetter
              ? 'better'
              : 'worse',
        );
      },
    ),
  );
  t.pass('150 intervals');
  t.end();
});

t.test('returns identical results for the same seed', (t) => {
  fc.assert(
    fc.property(rows, seed, (rows, seed) => assert.deepEqual(compared(rows, { seed }), compared(rows, { seed }))),
  );
  const random = uniform(3);
  for (const length of [40, 2_500]) {
    const rows = Array.from({ length }, (): [number, number] => [random(), random()]);
    t.strictSame(compared(rows), compared(rows));
    t.strictNotSame(compared(rows, { seed: 1 }).interval, compared(rows, { seed: 2 }).interval);
    t.strictNotSame(
      compared(rows, { seed: 1 }).interval,
      compared(rows, { seed: 1 + 2 ** 32 }).interval,
      'all bits of a seed count',
    );
  }
  t.end();
});

t.test('negates everything when the experiments are swapped', (t) => {
  const opposite = { better: 'worse', worse: 'better', not_enough_evidence: 'not_enough_evidence' } as const;
  const long = fc.array(fc.tuple(score, score), { minLength: 1_001, maxLength: 1_200 });
  const swaps = (rows: [number, number][], seed: number): void => {
    const here = compared(rows, { seed }),
      there = compared(
        rows.map(([baseline, candidate]) => [candidate, baseline]),
        { seed },
      );
    assert.equal(there.difference, here.difference === null ? null : 0 - here.difference);
    near(there.interval?.[0] ?? null, here.interval === null ? null : -here.interval[1], 1e-6, 'low');
    near(there.interval?.[1] ?? null, here.interval === null ? null : -here.interval[0], 1e-6, 'high');
    assert.deepEqual(
      [there.baseline_mean, there.mean, there.improved, there.regressed, there.unchanged],
      [here.mean, here.baseline_mean, here.regressed, here.improved, here.unchanged],
    );
    if (here.interval === null || Math.min(...here.interval.map(Math.abs)) > 1e-6)
      assert.equal(there.verdict, opposite[here.verdict]);
  };
  fc.assert(fc.property(rows, seed, swaps));
  fc.assert(fc.property(long, seed, swaps), { numRuns: 10 });
  t.pass('160 swaps');
  t.end();
});

t.test('takes five agreeing pairs as evidence, and not four', (t) => {
  t.match(compared(shifted(1, 1, 1, 1, 1)), {
    interval: [1, 1],
    verdict: 'better',
    improved: 5,
    regressed: 0,
    unchanged: 0,
  });
  t.match(compared(shifted(1, 1, 1, 1, 1), { higherIsBetter: false }), {
    interval: [1, 1],
    verdict: 'worse',
    improved: 0,
    regressed: 5,
  });
  t.match(compared(shifted(-1, -2, -3, -2, -1), { higherIsBetter: false }), { verdict: 'better', improved: 5 });
  t.match(compared(shifted(1, 1, 1, 1)), { interval: [1, 1], verdict: 'not_enough_evidence' });
  t.match(compared(shifted(1, 2, 3, 4)), { verdict: 'not_enough_evidence' });
  t.match(compared(shifted(0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1)), { difference: 0.1, interval: [0.1, 0.1] });
  t.end();
});

t.test('handles no pairs, one pair, ties and negative zero', (t) => {
  const { mean, baseline_mean, difference, interval, pairs, verdict } = compared([]);
  t.strictSame(
    [mean, baseline_mean, difference, interval, pairs, verdict],
    [null, null, null, null, 0, 'not_enough_evidence'],
  );
  t.matchStrict(compared([[1, 3]]), {
    pairs: 1,
    baseline_mean: 1,
    mean: 3,
    difference: 2,
    interval: null,
    verdict: 'not_enough_evidence',
  });
  t.match(
    compared([
      [1, 3],
      [1, 3],
    ]),
    { interval: [2, 2], verdict: 'not_enough_evidence' },
  );
  const tied = compared(Array.from({ length: 50 }, (): [number, number] => [0, -0]));
  t.match(tied, { unchanged: 50, improved: 0, regressed: 0, verdict: 'not_enough_evidence' });
  for (const number of [tied.mean, tied.baseline_mean, tied.difference, ...tied.interval!]) t.ok(Object.is(number, 0));
  t.throws(() =>
    pairedDifference(
      { baseline: new Float64Array(1), candidate: new Float64Array(2) },
      { higherIsBetter: true, seed: 1 },
    ),
  );
  t.end();
});

t.test('handles the largest values', (t) => {
  const extreme = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, 1e308, -1e308, Number.MIN_VALUE, -0),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(extreme, extreme), { minLength: 2, maxLength: 40 }), (rows) => {
      const { mean, baseline_mean, difference, interval } = compared(rows);
      for (const number of [mean, baseline_mean, difference, ...interval!])
        assert.ok(Number.isFinite(number) && !Object.is(number, -0), String(number));
      assert.ok(interval![0] <= difference! && difference! <= interval![1]);
    }),
  );
  t.match(compared(shifted(1e308, 1e308, 1e308, 1e308, 1e308)), { difference: 1e308, verdict: 'better' });
  const [low, high] = compared(
    Array.from({ length: 100 }, (_, at): [number, number] => [0, at % 2 === 0 ? 1e308 : 0.8e308]),
  ).interval!;
  t.ok(low > 0.85e308 && low < 0.9e308 && high > 0.9e308 && high < 0.95e308, 'sums of a resample do not overflow');
  const apart = compared(
    Array.from({ length: 2_000 }, (_, at): [number, number] => [-1e308, at % 2 === 0 ? 1e308 : 1.5e308]),
  );
  t.match(apart, { difference: Number.MAX_VALUE, interval: [Number.MAX_VALUE, Number.MAX_VALUE], verdict: 'better' });
  t.end();
});

t.test('covers the true difference with about 95 of 100 intervals, in groups too', (t) => {
  for (const { length, trials, spread } of [
    { length: 60, trials: 600, spread: normal },
    { length: 200, trials: 400, spread: (random: () => number) => -Math.log(1 - random()) - 1 },
    { length: 1_500, trials: 200, spread: normal },
    { length: 5_000, trials: 200, spread: normal },
  ]) {
    const random = uniform(length);
    let held = 0;
    for (let trial = 0; trial < trials; trial += 1) {
      const rows = Array.from({ length }, (): [number, number] => {
        const hard = 5 * normal(random);
        return [hard, hard + 0.25 + spread(random)];
      });
      const [low, high] = compared(rows, { seed: trial, resamples: 400 }).interval!;
      if (low <= 0.25 && high >= 0.25) held += 1;
    }
    t.ok(held / trials > 0.9 && held / trials < 0.985, `${length} pairs: ${held} of ${trials}`);
  }
  t.end();
});

t.test('returns the same for groups as for single pairs', (t) => {
  // The textbook width stands in for the ungrouped bootstrap, which has that limit; 1,000 pairs are the last that are
  // ungrouped.
  for (const length of [1_000, 1_001, 1_500, 4_321, 20_000]) {
    const random = uniform(7 * length);
    const rows = Array.from({ length }, (): [number, number] => [random(), random() ** 2]);
    const { interval, difference } = compared(rows, { resamples: 4_000 });
    const variance =
      rows.reduce((sum, [baseline, candidate]) => sum + (candidate - baseline - difference!) ** 2, 0) / (length - 1);
    const half = 1.96 * Math.sqrt(variance / length);
    t.ok(Math.abs((interval![1] - interval![0]) / (2 * half) - 1) < 0.1, `${length}: width`);
    t.ok(
      Math.abs(interval![0] - (difference! - half)) < 0.15 * half &&
        Math.abs(interval![1] - (difference! + half)) < 0.15 * half,
      `${length}: ends`,
    );
  }
  const reference = ungrouped(1_500),
    grouped = compared(manyRows(1_500), { resamples: 4_000 }).interval!;
  const width = reference[1] - reference[0];
  t.ok(
    Math.abs(grouped[0] - reference[0]) < 0.08 * width && Math.abs(grouped[1] - reference[1]) < 0.08 * width,
    'against a plain bootstrap of 1,500 pairs',
  );
  t.end();
});

function manyRows(length: number): [number, number][] {
  const random = uniform(length);
  return Array.from({ length }, () => [random(), random() ** 2]);
}

/** The bootstrap as a textbook has it: every resample draws single pairs. */
function ungrouped(length: number): [number, number] {
  const differences = manyRows(length).map(([baseline, candidate]) => candidate - baseline),
    random = uniform(99);
  const means = Array.from({ length: 4_000 }, () => {
    let sum = 0;
    for (let at = 0; at < length; at += 1) sum += differences[Math.floor(random() * length)]!;
    return sum / length;
  }).sort((a, b) => a - b);
  return [means[100]!, means[3_899]!];
}

t.test('does not depend on the order of many pairs', (t) => {
  // Sorted pairs in unshuffled groups would make groups that have nothing in common, and an interval far too wide.
  const rows = manyRows(3_000),
    ascending = [...rows].sort((a, b) => a[1] - a[0] - (b[1] - b[0]));
  const here = compared(rows).interval!,
    there = compared(ascending).interval!;
  t.ok(Math.abs((there[1] - there[0]) / (here[1] - here[0]) - 1) < 0.2);
  t.end();
});

t.test('averages repetitions of an example', (t) => {
  t.strictSame(
    [
      ...meanByExample([
        ['b', 1],
        ['a', 4],
        ['b', 2],
        ['__proto__', 5],
        ['b', 6],
      ]),
    ],
    [
      ['b', 3],
      ['a', 4],
      ['__proto__', 5],
    ],
  );
  t.strictSame([...meanByExample([])], []);
  t.strictSame(
    [
      ...meanByExample([
        ['a', 1e308],
        ['a', 1e308],
      ]),
    ],
    [['a', 1e308]],
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', ''), score)), (values) => {
      for (const [exampleId, mean] of meanByExample(values)) {
        const own = values.filter(([id]) => id === exampleId).map(([, value]) => value);
        near(mean, own.reduce((sum, value) => sum + value, 0) / own.length, 1e-6, exampleId);
      }
    }),
  );
  t.end();
});
