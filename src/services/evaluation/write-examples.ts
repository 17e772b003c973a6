import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { canonicalUuid } from '../../base/ids.js';
import { LIMITS } from '../../base/limits.js';
import { invalidRequest } from '../../base/request-problems.js';
import type { EvaluationSession } from '../../pool/evaluation-pool.js';
import { appendItems, replaceItem, type ListEnd } from '../../store/evaluation/blocks.js';
import { removeAttachment, unpackAttachments } from '../../store/evaluation/attachments.js';
import { newDataset, type DatasetRecord } from '../../store/evaluation/datasets.js';
import { packExample, putExamplePosition, versionsOf, type ExampleVersion } from '../../store/evaluation/examples.js';
import { keys, type Key } from '../../store/keys.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import { decodeRecord } from '../../store/record-codec.js';
import { pack } from '../../wire/codec.js';
import type {
  ExampleWriteResult,
  FromExampleWriter,
  NewDatasetRequest,
  SkippedRun,
  ToExampleWriter,
} from '../../wire/evaluation/example-writes.js';
import type { EvaluationContext } from './context.js';
import { readLockedAgain, refuseTakenDataset, type LockedDataset } from './datasets.js';
import { datasetLock, datasetNameLock } from './locks.js';
import { stampMetadata } from './extra.js';
import { selectRuns } from './select-runs.js';
import { receiveMessage, receiveAll } from './receive-messages.js';
import { sliceRecords, withStagedLists, type Staging } from './staging.js';

/** Examples that are removed before other work may run. */
const EXAMPLES_AT_ONCE = 50;

export type ExampleWriteSession = EvaluationSession<ToExampleWriter, FromExampleWriter, ExampleWriteResult>;

export interface ExampleWriteReport {
  datasetId: string;
  versionUs: number;
  exampleIds: string[];
  missing: string[];
  skipped: SkippedRun[];
}

/**
 * Stores examples that the evaluation thread has encoded. A few examples go into the dataset's open list, in
 * the commit that counts them. Many get a list of their own, which that commit publishes, as it does their
 * attachments. All or nothing.
 */
export async function writeExamples(
  evaluation: EvaluationContext,
  caller: Caller,
  session: ExampleWriteSession,
): Promise<ExampleWriteReport> {
  try {
    return await new ExampleWrite(evaluation, caller, session).store();
  } catch (error) {
    session.duplex.send({ type: 'abort' });
    throw error;
  }
}

/** How a few examples are received. */
interface AppendOptions {
  /** The commit of the examples. */
  plan: DraftCommit;
  attachmentGroup: number | null;
  /** Passes each record of an example to `put`. Everything else is staged. */
  receive(put: (key: Key, record: Uint8Array) => void): Promise<ExampleWriteResult>;
}

/** What the commit that publishes written examples needs. */
interface Publication {
  target: LockedDataset;
  versionUs: number;
  result: ExampleWriteResult;
  /** Lists of the dataset that contain the examples. */
  lists: Partial<Pick<DatasetRecord, 'lists' | 'openList'>>;
}

class ExampleWrite {
  readonly #evaluation: EvaluationContext;
  readonly #caller: Caller;
  readonly #session: ExampleWriteSession;

  constructor(evaluation: EvaluationContext, caller: Caller, session: ExampleWriteSession) {
    this.#evaluation = evaluation;
    this.#caller = caller;
    this.#session = session;
  }

