import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import t from 'tap';
import { NO_USAGE } from '../../src/domain/usage.js';
import { restAfter } from '../../src/services/evaluation/statistics.js';
import { feedbackStats, type FeedbackFact } from '../../workers/evaluation/feedback-statistics.js';
import { quantile } from '../../workers/evaluation/numbers.js';
import { experimentStats, type RunFact } from '../../workers/evaluation/run-statistics.js';

/** One seed for good: a property that fails fails for everyone, and none fails by chance. */
fc.configureGlobal({ seed: 20_260_801, numRuns: 300 });

const EMPTY_FACT: FeedbackFact = { key: 'k', score: null, label: null, comment: null, error: false, source: null };
const EMPTY_RUN: RunFact = {
  startUs: 0,
  endUs: null,
  failed: false,
  root: true,
  firstTokenUs: null,
  ...NO_USAGE,
  feedback: [],
};
const scored = (...scores: (number | null)[]): FeedbackFact[] => scores.map((score) => ({ ...EMPTY_FACT, score }));

const awkwardName = fc.constantFrom('correct', '', '__proto__', 'constructor', 'toString', '0', 'ä');
const score = fc.oneof(
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom(0, 1, -0),
);
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const factOf = (score: fc.Arbitrary<number>): fc.Arbitrary<FeedbackFact> =>
  fc.record({
    key: awkwardName,
    score: orNull(score),
    label: orNull(awkwardName),
    comment: orNull(fc.constantFrom('', ' ', 'good', 'bad', 'so so')),
    error: fc.boolean(),
    source: orNull(awkwardName),
  });
const timeUs = fc.integer({ min: 1_700_000_000_000_000, max: 1_700_000_100_000_000 });
const run: fc.Arbitrary<RunFact> = fc.record({
  startUs: timeUs,
  endUs: orNull(timeUs),
  failed: fc.boolean(),
  root: fc.boolean(),
  firstTokenUs: orNull(timeUs),
  totalTokens: orNull(fc.nat()),
  promptTokens: orNull(fc.nat()),
  completionTokens: orNull(fc.nat()),
  totalCost: orNull(fc.double({ min: 0, max: 10, noNaN: true })),
  promptCost: orNull(fc.constant(0.1)),
  completionCost: orNull(fc.constant(0)),
  feedback: fc.array(factOf(score), { maxLength: 4 }),
});

function near(actual: number | null, wanted: number | null, what: string): void {
  if (actual === null || wanted === null) assert.equal(actual, wanted, what);
  else
    assert.ok(Math.abs(actual - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted)), `${what}: ${actual} is not ${wanted}`);
}

/** Every number anywhere inside is finite and not -0. */
function plain(value: unknown): void {
  if (typeof value === 'number') assert.ok(Number.isFinite(value) && !Object.is(value, -0), String(value));
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach(plain);
}

const present = (values: (number | null)[]): number[] => values.filter((value) => value !== null);
const naiveSum = (values: number[]): number => values.reduce((sum, value) => sum + value, 0);
const naiveTotal = (values: (number | null)[]): number | null =>
  present(values).length === 0 ? null : naiveSum(present(values));

/** From all pairs of values: no mean, no sum of squares. */
function naiveDeviation(values: number[]): number | null {
  if (values.length < 2) return null;
  let apart = 0;
  for (const one of values) for (const other of values) apart += (one - other) ** 2 / 2;
  return Math.sqrt(apart / (values.length * (values.length - 1)));
}

function naiveQuantile(values: number[], q: number): number | null {
  if (values.length === 0) return null;
  const ascending = [...values].sort((a, b) => a - b);
  const rank = q * (values.length - 1),
    whole = Math.trunc(rank);
  return (1 - (rank - whole)) * ascending[whole]! + (rank - whole) * (ascending[whole + 1] ?? 0);
}

