import * as fc from 'fast-check';
import t from 'tap';
import { NO_USAGE } from '../../src/domain/usage.js';
import { packBlock } from '../../src/store/evaluation/blocks.js';
import { keys, type Key } from '../../src/store/keys.js';
import type { Range, Reader } from '../../src/store/reader.js';
import { pack } from '../../src/wire/codec.js';
import { packEvaluationRun, type TextRun } from '../../src/wire/evaluation/evaluation-run.js';
import { NOT_ENDED } from '../../src/wire/runs/trace-steps.js';
import { Facets } from '../../workers/evaluation/facets.js';
import { ListFacts } from '../../workers/evaluation/list-facts.js';
import { tracesOf } from '../../workers/evaluation/list-traces.js';

const LIST = 7;
const RUNS_PER_BLOCK = 3;

/** A store that has only the blocks of one list. */
function readerOf(runs: readonly TextRun[], feedback: readonly Uint8Array[] = []): Reader {
  const entries: [Key, Uint8Array][] = [];
  for (let first = 0; first < runs.length; first += RUNS_PER_BLOCK)
    entries.push([
      keys.block('R', LIST, first),
      packBlock(runs.slice(first, first + RUNS_PER_BLOCK).map(packEvaluationRun)),
    ]);
  if (feedback.length > 0) entries.push([keys.block('F', LIST, 0), packBlock(feedback)]);
  const inRange = ({ prefix }: Range): [Key, Uint8Array][] =>
    entries.filter(([key]) => prefix.every((part, at) => key[at] === part));
  const store = {
    get: () => pack({ seq: 1, nextRun: runs.length, nextFeedback: feedback.length }),
    entries: (range: Range) => inRange(range).values(),
    keys: (range: Range) =>
      inRange(range)
        .map(([key]) => key)
        .values(),
  };
  return store as unknown as Reader;
}

const idOf = (trace: number, step: number): string =>
  `${String(trace).padStart(8, '0')}-0000-4000-8000-${String(step).padStart(12, '0')}`;

const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });
const step = fc.record({
  trace: fc.integer({ min: 0, max: 5 }),
  name: fc.constantFrom('agent', 'tools', 'model', '__proto__'),
  runType: fc.constantFrom('chain', 'llm', 'tool'),
  startUs: fc.integer({ min: 1, max: 5 }),
  endUs: orNull(fc.integer({ min: 5, max: 9 })),
  firstTokenUs: orNull(fc.integer({ min: 1, max: 9 })),
  error: orNull(fc.constant('"failed"')),
  totalTokens: orNull(fc.nat({ max: 100 })),
  promptTokens: orNull(fc.nat({ max: 100 })),
  totalCost: orNull(fc.double({ min: 0, max: 1, noNaN: true })),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The first step of each trace is its root. Each step is below the one before. */
function runsOf(steps: readonly Step[]): TextRun[] {
  const count = new Map<number, number>();
  return steps.map(({ trace, ...values }) => {
    const at = count.get(trace) ?? 0;
    count.set(trace, at + 1);
    return {
      ...NOT_ENDED,
      ...NO_USAGE,
      ...values,
      runId: idOf(trace, at),
      traceId: idOf(trace, 0),
      parentRunId: at === 0 ? null : idOf(trace, at - 1),
      dottedOrder: null,
      receivedUs: 0,
      inputs: '{}',
      extra: null,
      tags: null,
    };
  });
}

const FIELDS_OF_ROOT = {
  ...{ runId: '', runType: '', startUs: 0, endUs: null, failed: false, root: true, firstTokenUs: null },
  ...NO_USAGE,
  feedback: [],
};

function pick(object: object, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)));
}

t.test('finds the roots and facets that the rows of all runs have', async (t) => {
  const ordered = fc.array(step, { maxLength: 30 }).chain((steps) => {
    const runs = runsOf(steps);
    return fc.shuffledSubarray(runs, { minLength: runs.length });
  });
  let found = 0;
  fc.assert(
    fc.property(ordered, (runs) => {
      const reader = readerOf(runs);
      const facts = new ListFacts(reader, LIST);
      facts.refresh();
      const facets = new Facets();
      for (const run of facts.derived.runs) facets.add(run);
      const traces = tracesOf(reader, LIST);
      t.not(traces, null);
      found += traces!.roots.length;
      const rows = facts.derived.runs.filter(({ root }) => root);
      t.strictSame(
        traces!.roots,
        rows.map((row) => ({ ...FIELDS_OF_ROOT, ...pick(row, Object.keys(FIELDS_OF_ROOT)) })),
      );
      t.strictSame(traces!.facets.counts, facets.counts);
    }),
    { seed: 20_261_130, numRuns: 200 },
  );
  t.ok(found > 0);
});

t.test('leaves lists to the rows of all runs that it cannot sum up', async (t) => {
  const runs = runsOf(
    (['chain', 'llm'] as const).map((runType) => ({
      ...{ trace: 1, name: 'agent' as const, runType, startUs: 1, endUs: 2, firstTokenUs: null, error: null },
      ...{ totalTokens: 3, promptTokens: null, totalCost: null },
    })),
  );
  t.equal(tracesOf(readerOf(runs), LIST)?.roots[0]?.totalTokens, 3);
  t.equal(tracesOf(readerOf(runs, [pack('a score')]), LIST), null, 'with scores');
  t.equal(tracesOf(readerOf(runs.slice(1)), LIST), null, 'with a model call without its root');
});
