import type { Caller } from '../../base/caller.js';
import { fail } from '../../base/errors.js';
import type { JsonBytes } from '../../base/json.js';
import type { EvaluationTalk } from '../../pool/evaluation-pool.js';
import type { DatasetRecord } from '../../store/datasets.js';
import { Commit } from '../../store/env.js';
import type { ExperimentRecord } from '../../store/experiments.js';
import { putConfigIfNew } from '../../store/feedback-configs.js';
import { keys } from '../../store/keys.js';
import { Plan } from '../../store/latest.js';
import { noteChange } from '../../store/lists.js';
import { pack } from '../../wire/codec.js';
import type { FromUpload, ToUpload, UploadDone, UploadIdentity } from '../../wire/evaluation.js';
import { addMetadata } from './extra.js';
import type { Evaluation } from './context.js';
import { newDataset } from './datasets.js';
import { FEEDBACK_IDS, lockOfDataset, lockOfName } from './locks.js';
import { nameLeftovers, StagedPuts } from './staging.js';

export type UploadTalk = EvaluationTalk<ToUpload, FromUpload, UploadDone>;

/**
 * The way of an upload (docs/ARCHITECTURE.md): the evaluation thread has the body; here its place is decided, what it
 * encodes is put, and one commit publishes all of it. Returns the JSON of the answer. All or nothing: until that commit the
 * rows stand in lists that nothing points to, and start-up removes lists whose staging record it finds.
 */
export async function uploadExperiment(evaluation: Evaluation, caller: Caller, upload: UploadTalk): Promise<JsonBytes> {
  try {
    return await place(evaluation, caller, upload);
  } catch (error) {
    // It may be waiting for what will not come.
    upload.talk.send({ type: 'abort' });
    throw error;
  }
}

async function place(evaluation: Evaluation, caller: Caller, upload: UploadTalk): Promise<JsonBytes> {
  const identity = await nextOf(upload);
  if (identity.type !== 'identity') throw new Error(`expected an identity, got ${identity.type}`);
  const { reservedNames } = evaluation;
  if (reservedNames.has(identity.experimentName) || evaluation.experiments.idOf(identity.experimentName) !== undefined) {
    throw fail('EXPERIMENT_EXISTS', { name: identity.experimentName });
  }
  reservedNames.add(identity.experimentName);
  try {
    // Two uploads that bring the same new ids of feedback would both find them free.
    const first = [...(identity.ownIds ? [FEEDBACK_IDS] : []), ...(identity.datasetName === null ? [] : [lockOfName(identity.datasetName)])];
    return await evaluation.locks.hold(first, async () => {
      const datasetId = identity.datasetId ?? evaluation.datasets.idOf(identity.datasetName!) ?? evaluation.ids.next();
      return evaluation.locks.hold([lockOfDataset(datasetId)], () => stage(evaluation, caller, upload, identity, datasetId));
    });
  } finally {
    reservedNames.delete(identity.experimentName);
  }
}

/** The message that comes next, or the error that ended the task instead. */
async function nextOf({ talk, done }: UploadTalk): Promise<FromUpload> {
  // A port that closed says only that the task has ended: how, the task says.
  const ended = done.then((): never => { throw new Error('the upload ended early'); });
  return Promise.race([talk.next().catch(() => ended), ended]);
}

async function stage(evaluation: Evaluation, caller: Caller, upload: UploadTalk, identity: UploadIdentity, datasetId: string): Promise<JsonBytes> {
  const existing = target(evaluation, caller, identity, datasetId);
  const nowUs = evaluation.nowUs();
  const versionUs = Math.max(nowUs, (existing?.lastVersionUs ?? 0) + 1);
  const dataset = existing ?? newDataset({
    datasetId, nowUs, externallyManaged: true,
    name: identity.datasetName ?? freeName(evaluation, datasetId),
    description: identity.datasetDescription,
  });
  const opening = new Commit();
  const staged = { exampleList: evaluation.lists.take(opening), experimentList: evaluation.lists.take(opening) };
  const uploadId = evaluation.ids.next();
  opening.put(keys.staged(uploadId), pack(staged));
  // On disk no later than the first slice; if it cannot be written, neither can what follows.
  evaluation.latest.write(opening).catch(() => undefined);
  try {
    const experiment: ExperimentRecord = {
      experimentId: evaluation.ids.next(),
      list: staged.experimentList,
      name: identity.experimentName,
      description: identity.description,
      startTimeUs: identity.startUs,
      endTimeUs: identity.endUs,
      createdAtUs: versionUs,
      extra: identity.metadata === null ? null : addMetadata(identity.metadata),
      progress: null,
      defaultDatasetId: null,
      referenceDatasetId: datasetId,
      traceTier: 'longlived',
      testRunNumber: dataset.nextTestRun,
    };
    upload.talk.send({ type: 'place', dataset: pack(dataset), existing: existing !== undefined, experiment: pack(experiment), exampleList: staged.exampleList, versionUs, nowUs });
    const done = await takeSlices(evaluation, upload);
    await publish(evaluation, caller, { uploadId, staged, dataset, existing: existing !== undefined, experiment, versionUs, done });
    return done.answer;
  } catch (error) {
    await discard(evaluation, uploadId, staged);
    throw error;
  }
}