t.test('matches the plain formulas in feedback statistics', (t) => {
  fc.assert(
    fc.property(fc.array(factOf(score), { maxLength: 60 }), (facts) => {
      const stats = feedbackStats(facts);
      plain(stats);
      assert.deepEqual(new Set(Object.keys(stats)), new Set(facts.map(({ key }) => key)));
      for (const [key, one] of Object.entries(stats)) {
        const own = facts.filter((fact) => fact.key === key),
          scores = present(own.map((fact) => fact.score));
        assert.equal(one.n, own.length);
        near(one.avg, scores.length === 0 ? null : naiveSum(scores) / scores.length, 'avg');
        near(one.stdev, naiveDeviation(scores), 'stdev');
        near(one.min, naiveQuantile(scores, 0), 'min');
        near(one.max, naiveQuantile(scores, 1), 'max');
        near(one.median, naiveQuantile(scores, 0.5), 'median');
        assert.equal(one.errors, own.filter(({ error }) => error).length);
        const labels = own.flatMap(({ label }) => label ?? []);
        assert.deepEqual(
          new Map(Object.entries(one.values)),
          new Map(labels.map((label) => [label, labels.filter((other) => other === label).length])),
        );
        assert.deepEqual(one.comments, own.flatMap(({ comment }) => (comment ? [comment] : [])).slice(0, 10));
        assert.deepEqual(
          one.sources,
          own.flatMap(({ source }) => source ?? []).filter((source, at, all) => all.indexOf(source) === at),
        );
        assert.equal(one.contains_thread_feedback, false);
      }
    }),
  );
  t.pass('300 sets of feedback');
  t.end();
});

t.test('matches the plain formulas in experiment statistics', (t) => {
  fc.assert(
    fc.property(fc.array(run, { maxLength: 40 }), (runs) => {
      const stats = experimentStats(runs);
      plain(stats);
      const roots = runs.filter(({ root }) => root),
        streamed = roots.filter(({ firstTokenUs }) => firstTokenUs !== null);
      const seconds = (end: (run: RunFact) => number | null): number[] =>
        roots.flatMap((one) => (end(one) === null ? [] : [(end(one)! - one.startUs) / 1e6]));
      assert.equal(stats.run_count, roots.length);
      near(
        stats.latency_p50,
        naiveQuantile(
          seconds(({ endUs }) => endUs),
          0.5,
        ),
        'latency_p50',
      );
      near(
        stats.latency_p99,
        naiveQuantile(
          seconds(({ endUs }) => endUs),
          0.99,
        ),
        'latency_p99',
      );
      near(
        stats.first_token_p50,
        naiveQuantile(
          seconds(({ firstTokenUs }) => firstTokenUs),
          0.5,
        ),
        'first_token_p50',
      );
      near(
        stats.first_token_p99,
        naiveQuantile(
          seconds(({ firstTokenUs }) => firstTokenUs),
          0.99,
        ),
        'first_token_p99',
      );
      near(stats.total_tokens, naiveTotal(roots.map((one) => one.totalTokens)), 'total_tokens');
      near(stats.prompt_tokens, naiveTotal(roots.map((one) => one.promptTokens)), 'prompt_tokens');
      near(stats.completion_tokens, naiveTotal(roots.map((one) => one.completionTokens)), 'completion_tokens');
      near(stats.total_cost, naiveTotal(roots.map((one) => one.totalCost)), 'total_cost');
      near(stats.prompt_cost, naiveTotal(roots.map((one) => one.promptCost)), 'prompt_cost');
      near(stats.completion_cost, naiveTotal(roots.map((one) => one.completionCost)), 'completion_cost');
      assert.equal(stats.last_run_start_us, roots.map(({ startUs }) => startUs).sort((a, b) => b - a)[0] ?? null);
      assert.equal(
        stats.error_rate,
        roots.length === 0 ? null : roots.filter(({ failed }) => failed).length / roots.length,
      );
      assert.equal(stats.streaming_rate, streamed.length === 0 ? null : streamed.length / roots.length);
      assert.deepEqual(stats.feedback_stats, feedbackStats(runs.flatMap(({ feedback }) => feedback)));
    }),
  );
  t.pass('300 sets of runs');
  t.end();
});

