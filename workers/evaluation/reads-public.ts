import { SERVER_CALLER } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { asObject, jsonBytes, parseJson } from '../../src/base/json/json.js';
import { bytesOf, memberMap, wholeValue } from '../../src/base/json/slices.js';
import { LIMITS } from '../../src/base/limits.js';
import { isoMicros } from '../../src/base/micros.js';
import type { DatasetRecord } from '../../src/store/evaluation/datasets.js';
import { listOfTrace } from '../../src/store/evaluation/evaluation-runs.js';
import type { Caches } from './caches.js';
import { DatasetExamples } from './dataset-examples.js';
import type { ExampleEntry } from './example-directory.js';
import { listJson, parseId, sliceOfPage } from './pages.js';
import { splitsOf } from './reads-datasets.js';
import { experimentView, selectExperiments } from './reads-experiments.js';
import { runFieldsOf } from './reads-runs.js';
import type { Found } from './runs-in-order.js';
import { pageJson, runJson, selectsOf } from './reads-v2.js';
import { jsonObject } from './records-json.js';
import type { QueryHandler } from './read.js';

/**
 * Reads of public links (docs/decisions/0053-share-links-and-queues.md). Metadata, feedback and ids of other records
 * stay private: they may name users, and belong to the workspace. The front thread has checked the token.
 */
interface Shared {
  share: { subject_id: string; generation: string | number; token: string; with_experiments: boolean };
}

/** Throws SHARE_NOT_FOUND when the dataset was deleted, also if another one has its id now. */
function sharedDataset(caches: Caches, { share }: Shared): DatasetRecord {
  const dataset = caches.datasets.get(SERVER_CALLER, share.subject_id);
  if (dataset === undefined || dataset.generation !== share.generation) throw fail('SHARE_NOT_FOUND', {});
  return dataset;
}

const dataset: QueryHandler<Shared> = (caches, _caller, params) => {
  const record = sharedDataset(caches, params);
  return jsonObject({
    id: record.datasetId,
    name: record.name,
    description: record.description,
    created_at: isoMicros(record.createdAtUs),
    data_type: record.dataType,
    inputs_schema_definition: record.inputsSchema,
    outputs_schema_definition: record.outputsSchema,
    externally_managed: record.externallyManaged,
    transformations: record.transformations,
    example_count: record.exampleCount,
  });
};

const examples: QueryHandler<Shared & { id?: string[]; offset?: number; limit?: number }> = (
  caches,
  _caller,
  params,
) => {
  const found = new DatasetExamples(caches, sharedDataset(caches, params));
  const { directory } = found;
  const entries: readonly ExampleEntry[] =
    params.id === undefined || params.id.length === 0
      ? directory.newestFirst(null)
      : params.id.map((id, at) => directory.at(parseId(id, ['id', at]), null)).filter((entry) => entry !== undefined);
  return listJson(sliceOfPage(entries, params), (entry) => {
    const { metadata } = found.load(entry);
    const { id, name, dataset_id, created_at, modified_at, inputs, outputs } = found.fields(entry);
    const splits = splitsOf(metadata === null ? {} : asObject(parseJson(metadata)));
    return jsonObject({
      id,
      dataset_id,
      name,
      created_at,
      modified_at,
      inputs,
      outputs,
      metadata: { dataset_split: splits },
      source_run_id: null,
    });
  });
};

const count: QueryHandler<Shared> = (caches, _caller, params) => jsonBytes(sharedDataset(caches, params).exampleCount);

const PRIVATE_FIELDS = new Set(['extra', 'feedback_stats', 'session_feedback_stats', 'run_facets', 'tenant_id']);

/** Only with `share_projects`. Statistics without the feedback, whose comments may be private. */
const sessions: QueryHandler<Shared & { offset?: number; limit?: number }> = (caches, _caller, params) => {
  const { datasetId } = sharedDataset(caches, params);
  if (!params.share.with_experiments) return jsonBytes([]);
  const found = selectExperiments(caches, SERVER_CALLER, { reference_dataset: [datasetId] });
  return listJson(sliceOfPage(found, params), (record) => {
    const json = experimentView(caches, record, true);
    return jsonObject(
      Object.fromEntries(
        [...memberMap(json, wholeValue(json))]
          .filter(([name]) => !PRIVATE_FIELDS.has(name))
          .map(([name, slice]) => [name, bytesOf(json, slice)]),
      ),
    );
  });
};

