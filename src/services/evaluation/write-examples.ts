import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { canonicalUuid } from '../../base/ids.js';
import { LIMITS } from '../../base/limits.js';
import { invalidRequest } from '../../base/request-problems.js';
import type { EvaluationSession } from '../../pool/evaluation-pool.js';
import { appendItems, replaceItem } from '../../store/evaluation/blocks.js';
import type { DatasetRecord } from '../../store/evaluation/datasets.js';
import { packExample, putExamplePosition, versionsOf } from '../../store/evaluation/examples.js';
import { keys } from '../../store/keys.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import { decodeRecord } from '../../store/record-codec.js';
import { pack } from '../../wire/codec.js';
import type { ExampleWriteResult, FromExampleWriter, ToExampleWriter } from '../../wire/evaluation/example-writes.js';
import type { EvaluationContext } from './context.js';
import { newDataset } from './datasets.js';
import { datasetLock, datasetNameLock } from './locks.js';
import { stampMetadata } from './extra.js';
import { receiveMessage, receiveAll } from './receive-messages.js';
import { sliceRecords, withStagedLists } from './staging.js';

/** Examples that are removed before other work may run. */
const EXAMPLES_AT_ONCE = 50;

export type ExampleWriteSession = EvaluationSession<ToExampleWriter, FromExampleWriter, ExampleWriteResult>;

export interface ExampleWriteReport {
  datasetId: string;
  versionUs: number;
  exampleIds: string[];
  missing: string[];
}

/**
 * Stores examples that the evaluation thread has encoded. A few examples go into the dataset's open list, in
 * the commit that counts them. Many get a list of their own, which that commit publishes. All or nothing.
 */
export async function writeExamples(
  evaluation: EvaluationContext,
  caller: Caller,
  task: ExampleWriteSession,
): Promise<ExampleWriteReport> {
  try {
    const identity = await receiveMessage(task);
    if (identity.type !== 'identity') throw new Error(`expected an identity, got ${identity.type}`);
    const { datasetId, wish } = identity;
    return await evaluation.locks.withLocks(
      [...(wish === null ? [] : [datasetNameLock(wish.name)]), datasetLock(datasetId)],
      () => {
        if (
          wish !== null &&
          (evaluation.datasets.idByName(wish.name) !== undefined || evaluation.datasets.exists(datasetId))
        )
          throw fail('DATASET_EXISTS', { name: wish.name });
        const dataset =
          wish === null
            ? evaluation.datasets.get(caller, datasetId)
            : newDataset({
                ...wish,
                datasetId,
                nowUs: evaluation.nowUs(),
                externallyManaged: false,
                metadata: stampMetadata(caller, null),
              });
        if (dataset === undefined) throw fail('DATASET_NOT_FOUND', { datasetId });
        const few = identity.count <= LIMITS.blockItemsMax && identity.bytes <= LIMITS.sliceBytes;
        const target = { dataset, isNew: wish !== null };
        return few ? appendFew(evaluation, caller, task, target) : publishMany(evaluation, caller, task, target);
      },
    );
  } catch (error) {
    task.duplex.send({ type: 'abort' });
    throw error;
  }
}

/** The dataset at the time of locking. A new one is not stored yet. */
interface Target {
  dataset: DatasetRecord;
  isNew: boolean;
}

async function appendFew(
  evaluation: EvaluationContext,
  caller: Caller,
  task: ExampleWriteSession,
  target: Target,
): Promise<ExampleWriteReport> {
  const { dataset } = target;
  const plan = new DraftCommit(evaluation.latest);
  const open = dataset.openList ?? createOpenList(evaluation, plan, dataset.datasetId);
  const versionUs = nextVersion(evaluation, dataset);
  task.duplex.send({ type: 'place', dataset: pack(dataset), list: open.list, next: open.next, versionUs });
  const done = await receiveAll(task, (message) => {
    for (const [key, record] of sliceRecords(message))
      plan.put(key, decodeRecord(key, record, evaluation.latest.store.cipher));
  });
  const written = { datasetId: dataset.datasetId, versionUs, exampleIds: done.exampleIds, missing: done.missing };
  if (done.exampleIds.length === 0 && !target.isNew) return written;
  publish(evaluation, caller, plan, target, versionUs, done, {
    openList: { list: open.list, next: done.next },
    lists: dataset.openList === null ? [...dataset.lists, open.list] : dataset.lists,
  });
  await evaluation.latest.write(plan);
  return written;
}

function createOpenList(
  evaluation: EvaluationContext,
  plan: DraftCommit,
  datasetId: string,
): { list: number; next: number } {
  const list = evaluation.lists.assign(plan);
  plan.put(keys.exampleList(list), Buffer.from(datasetId));
  return { list, next: 0 };
}

async function publishMany(
  evaluation: EvaluationContext,
  caller: Caller,
  task: ExampleWriteSession,
  target: Target,
): Promise<ExampleWriteReport> {
  const { dataset } = target;
  const versionUs = nextVersion(evaluation, dataset);
  return withStagedLists(
    evaluation,
    (take) => ({ exampleList: take(), experimentList: null }),
    async ({ exampleList }, writeSlices, createPublishingPlan) => {
      task.duplex.send({ type: 'place', dataset: pack(dataset), list: exampleList, next: 0, versionUs });
      const done = await writeSlices(task);
      const plan = createPublishingPlan();
      publish(evaluation, caller, plan, target, versionUs, done, { lists: [...dataset.lists, exampleList] });
      plan.put(keys.exampleList(exampleList), Buffer.from(dataset.datasetId));
      await evaluation.latest.write(plan);
      return { datasetId: dataset.datasetId, versionUs, exampleIds: done.exampleIds, missing: done.missing };
    },
  );
}

