import * as fc from 'fast-check';
import t, { type Test } from 'tap';
import { itemAt, type BlockPosition } from '../../src/store/evaluation/blocks.js';
import { appendRuns, removeRuns, replaceRun, runAt, runItemInBlock } from '../../src/store/evaluation/run-blocks.js';
import { keys } from '../../src/store/keys.js';
import { DraftCommit, ReadYourWrites } from '../../src/store/read-your-writes.js';
import { openStores } from '../../src/store/stores.js';
import { unpackEvaluationRun, type TextRun } from '../../src/wire/evaluation/evaluation-run.js';
import { SharedTexts } from '../../src/wire/evaluation/shared-texts.js';
import type { RunItem } from '../../src/wire/evaluation/run-item.js';
import { NOT_ENDED, packSteps, unpackSteps } from '../../src/wire/runs/trace-steps.js';
import { lowerLimit } from '../helpers/limits.js';
import { temporaryFolder } from '../helpers/server.js';

const TRACE_ID = '01890a5d-ac96-774b-bcce-b302099a8057';
const LIST = 5;

const idOf = (n: number): string => `${TRACE_ID.slice(0, 28)}${String(n).padStart(8, '0')}`;
const longText = (n: number): string => `${n} `.padEnd(150, 'as long as it has to be ');

/** The items of steps that one message of a worker has. Each number stands for a text in the inputs of its step. */
function message(inputs: readonly (readonly number[])[], firstId = 0): RunItem[] {
  const shared = new SharedTexts();
  const steps = inputs.map((numbers, n): TextRun => {
    shared.begin();
    const texts = numbers.map((number) => shared.share(JSON.stringify(longText(number)))!.mark);
    return {
      ...NOT_ENDED,
      runId: idOf(firstId + n),
      traceId: TRACE_ID,
      parentRunId: null,
      name: 'step',
      runType: 'chain',
      startUs: 1,
      receivedUs: 1,
      dottedOrder: null,
      inputs: `{"texts":[${texts.join(',')}]}`,
      tags: null,
      extra: '{}',
    };
  });
  return unpackSteps(TRACE_ID, Buffer.from(packSteps(steps, shared.texts))).map(({ item }) => item);
}

const jsonOf = (numbers: readonly number[]): string => JSON.stringify({ texts: numbers.map(longText) });

function draft(t: Test): DraftCommit {
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(async () => {
    await stores.remover.close();
    await stores.store.close();
  });
  return new DraftCommit(new ReadYourWrites(stores.store));
}

const append = (plan: DraftCommit, runs: readonly RunItem[]): BlockPosition[] =>
  appendRuns(plan, { list: LIST, next: 0 }, runs).places;

function inputsAt(plan: DraftCommit, place: BlockPosition): string | null {
  const inputs = runAt(plan, place)?.inputs ?? null;
  return inputs === null ? null : Buffer.from(inputs).toString();
}

const blockOf = (plan: DraftCommit, place: BlockPosition): Buffer =>
  Buffer.from(plan.get(keys.block('R', place.list, place.first)) ?? []);

const itemOf = (plan: DraftCommit, place: BlockPosition): RunItem => runItemInBlock(blockOf(plan, place), place.at)!;

/** How often a text is in the block of a run. */
function countIn(plan: DraftCommit, place: BlockPosition, number: number): number {
  return blockOf(plan, place).toString('latin1').split(longText(number)).length - 1;
}

t.test('a text of several steps is stored once, and each step is read with it', async (t) => {
  const plan = draft(t);
  const inputs = [[1], [1, 2], [1, 2, 3]];
  const places = append(plan, message(inputs));
  t.strictSame(
    places.map((place) => inputsAt(plan, place)),
    inputs.map(jsonOf),
  );
  for (const number of [1, 2, 3]) t.equal(countIn(plan, places[0]!, number), 1);
  t.equal(places.at(-1)!.first, 0, 'they are in one block');
});

t.test('messages have texts of their own in the same block', async (t) => {
  const plan = draft(t);
  const places = append(plan, [...message([[1], [2]]), ...message([[3], [1, 3]], 2), ...message([[]], 4)]);
  t.strictSame(
    places.map((place) => inputsAt(plan, place)),
    [[1], [2], [3], [1, 3], []].map(jsonOf),
  );
  t.strictSame(new Set(places.map(({ first }) => first)), new Set([0]));
});

