import type {
  DatasetDiffQuery,
  DatasetListQuery,
  DatasetSplitsQuery,
  DatasetVersionQuery,
  DatasetVersionsQuery,
} from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { asObject, contains, jsonBytes, parseJson } from '../../src/base/json/json.js';
import { isoMicros } from '../../src/base/micros.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { visibleDatasets, type DatasetRecord } from '../../src/store/evaluation/datasets.js';
import type { Caches } from './caches.js';
import { DatasetExamples } from './dataset-examples.js';
import { parseIds, listJson, sliceOfPage, parseTime } from './pages.js';
import { datasetJson, experimentCounts, jsonArray, jsonObject } from './records-json.js';
import type { QueryHandler } from './read.js';

/** Throws DATASET_NOT_FOUND. */
export function datasetOf(caches: Caches, caller: Caller, datasetId: string): DatasetRecord {
  const dataset = caches.datasets.get(caller, datasetId);
  if (dataset === undefined) throw fail('DATASET_NOT_FOUND', { datasetId });
  return dataset;
}

export function liveDatasetJson(caches: Caches, dataset: DatasetRecord): Buffer {
  return datasetJson(dataset, experimentCounts(caches.reader, dataset.datasetId));
}

const list: QueryHandler<DatasetListQuery> = (caches, caller, query) =>
  listJson(sliceOfPage(selectDatasets(caches, caller, query), query), (dataset) => liveDatasetJson(caches, dataset));

/** The datasets that match a query, in its order. */
export function selectDatasets(caches: Caches, caller: Caller, query: DatasetListQuery): DatasetRecord[] {
  const ids = parseIds(query.id, 'id');
  const excluded = new Set(parseIds(query.exclude, 'exclude') ?? []);
  const named = query.name === undefined ? undefined : caches.datasets.idByName(query.name);
  const candidates = ids ?? (query.name === undefined ? null : named === undefined ? [] : [named]);
  const part = query.name_contains?.toLowerCase();
  const matches = (dataset: DatasetRecord): boolean =>
    !excluded.has(dataset.datasetId) &&
    (query.name === undefined || dataset.name === query.name) &&
    (part === undefined || dataset.name.toLowerCase().includes(part)) &&
    (query.data_type === undefined || query.data_type.includes(dataset.dataType)) &&
    (query.metadata === undefined ||
      contains(dataset.metadata === null ? {} : parseJson(dataset.metadata), query.metadata));
  const found = [
    ...(candidates === null
      ? visibleDatasets(caches.reader, caller)
      : candidates.map((id) => caches.datasets.get(caller, id))),
  ]
    .filter((dataset) => dataset !== undefined)
    .filter(matches);
  const sortBy = query.sort_by ?? 'last_session_start_time';
  const live = new Map(
    sortBy === 'session_count' || sortBy === 'last_session_start_time'
      ? found.map((dataset) => [dataset.datasetId, experimentCounts(caches.reader, dataset.datasetId)] as const)
      : [],
  );
  const rank = (dataset: DatasetRecord): number | string => {
    switch (sortBy) {
      case 'name':
        return dataset.name;
      case 'created_at':
        return dataset.createdAtUs;
      case 'modified_at':
        return dataset.modifiedAtUs;
      case 'example_count':
        return dataset.exampleCount;
      case 'session_count':
        return live.get(dataset.datasetId)!.sessionCount;
      // A dataset without experiments ranks by its own age, below all datasets that have experiments.
      case 'last_session_start_time':
        return live.get(dataset.datasetId)!.lastSessionStartUs ?? dataset.createdAtUs - Number.MAX_SAFE_INTEGER;
    }
  };
  const sign = (query.sort_by_desc ?? true) ? -1 : 1;
  return found
    .map((dataset) => ({ dataset, rank: rank(dataset) }))
    .sort(
      (a, b) =>
        sign * (a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : 0) || (a.dataset.datasetId < b.dataset.datasetId ? -1 : 1),
    )
    .map(({ dataset }) => dataset);
}

const get: QueryHandler<{ dataset_id: string }> = (caches, caller, { dataset_id }) =>
  liveDatasetJson(caches, datasetOf(caches, caller, dataset_id));

/**
 * The time that a text names, either as a time or as a tag of the dataset. Null for the latest. Throws
 * INVALID_REQUEST.
 */
export function asOfTime(dataset: DatasetRecord, text: string | null | undefined, name = 'as_of'): number | null {
  if (text === undefined || text === null || text === '' || text === 'latest') return null;
  if (Object.hasOwn(dataset.tags, text)) return dataset.tags[text]!;
  return parseTime(text, name);
}