/** The runs of the shared trace, the root first. Throws SHARE_NOT_FOUND when the trace was deleted. */
function sharedRuns(caches: Caches, { share }: Shared): Found[] {
  const list = Number(share.generation);
  const traced = listOfTrace(caches.reader, share.subject_id);
  const experiment = caches.experiments.ofList(SERVER_CALLER, list);
  const isStored = traced === undefined || traced === list;
  const runs =
    experiment === undefined || !isStored
      ? []
      : caches
          .facts(list)
          .derived.runs.filter(({ traceId }) => traceId === share.subject_id)
          .toReversed();
  if (runs.length === 0) throw fail('SHARE_NOT_FOUND', {});
  return runs
    .toSorted((a, b) => Number(b.root) - Number(a.root) || a.startUs - b.startUs)
    .slice(0, LIMITS.scanRowsMax)
    .map((run) => ({ run, experiment: experiment! }));
}

/** Fields of a run that a link shows. */
const PUBLIC_FIELDS = [
  'id',
  'name',
  'run_type',
  'start_time',
  'end_time',
  'status',
  'error',
  'inputs',
  'outputs',
  'inputs_preview',
  'outputs_preview',
  'events',
  'tags',
  'parent_run_id',
  'parent_run_ids',
  'trace_id',
  'dotted_order',
  'first_token_time',
  'total_tokens',
  'prompt_tokens',
  'completion_tokens',
  'total_cost',
  'prompt_cost',
  'completion_cost',
  'execution_order',
];

function publicFields(caches: Caches, found: Found, token: string): Record<string, unknown> {
  const fields = runFieldsOf(caches, found);
  return {
    ...Object.fromEntries(PUBLIC_FIELDS.map((name) => [name, fields[name]])),
    // Required by clients. It names no record of the workspace.
    session_id: fields['trace_id'],
    app_path: `/public/${token}/r`,
    extra: null,
    share_token: token,
  };
}

function sharedRun(caches: Caches, params: Shared & { run_id?: string }): Found {
  const all = sharedRuns(caches, params);
  const found = params.run_id === undefined ? all[0] : all.find(({ run }) => run.runId === params.run_id);
  if (found === undefined) throw fail('EVALUATION_RUN_NOT_FOUND', { runId: params.run_id ?? '' });
  return found;
}

const run: QueryHandler<Shared & { run_id?: string }> = (caches, _caller, params) =>
  jsonObject(publicFields(caches, sharedRun(caches, params), params.share.token));

const runs: QueryHandler<Shared & { id?: string[] | null; envelope: boolean }> = (caches, _caller, params) => {
  const { id: ids, envelope, share } = params;
  const wanted =
    ids === undefined || ids === null || ids.length === 0
      ? null
      : new Set(ids.map((id, at) => parseId(id, ['id', at], envelope ? 'body' : 'query')));
  const found = sharedRuns(caches, params).filter((one) => wanted === null || wanted.has(one.run.runId));
  const list = listJson(found, (one) => jsonObject(publicFields(caches, one, share.token)));
  return envelope ? jsonObject({ runs: list, cursors: { next: null, prev: null } }) : list;
};

/** Fields of the second version that a link shows. */
const PUBLIC_SELECTS = new Set([...PUBLIC_FIELDS.map((name) => name.toUpperCase()), 'LATENCY_SECONDS', 'IS_ROOT']);

function publicSelects(given: string[] | null | undefined, where: 'body' | 'query'): string[] {
  return selectsOf(given, where).filter((name) => PUBLIC_SELECTS.has(name));
}

const runV2: QueryHandler<Shared & { run_id: string; selects?: string[] | null }> = (caches, _caller, params) =>
  runJson(caches, sharedRun(caches, params), publicSelects(params.selects, 'query'));

const runsV2: QueryHandler<Shared & { selects?: string[] | null }> = (caches, _caller, params) => {
  const selects = publicSelects(params.selects, 'body');
  return pageJson(
    listJson(sharedRuns(caches, params), (one) => runJson(caches, one, selects)),
    null,
  );
};

export const publicReads = {
  'public.dataset': dataset,
  'public.examples': examples,
  'public.count': count,
  'public.sessions': sessions,
  'public.run': run,
  'public.runs': runs,
  'v2.public.run': runV2,
  'v2.public.runs': runsV2,
};