t.test('increases quantiles with q, within their ranks', (t) => {
  const values = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 30 });
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(values, part, (unsorted, q) => {
      const sorted = Float64Array.from(unsorted).sort();
      const at = quantile(sorted, q),
        rank = q * (sorted.length - 1);
      plain(at);
      assert.ok(at >= sorted[Math.floor(rank)]! && at <= sorted[Math.ceil(rank)]!);
      assert.equal(
        quantile(
          sorted.map(() => sorted[0]!),
          q,
        ),
        sorted[0]! + 0,
      );
      assert.equal(quantile([...sorted], q), at);
    }),
  );
  t.equal(quantile([1, 2, 3, 4], 0.5), 2.5);
  t.equal(quantile([1, 2, 3, 4, 5], 0.25), 2);
  t.equal(quantile([7], 0.99), 7);
  t.equal(quantile([-Number.MAX_VALUE, Number.MAX_VALUE], 0.5), 0);
  t.throws(() => quantile([], 0.5));
  t.end();
});

t.test('handles the largest and smallest scores', (t) => {
  const extreme = fc.oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, 1e308, -1e308, Number.MIN_VALUE, -Number.MIN_VALUE, -0, 0),
  );
  fc.assert(
    fc.property(fc.array(extreme, { minLength: 1, maxLength: 50 }), (scores) => {
      const { k } = feedbackStats(scored(...scores));
      plain(k);
      assert.ok(k!.min! <= k!.avg! && k!.avg! <= k!.max!);
      assert.ok(k!.min! <= k!.median! && k!.median! <= k!.max!);
      plain(experimentStats(scores.map((totalCost) => ({ ...EMPTY_RUN, totalCost, totalTokens: totalCost }))));
    }),
  );
  t.match(feedbackStats(scored(1e308, 1e308, 1e308)).k, { avg: 1e308, stdev: 0, median: 1e308 });
  t.match(feedbackStats(scored(1e308, -1e308)).k, { avg: 0, stdev: Math.SQRT2 * 1e308 });
  t.match(feedbackStats(scored(Number.MAX_VALUE, -Number.MAX_VALUE)).k, { avg: 0, stdev: Number.MAX_VALUE });
  t.ok(Math.abs(feedbackStats(scored(1e-200, 3e-200)).k!.stdev! / (Math.SQRT2 * 1e-200) - 1) < 1e-12);
  t.ok(Math.abs(feedbackStats(scored(1e15, 1e15 + 1, 1e15 + 2)).k!.stdev! - 1) < 1e-12, 'a small spread far from 0');
  // Their mean is no double, so that deviations from the nearest one alone would be wrong by 41 %.
  t.ok(Math.abs(feedbackStats(scored(1e16, 1e16 + 2)).k!.stdev! - Math.SQRT2) < 1e-12);
  t.equal(
    experimentStats([1e308, 1e308].map((totalCost) => ({ ...EMPTY_RUN, totalCost }))).total_cost,
    Number.MAX_VALUE,
  );
  t.end();
});

t.test('scales statistics with the scores', (t) => {
  // A power of two rounds nothing, so the same digits must come out at either end of the range.
  const shifts = fc.constantFrom(-900, -60, 60, 900),
    scores = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 2, maxLength: 20 });
  fc.assert(
    fc.property(scores, shifts, (scores, shift) => {
      const by = 2 ** shift,
        here = feedbackStats(scored(...scores)).k!,
        there = feedbackStats(scored(...scores.map((one) => one * by))).k!;
      for (const name of ['avg', 'stdev', 'min', 'max', 'median'] as const)
        assert.equal(there[name], here[name]! * by + 0, name);
    }),
  );
  t.pass('300 shifts');
  t.end();
});

