import t, { type Test } from 'tap';
import { levelOf, pairedDifference } from '../../workers/evaluation/comparison.js';
import { changedPairsMin, isSignificant, signFlips } from '../../workers/evaluation/sign-flips.js';
import { normal, uniform } from '../helpers/random.js';

/**
 * How often verdicts are wrong, and how often a real difference is found. `VERDICT_TRIALS` multiplies the number of
 * simulated comparisons; `make verify` sets it through verdicts-long.test.ts.
 */
const TIMES = Number(process.env['VERDICT_TRIALS'] ?? 1);

/** Scores of both experiments on one example, when nothing has changed. */
const DISTRIBUTIONS: Record<string, (random: () => number) => [number, number]> = {
  normal(random) {
    const hard = 3 * normal(random);
    return [hard + normal(random), hard + normal(random)];
  },
  lognormal: (random) => [Math.exp(1.5 * normal(random)), Math.exp(1.5 * normal(random))],
  binary(random) {
    const easy = random() < 0.5 ? 0.9 : 0.4;
    return [random() < easy ? 1 : 0, random() < easy ? 1 : 0];
  },
  ties(random) {
    const score = (): number => (random() < 0.85 ? 1 : Math.round(random() * 4) / 4);
    return [score(), score()];
  },
};
const SEED = 20_260_101;
const LENGTHS: readonly [pairs: number, trials: number][] = [
  [3, 100],
  [5, 200],
  [6, 400],
  [8, 300],
  [12, 200],
  [13, 200],
  [20, 200],
  [50, 100],
  [200, 60],
  [600, 50],
  [1_000, 40],
];
const LEVELS = [0.95, 0.99].map(levelOf);
/** A count is too high if chance alone reaches it this rarely. The fixed seeds make the counts the same every time. */
const RARE = 1e-4;

interface Counts {
  trials: number;
  better: number;
  worse: number;
}

t.test('gives a false verdict at most as often as the confidence says, for better and worse', (t) => {
  for (const [name, draw] of Object.entries(DISTRIBUTIONS)) {
    const all = LEVELS.map((): Counts => ({ trials: 0, better: 0, worse: 0 }));
    for (const [length, trials] of LENGTHS) {
      falseVerdicts(draw, length, trials * TIMES).forEach((counts, at) => {
        const level = LEVELS[at]!;
        const what = `${name}, ${length} pairs at ${level}`;
        if (length < changedPairsMin(level)) t.equal(counts.better + counts.worse, 0, `${what}: no verdict possible`);
        checkShare(t, what, counts, level);
        all[at]!.trials += counts.trials;
        all[at]!.better += counts.better;
        all[at]!.worse += counts.worse;
      });
    }
    all.forEach((counts, at) => checkShare(t, `${name}, all at ${LEVELS[at]}`, counts, LEVELS[at]!));
  }
  t.end();
});

/** Verdicts at each of LEVELS on experiments that do not differ. */
function falseVerdicts(draw: (random: () => number) => [number, number], length: number, trials: number): Counts[] {
  const random = uniform(length * 1_000 + 5);
  const all = LEVELS.map((): Counts => ({ trials, better: 0, worse: 0 }));
  const differences = new Float64Array(length);
  for (let trial = 0; trial < trials; trial += 1) {
    let sum = 0;
    for (let at = 0; at < length; at += 1) {
      const [baseline, candidate] = draw(random);
      differences[at] = candidate - baseline;
      sum += candidate - baseline;
    }
    const { pValue } = signFlips(differences, SEED);
    all.forEach((counts, at) => {
      if (isSignificant(pValue, LEVELS[at]!)) counts[sum > 0 ? 'better' : 'worse'] += 1;
    });
  }
  return all;
}

function checkShare(t: Test, what: string, { trials, better, worse }: Counts, level: number): void {
  t.ok(chanceOf(better + worse, trials, level) > RARE, `${what}: ${better + worse} of ${trials}`);
  t.ok(chanceOf(better, trials, level / 2) > RARE, `${what}: ${better} better of ${trials}`);
  t.ok(chanceOf(worse, trials, level / 2) > RARE, `${what}: ${worse} worse of ${trials}`);
}

/** Probability that an event of this share happens so often or more often. */
function chanceOf(count: number, trials: number, share: number): number {
  let log = trials * Math.log1p(-share);
  let below = 0;
  for (let at = 0; at < count; at += 1) {
    below += Math.exp(log);
    log += Math.log(((trials - at) / (at + 1)) * (share / (1 - share)));
  }
  return 1 - below;
}

t.test('finds a real difference', (t) => {
  const random = uniform(4);
  /** Share of comparisons with the verdict `better`. */
  const found = (length: number, draw: () => [number, number]): number => {
    const trials = 60 * TIMES;
    let better = 0;
    for (let trial = 0; trial < trials; trial += 1) {
      const rows = Array.from({ length }, draw);
      const { verdict } = pairedDifference(
        {
          baseline: Float64Array.from(rows, ([baseline]) => baseline),
          candidate: Float64Array.from(rows, ([, candidate]) => candidate),
        },
        { higherIsBetter: true, seed: SEED },
      );
      if (verdict === 'better') better += 1;
    }
    return better / trials;
  };
  const shift = (by: number) => (): [number, number] => {
    const hard = 3 * normal(random);
    return [hard, hard + by + normal(random)];
  };
  // A t-test finds a difference of one standard deviation in 56 % of comparisons of 6 pairs, 80 % of 10, 99 % of 20,
  // and one of half a standard deviation in 94 % of 50 pairs.
  t.ok(found(6, shift(1)) > 0.3, '6 pairs, one standard deviation');
  t.ok(found(10, shift(1)) > 0.6, '10 pairs, one standard deviation');
  t.ok(found(20, shift(1)) > 0.9, '20 pairs, one standard deviation');
  t.ok(found(50, shift(0.5)) > 0.8, '50 pairs, half a standard deviation');
  t.ok(found(1_000, shift(0.15)) > 0.9, '1,000 pairs, 0.15 standard deviations');
  const fixed = (): [number, number] => {
    const before = random() < 0.6 ? 1 : 0;
    return [before, before === 1 || random() < 0.5 ? 1 : 0];
  };
  t.ok(found(50, fixed) > 0.9, 'of 50 examples, half of the wrong answers become right');
  t.end();
});

t.test('covers the true difference as often as the confidence says', (t) => {
  for (const [length, trials] of [
    [6, 300],
    [10, 300],
    [30, 150],
    [100, 100],
    [800, 60],
  ] as const) {
    const random = uniform(length + 17);
    let covered = 0;
    for (let trial = 0; trial < trials * TIMES; trial += 1) {
      const differences = Float64Array.from({ length }, () => 0.4 + normal(random));
      const [low, high] = signFlips(differences, SEED).intervalAt(0.05)!;
      if (low <= 0.4 && high >= 0.4) covered += 1;
    }
    const missed = trials * TIMES - covered;
    t.ok(chanceOf(missed, trials * TIMES, 0.05) > RARE, `${length} pairs: ${missed} of ${trials * TIMES} missed`);
  }
  t.end();
});
