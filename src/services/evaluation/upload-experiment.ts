import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import type { JsonBytes } from '../../base/json/json.js';
import type { EvaluationSession } from '../../pool/evaluation-pool.js';
import type { DatasetRecord } from '../../store/evaluation/datasets.js';
import type { ExperimentRecord } from '../../store/evaluation/experiments.js';
import { putConfigIfNew } from '../../store/evaluation/feedback-configs.js';
import { keys } from '../../store/keys.js';
import type { DraftCommit } from '../../store/read-your-writes.js';
import { recordChange } from '../../store/evaluation/block-lists.js';
import { pack } from '../../wire/codec.js';
import type { FromUpload, ToUpload, UploadResult, UploadIdentity } from '../../wire/evaluation/evaluation.js';
import { addMetadata, stampExtra, stampMetadata } from './extra.js';
import type { EvaluationContext } from './context.js';
import { newDataset } from './datasets.js';
import { FEEDBACK_IDS_LOCK, datasetLock, datasetNameLock } from './locks.js';
import { receiveMessage } from './receive-messages.js';
import { withStagedLists } from './staging.js';

export type UploadSession = EvaluationSession<ToUpload, FromUpload, UploadResult>;

/**
 * Stores an upload (docs/ARCHITECTURE.md). The evaluation thread receives the body and encodes the records.
 * This function allocates ids and lists, writes the records, and publishes them in one commit. Returns the JSON
 * of the response. Until that commit, the rows are in lists that nothing refers to; startup removes such lists
 * by their staging record.
 */
export async function uploadExperiment(
  evaluation: EvaluationContext,
  caller: Caller,
  upload: UploadSession,
): Promise<JsonBytes> {
  try {
    return await lockAndStage(evaluation, caller, upload);
  } catch (error) {
    // The worker may wait for a message that will never come.
    upload.duplex.send({ type: 'abort' });
    throw error;
  }
}

async function lockAndStage(evaluation: EvaluationContext, caller: Caller, upload: UploadSession): Promise<JsonBytes> {
  const identity = await receiveMessage(upload);
  if (identity.type !== 'identity') throw new Error(`expected an identity, got ${identity.type}`);
  const { reservedNames } = evaluation;
  if (
    reservedNames.has(identity.experimentName) ||
    evaluation.experiments.idByName(identity.experimentName) !== undefined
  ) {
    throw fail('EXPERIMENT_EXISTS', { name: identity.experimentName });
  }
  reservedNames.add(identity.experimentName);
  try {
    // Serializes uploads that bring feedback ids: two of them could both find the same new id unused.
    const first = [
      ...(identity.ownIds ? [FEEDBACK_IDS_LOCK] : []),
      ...(identity.datasetName === null ? [] : [datasetNameLock(identity.datasetName)]),
    ];
    return await evaluation.locks.withLocks(first, async () => {
      const datasetId =
        identity.datasetId ?? evaluation.datasets.idByName(identity.datasetName!) ?? evaluation.ids.next();
      return evaluation.locks.withLocks([datasetLock(datasetId)], () =>
        stage(evaluation, caller, upload, identity, datasetId),
      );
    });
  } finally {
    reservedNames.delete(identity.experimentName);
  }
}

async function stage(
  evaluation: EvaluationContext,
  caller: Caller,
  upload: UploadSession,
  identity: UploadIdentity,
  datasetId: string,
): Promise<JsonBytes> {
  const existing = findTargetDataset(evaluation, caller, identity, datasetId);
  const nowUs = evaluation.nowUs();
  const versionUs = Math.max(nowUs, (existing?.lastVersionUs ?? 0) + 1);
  const dataset =
    existing ??
    newDataset({
      datasetId,
      nowUs,
      externallyManaged: true,
      name: identity.datasetName ?? freeName(evaluation, datasetId),
      description: identity.datasetDescription,
      metadata: stampMetadata(caller, null),
    });
  return withStagedLists(
    evaluation,
    (take) => ({ exampleList: take(), experimentList: take() }),
    async (lists, writeSlices, createPublishingPlan) => {
      const experiment: ExperimentRecord = {
        experimentId: evaluation.ids.next(),
        list: lists.experimentList,
        name: identity.experimentName,
        description: identity.description,
        startTimeUs: identity.startUs,
        endTimeUs: identity.endUs,
        createdAtUs: versionUs,
        extra: stampExtra(caller, identity.metadata === null ? null : addMetadata(identity.metadata)),
        progress: null,
        defaultDatasetId: null,
        referenceDatasetId: datasetId,
        traceTier: 'longlived',
        testRunNumber: dataset.nextTestRun,
      };
      upload.duplex.send({
        type: 'place',
        dataset: pack(dataset),
        existing: existing !== undefined,
        experiment: pack(experiment),
        exampleList: lists.exampleList,
        versionUs,
        nowUs,
      });
      const done = await writeSlices(upload);
      await publish(evaluation, caller, createPublishingPlan(), {
        lists,
        dataset,
        existing: existing !== undefined,
        experiment,
        versionUs,
        done,
      });
      return done.answer;
    },
  );
}

