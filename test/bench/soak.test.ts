import t from 'tap';
import { chart } from '../../bench/soak/chart.js';
import { fit, judge, lowerEnvelope, type Point } from '../../bench/soak/judge.js';
import { SERIES } from '../../bench/soak/series.js';
import { soak } from '../../bench/soak/soak.js';
import { failures, verdicts } from '../../bench/soak/verdicts.js';

const SECONDS = 600;
const LEAST_RISE = 4;

/** A value a second, and noise from -1 to 1 times `noise`, the same every time. */
function series(of: (at: number) => number, noise = 0, seed = 1): Point[] {
  let state = seed;
  return Array.from({ length: SECONDS }, (_, at) => {
    state = (state * 48_271) % 2_147_483_647;
    return { at, value: of(at) + noise * ((state / 2_147_483_647) * 2 - 1) };
  });
}
/** As a heap: up by 30 and down again every 40 s. */
const sawtooth = (at: number): number => ((at % 40) / 40) * 30;
const SEEDS = Array.from({ length: 200 }, (_, at) => at * 7_919 + 1);

void t.test('detects growth under noise and under a heap that rises and falls', async (t) => {
  for (const seed of SEEDS)
    t.ok(
      judge(
        series((at) => 100 + at * 0.05, 10, seed),
        LEAST_RISE,
      ).grows,
      `seed ${seed}`,
    );
  const heap = judge(
    series((at) => 100 + at * 0.05 + sawtooth(at), 2),
    LEAST_RISE,
  );
  t.ok(heap.grows);
  t.ok(Math.abs(heap.slope - 0.05) < 0.02, `${heap.slope} a second`);
  t.ok(
    judge(
      series((at) => 100 + (at / 100) ** 2),
      LEAST_RISE,
    ).grows,
    'faster and faster',
  );
});

void t.test('detects no growth in a flat series', async (t) => {
  for (const seed of SEEDS)
    t.notOk(
      judge(
        series(() => 100, 30, seed),
        0,
      ).grows,
      `noise alone, seed ${seed}`,
    );
  t.notOk(
    judge(
      series((at) => 100 + sawtooth(at), 5),
      0,
    ).grows,
  );
  t.notOk(
    judge(
      series(() => 40),
      0,
    ).grows,
    'always the same',
  );
  t.notOk(
    judge(
      series((at) => 100 - at * 0.05, 1),
      0,
    ).grows,
    'less and less',
  );
});

void t.test('detects no growth in a series that saturates or has one step', async (t) => {
  for (const part of [10, 6])
    t.notOk(
      judge(
        series((at) => 100 + 200 * (1 - Math.exp((-at * part) / SECONDS)), 1),
        LEAST_RISE,
      ).grows,
      `${part} times its time constant`,
    );
  t.notOk(
    judge(
      series((at) => (at < 0.5 * SECONDS ? 100 : 150), 1),
      LEAST_RISE,
    ).grows,
    'early',
  );
  t.notOk(
    judge(
      series((at) => (at < 0.9 * SECONDS ? 100 : 150), 1),
      LEAST_RISE,
    ).grows,
    'late',
  );
});

void t.test('ignores a rise below the threshold, however steady', async (t) => {
  const slow = series((at) => 100 + at * 0.009);
  t.notOk(judge(slow, 0).grows, '3.6 % in the measured time');
  t.ok(
    judge(
      series((at) => 50 + at * 0.009),
      0,
    ).grows,
    '7 %',
  );
  t.notOk(
    judge(
      series((at) => 50 + at * 0.009),
      4,
    ).grows,
    'less than the least',
  );
});

