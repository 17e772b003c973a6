import type { DatasetCreate } from '../../../schemas/compiled/types.js';
import type { Caller } from '../../domain/caller.js';
import { fail, type Problem } from '../../base/errors.js';
import { problemsOfSchema, problemsOfTransformations } from '../../domain/json-schema.js';
import { comparativesOf, removeComparative } from '../../store/evaluation/comparatives.js';
import { SERVER_CALLER } from '../../domain/caller.js';
import { removeShare, shareOf } from '../../store/evaluation/shares.js';
import { keys } from '../../store/keys.js';
import { isDatasetVisible, newDataset, type DatasetRecord } from '../../store/evaluation/datasets.js';
import { metadataOfExtra } from '../../store/evaluation/experiments.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import type { RequestObject } from '../../wire/evaluation/request-object.js';
import type { EvaluationContext } from './context.js';
import { stampMetadata } from './extra.js';
import { datasetLock, datasetNameLock } from './locks.js';

/** Throws DATASET_EXISTS if another dataset has this name or id. */
export function refuseTakenDataset(
  { datasets }: EvaluationContext,
  { name, datasetId }: Pick<DatasetRecord, 'name' | 'datasetId'>,
): void {
  if (datasets.idByName(name) !== undefined || datasets.exists(datasetId)) throw fail('DATASET_EXISTS', { name });
}

/** A dataset as it was when its examples were locked. */
export interface LockedDataset {
  dataset: DatasetRecord;
  /** The dataset is not stored yet: the commit that writes its examples creates it. */
  isNew: boolean;
}

/**
 * Reads the record again before a commit, because only the examples are locked: the name may have changed, or the
 * dataset may have been deleted and created again. Null for a new dataset. Throws DATASET_EXISTS,
 * DATASET_NOT_FOUND.
 */
export function readLockedAgain(
  evaluation: EvaluationContext,
  caller: Caller,
  { dataset, isNew }: LockedDataset,
): DatasetRecord | null {
  if (isNew) {
    refuseTakenDataset(evaluation, dataset);
    return null;
  }
  const { datasetId, generation } = dataset;
  const stored = evaluation.datasets.get(caller, datasetId);
  if (stored?.generation !== generation) throw fail('DATASET_NOT_FOUND', { datasetId });
  return stored;
}

/** Adds what is wrong with the schemas and transformations of the dataset to the problems of the request. */
function checkRules(read: RequestObject): void {
  const check = (name: string, problemsOf: (value: unknown) => Problem[]): void => {
    const value = read.values[name];
    if (value === undefined || value === null) return;
    read.problems.push(...problemsOf(value).map((problem) => ({ ...problem, loc: [name, ...problem.loc] })));
  };
  check('inputs_schema_definition', problemsOfSchema);
  check('outputs_schema_definition', problemsOfSchema);
  check('transformations', problemsOfTransformations);
}

/** Creates a dataset and returns its id. Throws DATASET_EXISTS. */
export async function createDataset(
  evaluation: EvaluationContext,
  caller: Caller,
  read: RequestObject,
): Promise<string> {
  const { datasets, latest, ids } = evaluation;
  const body = read.values as unknown as DatasetCreate;
  const record = newDataset({
    datasetId: read.uuid('id') ?? ids.next(),
    name: read.text('name')!,
    description: read.text('description'),
    nowUs: read.timeUs('created_at') ?? evaluation.nowUs(),
    externallyManaged: body.externally_managed ?? false,
    dataType: body.data_type ?? 'kv',
    inputsSchema: read.freeForm('inputs_schema_definition'),
    outputsSchema: read.freeForm('outputs_schema_definition'),
    transformations: read.freeForm('transformations'),
    // The SDKs send the metadata of a dataset inside `extra`.
    metadata: stampMetadata(caller, read.freeForm('metadata') ?? metadataOfExtra(read.freeForm('extra'))),
  });
  checkRules(read);
  read.finish();
  return evaluation.locks.withLocks([datasetNameLock(record.name), datasetLock(record.datasetId)], async () => {
    refuseTakenDataset(evaluation, record);
    const plan = new DraftCommit(latest);
    datasets.put(plan, record, null);
    await latest.write(plan);
    return record.datasetId;
  });
}

