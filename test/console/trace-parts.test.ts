import t from 'tap';
import { consoleModule } from '../helpers/console-module.js';
import { runsOfTrace, type SentStep } from '../helpers/sent-traces.js';

interface Step {
  run: { id: string; name: string };
  depth: number;
  below: number;
}
interface Pair {
  left: Step | null;
  right: Step | null;
  depth: number;
  below: number;
}
interface Compared extends Pair {
  differences: string[];
  differsBelow: boolean;
  position: number;
  siblingCount: number;
}
interface Comparison {
  pairs: Compared[];
  differing: number[];
  counts: object;
}
interface Facts {
  ids: ReadonlySet<string>;
  spans: readonly (readonly [number, number])[];
}

const START_MS = Date.parse('2026-11-25T10:00:00Z');
const NO_FACTS: Facts = { ids: new Set(), spans: [] };

const tree = await consoleModule<{ stepsOfTrace: (runs: unknown[], nowMs: number) => Step[] }>(
  'pages/traces/trace-tree.ts',
);
const alignment = await consoleModule<{
  alignSteps: (left: Step[], right: Step[]) => Pair[];
  commonIndexes: (left: string[], right: string[]) => Map<number, number>;
}>('pages/traces/compare/align-steps.ts');
const comparing = await consoleModule<{
  digestStep: (values: unknown, facts: Facts) => unknown;
  compareSteps: (pairs: Pair[], digests: Map<string, unknown>, exact: boolean) => Comparison;
  differenceBeside: (comparison: Comparison, at: number, step: 1 | -1) => number | null;
  visiblePairs: (comparison: Comparison, collapsed: ReadonlySet<string>, onlyDifferences: boolean) => number[];
}>('pages/traces/compare/compare-steps.ts');
const values = await consoleModule<{
  withoutVolatile: (value: unknown, facts: Facts) => unknown;
  withoutStack: (error: string) => string;
  digestOf: (value: unknown) => string;
  inOrderOf: (left: unknown, right: unknown) => unknown;
}>('pages/traces/compare/volatile-values.ts');

function runsOf(root: SentStep): Record<string, unknown>[] {
  return runsOfTrace(root, { project: 'p', startMs: START_MS }).runs.map((run) => ({
    parent_run_id: null,
    error: null,
    status: run['error'] === undefined ? 'success' : 'error',
    ...run,
  }));
}

function stepsOf(root: SentStep): Step[] {
  return tree.stepsOfTrace(runsOf(root), START_MS);
}

/** `name` of an equal pair, `name|` and `|name` of steps on one side, indented. */
function drawn(left: SentStep, right: SentStep): string[] {
  return alignment
    .alignSteps(stepsOf(left), stepsOf(right))
    .map(
      (pair) =>
        '  '.repeat(pair.depth) +
        (pair.left === null
          ? `|${pair.right!.run.name}`
          : pair.right === null
            ? `${pair.left.run.name}|`
            : pair.left.run.name),
    );
}

function compared(left: SentStep, right: SentStep, exact = false): Comparison {
  const runs = [runsOf(left), runsOf(right)];
  const facts = { ...NO_FACTS, spans: [[START_MS, START_MS + 60_000]] as const };
  const digests = new Map(runs.flat().map((run) => [run['id'] as string, comparing.digestStep(run, facts)]));
  const [ofLeft, ofRight] = runs.map((one) => tree.stepsOfTrace(one, START_MS));
  return comparing.compareSteps(alignment.alignSteps(ofLeft!, ofRight!), digests, exact);
}

const named = ({ pairs }: Comparison, at: number | null): string | null =>
  at === null ? null : (pairs[at]!.left ?? pairs[at]!.right)!.run.name;

t.test('aligns steps by parent, name, type and order', (t) => {
  t.strictSame(
    drawn(
      { name: 'old name', steps: [{ name: 'think', steps: [{ name: 'model', type: 'llm' }] }, { name: 'save' }] },
      {
        name: 'new name',
        steps: [
          { name: 'check', steps: [{ name: 'model', type: 'llm' }] },
          {
            name: 'think',
            steps: [
              { name: 'model', type: 'llm' },
              { name: 'search', type: 'tool' },
            ],
          },
        ],
      },
    ),
    ['old name', '  |check', '    |model', '  think', '    model', '    |search', '  save|'],
  );
  t.strictSame(
    drawn({ name: 'r', steps: [{ name: 'x', type: 'tool' }] }, { name: 'r', steps: [{ name: 'x', type: 'llm' }] }),
    ['r', '  x|', '  |x'],
    'another type is another step',
  );
  const turn = (name: string, step: number): SentStep => ({ name, metadata: { langgraph_step: step } });
  t.strictSame(
    drawn({ name: 'r', steps: [turn('a', 1), turn('b', 1)] }, { name: 'r', steps: [turn('b', 1), turn('a', 1)] }),
    ['r', '  a', '  b'],
    'nodes that run at the same time may begin in any order',
  );
  const pairs = alignment.alignSteps(
    stepsOf({ name: 'r', steps: [{ name: 'a', steps: [{ name: 'b' }] }, { name: 'c' }] }),
    [],
  );
  t.strictSame(
    pairs.map(({ below }) => below),
    [3, 1, 0, 0],
  );
  t.end();
});