void t.test('fits the line and its error by least squares', async (t) => {
  // By hand: mean 2 and 3, sum of products 4, of squares 10; residuals -0.16 0.42 0 -0.62 0.36, neighbours not alike,
  // their squares 0.716.
  const { slope, standardError, level } = fit([2, 3, 3, 2.8, 4.2].map((value, at) => ({ at, value })));
  t.ok(Math.abs(slope - 0.42) < 1e-12 && Math.abs(level - 2.16) < 1e-12, `${slope}, ${level}`);
  t.ok(Math.abs(standardError - Math.sqrt(0.716 / 3 / 10)) < 1e-12, `${standardError}`);
  const error = (run: number): number =>
    fit(Array.from({ length: 60 }, (_, at) => ({ at, value: Math.floor(at / run) % 2 }))).standardError;
  t.ok(error(3) > 1.4 * error(1) && error(3) < 1.5 * error(1), 'neighbours that are alike tell less');
});

void t.test('skips windows without samples and refuses too few windows', async (t) => {
  t.equal(lowerEnvelope(series(() => 1)).length, 20);
  t.throws(
    () =>
      judge(
        series(() => 1).filter((_, at) => at % 100 === 0),
        0,
      ),
    /too few to judge/,
  );
});

void t.test('runs a soak of seconds without errors and draws its chart', { timeout: 300_000 }, async (t) => {
  const result = await soak({
    seconds: 6,
    runs: 20,
    sampleMs: 100,
    preludeSeconds: 1,
    restSeconds: 1,
    recoverySecondsMax: 1,
  });
  t.strictSame([...result.errors], []);
  for (const what of [
    'short runs',
    'runs on threads',
    'streams broken off and resumed',
    'streams read to their end',
    'experiments uploaded',
    'cancels, interrupt',
    'cancels, rollback',
    'items',
    'WebSockets',
    'rounds of crons',
  ]) {
    t.ok(result.done.get(what)! > 0, what);
  }
  t.ok(result.samples.length >= 5, `${result.samples.length} samples`);
  const { values } = result.samples.at(-1)!;
  for (const { name } of SERIES) t.ok(Number.isFinite(values[name]) && values[name] >= 0, `${name}: ${values[name]}`);
  for (const name of [
    'frontHeap',
    'workerHeap',
    'ownMemory',
    'resident',
    'storeFile',
    'files',
    'threads',
    'readerSlots',
    'connections',
  ] as const)
    t.ok(values[name] > 0, `${name}: ${values[name]}`);
  const svg = chart(result);
  t.match(svg, /^<svg [\s\S]*<\/svg>$/);
  for (const { title } of SERIES) t.ok(svg.includes(title), title);
});

void t.test('gives every series a verdict', async (t) => {
  const names = SERIES.map(({ name }) => name);
  const sample = (at: number, value: number) => ({
    at,
    values: Object.fromEntries(names.map((name) => [name, value])) as never,
  });
  const growing = {
    done: new Map(),
    errors: new Map(),
    samples: series((at) => 100 + at).map(({ at, value }) => sample(at, value)),
    rest: { before: sample(0, 1), after: sample(SECONDS, 9) },
  };
  t.strictSame(
    verdicts(growing).map(({ judgement, rest }) => [judgement.grows, rest.back]),
    SERIES.map(({ restTolerance }) => [true, restTolerance === null]),
  );
  const heaps = ['Heap of the front thread', 'Heap of the workers', 'Memory without file pages', 'Resident memory'];
  const saidToGrow = (result: typeof growing): string[] =>
    failures(result, verdicts(result)).flatMap((one) => (/ grows: /.test(one) ? [one.replace(/ grows: .*/, '')] : []));
  t.strictSame(
    saidToGrow(growing),
    SERIES.map(({ title }) => title).filter((title) => !heaps.includes(title)),
    'in ten minutes heaps are still settling',
  );
  const long = { ...growing, samples: growing.samples.map(({ at, values }) => ({ at: at * 4.6, values })) };
  t.strictSame(
    saidToGrow(long),
    SERIES.map(({ title }) => title),
    'in 46 minutes they are judged as everything else',
  );
});