  async store(): Promise<ExampleWriteReport> {
    let identity = await receiveMessage(this.#session);
    if (identity.type === 'select') {
      const runIds = await selectRuns(this.#evaluation, this.#caller, identity.selection);
      this.#session.duplex.send({ type: 'selected', runIds });
      identity = await receiveMessage(this.#session);
    }
    if (identity.type !== 'identity') throw new Error(`expected an identity, got ${identity.type}`);
    const { datasetId, wish } = identity;
    const locked = [...(wish === null ? [] : [datasetNameLock(wish.name)]), datasetLock(datasetId)];
    return this.#evaluation.locks.withLocks(locked, () => {
      const target = this.#findTargetDataset(datasetId, wish);
      const { latest } = this.#evaluation;
      const few = identity.count <= LIMITS.blockItemsMax && identity.bytes <= LIMITS.sliceBytes;
      if (few && !identity.hasAttachments)
        return this.#appendFew(target, {
          plan: new DraftCommit(latest),
          attachmentGroup: null,
          receive: (put) =>
            receiveAll(this.#session, (message) => {
              for (const [key, record] of sliceRecords(message)) put(key, record);
            }),
        });
      return withStagedLists(
        this.#evaluation,
        (take) => ({
          exampleList: few ? null : take(),
          experimentList: null,
          attachmentGroup: identity.hasAttachments ? take() : null,
        }),
        ({ exampleList, attachmentGroup }, staging) =>
          exampleList !== null
            ? this.#publishMany(target, { exampleList, attachmentGroup }, staging)
            : this.#appendFew(target, {
                plan: staging.createPublishingPlan(),
                attachmentGroup,
                receive: (put) =>
                  staging.writeSlices(this.#session, (key, record) => {
                    const isExample = key[0] !== keys.attachments()[0];
                    if (isExample) put(key, record);
                    return isExample;
                  }),
              }),
      );
    });
  }

  #findTargetDataset(datasetId: string, wish: NewDatasetRequest | null): LockedDataset {
    if (wish === null) {
      const dataset = this.#evaluation.datasets.get(this.#caller, datasetId);
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND', { datasetId });
      return { dataset, isNew: false };
    }
    refuseTakenDataset(this.#evaluation, { name: wish.name, datasetId });
    const dataset = newDataset({
      ...wish,
      datasetId,
      nowUs: this.#evaluation.nowUs(),
      externallyManaged: false,
      metadata: stampMetadata(this.#caller, null),
    });
    return { dataset, isNew: true };
  }

  async #appendFew(
    target: LockedDataset,
    { plan, attachmentGroup, receive }: AppendOptions,
  ): Promise<ExampleWriteReport> {
    const { dataset, isNew } = target;
    const { latest } = this.#evaluation;
    const { list, next } = dataset.openList ?? createOpenList(this.#evaluation, plan, dataset.datasetId);
    const versionUs = nextVersion(this.#evaluation, dataset);
    this.#session.duplex.send({ type: 'place', dataset: pack(dataset), list, next, versionUs, attachmentGroup });
    const result = await receive((key, record) => plan.put(key, decodeRecord(key, record, latest.store.cipher)));
    if (result.exampleIds.length > 0 || isNew) {
      this.#putDataset(plan, {
        target,
        versionUs,
        result,
        lists: {
          openList: { list, next: result.next },
          lists: dataset.openList === null ? [...dataset.lists, list] : dataset.lists,
        },
      });
      await latest.write(plan);
    }
    return reportOf(dataset, versionUs, result);
  }

  async #publishMany(
    target: LockedDataset,
    { exampleList, attachmentGroup }: { exampleList: number; attachmentGroup: number | null },
    staging: Staging,
  ): Promise<ExampleWriteReport> {
    const { dataset } = target;
    const versionUs = nextVersion(this.#evaluation, dataset);
    this.#session.duplex.send({
      type: 'place',
      dataset: pack(dataset),
      list: exampleList,
      next: 0,
      versionUs,
      attachmentGroup,
    });
    const result = await staging.writeSlices(this.#session);
    const plan = staging.createPublishingPlan();
    this.#putDataset(plan, { target, versionUs, result, lists: { lists: [...dataset.lists, exampleList] } });
    plan.put(keys.exampleList(exampleList), Buffer.from(dataset.datasetId));
    await this.#evaluation.latest.write(plan);
    return reportOf(dataset, versionUs, result);
  }

  /** Updates the counters on the current record, because name and description may have changed in the meantime. */
  #putDataset(plan: DraftCommit, { target, versionUs, result, lists }: Publication): void {
    const stored = readLockedAgain(this.#evaluation, this.#caller, target);
    const before = stored ?? target.dataset;
    this.#evaluation.datasets.put(
      plan,
      {
        ...before,
        ...lists,
        exampleCount: before.exampleCount + result.added,
        seq: before.seq + 1,
        lastVersionUs: versionUs,
        modifiedAtUs: versionUs,
      },
      stored,
    );
  }
}

function reportOf(
  { datasetId }: DatasetRecord,
  versionUs: number,
  { exampleIds, missing, skipped }: ExampleWriteResult,
): ExampleWriteReport {
  return { datasetId, versionUs, exampleIds, missing, skipped };
}

