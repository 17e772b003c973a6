import type { ComparativeListQuery } from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { isoMicros } from '../../src/base/micros.js';
import { comparativeOf, comparativesOf, type ComparativeRecord } from '../../src/store/evaluation/comparatives.js';
import type { Caches } from './caches.js';
import type { KeptFeedback } from './list-facts.js';
import { parseIds, listJson, sliceOfPage } from './pages.js';
import { datasetOf } from './reads-datasets.js';
import { comparativeIdOf } from './reads-feedback.js';
import { jsonObject, TENANT_ID } from './records-json.js';
import type { QueryHandler } from './read.js';
import { feedbackStats } from './feedback-statistics.js';

/** Fields of evaluation-api.md, 2.7. */
function fieldsOf(record: ComparativeRecord): Record<string, unknown> {
  return {
    id: record.comparativeId,
    tenant_id: TENANT_ID,
    name: record.name,
    description: record.description,
    created_at: isoMicros(record.createdAtUs),
    modified_at: isoMicros(record.modifiedAtUs),
    reference_dataset_id: record.referenceDatasetId,
    extra: record.extra,
  };
}

/** The same fields as the response to creating it. */
const get: QueryHandler<{ comparative_experiment_id: string }> = (caches, _caller, { comparative_experiment_id: id }) =>
  jsonObject(fieldsOf(comparativeOf(caches.reader, id)!));

const list: QueryHandler<ComparativeListQuery & { dataset_id: string }> = (caches, caller, query) => {
  const dataset = datasetOf(caches, caller, query.dataset_id);
  const ids = parseIds(query.id, 'id');
  const part = query.name_contains?.toLowerCase();
  const found = [...comparativesOf(caches.reader, dataset.datasetId)].filter(
    ({ comparativeId, name }) =>
      (ids === null || ids.includes(comparativeId)) &&
      (query.name === undefined || name === query.name) &&
      (part === undefined || (name ?? '').toLowerCase().includes(part)),
  );
  const page = sliceOfPage(found, query);
  const scores = scoresIn(caches, caller, page);
  return listJson(page, (record) =>
    jsonObject({
      ...fieldsOf(record),
      experiments_info: experimentsOf(caches, caller, record),
      feedback_stats: feedbackStats(scores.get(record.comparativeId) ?? []),
    }),
  );
};

/** The experiments that still exist. */
function experimentsOf(
  caches: Caches,
  caller: Caller,
  { experimentIds }: ComparativeRecord,
): { id: string; name: string }[] {
  return experimentIds.flatMap((id) => {
    const experiment = caches.experiments.get(caller, id);
    return experiment === undefined ? [] : [{ id, name: experiment.name }];
  });
}

/** Feedback on runs that belongs to a comparison, by the comparison's id. */
function scoresIn(caches: Caches, caller: Caller, records: readonly ComparativeRecord[]): Map<string, KeptFeedback[]> {
  const scores = new Map<string, KeptFeedback[]>(records.map(({ comparativeId }) => [comparativeId, []]));
  for (const experimentId of new Set(records.flatMap(({ experimentIds }) => experimentIds))) {
    const experiment = caches.experiments.get(caller, experimentId);
    if (experiment === undefined) continue;
    for (const one of caches.facts(experiment.list).derived.feedback) {
      if (one.comparative) scores.get(comparativeIdOf(caches, one)!)?.push(one);
    }
  }
  return scores;
}

export const comparativeReads = { 'comparatives.get': get, 'comparatives.list': list };