t.test('handles single and missing scores, booleans, negative zero and non-numbers', (t) => {
  t.strictSame(feedbackStats([]), {});
  t.strictSame(feedbackStats(scored(null)).k, {
    n: 1,
    avg: null,
    stdev: null,
    min: null,
    max: null,
    median: null,
    errors: 0,
    values: {},
    comments: [],
    sources: [],
    contains_thread_feedback: false,
  });
  t.matchStrict(feedbackStats(scored(0.3)).k, { n: 1, avg: 0.3, stdev: null, min: 0.3, max: 0.3, median: 0.3 });
  t.match(feedbackStats(scored(1, 0, 1, null, 1)).k, { n: 5, avg: 0.75, stdev: 0.5, min: 0, max: 1, median: 1 });
  t.match(feedbackStats(scored(NaN, Infinity, 2)).k, { n: 3, avg: 2, min: 2, max: 2 });
  for (const name of ['avg', 'min', 'max', 'median'] as const)
    t.ok(Object.is(feedbackStats(scored(-0)).k![name], 0), name);
  t.match(feedbackStats(scored(0.1, 0.1, 0.1)).k, { avg: 0.1, stdev: 0, median: 0.1 });
  t.end();
});

t.test('accepts any key and label name', (t) => {
  const stats = feedbackStats(
    ['__proto__', 'constructor', ''].map((key) => ({ ...EMPTY_FACT, key, label: '__proto__', score: 1 })),
  );
  t.strictSame(Object.keys(stats), ['__proto__', 'constructor', '']);
  t.equal(Object.getPrototypeOf(stats), Object.prototype);
  t.strictSame(JSON.parse(JSON.stringify(stats['']!.values)), JSON.parse('{"__proto__":1}'));
  t.end();
});

t.test('shows ten comments, and each source once', (t) => {
  const facts = Array.from({ length: 24 }, (_, at) => ({
    ...EMPTY_FACT,
    comment: at % 2 === 0 ? '' : `comment ${at}`,
    source: at % 3 === 0 ? 'human' : 'model',
  }));
  const { k } = feedbackStats(facts);
  t.strictSame(
    k!.comments,
    [1, 3, 5, 7, 9, 11, 13, 15, 17, 19].map((at) => `comment ${at}`),
  );
  t.strictSame(k!.sources, ['human', 'model']);
  t.end();
});

t.test('counts child runs for feedback only, and returns null without runs', (t) => {
  const child: RunFact = {
    ...EMPTY_RUN,
    root: false,
    endUs: 5,
    failed: true,
    firstTokenUs: 1,
    totalTokens: 9,
    totalCost: 1,
    feedback: scored(1),
  };
  const nothing = {
    run_count: 0,
    latency_p50: null,
    latency_p99: null,
    first_token_p50: null,
    first_token_p99: null,
    total_tokens: null,
    prompt_tokens: null,
    completion_tokens: null,
    total_cost: null,
    prompt_cost: null,
    completion_cost: null,
    last_run_start_us: null,
    feedback_stats: {},
    error_rate: null,
    streaming_rate: null,
  };
  t.strictSame(experimentStats([]), nothing);
  t.strictSame(experimentStats([child]), { ...nothing, feedback_stats: feedbackStats(scored(1)) });
  t.matchStrict(experimentStats([EMPTY_RUN]), {
    run_count: 1,
    latency_p50: null,
    error_rate: 0,
    streaming_rate: null,
    last_run_start_us: 0,
  });
  t.end();
});

t.test('handles a hundred thousand runs and adds up their costs exactly', (t) => {
  const runs = Array.from({ length: 100_000 }, (_, at): RunFact => ({
    ...EMPTY_RUN,
    startUs: at,
    endUs: at + 1e6 * (at % 101),
    totalCost: 0.01,
    totalTokens: at,
    feedback: scored(at % 2),
  }));
  t.match(experimentStats(runs), {
    run_count: 100_000,
    latency_p50: 50,
    latency_p99: 99,
    total_cost: 1000,
    total_tokens: 4_999_950_000,
    last_run_start_us: 99_999,
    feedback_stats: { k: { n: 100_000, avg: 0.5, median: 0.5 } },
  });
  t.end();
});

t.test('computes the statistics of a project in the background at most every 10 s', (t) => {
  const ofProject = (workMs: number): number => restAfter(workMs, true);
  t.equal(ofProject(20), 10_000, 'it changes all the time');
  t.equal(ofProject(20_000), 60_000, 'and never for more than a quarter of the thread');
  t.equal(restAfter(20, false), 60, 'an experiment is computed again at once');
  t.end();
});
