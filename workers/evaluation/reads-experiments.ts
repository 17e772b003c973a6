import type {
  SessionListQuery,
  SessionMetadataQuery,
  SessionQuery,
  SessionResolveQuery,
} from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { canonicalUuid } from '../../src/base/ids.js';
import { asObject, contains, parseJson, setOwn, type JsonObject } from '../../src/base/json/json.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { runAt } from '../../src/store/evaluation/run-blocks.js';
import {
  visibleExperiments,
  experimentIdsOf,
  type ExperimentRecord,
  type StatisticsRecord,
} from '../../src/store/evaluation/experiments.js';
import { listHead } from '../../src/store/evaluation/block-lists.js';
import { checkFeedbackKey } from './feedback-keys.js';
import { projectStatistics, statisticsOf } from './aggregate.js';
import type { Caches } from './caches.js';
import { parseIds, listJson, sliceOfPage, parseTime } from './pages.js';
import { experimentJson, jsonObject, metadataOf } from './records-json.js';
import type { QueryHandler } from './read.js';
import { runsInOrder } from './runs-in-order.js';

/** Throws EXPERIMENT_NOT_FOUND. */
export function experimentOf(caches: Caches, caller: Caller, experimentId: string): ExperimentRecord {
  const experiment = caches.experiments.get(caller, experimentId);
  if (experiment === undefined) throw fail('EXPERIMENT_NOT_FOUND', { experimentId });
  return experiment;
}

/**
 * `run_count` is always present and current, because clients poll it (evaluation-api.md, trap 4). The other
 * statistics describe the same runs: if the stored ones are older, they are computed now.
 */
export function experimentView(caches: Caches, record: ExperimentRecord, withStatistics: boolean): Buffer {
  const statistics = currentStatistics(caches, record);
  return experimentJson(record, withStatistics ? statistics : null, statistics?.runCount ?? 0);
}

/** Null for an experiment without runs or feedback whose statistics are not stored yet. */
function currentStatistics(caches: Caches, record: ExperimentRecord): StatisticsRecord | null {
  const { list } = record;
  if (record.laterLists !== undefined) return projectStatistics(caches, record);
  const statistics = caches.experiments.statistics(list);
  const { seq } = listHead(caches.reader, list);
  if (statistics?.seq === seq) return statistics;
  return seq === 0 ? null : statisticsOf(caches, list);
}

const get: QueryHandler<SessionQuery & { session_id: string }> = (caches, caller, query) =>
  experimentView(caches, experimentOf(caches, caller, query.session_id), query.include_stats ?? true);

/** Only the record, which is the response to creating and updating it. */
const plain: QueryHandler<{ session_id: string }> = (caches, caller, { session_id }) =>
  experimentJson(experimentOf(caches, caller, session_id), null);

/** Agents and evaluators have no addresses here, so nothing is found under theirs. */
const resolve: QueryHandler<SessionResolveQuery> = (caches, caller, { kind, id }) => {
  const experimentId = canonicalUuid(id ?? '');
  if (kind.toUpperCase() !== 'EXPERIMENT' || experimentId === null)
    throw fail('EXPERIMENT_NOT_FOUND', { experimentId: id ?? kind });
  return jsonObject({ session_id: experimentOf(caches, caller, experimentId).experimentId });
};

const list: QueryHandler<SessionListQuery> = (caches, caller, query) =>
  listJson(sliceOfPage(selectExperiments(caches, caller, query), query), (record) =>
    experimentView(caches, record, query.include_stats ?? true),
  );

/** The experiments that match a query, in its order. */
export function selectExperiments(caches: Caches, caller: Caller, query: SessionListQuery): ExperimentRecord[] {
  const references = parseIds(query.reference_dataset, 'reference_dataset');
  const ids = parseIds(query.id, 'id');
  const datasetVersion =
    query.dataset_version === undefined ? null : parseTime(query.dataset_version, 'dataset_version');
  const part = query.name_contains?.toLowerCase();
  const matches = (record: ExperimentRecord): boolean => {
    if (query.name !== undefined && record.name !== query.name) return false;
    if (part !== undefined && !record.name.toLowerCase().includes(part)) return false;
    if (references !== null && (record.referenceDatasetId === null || !references.includes(record.referenceDatasetId)))
      return false;
    if (query.reference_free !== undefined && (record.referenceDatasetId === null) !== query.reference_free)
      return false;
    if (query.metadata === undefined && datasetVersion === null) return true;
    const metadata = metadataOf(record);
    if (query.metadata !== undefined && !contains(metadata, query.metadata)) return false;
    return (
      datasetVersion === null ||
      (typeof metadata['dataset_version'] === 'string' &&
        parseTime(metadata['dataset_version'], 'dataset_version') === datasetVersion)
    );
  };
  const found = [...candidates(caches, caller, { name: query.name, ids, references })].filter(matches);
  return ranks(caches, found, query);
}

