import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { canonicalUuid } from '../../base/ids.js';
import { comparativeOf, putComparative, removeComparative } from '../../store/evaluation/comparatives.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import type { RequestObject } from '../../wire/evaluation/request-object.js';
import type { ComparativeCreate } from '../../../schemas/compiled/types.js';
import type { EvaluationContext } from './context.js';

/**
 * Creates a comparison of experiments of one dataset and returns its id. An existing comparison with this id is
 * replaced. Throws EXPERIMENT_NOT_FOUND for an experiment of another dataset, COMPARATIVE_EXISTS.
 */
export async function createComparative(
  evaluation: EvaluationContext,
  caller: Caller,
  read: RequestObject,
): Promise<string> {
  const { experiments, datasets, latest } = evaluation;
  const wanted = (read.values as unknown as ComparativeCreate).experiment_ids;
  const nowUs = evaluation.nowUs();
  const given = {
    comparativeId: read.uuid('id') ?? evaluation.ids.next(),
    name: read.text('name'),
    description: read.text('description'),
    createdAtUs: read.timeUs('created_at') ?? nowUs,
    modifiedAtUs: read.timeUs('modified_at') ?? nowUs,
    extra: read.freeForm('extra'),
  };
  const reference = read.uuid('reference_dataset_id');
  read.finish();
  const experimentIds = [...new Set(wanted.map((id) => canonicalUuid(id) ?? id))];
  const first = experiments.get(caller, experimentIds[0]!);
  const referenceDatasetId = reference ?? first?.referenceDatasetId ?? null;
  if (referenceDatasetId === null) throw fail('EXPERIMENT_NOT_FOUND', { experimentId: experimentIds[0]! });
  if (datasets.get(caller, referenceDatasetId) === undefined)
    throw fail('DATASET_NOT_FOUND', { datasetId: referenceDatasetId });
  for (const experimentId of experimentIds) {
    if (experiments.get(caller, experimentId)?.referenceDatasetId !== referenceDatasetId)
      throw fail('EXPERIMENT_NOT_FOUND', { experimentId });
  }
  const plan = new DraftCommit(latest);
  const before = comparativeOf(plan, given.comparativeId);
  if (before !== undefined && before.referenceDatasetId !== referenceDatasetId)
    throw fail('COMPARATIVE_EXISTS', { comparativeId: given.comparativeId });
  putComparative(plan, { ...given, referenceDatasetId, experimentIds }, before);
  await latest.write(plan);
  return given.comparativeId;
}

/** Deletes the comparison. Its scores stay with the runs, but no longer count. Throws COMPARATIVE_NOT_FOUND. */
export async function deleteComparative(
  { datasets, latest }: EvaluationContext,
  caller: Caller,
  comparativeId: string,
): Promise<void> {
  const plan = new DraftCommit(latest);
  const record = comparativeOf(plan, comparativeId);
  if (record === undefined || datasets.get(caller, record.referenceDatasetId) === undefined)
    throw fail('COMPARATIVE_NOT_FOUND', { comparativeId });
  removeComparative(plan, record);
  await latest.write(plan);
}