/** The dataset that the identity names, if it exists. Throws when it is another one, or takes no uploads. */
function target({ datasets }: Evaluation, caller: Caller, identity: UploadIdentity, datasetId: string): DatasetRecord | undefined {
  const existing = datasets.get(caller, datasetId);
  if (identity.datasetName !== null) {
    const named = datasets.idOf(identity.datasetName);
    if (named !== undefined ? named !== datasetId : existing !== undefined) throw fail('DATASET_AMBIGUOUS', { datasetId, name: identity.datasetName });
  }
  // It is there, but not for this caller.
  if (existing === undefined && datasets.exists(datasetId)) throw fail('DATASET_NOT_FOUND', { datasetId });
  if (existing !== undefined && !existing.externallyManaged) throw fail('DATASET_NOT_EXTERNAL', { dataset: existing.name });
  return existing;
}

function freeName({ datasets }: Evaluation, datasetId: string): string {
  const short = `external-${datasetId.slice(0, 8)}`;
  return datasets.idOf(short) === undefined ? short : `external-${datasetId}`;
}

/** Puts what comes, a slice a turn. The last flush is that of the publishing commit. */
async function takeSlices(evaluation: Evaluation, upload: UploadTalk): Promise<UploadDone> {
  let finished = false;
  const done = upload.done.finally(() => { finished = true; });
  done.catch(() => undefined);
  const puts = new StagedPuts(evaluation.latest.store);
  for (;;) {
    const message = await Promise.race([upload.talk.next().catch(() => null), done]);
    if (finished || message === null || !('type' in message)) return done;
    if (message.type !== 'slice') throw new Error(`expected a slice, got ${message.type}`);
    await puts.put(message.puts);
    upload.talk.send({ type: 'more' });
  }
}

interface UploadLists {
  exampleList: number;
  experimentList: number;
}

interface Publication {
  uploadId: string;
  staged: UploadLists;
  dataset: DatasetRecord;
  existing: boolean;
  experiment: ExperimentRecord;
  versionUs: number;
  done: UploadDone;
}

/** Checks again what may have changed meanwhile, and makes all of it visible in one commit. */
async function publish(evaluation: Evaluation, caller: Caller, { uploadId, staged, dataset, existing, experiment, versionUs, done }: Publication): Promise<void> {
  const { datasets, experiments, latest } = evaluation;
  const now = existing ? datasets.get(caller, dataset.datasetId) : null;
  // Deleted, or deleted and made again: what the rows were compared with is gone.
  if (now === undefined || (now !== null && now.generation !== dataset.generation)) throw fail('DATASET_NOT_FOUND', { datasetId: dataset.datasetId });
  if (now === null && (datasets.idOf(dataset.name) !== undefined || datasets.exists(dataset.datasetId))) throw fail('DATASET_EXISTS', { name: dataset.name });
  if (experiments.idOf(experiment.name) !== undefined) throw fail('EXPERIMENT_EXISTS', { name: experiment.name });
  const before = now ?? dataset;
  const commit = new Plan(latest);
  datasets.put(commit, {
    ...before,
    exampleCount: before.exampleCount + done.examplesAdded,
    nextTestRun: before.nextTestRun + 1,
    ...(done.examplesWritten ? { lists: [...before.lists, staged.exampleList], seq: before.seq + 1, lastVersionUs: versionUs, modifiedAtUs: existing ? versionUs : before.modifiedAtUs } : {}),
  }, now);
  if (done.examplesWritten) commit.put(keys.exampleList(staged.exampleList), Buffer.from(dataset.datasetId));
  experiments.put(commit, experiment, null);
  const seq = noteChange(commit, staged.experimentList, { seq: 0, nextRun: done.nextRun, nextFeedback: done.nextFeedback }, { all: true, runs: [], feedback: [] });
  for (const [key, config] of done.configs) putConfigIfNew(commit, key, config, versionUs);
  commit.remove(keys.staged(uploadId));
  await latest.write(commit);
  evaluation.statistics.changed(staged.experimentList, seq);
}

/** Names what was staged as leftovers; the remover does the rest. */
async function discard(evaluation: Evaluation, uploadId: string, staged: UploadLists): Promise<void> {
  const commit = new Commit();
  commit.remove(keys.staged(uploadId));
  nameLeftovers(commit, staged);
  await evaluation.latest.write(commit).catch((error: unknown) => evaluation.log.error({ err: error }, 'a staged upload could not be discarded'));
  evaluation.remover.wake();
}