/** The experiments that a query can match. Null: the query does not restrict this. */
function* candidates(
  caches: Caches,
  caller: Caller,
  { name, ids, references }: { name: string | undefined; ids: string[] | null; references: string[] | null },
): Generator<ExperimentRecord> {
  const byId =
    ids ??
    (name === undefined ? null : [caches.experiments.idByName(name)].filter((id) => id !== undefined)) ??
    (references === null
      ? null
      : references.flatMap((id) => [...experimentIdsOf(caches.reader, id)].map(({ experimentId }) => experimentId)));
  if (byId === null) {
    yield* visibleExperiments(caches.reader, caller);
    return;
  }
  for (const id of byId) {
    const record = caches.experiments.get(caller, id);
    if (record !== undefined) yield record;
  }
}

/** Sorts by the requested field. Experiments without a value come last in both directions. */
function ranks(caches: Caches, found: ExperimentRecord[], query: SessionListQuery): ExperimentRecord[] {
  const sortBy = query.sort_by ?? 'start_time';
  if (sortBy === 'feedback' && query.sort_by_feedback_key === undefined)
    throw invalidRequest('query', [
      { loc: ['sort_by_feedback_key'], msg: 'is required to sort by feedback', type: 'missing' },
    ]);
  if (sortBy === 'feedback')
    checkFeedbackKey(caches, found, query.sort_by_feedback_key!, ['query', 'sort_by_feedback_key']);
  const rank = (record: ExperimentRecord): number | string | null => {
    if (sortBy === 'name') return record.name;
    if (sortBy === 'start_time') return record.startTimeUs;
    const bytes =
      record.laterLists === undefined
        ? caches.experiments.statistics(record.list)?.fields
        : projectStatistics(caches, record).fields;
    if (bytes === undefined) return null;
    const fields = asObject(parseJson(bytes));
    if (sortBy !== 'feedback') return (fields[sortBy] as number | string | null | undefined) ?? null;
    const scores = asObject(
      fields[query.sort_by_feedback_source === 'session' ? 'session_feedback_stats' : 'feedback_stats'],
    );
    const key = query.sort_by_feedback_key!;
    return Object.hasOwn(scores, key) ? ((asObject(scores[key])['avg'] as number | null | undefined) ?? null) : null;
  };
  const sign = (query.sort_by_desc ?? true) ? -1 : 1;
  return found
    .map((record) => ({ record, rank: rank(record) }))
    .sort((a, b) => {
      if (a.rank === null || b.rank === null)
        return (a.rank === null ? 1 : 0) - (b.rank === null ? 1 : 0) || tie(a.record, b.record);
      return sign * (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0) || tie(a.record, b.record);
    })
    .map(({ record }) => record);
}

function tie(a: ExperimentRecord, b: ExperimentRecord): number {
  return b.createdAtUs - a.createdAtUs || (a.experimentId < b.experimentId ? -1 : 1);
}

/** Most frequent values of the runs' metadata keys. */
const metadata: QueryHandler<SessionMetadataQuery & { session_id: string }> = (caches, caller, query) => {
  const experiment = experimentOf(caches, caller, query.session_id);
  const fromUs = parseTime(query.start_time, 'start_time');
  const counts = new Map<string, Map<string, number>>();
  for (const { run } of runsInOrder(caches, [experiment], { fromUs })) {
    if (query.root_runs_only === true && !run.root) continue;
    const stored = runAt(caches.reader, run.place)!;
    for (const [key, value] of Object.entries(metadataOf(stored))) {
      if (query.metadata_keys !== undefined && !query.metadata_keys.includes(key)) continue;
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const values = counts.get(key) ?? new Map<string, number>();
      counts.set(key, values.set(text, (values.get(text) ?? 0) + 1));
    }
  }
  const answer: JsonObject = {};
  for (const [key, values] of counts)
    setOwn(
      answer,
      key,
      [...values]
        .sort((a, b) => b[1] - a[1])
        .slice(0, query.k ?? 10)
        .map(([value]) => value),
    );
  return jsonObject(answer);
};

export const experimentReads = {
  'experiments.get': get,
  'experiments.plain': plain,
  'experiments.resolve': resolve,
  'experiments.list': list,
  'experiments.metadata': metadata,
};