t.test('finds a longest common subsequence', (t) => {
  const lengthOf = (left: readonly string[], right: readonly string[]): number => {
    const table = Array.from({ length: left.length + 1 }, () => Array.from({ length: right.length + 1 }, () => 0));
    for (let i = 1; i <= left.length; i += 1)
      for (let j = 1; j <= right.length; j += 1)
        table[i]![j] =
          left[i - 1] === right[j - 1] ? table[i - 1]![j - 1]! + 1 : Math.max(table[i - 1]![j]!, table[i]![j - 1]!);
    return table[left.length]![right.length]!;
  };
  let seed = 7;
  const random = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * below);
  };
  for (let round = 0; round < 300; round += 1) {
    const [left, right] = [0, 1].map(() => Array.from({ length: random(14) }, () => 'abcd'[random(4)]!));
    const found = [...alignment.commonIndexes(left!, right!)].toSorted(([one], [other]) => one - other);
    t.ok(
      found.every(
        ([one, other], at) =>
          left![one] === right![other] && (at === 0 || (found[at - 1]![0] < one && found[at - 1]![1] < other)),
      ),
      `${left!.join('')} ${right!.join('')}: in order`,
    );
    t.equal(found.length, lengthOf(left!, right!), `${left!.join('')} ${right!.join('')}: as long as possible`);
  }
  const many = (names: string): string[] => Array.from({ length: 10_000 }, (_, at) => names[at % names.length]!);
  const startMs = performance.now();
  t.equal(alignment.commonIndexes(['x', ...many('ab')], [...many('ba'), 'y']).size, 9_999);
  t.equal(alignment.commonIndexes(many('abc'), many('cde')).size, 3_333, 'far from each other: by occurrence');
  t.ok(performance.now() - startMs < 5_000, 'thousands of siblings take little time');
  t.end();
});

t.test('compares values, errors and status', (t) => {
  const at = (second: number): string => new Date(START_MS + second * 1_000).toISOString();
  const root = (city: string, second: number, error?: string): SentStep => ({
    name: 'r',
    inputs: { question: 'why', asked: at(second) },
    outputs: { city },
    steps: [
      { name: 'model', type: 'llm', inputs: { b: 1, a: 2 }, outputs: { city } },
      { name: 'tool', type: 'tool', ...(error === undefined ? {} : { error }) },
    ],
  });
  const same = compared(
    root('Oslo', 1, 'Error: no\n    at a (x.ts:1)'),
    root('Oslo', 2, 'Error: no\n    at b (x.ts:9)'),
  );
  t.strictSame(same.counts, { equal: 3, different: 0, left: 0, right: 0 });
  t.strictSame(same.differing, []);
  const exact = compared(root('Oslo', 1, 'Error: no\n    at a'), root('Oslo', 2, 'Error: no\n    at b'), true);
  t.strictSame(
    exact.pairs.map(({ differences }) => differences),
    [['inputs'], [], ['error']],
    'times and stacks count on request',
  );
  const different = compared(root('Oslo', 1), root('Lima', 1, 'Error: no'));
  t.strictSame(
    different.pairs.map(({ differences }) => differences),
    [['outputs'], ['outputs'], ['outputs', 'error', 'status']],
  );
  t.strictSame(
    different.differing.map((place) => named(different, place)),
    ['model', 'tool', 'r'],
    'in the order in which they arose: the output of the run is its last event',
  );
  t.equal(named(different, comparing.differenceBeside(different, 1, 1)), 'tool');
  t.equal(named(different, comparing.differenceBeside(different, 0, -1)), 'tool');
  t.equal(comparing.differenceBeside(different, 1, -1), null);
  t.strictSame(different.pairs[0]!.differsBelow, true);
  t.end();
});

t.test('stops once at steps of one side, and hides equal ones', (t) => {
  const extra: SentStep = { name: 'extra', steps: [{ name: 'a' }, { name: 'b' }] };
  const found = compared({ name: 'r', steps: [{ name: 'equal' }] }, { name: 'r', steps: [{ name: 'equal' }, extra] });
  t.strictSame(found.counts, { equal: 2, different: 0, left: 0, right: 3 });
  t.strictSame(
    found.differing.map((place) => named(found, place)),
    ['extra'],
  );
  const shown = (collapsed: readonly string[], only: boolean): (string | null)[] =>
    comparing.visiblePairs(found, new Set(collapsed), only).map((place) => named(found, place));
  t.strictSame(shown([], false), ['r', 'equal', 'extra', 'a', 'b']);
  t.strictSame(shown([], true), ['r', 'extra', 'a', 'b']);
  t.strictSame(shown([found.pairs[2]!.right!.run.id], true), ['r', 'extra']);
  t.strictSame(
    found.pairs.map(({ position, siblingCount }) => [position, siblingCount]),
    [
      [1, 1],
      [1, 2],
      [2, 2],
      [1, 2],
      [2, 2],
    ],
  );
  t.end();
});

