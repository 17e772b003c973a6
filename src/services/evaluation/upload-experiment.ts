import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import type { JsonBytes } from '../../base/json/json.js';
import type { EvaluationSession } from '../../pool/evaluation-pool.js';
import { newDataset, type DatasetRecord } from '../../store/evaluation/datasets.js';
import type { ExperimentRecord } from '../../store/evaluation/experiments.js';
import { putConfigIfNew } from '../../store/evaluation/feedback-configs.js';
import { keys } from '../../store/keys.js';
import type { DraftCommit } from '../../store/read-your-writes.js';
import { recordAggregatedChange } from '../../store/evaluation/block-lists.js';
import { pack } from '../../wire/codec.js';
import type { FromUpload, ToUpload, UploadResult, UploadIdentity } from '../../wire/evaluation/evaluation.js';
import { addMetadata, stampExtra, stampMetadata } from './extra.js';
import type { EvaluationContext } from './context.js';
import { readLockedAgain, type LockedDataset } from './datasets.js';
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
  session: UploadSession,
): Promise<JsonBytes> {
  try {
    return await new ExperimentUpload(evaluation, caller, session).store();
  } catch (error) {
    // The worker may wait for a message that will never come.
    session.duplex.send({ type: 'abort' });
    throw error;
  }
}

/** What the commit that publishes an upload needs. */
interface Publication {
  target: LockedDataset;
  exampleList: number;
  experiment: ExperimentRecord;
  versionUs: number;
  result: UploadResult;
}

class ExperimentUpload {
  readonly #evaluation: EvaluationContext;
  readonly #caller: Caller;
  readonly #session: UploadSession;

  constructor(evaluation: EvaluationContext, caller: Caller, session: UploadSession) {
    this.#evaluation = evaluation;
    this.#caller = caller;
    this.#session = session;
  }

  async store(): Promise<JsonBytes> {
    const identity = await receiveMessage(this.#session);
    if (identity.type !== 'identity') throw new Error(`expected an identity, got ${identity.type}`);
    const { reservedNames, experiments, datasets, locks, ids } = this.#evaluation;
    const { experimentName, datasetName } = identity;
    if (reservedNames.has(experimentName) || experiments.idByName(experimentName) !== undefined)
      throw fail('EXPERIMENT_EXISTS', { name: experimentName });
    reservedNames.add(experimentName);
    try {
      // Serializes uploads that bring feedback ids: two of them could both find the same new id unused.
      const first = [
        ...(identity.ownIds ? [FEEDBACK_IDS_LOCK] : []),
        ...(datasetName === null ? [] : [datasetNameLock(datasetName)]),
      ];
      return await locks.withLocks(first, async () => {
        const datasetId = identity.datasetId ?? datasets.idByName(datasetName!) ?? ids.next();
        return locks.withLocks([datasetLock(datasetId)], () => this.#stage(identity, datasetId));
      });
    } finally {
      reservedNames.delete(experimentName);
    }
  }

  async #stage(identity: UploadIdentity, datasetId: string): Promise<JsonBytes> {
    const evaluation = this.#evaluation;
    const existing = this.#findTargetDataset(identity, datasetId);
    const nowUs = evaluation.nowUs();
    const versionUs = Math.max(nowUs, (existing?.lastVersionUs ?? 0) + 1);
    const dataset =
      existing ??
      newDataset({
        datasetId,
        nowUs,
        externallyManaged: true,
        name: identity.datasetName ?? this.#freeName(datasetId),
        description: identity.datasetDescription,
        metadata: stampMetadata(this.#caller, null),
      });
    const target = { dataset, isNew: existing === undefined };
    return withStagedLists(
      evaluation,
      (take) => ({
        exampleList: take(),
        experimentList: take(),
        attachmentGroup: identity.hasAttachments ? take() : null,
      }),
      async ({ exampleList, experimentList, attachmentGroup }, staging) => {
        const experiment: ExperimentRecord = {
          experimentId: evaluation.ids.next(),
          list: experimentList,
          name: identity.experimentName,
          description: identity.description,
          startTimeUs: identity.startUs,
          endTimeUs: identity.endUs,
          createdAtUs: versionUs,
          extra: stampExtra(this.#caller, identity.metadata === null ? null : addMetadata(identity.metadata)),
          progress: null,
          defaultDatasetId: null,
          referenceDatasetId: datasetId,
          traceTier: 'longlived',
          testRunNumber: dataset.nextTestRun,
        };
        this.#session.duplex.send({
          type: 'place',
          dataset: pack(dataset),
          existing: !target.isNew,
          experiment: pack(experiment),
          exampleList,
          attachmentGroup,
          versionUs,
          nowUs,
        });
        const result = await staging.writeSlices(this.#session);
        await this.#publish(staging.createPublishingPlan(), { target, exampleList, experiment, versionUs, result });
        return result.answer;
      },
    );
  }

  /**
   * The existing dataset that the upload names. Throws if name and id do not match, or if the dataset accepts no
   * uploads.
   */
  #findTargetDataset({ datasetName }: UploadIdentity, datasetId: string): DatasetRecord | undefined {
    const { datasets } = this.#evaluation;
    const existing = datasets.get(this.#caller, datasetId);
    if (datasetName !== null) {
      const named = datasets.idByName(datasetName);
      if (named !== undefined ? named !== datasetId : existing !== undefined)
        throw fail('DATASET_AMBIGUOUS', { datasetId, name: datasetName });
    }
    // The dataset exists, but the caller may not see it.
    if (existing === undefined && datasets.exists(datasetId)) throw fail('DATASET_NOT_FOUND', { datasetId });
    if (existing !== undefined && !existing.externallyManaged)
      throw fail('DATASET_NOT_EXTERNAL', { dataset: existing.name });
    return existing;
  }

  #freeName(datasetId: string): string {
    const short = `external-${datasetId.slice(0, 8)}`;
    return this.#evaluation.datasets.idByName(short) === undefined ? short : `external-${datasetId}`;
  }

  /** Checks again everything that may have changed, and publishes all records in one commit. */
  async #publish(
    plan: DraftCommit,
    { target, exampleList, experiment, versionUs, result }: Publication,
  ): Promise<void> {
    const { datasets, experiments, latest, pool } = this.#evaluation;
    const stored = readLockedAgain(this.#evaluation, this.#caller, target);
    if (experiments.idByName(experiment.name) !== undefined) throw fail('EXPERIMENT_EXISTS', { name: experiment.name });
    const before = stored ?? target.dataset;
    datasets.put(
      plan,
      {
        ...before,
        exampleCount: before.exampleCount + result.examplesAdded,
        nextTestRun: before.nextTestRun + 1,
        ...(result.examplesWritten
          ? {
              lists: [...before.lists, exampleList],
              seq: before.seq + 1,
              lastVersionUs: versionUs,
              modifiedAtUs: target.isNew ? before.modifiedAtUs : versionUs,
            }
          : {}),
      },
      stored,
    );
    if (result.examplesWritten) plan.put(keys.exampleList(exampleList), Buffer.from(before.datasetId));
    experiments.put(plan, experiment, null);
    const seq = recordAggregatedChange(plan, experiment.list, {
      seq: 0,
      nextRun: result.nextRun,
      nextFeedback: result.nextFeedback,
    });
    experiments.putStatistics(plan, experiment.list, { seq, ...result.statistics });
    for (const [key, config] of result.configs) putConfigIfNew(plan, key, config, versionUs);
    await latest.write(plan);
    pool.keepIntakeReady();
  }
}
