import type { SessionCreate, SessionPatch } from '../../../schemas/compiled/types.js';
import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { asObject, jsonBytes, parseJson, type JsonBytes } from '../../base/json/json.js';
import type { RequestObject } from '../../wire/evaluation/request-object.js';
import { isExperimentVisible, type ExperimentRecord } from '../../store/evaluation/experiments.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import type { EvaluationContext } from './context.js';
import { stampExtra } from './extra.js';
import { datasetLock } from './locks.js';

/** Returns a new record with its own list. The record is not stored yet. */
export function newExperiment(
  evaluation: EvaluationContext,
  plan: DraftCommit,
  given: Partial<ExperimentRecord> & { name: string },
): ExperimentRecord {
  const nowUs = evaluation.nowUs();
  return {
    experimentId: evaluation.ids.next(),
    list: evaluation.lists.assign(plan),
    description: null,
    startTimeUs: nowUs,
    endTimeUs: null,
    createdAtUs: nowUs,
    extra: null,
    progress: null,
    defaultDatasetId: null,
    referenceDatasetId: null,
    traceTier: 'longlived',
    testRunNumber: null,
    ...given,
  };
}

/**
 * Creates an experiment or project and returns its id. Throws EXPERIMENT_EXISTS; with `upsert`, returns the
 * existing one with this name.
 */
export async function createExperiment(
  evaluation: EvaluationContext,
  caller: Caller,
  read: RequestObject,
  { upsert }: { upsert: boolean },
): Promise<string> {
  const body = read.values as unknown as SessionCreate;
  const datasetId = read.uuid('reference_dataset_id');
  const given = {
    experimentId: read.uuid('id') ?? evaluation.ids.next(),
    name: read.text('name') ?? `project-${evaluation.ids.next().slice(-12)}`,
    description: read.text('description'),
    startTimeUs: read.timeUs('start_time') ?? evaluation.nowUs(),
    endTimeUs: read.timeUs('end_time'),
    extra: stampExtra(caller, read.freeForm('extra')),
    progress: progressOf(body, null),
    defaultDatasetId: read.uuid('default_dataset_id'),
    referenceDatasetId: datasetId,
    traceTier: body.trace_tier ?? ('longlived' as const),
  };
  read.finish();
  const create = async (): Promise<string> => {
    const { experiments, datasets, latest } = evaluation;
    const taken = experiments.idByName(given.name);
    if (taken !== undefined || evaluation.reservedNames.has(given.name)) {
      if (!upsert || taken === undefined || experiments.get(caller, taken) === undefined)
        throw fail('EXPERIMENT_EXISTS', { name: given.name });
      await latest.flushed();
      return taken;
    }
    if (experiments.exists(given.experimentId)) throw fail('EXPERIMENT_EXISTS', { name: given.name });
    const plan = new DraftCommit(latest);
    let testRunNumber: number | null = null;
    if (datasetId !== null) {
      const dataset = datasets.get(caller, datasetId);
      if (dataset === undefined) throw fail('DATASET_NOT_FOUND', { datasetId });
      testRunNumber = dataset.nextTestRun;
      datasets.put(plan, { ...dataset, nextTestRun: testRunNumber + 1 }, dataset);
    }
    experiments.put(plan, newExperiment(evaluation, plan, { ...given, testRunNumber }), null);
    await latest.write(plan);
    return given.experimentId;
  };
  return datasetId === null ? create() : evaluation.locks.withLocks([datasetLock(datasetId)], create);
}

/** Changes the given fields that are not null. Throws EXPERIMENT_NOT_FOUND, EXPERIMENT_EXISTS. */
export async function patchExperiment(
  evaluation: EvaluationContext,
  caller: Caller,
  experimentId: string,
  read: RequestObject,
): Promise<void> {
  const { experiments, latest } = evaluation;
  const body = read.values as unknown as SessionPatch;
  const [name, description, endTimeUs, extra, defaultDatasetId] = [
    read.text('name'),
    read.text('description'),
    read.timeUs('end_time'),
    read.freeForm('extra'),
    read.uuid('default_dataset_id'),
  ];
  read.finish();
  const before = experiments.get(caller, experimentId);
  if (before === undefined) throw fail('EXPERIMENT_NOT_FOUND', { experimentId });
  if (
    name !== null &&
    name !== before.name &&
    (experiments.idByName(name) !== undefined || evaluation.reservedNames.has(name))
  )
    throw fail('EXPERIMENT_EXISTS', { name });
  const changedExtra = extra === null ? before.extra : stampExtra(caller, extra);
  // Prevents a change that would hide the experiment from its own caller.
  if (!isExperimentVisible(caller, { extra: changedExtra })) throw fail('FORBIDDEN', { action: 'experiments:update' });
  const plan = new DraftCommit(latest);
  experiments.put(
    plan,
    {
      ...before,
      name: name ?? before.name,
      description: description ?? before.description,
      endTimeUs: endTimeUs ?? before.endTimeUs,
      extra: changedExtra,
      defaultDatasetId: defaultDatasetId ?? before.defaultDatasetId,
      traceTier: body.trace_tier ?? before.traceTier,
      progress: progressOf(body, before.progress),
    },
    before,
  );
  await latest.write(plan);
}

/** Throws EXPERIMENT_NOT_FOUND and deletes nothing if one of them does not exist. */
export async function deleteExperiments(
  evaluation: EvaluationContext,
  caller: Caller,
  experimentIds: readonly string[],
): Promise<void> {
  const { experiments, latest, remover } = evaluation;
  const plan = new DraftCommit(latest);
  for (const experimentId of new Set(experimentIds)) {
    const record = experiments.get(caller, experimentId);
    if (record === undefined) throw fail('EXPERIMENT_NOT_FOUND', { experimentId });
    experiments.remove(plan, record);
    evaluation.watcher?.onProjectRemoved(plan, experimentId);
  }
  await latest.write(plan);
  remover.wake();
}

/** The number of runs and the scores that an evaluation announces (evaluation-api.md, 2.3). */
function progressOf(body: SessionPatch, before: JsonBytes | null): JsonBytes | null {
  if (body.num_examples == null && body.num_repetitions == null && body.evaluator_keys == null) return before;
  const known = before === null ? {} : asObject(parseJson(before));
  const examples = body.num_examples ?? null;
  return jsonBytes({
    expected_run_count:
      examples === null ? (known['expected_run_count'] ?? null) : examples * (body.num_repetitions ?? 1),
    evaluator_keys: body.evaluator_keys ?? known['evaluator_keys'] ?? [],
  });
}