t.test('leaves out ids and times that every run has anew, and nothing else', (t) => {
  const id = '11111111-2222-4333-8444-555555555555';
  const facts: Facts = { ids: new Set([id]), spans: [[START_MS, START_MS + 1_000]] };
  const plain = (value: unknown): unknown => values.withoutVolatile(value, facts);
  t.strictSame(
    plain({
      messages: [
        { type: 'ai', id: 'lc_run--x', content: 'a', tool_calls: [{ id: 'call_1', name: 'n', args: { id: 'A1' } }] },
      ],
      __interrupt__: [{ id: 'abc', value: { id: 'B2' } }],
      thread: id,
      namespace: `think:${id}|model:${id}`,
      checkpoint_id: 'x',
      now: '2026-11-25T10:00:00.500Z',
      seconds: START_MS / 1_000,
      milliseconds: START_MS + 3,
      latency: 1.5,
    }),
    {
      messages: [{ type: 'ai', id: '[id]', content: 'a', tool_calls: [{ id: '[id]', name: 'n', args: { id: 'A1' } }] }],
      __interrupt__: [{ id: '[id]', value: { id: 'B2' } }],
      thread: '[id]',
      namespace: 'think:[id]|model:[id]',
      checkpoint_id: '[id]',
      now: '[time]',
      seconds: '[time]',
      milliseconds: '[time]',
      latency: '[duration]',
    },
  );
  const kept = {
    id: 'customer',
    customer: '99999999-2222-4333-8444-555555555555',
    departure: '2027-01-01T10:00:00Z',
    count: 12,
    text: `run ${id}`,
    nothing: null,
  };
  t.strictSame(plain(kept), kept);
  const hostile = JSON.parse('{"__proto__": {"id": "a"}, "constructor": 1}') as object;
  t.equal(JSON.stringify(plain(hostile)), JSON.stringify(hostile), 'names of the language are names');
  t.end();
});

t.test('digests do not depend on the order of keys, and errors not on their stacks', (t) => {
  t.equal(values.digestOf({ a: 1, b: [1, { c: 2, d: 3 }] }), values.digestOf({ b: [1, { d: 3, c: 2 }], a: 1 }));
  t.not(values.digestOf({ a: [1, 2] }), values.digestOf({ a: [2, 1] }));
  t.not(values.digestOf(null), values.digestOf({}));
  t.equal(JSON.stringify(values.inOrderOf({ a: 1, b: 2 }, { c: 3, b: 2, a: 0 })), '{"a":0,"b":2,"c":3}');
  t.equal(values.withoutStack('RangeError: no\n    at f (a.ts:1:2)\n    at g (b.ts:3:4)'), 'RangeError: no');
  t.equal(
    values.withoutStack(
      'ValueError(\'x\')Traceback (most recent call last):\n  File "a.py", line 3, in f\n\nValueError: x\n',
    ),
    "ValueError('x')\nValueError: x",
  );
  t.end();
});

t.test('shows steps that are below each other', (t) => {
  const [one, other] = runsOf({ name: 'one', steps: [{ name: 'other' }] });
  const steps = tree.stepsOfTrace([{ ...one, parent_run_id: other!['id'] }, other], START_MS);
  t.strictSame(
    steps.map(({ run, depth }) => [run.name, depth]),
    [
      ['one', 0],
      ['other', 1],
    ],
  );
  t.end();
});

t.test('copes with a trace that is nested 10,000 levels deep', (t) => {
  const runs = Array.from({ length: 10_000 }, (_, at) => ({
    id: `run ${at}`,
    name: 'level',
    run_type: 'chain',
    parent_run_id: at === 0 ? null : `run ${at - 1}`,
    dotted_order: String(at).padStart(6, '0'),
    start_time: new Date(START_MS).toISOString(),
    end_time: new Date(START_MS).toISOString(),
    error: null,
    status: 'success',
  }));
  const steps = tree.stepsOfTrace(runs, START_MS);
  t.equal(steps.at(-1)!.depth, 9_999);
  t.equal(steps[0]!.below, 9_999);
  const found = comparing.compareSteps(alignment.alignSteps(steps, steps), new Map(), false);
  t.strictSame(found.counts, { equal: 10_000, different: 0, left: 0, right: 0 });
  t.end();
});