/**
 * The existing dataset that the upload names. Throws if name and id do not match, or if the dataset accepts no
 * uploads.
 */
function findTargetDataset(
  { datasets }: EvaluationContext,
  caller: Caller,
  identity: UploadIdentity,
  datasetId: string,
): DatasetRecord | undefined {
  const existing = datasets.get(caller, datasetId);
  if (identity.datasetName !== null) {
    const named = datasets.idByName(identity.datasetName);
    if (named !== undefined ? named !== datasetId : existing !== undefined)
      throw fail('DATASET_AMBIGUOUS', { datasetId, name: identity.datasetName });
  }
  // The dataset exists, but the caller may not see it.
  if (existing === undefined && datasets.exists(datasetId)) throw fail('DATASET_NOT_FOUND', { datasetId });
  if (existing !== undefined && !existing.externallyManaged)
    throw fail('DATASET_NOT_EXTERNAL', { dataset: existing.name });
  return existing;
}

function freeName({ datasets }: EvaluationContext, datasetId: string): string {
  const short = `external-${datasetId.slice(0, 8)}`;
  return datasets.idByName(short) === undefined ? short : `external-${datasetId}`;
}

interface UploadLists {
  exampleList: number;
  experimentList: number;
}

interface Publication {
  lists: UploadLists;
  dataset: DatasetRecord;
  existing: boolean;
  experiment: ExperimentRecord;
  versionUs: number;
  done: UploadResult;
}

/** Checks again everything that may have changed, and publishes all records in one commit. */
async function publish(
  evaluation: EvaluationContext,
  caller: Caller,
  commit: DraftCommit,
  { lists, dataset, existing, experiment, versionUs, done }: Publication,
): Promise<void> {
  const { datasets, experiments, latest } = evaluation;
  const now = existing ? datasets.get(caller, dataset.datasetId) : null;
  // The dataset was deleted, and possibly created again. The rows were checked against the old one.
  if (now === undefined || (now !== null && now.generation !== dataset.generation))
    throw fail('DATASET_NOT_FOUND', { datasetId: dataset.datasetId });
  if (now === null && (datasets.idByName(dataset.name) !== undefined || datasets.exists(dataset.datasetId)))
    throw fail('DATASET_EXISTS', { name: dataset.name });
  if (experiments.idByName(experiment.name) !== undefined) throw fail('EXPERIMENT_EXISTS', { name: experiment.name });
  const before = now ?? dataset;
  datasets.put(
    commit,
    {
      ...before,
      exampleCount: before.exampleCount + done.examplesAdded,
      nextTestRun: before.nextTestRun + 1,
      ...(done.examplesWritten
        ? {
            lists: [...before.lists, lists.exampleList],
            seq: before.seq + 1,
            lastVersionUs: versionUs,
            modifiedAtUs: existing ? versionUs : before.modifiedAtUs,
          }
        : {}),
    },
    now,
  );
  if (done.examplesWritten) commit.put(keys.exampleList(lists.exampleList), Buffer.from(dataset.datasetId));
  experiments.put(commit, experiment, null);
  const seq = recordChange(
    commit,
    lists.experimentList,
    { seq: 0, nextRun: done.nextRun, nextFeedback: done.nextFeedback },
    { all: true, runs: [], feedback: [] },
  );
  for (const [key, config] of done.configs) putConfigIfNew(commit, key, config, versionUs);
  await latest.write(commit);
  evaluation.statistics.onListChanged(lists.experimentList, seq);
}