function versionJson(dataset: DatasetRecord, timeUs: number, latestUs: number): Buffer {
  const tags = Object.keys(dataset.tags).filter((tag) => dataset.tags[tag] === timeUs);
  if (timeUs === latestUs) tags.unshift('latest');
  return jsonObject({ as_of: isoMicros(timeUs), tags: tags.length === 0 ? null : tags });
}

/** Newest first. An empty dataset has one version, from its creation. */
function timesOf(caches: Caches, dataset: DatasetRecord): number[] {
  const { times } = caches.directory(dataset);
  return times.length === 0 ? [dataset.createdAtUs] : times.toReversed();
}

const versions: QueryHandler<DatasetVersionsQuery & { dataset_id: string }> = (caches, caller, query) => {
  const dataset = datasetOf(caches, caller, query.dataset_id);
  const times = timesOf(caches, dataset);
  const ofExample =
    query.example === undefined
      ? null
      : new Set(
          caches
            .directory(dataset)
            .versions.get(query.example.toLowerCase())
            ?.map(({ versionUs }) => versionUs),
        );
  const found = times.filter(
    (time) =>
      (ofExample === null || ofExample.has(time)) &&
      (query.search === undefined ||
        Object.keys(dataset.tags).some((tag) => dataset.tags[tag] === time && tag.includes(query.search!))),
  );
  return listJson(sliceOfPage(found, query), (time) => versionJson(dataset, time, times[0]!));
};

const version: QueryHandler<DatasetVersionQuery & { dataset_id: string }> = (caches, caller, query) => {
  const dataset = datasetOf(caches, caller, query.dataset_id);
  if ((query.as_of === undefined) === (query.tag === undefined))
    throw invalidRequest('query', [{ loc: ['as_of'], msg: 'give either as_of or tag', type: 'one_of' }]);
  const times = timesOf(caches, dataset);
  if (query.tag !== undefined && query.tag !== 'latest' && !Object.hasOwn(dataset.tags, query.tag))
    throw fail('DATASET_VERSION_NOT_FOUND', { version: query.tag });
  const asOfUs = query.tag === undefined ? parseTime(query.as_of, 'as_of') : asOfTime(dataset, query.tag);
  const time = asOfUs === null ? times[0] : times.find((one) => one <= asOfUs);
  if (time === undefined) throw fail('DATASET_VERSION_NOT_FOUND', { version: query.as_of ?? query.tag! });
  return versionJson(dataset, time, times[0]!);
};

const diff: QueryHandler<DatasetDiffQuery & { dataset_id: string }> = (caches, caller, query) => {
  const dataset = datasetOf(caches, caller, query.dataset_id);
  const directory = caches.directory(dataset);
  const from = asOfTime(dataset, query.from_version, 'from_version');
  const to = asOfTime(dataset, query.to_version, 'to_version');
  const changes = {
    examples_modified: [] as string[],
    examples_added: [] as string[],
    examples_removed: [] as string[],
  };
  for (const exampleId of directory.versions.keys()) {
    const [before, after] = [directory.at(exampleId, from), directory.at(exampleId, to)];
    if (before === undefined && after !== undefined) changes.examples_added.push(exampleId);
    else if (before !== undefined && after === undefined) changes.examples_removed.push(exampleId);
    else if (before?.versionUs !== after?.versionUs) changes.examples_modified.push(exampleId);
  }
  return jsonBytes(changes);
};

const splits: QueryHandler<DatasetSplitsQuery & { dataset_id: string }> = (caches, caller, query) => {
  const dataset = datasetOf(caches, caller, query.dataset_id);
  const found = new Set<string>();
  const examples = new DatasetExamples(caches, dataset);
  for (const entry of examples.directory.allAt(asOfTime(dataset, query.as_of))) {
    const { metadata } = examples.load(entry);
    for (const split of splitsOf(metadata === null ? {} : parseJson(metadata))) found.add(split);
  }
  return jsonArray([...found].sort().map((split) => JSON.stringify(split)));
};

/** The names of an example's splits (evaluation-api.md, 2.2). */
export function splitsOf(metadata: unknown): string[] {
  const split = asObject(metadata)['dataset_split'];
  return (Array.isArray(split) ? split : [split]).filter((one) => typeof one === 'string');
}

export const datasetReads = {
  'datasets.list': list,
  'datasets.get': get,
  'datasets.versions': versions,
  'datasets.version': version,
  'datasets.diff': diff,
  'datasets.splits': splits,
};