/** Updates the counters on the current record, because name and description may have changed in the meantime. */
function publish(
  evaluation: EvaluationContext,
  caller: Caller,
  plan: DraftCommit,
  { dataset, isNew }: Target,
  versionUs: number,
  done: ExampleWriteResult,
  changes: Partial<DatasetRecord>,
): void {
  const { datasets } = evaluation;
  if (isNew && (datasets.idByName(dataset.name) !== undefined || datasets.exists(dataset.datasetId)))
    throw fail('DATASET_EXISTS', { name: dataset.name });
  const stored = isNew ? null : datasets.get(caller, dataset.datasetId);
  if (stored === undefined || (stored !== null && stored.generation !== dataset.generation))
    throw fail('DATASET_NOT_FOUND', { datasetId: dataset.datasetId });
  const now = stored ?? dataset;
  evaluation.datasets.put(
    plan,
    {
      ...now,
      ...changes,
      exampleCount: now.exampleCount + done.added,
      seq: now.seq + 1,
      lastVersionUs: versionUs,
      modifiedAtUs: versionUs,
    },
    stored,
  );
}

function nextVersion(evaluation: EvaluationContext, dataset: DatasetRecord): number {
  return Math.max(evaluation.nowUs(), dataset.lastVersionUs + 1);
}

/**
 * Removes examples from the current version of the dataset, or with `hard`, all their versions. Throws
 * EXAMPLE_NOT_FOUND and removes nothing if one does not exist.
 */
export async function deleteExamples(
  evaluation: EvaluationContext,
  caller: Caller,
  wanted: readonly string[],
  hard: boolean,
): Promise<void> {
  const { latest, locks } = evaluation;
  const exampleIds = [...new Set(wanted.map((id, at) => canonicalUuid(id) ?? throwNoUuid(at)))];
  const found = new Set<string>();
  for (const id of exampleIds) {
    found.add(datasetOf(evaluation, caller, id, hard));
    await yieldOccasionally();
  }
  const datasetIds = [...found].sort();
  await locks.withLocks(datasetIds.map(datasetLock), async () => {
    const plan = new DraftCommit(latest);
    for (const datasetId of datasetIds) await removeFrom(evaluation, caller, plan, datasetId, exampleIds, hard);
    await latest.write(plan);
  });
}

function throwNoUuid(at: number): never {
  throw invalidRequest('query', [{ loc: ['example_ids', at], msg: 'must be a UUID', type: 'uuid_parsing' }]);
}

let workSinceYield = 0;

/** Yields to other work from time to time: ten thousand examples take seconds. */
function yieldOccasionally(): Promise<void> | undefined {
  workSinceYield += 1;
  if (workSinceYield < EXAMPLES_AT_ONCE) return undefined;
  workSinceYield = 0;
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** With `hard`, also finds removed examples, because their older versions exist. */
function datasetOf({ latest, datasets }: EvaluationContext, caller: Caller, exampleId: string, hard: boolean): string {
  for (const { datasetId, version } of versionsOf(latest.store, exampleId)) {
    if ((hard || !version.removed) && datasets.get(caller, datasetId) !== undefined) return datasetId;
    break;
  }
  throw fail('EXAMPLE_NOT_FOUND', { exampleId });
}

async function removeFrom(
  evaluation: EvaluationContext,
  caller: Caller,
  plan: DraftCommit,
  datasetId: string,
  exampleIds: readonly string[],
  hard: boolean,
): Promise<void> {
  const { datasets, latest } = evaluation;
  const locked = datasets.get(caller, datasetId);
  if (locked === undefined) throw fail('DATASET_NOT_FOUND', { datasetId });
  const versionUs = nextVersion(evaluation, locked);
  const items: { exampleId: string; item: Uint8Array }[] = [];
  let removed = 0;
  let touched = 0;
  for (const exampleId of exampleIds) {
    // Under the lock, everything of this dataset is on disk and can be read.
    const versions = [...versionsOf(latest.store, exampleId)].filter((one) => one.datasetId === datasetId);
    const newest = versions[0]?.version;
    await yieldOccasionally();
    if (newest === undefined || (newest.removed && !hard)) continue;
    touched += 1;
    if (!newest.removed) removed += 1;
    if (hard) {
      for (const { version, place } of versions) {
        replaceItem(plan, plan, 'E', place, null);
        plan.remove(keys.example(exampleId, version.versionUs));
      }
    } else
      items.push({
        exampleId,
        item: packExample({
          ...newest,
          versionUs,
          removed: true,
          inputs: Buffer.from('{}'),
          outputs: null,
          metadata: null,
          attachments: null,
        }),
      });
  }
  if (touched === 0) return;
  // Its name or description may have changed in the meantime, or it may have been deleted.
  const dataset = datasets.get(caller, datasetId);
  if (dataset === undefined || dataset.generation !== locked.generation) throw fail('DATASET_NOT_FOUND', { datasetId });
  const open =
    items.length === 0 ? dataset.openList : (dataset.openList ?? createOpenList(evaluation, plan, datasetId));
  const appended =
    open === null
      ? null
      : appendItems(
          plan,
          'E',
          open.list,
          open.next,
          items.map(({ item }) => item),
        );
  appended?.places.forEach((place, at) => putExamplePosition(plan, items[at]!.exampleId, versionUs, place));
  datasets.put(
    plan,
    {
      ...dataset,
      exampleCount: dataset.exampleCount - removed,
      seq: dataset.seq + 1,
      lastVersionUs: versionUs,
      modifiedAtUs: versionUs,
      openList: open === null ? null : { list: open.list, next: appended!.next },
      lists: open !== null && !dataset.lists.includes(open.list) ? [...dataset.lists, open.list] : dataset.lists,
    },
    dataset,
  );
}