/** Changes the given fields. Null clears a nullable field. Throws DATASET_NOT_FOUND, DATASET_EXISTS. */
export async function patchDataset(
  evaluation: EvaluationContext,
  caller: Caller,
  datasetId: string,
  read: RequestObject,
): Promise<void> {
  const { datasets, latest, experiments } = evaluation;
  const [name, description] = [read.text('name'), read.text('description')];
  const free = {
    metadata: read.freeForm('metadata'),
    inputsSchema: read.freeForm('inputs_schema_definition'),
    outputsSchema: read.freeForm('outputs_schema_definition'),
    transformations: read.freeForm('transformations'),
  };
  const baseline = read.uuid('baseline_experiment_id');
  checkRules(read);
  read.finish();
  const before = datasets.get(caller, datasetId);
  if (before === undefined) throw fail('DATASET_NOT_FOUND', { datasetId });
  if (name !== null && name !== before.name && datasets.idByName(name) !== undefined)
    throw fail('DATASET_EXISTS', { name });
  if (baseline !== null && experiments.get(caller, baseline)?.referenceDatasetId !== datasetId)
    throw fail('EXPERIMENT_NOT_FOUND', { experimentId: baseline });
  const metadata = read.has('metadata') ? stampMetadata(caller, free.metadata) : before.metadata;
  // Prevents a change that would hide the dataset from its own caller.
  if (!isDatasetVisible(caller, { metadata })) throw fail('FORBIDDEN', { action: 'datasets:update' });
  const plan = new DraftCommit(latest);
  datasets.put(
    plan,
    {
      ...before,
      name: name ?? before.name,
      description: read.has('description') ? description : before.description,
      metadata,
      inputsSchema: read.has('inputs_schema_definition') ? free.inputsSchema : before.inputsSchema,
      outputsSchema: read.has('outputs_schema_definition') ? free.outputsSchema : before.outputsSchema,
      transformations: read.has('transformations') ? free.transformations : before.transformations,
      baselineExperimentId: read.has('baseline_experiment_id') ? baseline : before.baselineExperimentId,
      modifiedAtUs: evaluation.nowUs(),
    },
    before,
  );
  await latest.write(plan);
}

/** Deletes the dataset with its examples and experiments. A running upload to it fails. Throws DATASET_NOT_FOUND. */
export async function deleteDataset(evaluation: EvaluationContext, caller: Caller, datasetId: string): Promise<void> {
  const { datasets, experiments, latest, remover } = evaluation;
  const record = datasets.get(caller, datasetId);
  if (record === undefined) throw fail('DATASET_NOT_FOUND', { datasetId });
  const plan = new DraftCommit(latest);
  // Includes experiments that the caller may not see. They would remain without a dataset.
  for (const key of latest.keysUnder(keys.datasetExperiments(datasetId))) {
    const experiment = experiments.get(SERVER_CALLER, key[3] as string);
    if (experiment === undefined) continue;
    experiments.remove(plan, experiment);
    evaluation.watcher?.onProjectRemoved(plan, experiment.experimentId);
  }
  for (const comparative of comparativesOf(latest.store, datasetId)) removeComparative(plan, comparative);
  const share = shareOf(plan, 'dataset', datasetId);
  if (share !== undefined) removeShare(plan, share);
  datasets.remove(plan, record);
  await latest.write(plan);
  remover.wake();
}

/** Tags the version of a given time, or of another tag. Throws DATASET_NOT_FOUND. */
export async function tagDataset(
  evaluation: EvaluationContext,
  caller: Caller,
  datasetId: string,
  { tag, asOfUs }: { tag: string; asOfUs: number },
): Promise<void> {
  const { datasets, latest } = evaluation;
  const before = datasets.get(caller, datasetId);
  if (before === undefined) throw fail('DATASET_NOT_FOUND', { datasetId });
  const plan = new DraftCommit(latest);
  datasets.put(plan, { ...before, tags: { ...before.tags, [tag]: asOfUs } }, before);
  await latest.write(plan);
}
