import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import t from 'tap';
import {
  holm,
  meanByExample,
  pairedDifference,
  type PairedDifference,
  type Pairs,
} from '../../workers/evaluation/comparison.js';
import { normal, uniform } from '../helpers/random.js';

/** One seed for good: a property that fails fails for everyone, and none fails by chance. */
fc.configureGlobal({ seed: 20_260_801, numRuns: 150 });

const pairsOf = (rows: readonly (readonly [baseline: number, candidate: number])[]): Pairs => ({
  baseline: Float64Array.from(rows, ([baseline]) => baseline),
  candidate: Float64Array.from(rows, ([, candidate]) => candidate),
});
const compared = (
  rows: readonly (readonly [number, number])[],
  more: { higherIsBetter?: boolean; seed?: number; confidence?: number } = {},
): PairedDifference => pairedDifference(pairsOf(rows), { higherIsBetter: true, seed: 1, ...more });
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

t.test('keeps the interval around the difference, within the pairs and in agreement with the verdict', (t) => {
  fc.assert(
    fc.property(
      rows,
      fc.boolean(),
      seed,
      fc.constantFrom(0.01, 0.5, 0.95, 0.999, 0.999999),
      (rows, higherIsBetter, seed, confidence) => {
        const result = compared(rows, { higherIsBetter, seed, confidence });
        const { interval, difference, verdict, improved, regressed, changed_pairs_min: changedMin } = result;
        if (improved + regressed < changedMin) assert.equal(verdict, 'not_enough_evidence');
        assert.equal(verdict !== 'not_enough_evidence', result.p_value !== null && result.p_value <= 1 - confidence);
        if (interval === null) return assert.equal(verdict, 'not_enough_evidence');
        const [low, high] = interval,
          differences = rows.map(([baseline, candidate]) => candidate - baseline);
        assert.ok(low <= difference! && difference! <= high);
        const slack = 1e-6;
        if (confidence < 0.99)
          assert.ok(low >= Math.min(0, ...differences) - slack && high <= Math.max(0, ...differences) + slack);
        const positive = low > 0,
          negative = high < 0;
        assert.equal(
          verdict,
          !positive && !negative ? 'not_enough_evidence' : positive === higherIsBetter ? 'better' : 'worse',
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

t.test('takes six agreeing changes as evidence at 95 %, and not five', (t) => {
  t.match(compared(shifted(1, 1, 1, 1, 1, 1)), {
    interval: [1, 1],
    verdict: 'better',
    p_value: 2 / 64,
    changed_pairs_min: 6,
    improved: 6,
    regressed: 0,
    unchanged: 0,
  });
  t.match(compared(shifted(1, 1, 1, 1, 1, 1), { higherIsBetter: false }), {
    interval: [1, 1],
    verdict: 'worse',
    improved: 0,
    regressed: 6,
  });
  t.match(compared(shifted(-1, -2, -3, -2, -1, -1), { higherIsBetter: false }), { verdict: 'better', improved: 6 });
  t.match(compared(shifted(1, 1, 1, 1, 1)), { interval: null, p_value: 2 / 32, verdict: 'not_enough_evidence' });
  t.match(compared(shifted(-1, -1, -1, 0, 0)), { p_value: 1 / 4, verdict: 'not_enough_evidence' }, 'ties do not count');
  t.match(compared(shifted(-1, -1, -1, ...Array<number>(97).fill(0))), { p_value: 1 / 4, regressed: 3, pairs: 100 });
  t.match(compared(shifted(0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1)), { difference: 0.1, interval: [0.1, 0.1] });
  for (const [confidence, needed] of [
    [0.8, 4],
    [0.9, 5],
    [0.9375, 5],
    [0.95, 6],
    [0.99, 8],
    [0.999, 11],
  ] as const) {
    const ones = (length: number): PairedDifference =>
      compared(shifted(...Array<number>(length).fill(1)), { confidence });
    t.match(ones(needed), { verdict: 'better', changed_pairs_min: needed }, `${confidence}: ${needed}`);
    t.match(ones(needed - 1), { verdict: 'not_enough_evidence', interval: null }, `${confidence}: ${needed - 1}`);
  }
  t.end();
});

t.test('counts every sign pattern of a few pairs, and estimates the share for more', (t) => {
  const exact = (differences: readonly number[]): number => {
    const observed = Math.abs(differences.reduce((sum, one) => sum + one, 0));
    let extreme = 0;
    for (let mask = 0; mask < 2 ** differences.length; mask += 1) {
      const sum = differences.reduce((total, one, at) => total + (((mask >> at) & 1) === 1 ? -one : one), 0);
      if (Math.abs(sum) >= observed - 1e-9) extreme += 1;
    }
    return extreme / 2 ** differences.length;
  };
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -30, max: 40 }), { minLength: 1, maxLength: 12 }), (tenths) => {
      const differences = tenths.map((one) => one / 10);
      near(compared(shifted(...differences)).p_value, exact(differences), 1e-12, 'p_value');
    }),
  );
  const random = uniform(5);
  for (const length of [13, 15, 17]) {
    const differences = Array.from({ length }, () => Math.round(20 * (random() - 0.35)) / 10);
    near(compared(shifted(...differences)).p_value, exact(differences), 0.02, `${length} pairs`);
  }
  t.end();
});

t.test('bounds tiny p-values, so that any confidence can be reached', (t) => {
  const random = uniform(8);
  const clear = Array.from({ length: 2_000 }, (): [number, number] => [0, 1 + normal(random)]);
  t.match(compared(clear, { confidence: 1 - 1e-12 }), { verdict: 'better' });
  t.ok(compared(clear).p_value! < 1e-100);
  t.end();
});

t.test('corrects many verdicts with the method of Holm', (t) => {
  const corrected = holm([0.03, 0.001, 0.2, 0.012], 0.05);
  t.strictSame(
    corrected.map(({ pValue }) => Math.round(pValue * 1e6) / 1e6),
    [0.06, 0.004, 0.2, 0.036],
  );
  t.strictSame(
    corrected.map(({ level }) => Math.round(0.05 / level)),
    [2, 4, 2, 3],
    'each is judged at its step; the ones after the first failure at that step',
  );
  t.strictSame(holm([], 0.05), []);
  t.strictSame(holm([0.05], 0.05), [{ level: 0.05, pValue: 0.05 }]);
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
    { interval: null, verdict: 'not_enough_evidence' },
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
      for (const number of [mean, baseline_mean, difference, ...(interval ?? [])])
        assert.ok(Number.isFinite(number) && !Object.is(number, -0), String(number));
      assert.ok(interval === null || (interval[0] <= difference! && difference! <= interval[1]));
    }),
  );
  t.match(compared(shifted(1e308, 1e308, 1e308, 1e308, 1e308, 1e308)), { difference: 1e308, verdict: 'better' });
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

t.test('has the width of the textbook interval where that applies', (t) => {
  for (const length of [300, 512, 513, 1_500, 20_000]) {
    const rows = manyRows(length);
    const { interval, difference } = compared(rows);
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
  t.end();
});

function manyRows(length: number): [number, number][] {
  const random = uniform(length);
  return Array.from({ length }, () => [random(), random() ** 1.5]);
}

t.test('does not depend on the order of the pairs, bit for bit', (t) => {
  for (const length of [7, 11, 40, 3_000]) {
    const rows = manyRows(length);
    const ascending = [...rows].sort((a, b) => a[1] - a[0] - (b[1] - b[0]));
    t.strictSame(compared(ascending), compared(rows), `${length} pairs`);
    t.strictSame(compared([...rows].reverse()), compared(rows));
  }
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