function createOpenList(evaluation: EvaluationContext, plan: DraftCommit, datasetId: string): ListEnd {
  const list = evaluation.lists.assign(plan);
  plan.put(keys.exampleList(list), Buffer.from(datasetId));
  return { list, next: 0 };
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
    const removal = new ExampleRemoval(evaluation, caller, plan, { exampleIds, hard });
    for (const datasetId of datasetIds) await removal.removeFrom(datasetId);
    await latest.write(plan);
  });
}

/** Removes an example of a dataset. Does nothing if it is already removed. Throws EXAMPLE_NOT_FOUND. */
export async function deleteExampleOf(
  evaluation: EvaluationContext,
  caller: Caller,
  { datasetId, exampleId }: { datasetId: string; exampleId: string },
): Promise<void> {
  if (datasetOf(evaluation, caller, exampleId, true) !== datasetId) throw fail('EXAMPLE_NOT_FOUND', { exampleId });
  for (const { version } of versionsOf(evaluation.latest.store, exampleId)) {
    if (version.removed) return;
    break;
  }
  await deleteExamples(evaluation, caller, [exampleId], false);
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

/** Removes examples from their datasets, in one commit. The datasets are locked. */
class ExampleRemoval {
  readonly #evaluation: EvaluationContext;
  readonly #caller: Caller;
  readonly #plan: DraftCommit;
  readonly #exampleIds: readonly string[];
  readonly #hard: boolean;

  constructor(
    evaluation: EvaluationContext,
    caller: Caller,
    plan: DraftCommit,
    { exampleIds, hard }: { exampleIds: readonly string[]; hard: boolean },
  ) {
    this.#evaluation = evaluation;
    this.#caller = caller;
    this.#plan = plan;
    this.#exampleIds = exampleIds;
    this.#hard = hard;
  }

  /** Removes those of the examples that are in this dataset. */
  async removeFrom(datasetId: string): Promise<void> {
    const { datasets, latest } = this.#evaluation;
    const locked = datasets.get(this.#caller, datasetId);
    if (locked === undefined) throw fail('DATASET_NOT_FOUND', { datasetId });
    const versionUs = nextVersion(this.#evaluation, locked);
    const tombstones: ExampleVersion[] = [];
    let removed = 0;
    let touched = 0;
    for (const exampleId of this.#exampleIds) {
      // Under the lock, everything of this dataset is on disk and can be read.
      const versions = [...versionsOf(latest.store, exampleId)].filter((one) => one.datasetId === datasetId);
      const newest = versions[0]?.version;
      await yieldOccasionally();
      if (newest === undefined || (newest.removed && !this.#hard)) continue;
      touched += 1;
      if (!newest.removed) removed += 1;
      if (this.#hard) {
        for (const { version, place } of versions) {
          for (const attachment of unpackAttachments(version.attachments)) removeAttachment(this.#plan, attachment);
          replaceItem(this.#plan, 'E', place, null);
          this.#plan.remove(keys.example(exampleId, version.versionUs));
        }
      } else tombstones.push(tombstoneOf(newest, versionUs));
    }
    if (touched === 0) return;
    const dataset = readLockedAgain(this.#evaluation, this.#caller, { dataset: locked, isNew: false })!;
    datasets.put(
      this.#plan,
      {
        ...dataset,
        ...this.#appendTombstones(dataset, tombstones),
        exampleCount: dataset.exampleCount - removed,
        seq: dataset.seq + 1,
        lastVersionUs: versionUs,
        modifiedAtUs: versionUs,
      },
      dataset,
    );
  }

  /** Returns the lists of the dataset that changed. */
  #appendTombstones(
    { datasetId, openList, lists }: DatasetRecord,
    tombstones: readonly ExampleVersion[],
  ): Partial<DatasetRecord> {
    if (tombstones.length === 0) return {};
    const open = openList ?? createOpenList(this.#evaluation, this.#plan, datasetId);
    const { places, next } = appendItems(this.#plan, 'E', open, tombstones.map(packExample));
    for (const [at, { exampleId, versionUs }] of tombstones.entries())
      putExamplePosition(this.#plan, exampleId, versionUs, places[at]!);
    return {
      openList: { list: open.list, next },
      lists: lists.includes(open.list) ? lists : [...lists, open.list],
    };
  }
}

/** The version that marks an example as removed. */
function tombstoneOf(newest: ExampleVersion, versionUs: number): ExampleVersion {
  return {
    ...newest,
    versionUs,
    removed: true,
    inputs: Buffer.from('{}'),
    outputs: null,
    metadata: null,
    attachments: null,
  };
}
