import type { ExampleCountQuery, ExampleListQuery, ExampleQuery } from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { asText, contains, jsonBytes, parseJson } from '../../src/base/json/json.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { versionsOf, type ExampleVersion } from '../../src/store/evaluation/examples.js';
import type { Caches } from './caches.js';
import { DatasetExamples, exampleFields, linksOf } from './dataset-examples.js';
import type { ExampleEntry } from './example-directory.js';
import { ExampleSubject } from './example-subject.js';
import { parseId, parseIds, listJson, sliceOfPage } from './pages.js';
import { asOfTime, datasetOf, splitsOf } from './reads-datasets.js';
import { parseFilterParam } from './reads-runs.js';
import { jsonObject } from './records-json.js';
import type { QueryHandler } from './read.js';

const get: QueryHandler<ExampleQuery & { example_id: string }> = (caches, caller, query) => {
  const exampleId = parseId(query.example_id, ['example_id']);
  const wanted = query.dataset === undefined ? null : parseId(query.dataset, ['dataset']);
  let newest: ExampleVersion | null = null;
  for (const { datasetId, version } of versionsOf(caches.reader, exampleId)) {
    newest ??= version;
    const dataset = caches.datasets.get(caller, datasetId);
    if (dataset === undefined || (wanted !== null && datasetId !== wanted)) continue;
    const asOfUs = asOfTime(dataset, query.as_of);
    if (asOfUs !== null && version.versionUs > asOfUs) continue;
    if (version.removed) break;
    return jsonObject({ ...exampleFields(version, datasetId), ...linksOf(caches, version, { live: !newest.removed }) });
  }
  throw fail('EXAMPLE_NOT_FOUND', { exampleId });
};

interface Found {
  examples: DatasetExamples;
  entry: ExampleEntry;
}

/** The examples that match a query, in the requested order. */
function select(caches: Caches, caller: Caller, query: ExampleListQuery): Found[] {
  const ids = parseIds(query.id, 'id');
  if (query.dataset === undefined && ids === null)
    throw invalidRequest('query', [{ loc: ['dataset'], msg: 'is required when id is not given', type: 'missing' }]);
  const test = contentTest(query);
  const matching = (found: Found[]): Found[] =>
    test === null ? found : found.filter(({ examples, entry }) => test(examples.load(entry)));
  if (query.dataset === undefined) return matching(ids!.flatMap((id) => anywhere(caches, caller, id, query.as_of)));
  const dataset = datasetOf(caches, caller, parseId(query.dataset, ['dataset']));
  const examples = new DatasetExamples(caches, dataset);
  const { directory } = examples;
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
  return matching(entries.map((entry) => ({ examples, entry })));
}

/** Finds an example by its id alone. */
function anywhere(caches: Caches, caller: Caller, exampleId: string, asOf: string | undefined): Found[] {
  for (const { datasetId } of versionsOf(caches.reader, exampleId)) {
    const dataset = caches.datasets.get(caller, datasetId);
    if (dataset === undefined) continue;
    const examples = new DatasetExamples(caches, dataset);
    const entry = examples.directory.at(exampleId, asOfTime(dataset, asOf));
    return entry === undefined ? [] : [{ examples, entry }];
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
  const withLinks = query.select?.includes('attachment_urls') === true;
  return listJson(sliceOfPage(select(caches, caller, query), query), ({ examples, entry }) => {
    const fields = withLinks ? examples.fieldsWithLinks(entry) : examples.fields(entry);
    return jsonObject(
      only === null ? fields : Object.fromEntries(Object.entries(fields).filter(([name]) => only.has(name))),
    );
  });
};

const count: QueryHandler<ExampleCountQuery> = (caches, caller, query) =>
  jsonBytes(select(caches, caller, query).length);

export const exampleReads = { 'examples.get': get, 'examples.list': list, 'examples.count': count };
