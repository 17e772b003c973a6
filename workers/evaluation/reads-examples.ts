import type { ExampleCountQuery, ExampleListQuery, ExampleQuery } from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { asText, contains, jsonBytes, parseJson } from '../../src/base/json/json.js';
import { isoMicros } from '../../src/base/micros.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { itemAt } from '../../src/store/evaluation/blocks.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import { unpackExample, versionsOf, type ExampleVersion } from '../../src/store/evaluation/examples.js';
import type { Caches } from './caches.js';
import type { ExampleEntry } from './example-directory.js';
import { ExampleSubject } from './example-subject.js';
import { parseId, parseIds, listJson, sliceOfPage } from './pages.js';
import { asOfTime, datasetOf, splitsOf } from './reads-datasets.js';
import { parseFilterParam } from './reads-runs.js';
import { jsonObject } from './records-json.js';
import type { QueryHandler } from './read.js';

/** Fields of evaluation-api.md, 2.2. */
export function exampleFields(datasetId: string, version: ExampleVersion): Record<string, unknown> {
  return {
    id: version.exampleId,
    dataset_id: datasetId,
    name: version.name,
    created_at: isoMicros(version.createdAtUs),
    modified_at: isoMicros(version.versionUs),
    inputs: version.inputs,
    outputs: version.outputs,
    metadata: version.metadata,
    source_run_id: version.sourceRunId,
  };
}

export function loadExample(caches: Caches, entry: ExampleEntry): ExampleVersion {
  return unpackExample(itemAt(caches.reader, 'E', entry.place)!);
}

const get: QueryHandler<ExampleQuery & { example_id: string }> = (caches, caller, query) => {
  const exampleId = parseId(query.example_id, ['example_id']);
  const wanted = query.dataset === undefined ? null : parseId(query.dataset, ['dataset']);
  for (const { datasetId, version } of versionsOf(caches.reader, exampleId)) {
    const dataset = caches.datasets.get(caller, datasetId);
    if (dataset === undefined || (wanted !== null && datasetId !== wanted)) continue;
    const asOfUs = asOfTime(dataset, query.as_of);
    if (asOfUs !== null && version.versionUs > asOfUs) continue;
    if (version.removed) break;
    return jsonObject(exampleFields(datasetId, version));
  }
  throw fail('EXAMPLE_NOT_FOUND', { exampleId });
};

/** The examples that match a query, in the requested order. */
function select(
  caches: Caches,
  caller: Caller,
  query: ExampleListQuery,
): { dataset: DatasetRecord; entry: ExampleEntry }[] {
  const ids = parseIds(query.id, 'id');
  if (query.dataset === undefined && ids === null)
    throw invalidRequest('query', [{ loc: ['dataset'], msg: 'is required when id is not given', type: 'missing' }]);
  const test = contentTest(query);
  const passes = (entry: ExampleEntry): boolean => test === null || test(loadExample(caches, entry));
  if (query.dataset === undefined)
    return ids!.flatMap((id) => anywhere(caches, caller, id, query.as_of)).filter(({ entry }) => passes(entry));
  const dataset = datasetOf(caches, caller, parseId(query.dataset, ['dataset']));
  const directory = caches.directory(dataset);
  const asOfUs = asOfTime(dataset, query.as_of);
  const entries =
    ids === null
      ? directory.list(
          asOfUs,
          query.order ?? 'recent',
          query.random_seed ?? 0,
          query.descending ?? query.order !== 'id',
        )
      : ids.map((id) => directory.at(id, asOfUs)).filter((entry) => entry !== undefined);
  return (test === null ? entries : entries.filter(passes)).map((entry) => ({ dataset, entry }));
}

/** Finds an example by its id alone. */
function anywhere(
  caches: Caches,
  caller: Caller,
  exampleId: string,
  asOf: string | undefined,
): { dataset: DatasetRecord; entry: ExampleEntry }[] {
  for (const { datasetId } of versionsOf(caches.reader, exampleId)) {
    const dataset = caches.datasets.get(caller, datasetId);
    if (dataset === undefined) continue;
    const entry = caches.directory(dataset).at(exampleId, asOfTime(dataset, asOf));
    return entry === undefined ? [] : [{ dataset, entry }];
  }
  return [];
}

/**
 * Null when the query has no condition on the content of examples. Throws INVALID_REQUEST with the place in the
 * filter.
 */
function contentTest({
  metadata,
  splits,
  full_text_contains: texts,
  filter: expression,
}: ExampleCountQuery): ((version: ExampleVersion) => boolean) | null {
  const filter = parseFilterParam(expression, ['filter'], 'query');
  if (metadata === undefined && splits === undefined && texts === undefined && filter === null) return null;
  const needles = texts?.map((text) => text.toLowerCase()) ?? [];
  return (version) => {
    const own = version.metadata === null ? {} : parseJson(version.metadata);
    if (metadata !== undefined && !contains(own, metadata)) return false;
    if (splits !== undefined && !splitsOf(own).some((split) => splits.includes(split))) return false;
    if (filter !== null && !filter(new ExampleSubject(version))) return false;
    if (needles.length === 0) return true;
    const text = `${asText(version.inputs)}${version.outputs === null ? '' : asText(version.outputs)}`.toLowerCase();
    return needles.every((needle) => text.includes(needle));
  };
}

const ALWAYS = ['id', 'dataset_id', 'name', 'created_at', 'modified_at'];

const list: QueryHandler<ExampleListQuery> = (caches, caller, query) => {
  const only = query.exclude_default_fields === true ? new Set([...ALWAYS, ...(query.select ?? [])]) : null;
  return listJson(sliceOfPage(select(caches, caller, query), query), ({ dataset, entry }) => {
    const fields = exampleFields(dataset.datasetId, loadExample(caches, entry));
    return jsonObject(
      only === null ? fields : Object.fromEntries(Object.entries(fields).filter(([name]) => only.has(name))),
    );
  });
};

const count: QueryHandler<ExampleCountQuery> = (caches, caller, query) =>
  jsonBytes(select(caches, caller, query).length);

export const exampleReads = { 'examples.get': get, 'examples.list': list, 'examples.count': count };