t.test('a step that ends keeps the texts of its beginning', async (t) => {
  const plan = draft(t);
  const places = append(plan, message([[1, 2], [1]]));
  const outputs = Buffer.from('{"answer":1}');
  replaceRun(plan, places[0]!, itemOf(plan, places[0]!).with({ endUs: 9, outputs }));
  const ended = runAt(plan, places[0]!)!;
  t.equal(Buffer.from(ended.inputs!).toString(), jsonOf([1, 2]));
  t.strictSame([ended.endUs, Buffer.from(ended.outputs!).toString()], [9, '{"answer":1}']);
  t.equal(countIn(plan, places[0]!, 1), 1);
  t.equal(inputsAt(plan, places[1]!), jsonOf([1]));
});

t.test('a run that comes from elsewhere replaces another one with all of its texts', async (t) => {
  const plan = draft(t);
  const places = append(plan, message([[1], [1, 2]]));
  const [other] = message([[3, 1]]);
  replaceRun(plan, places[1]!, other!);
  t.equal(inputsAt(plan, places[1]!), jsonOf([3, 1]));
  t.equal(inputsAt(plan, places[0]!), jsonOf([1]));
  t.equal(countIn(plan, places[0]!, 2), 0, 'the text of the earlier one is gone');
});

t.test('a text is deleted with the last run that has it', async (t) => {
  const plan = draft(t);
  const places = append(plan, message([[1], [1, 2], [3]]));
  const remove = (number: number): void => removeRuns(plan, places[0]!, (_item, at) => at === number);
  remove(1);
  t.strictSame(
    [1, 2, 3].map((number) => countIn(plan, places[0]!, number)),
    [1, 0, 1],
  );
  t.strictSame(
    places.map((place) => inputsAt(plan, place)),
    [jsonOf([1]), null, jsonOf([3])],
  );
  remove(0);
  t.strictSame(
    [1, 2, 3].map((number) => countIn(plan, places[0]!, number)),
    [0, 0, 1],
  );
  remove(2);
  t.equal(blockOf(plan, places[0]!).byteLength, 0);
});

t.test('runs that are too many or too large for a block', async (t) => {
  lowerLimit(t, 'blockItemsMax', 3);
  const plan = draft(t);
  const many = [[1], [1, 2], [2], [2, 3], [1, 3]];
  const places = append(plan, message(many));
  t.strictSame(
    places.map(({ first }) => first),
    [0, 0, 0, 3, 3],
  );
  t.strictSame(
    places.map((place) => inputsAt(plan, place)),
    many.map(jsonOf),
  );
  t.equal(countIn(plan, places[0]!, 3), 0, 'a block has no texts of another one');
  lowerLimit(t, 'runGroupBytesMax', 500);
  const other = draft(t);
  const apart = append(other, message([[1, 2, 3, 4], [1]]));
  t.strictSame(
    apart.map((place) => inputsAt(other, place)),
    [[1, 2, 3, 4], [1]].map(jsonOf),
  );
  for (const place of apart)
    t.notOk(unpackEvaluationRun(itemAt(other, 'R', place)!).inputs!.includes(1), 'each has its texts itself');
});

const numbers = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 4 });
const messages = fc.array(fc.array(numbers, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });
const change = fc.record({ at: fc.nat(), kind: fc.constantFrom('end', 'replace', 'remove'), inputs: numbers });

t.test('whatever is changed, each run is read as it was written, and no text stays without a run', async (t) => {
  lowerLimit(t, 'blockItemsMax', 5);
  const stores = openStores(temporaryFolder(t), undefined);
  t.teardown(async () => {
    await stores.remover.close();
    await stores.store.close();
  });
  const latest = new ReadYourWrites(stores.store);
  fc.assert(
    fc.property(messages, fc.array(change, { maxLength: 8 }), (all, changes) => {
      const plan = new DraftCommit(latest);
      const expected: (readonly number[] | null)[] = all.flat();
      const places = append(
        plan,
        all.flatMap((one, n) => message(one, n * 10)),
      );
      for (const { at, kind, inputs } of changes) {
        const index = at % expected.length;
        const place = places[index]!;
        if (expected[index] === null) continue;
        if (kind === 'remove') removeRuns(plan, place, (_item, n) => n === place.at);
        else if (kind === 'end') replaceRun(plan, place, itemOf(plan, place).with({ endUs: 7 }));
        else replaceRun(plan, place, message([inputs])[0]!);
        if (kind !== 'end') expected[index] = kind === 'remove' ? null : inputs;
      }
      for (const [index, place] of places.entries()) {
        const wanted = expected[index]!;
        if (inputsAt(plan, place) !== (wanted === null ? null : jsonOf(wanted))) return false;
        const inBlock = new Set(places.flatMap(({ first }, n) => (first === place.first ? (expected[n] ?? []) : [])));
        for (let number = 0; number <= 5; number += 1)
          if (countIn(plan, place, number) > 0 && !inBlock.has(number)) return false;
      }
      return true;
    }),
    { numRuns: 300 },
  );
});
