import type {
  DatasetListV2Query,
  ExperimentRunsQuery,
  RunGetV2Query,
  RunQuery,
  RunQueryV2,
  RunUrlQuery,
  SessionListV2Query,
} from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { asObject, jsonBytes, parseJson, setOwn, type JsonObject } from '../../src/base/json/json.js';
import { bytesOf, memberMap, wholeValue } from '../../src/base/json/slices.js';
import { LIMITS } from '../../src/base/limits.js';
import { invalidRequest, type RequestPart } from '../../src/base/request-problems.js';
import { experimentIdsOf, type ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import { shareOf } from '../../src/store/evaluation/shares.js';
import type { Caches } from './caches.js';
import { cursorText, listJson, parseCursor, parseId, parseIds } from './pages.js';
import { datasetOf, liveDatasetJson, selectDatasets } from './reads-datasets.js';
import { runsOf, selectExamples } from './reads-example-runs.js';
import { experimentView, selectExperiments } from './reads-experiments.js';
import { findRun, isOffset, pageOfRuns, runFieldsOf, testOf, type RunPage } from './reads-runs.js';
import type { Found } from './runs-in-order.js';
import { jsonArray, jsonObject, TENANT_ID } from './records-json.js';
import type { QueryHandler } from './read.js';

/** The reads of the second version of the API. They return the same records in other words, in pages with cursors. */

const ERROR_PREVIEW_CHARS = 400;

/** A run in the form of the first version, with what is in memory of it. */
interface Shown extends Found {
  fields: Record<string, unknown>;
  /** Null if the trace is not shared. */
  shareUrl: () => string | null;
}

/** Parameter of queries that return `SHARE_URL`. */
export interface ShareBase {
  /** Address of the server; null while public links are off. */
  share_base?: string | null;
}

function shareUrlOf(caches: Caches, { run }: Found, base: string | null | undefined): string | null {
  if (base === null || base === undefined) return null;
  const share = shareOf(caches.reader, 'trace', run.traceId);
  return share?.generation === run.place.list ? `${base}/public/${share.token}/r` : null;
}

const upper = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value);
const same =
  (name: string) =>
  ({ fields }: Shown): unknown =>
    fields[name] ?? null;

/** How each selectable field is made. The names on the wire are these in lower case. */
const RUN_FIELDS: Readonly<Record<string, (shown: Shown) => unknown>> = {
  ID: same('id'),
  NAME: same('name'),
  RUN_TYPE: ({ fields }) => upper(fields['run_type']),
  STATUS: ({ fields }) => upper(fields['status']),
  START_TIME: same('start_time'),
  END_TIME: same('end_time'),
  LATENCY_SECONDS: ({ run }) => (run.endUs === null ? null : (run.endUs - run.startUs) / 1e6),
  FIRST_TOKEN_TIME: same('first_token_time'),
  ERROR: same('error'),
  ERROR_PREVIEW: ({ fields: { error } }) =>
    error instanceof Uint8Array ? String(parseJson(error)).slice(0, ERROR_PREVIEW_CHARS).toWellFormed() : null,
  EXTRA: same('extra'),
  METADATA: ({ fields: { extra } }) => memberOf(extra, 'metadata'),
  EVENTS: same('events'),
  INPUTS: same('inputs'),
  INPUTS_PREVIEW: same('inputs_preview'),
  OUTPUTS: same('outputs'),
  OUTPUTS_PREVIEW: same('outputs_preview'),
  MANIFEST: same('serialized'),
  PARENT_RUN_IDS: same('parent_run_ids'),
  PROJECT_ID: same('session_id'),
  TRACE_ID: same('trace_id'),
  THREAD_ID: same('thread_id'),
  DOTTED_ORDER: same('dotted_order'),
  IS_ROOT: ({ run }) => run.root,
  REFERENCE_EXAMPLE_ID: same('reference_example_id'),
  REFERENCE_DATASET_ID: same('reference_dataset_id'),
  TOTAL_TOKENS: same('total_tokens'),
  PROMPT_TOKENS: same('prompt_tokens'),
  COMPLETION_TOKENS: same('completion_tokens'),
  TOTAL_COST: ({ run }) => run.totalCost,
  PROMPT_COST: ({ run }) => run.promptCost,
  COMPLETION_COST: ({ run }) => run.completionCost,
  PROMPT_TOKEN_DETAILS: () => null,
  COMPLETION_TOKEN_DETAILS: () => null,
  PROMPT_COST_DETAILS: () => null,
  COMPLETION_COST_DETAILS: () => null,
  PRICE_MODEL_ID: () => null,
  TAGS: same('tags'),
  APP_PATH: same('app_path'),
  ATTACHMENTS: same('attachments'),
  THREAD_EVALUATION_TIME: () => null,
  IS_IN_DATASET: ({ run }) => run.exampleId !== null,
  LAST_QUEUED_AT: same('last_queued_at'),
  SHARE_URL: ({ shareUrl }) => shareUrl(),
  FEEDBACK_STATS: same('feedback_stats'),
  LS_USER_ID: () => null,
};

function memberOf(json: unknown, name: string): Uint8Array | null {
  if (!(json instanceof Uint8Array)) return null;
  const slice = memberMap(json, wholeValue(json)).get(name);
  return slice === undefined ? null : bytesOf(json, slice);
}

/** The selected fields, by default only the id. Throws INVALID_REQUEST for an unknown name. */
export function selectsOf(given: readonly string[] | null | undefined, where: RequestPart): string[] {
  const names = [...new Set(['ID', ...(given ?? []).map((name) => name.toUpperCase())])];
  const unknown = names.filter((name) => !Object.hasOwn(RUN_FIELDS, name));
  if (unknown.length > 0)
    throw invalidRequest(
      where,
      unknown.map((name) => ({ loc: ['selects'], msg: `must not contain ${JSON.stringify(name)}`, type: 'enum' })),
    );
  return names;
}

/** The selected fields of a run. Values of type Uint8Array are JSON. */
export function runValues(
  caches: Caches,
  found: Found,
  selects: readonly string[],
  shareBase?: string | null,
): Record<string, unknown> {
  const shown: Shown = {
    ...found,
    fields: runFieldsOf(caches, found),
    shareUrl: () => shareUrlOf(caches, found, shareBase),
  };
  return Object.fromEntries(selects.map((name) => [name.toLowerCase(), RUN_FIELDS[name]!(shown)]));
}

export function runJson(caches: Caches, found: Found, selects: readonly string[], shareBase?: string | null): Buffer {
  return jsonObject(runValues(caches, found, selects, shareBase));
}

export function pageJson(items: Buffer, next: string | null): Buffer {
  return jsonObject({ items, next_cursor: next });
}

/** A page of a list in memory. The cursor is the number of earlier items. */
export function pageOf<T>(
  items: readonly T[],
  { cursor, page_size: size }: { cursor?: string | null; page_size?: number | null },
  jsonOf: (item: T) => Uint8Array,
): Buffer {
  const from = parseCursor(cursor, isOffset) ?? 0;
  const to = from + (size ?? LIMITS.pageRows);
  return pageJson(listJson(items.slice(from, to), jsonOf), to < items.length ? cursorText(to) : null);
}

/** Throws INVALID_REQUEST for a condition that would be ignored, so that the result would contain too much. */
export function refuseUnsupported<T extends object>(body: T, names: readonly (keyof T & string)[]): void {
  const given = names.filter((name) => body[name] !== undefined && body[name] !== null);
  if (given.length > 0)
    throw invalidRequest(
      'body',
      given.map((name) => ({ loc: [name], msg: 'is not supported by this server', type: 'not_supported' })),
    );
}

/** A page of the runs of projects. Unlike in the first version, ids are one condition of several. */
export function pageOfProjects(
  caches: Caches,
  caller: Caller,
  query: RunQuery,
  { projects, ids, size }: { projects: string[]; ids: string[] | null; size: number },
): RunPage {
  if (ids === null) return pageOfRuns(caches, caller, { ...query, session: projects }, size);
  const test = testOf(caches, query);
  const all = pageOfRuns(caches, caller, { id: ids, cursor: query.cursor }, size);
  return {
    next: all.next,
    found: all.found.filter((one) => projects.includes(one.experiment.experimentId) && test(one)),
  };
}

const queryRuns: QueryHandler<RunQueryV2 & ShareBase> = (caches, caller, body) => {
  refuseUnsupported(body, ['ai_search', 'min_feedback_modified_at', 'max_feedback_modified_at']);
  const selects = selectsOf(body.selects, 'body');
  const projects = projectsOf(caches, caller, body);
  const order = body.sort_order?.toLowerCase();
  if (order !== undefined && order !== 'asc' && order !== 'desc')
    throw invalidRequest('body', [{ loc: ['sort_order'], msg: 'must be "asc" or "desc"', type: 'enum' }]);
  const query: RunQuery = {
    trace: body.trace_id,
    is_root: body.is_root,
    error: body.has_error,
    run_type: body.run_type?.toLowerCase(),
    reference_example: body.reference_examples,
    filter: body.filter,
    trace_filter: body.trace_filter,
    tree_filter: body.tree_filter,
    start_time: body.min_start_time,
    end_time: body.max_start_time,
    order,
    cursor: body.cursor,
  };
  if (projects.length === 0) return pageJson(jsonArray([]), null);
  const page = pageOfProjects(caches, caller, query, {
    projects,
    ids: parseIds(body.ids, 'ids', 'body'),
    size: body.page_size ?? LIMITS.pageRows,
  });
  return pageJson(
    listJson(page.found, (one) => runJson(caches, one, selects, body.share_base)),
    page.next,
  );
};

/** Ids of the projects that a query names, or of all experiments of its dataset. */
function projectsOf(caches: Caches, caller: Caller, body: RunQueryV2): string[] {
  const projects = parseIds(body.project_ids, 'project_ids', 'body');
  if ((projects === null) === (body.reference_dataset_id == null))
    throw invalidRequest('body', [
      { loc: ['project_ids'], msg: 'or reference_dataset_id must be given, and not both', type: 'missing' },
    ]);
  if (projects !== null) return projects;
  const dataset = datasetOf(caches, caller, parseId(body.reference_dataset_id!, ['reference_dataset_id'], 'body'));
  return [...experimentIdsOf(caches.reader, dataset.datasetId)].map(({ experimentId }) => experimentId);
}

/** Throws EVALUATION_RUN_NOT_FOUND, also for a run of another project. */
function runIn(caches: Caches, caller: Caller, runId: string, projectId: string): Found {
  const found = findRun(caches, caller, runId);
  if (found === undefined || found.experiment.experimentId !== parseId(projectId, ['project_id']))
    throw fail('EVALUATION_RUN_NOT_FOUND', { runId });
  return found;
}

const getRun: QueryHandler<RunGetV2Query & ShareBase & { run_id: string }> = (caches, caller, query) => {
  const selects = selectsOf(query.selects, 'query');
  return runJson(caches, runIn(caches, caller, query.run_id, query.project_id), selects, query.share_base);
};

/** Returns the path of the page. The front thread makes a URL of it. */
const getRunUrl: QueryHandler<RunUrlQuery & { run_id: string; base_url: string }> = (caches, caller, query) => {
  const { run, experiment } = runIn(caches, caller, query.run_id, query.project_id);
  return jsonBytes({
    url: `${query.base_url}/o/${TENANT_ID}/projects/p/${experiment.experimentId}/r/${run.runId}`,
  });
};

const listSessions: QueryHandler<SessionListV2Query> = (caches, caller, query) => {
  const { type, reference_dataset_id: references, sort_by: sortBy, sort_order: order, ...same } = query;
  const found = selectExperiments(caches, caller, {
    ...same,
    reference_dataset: references,
    sort_by: sortBy?.toLowerCase() as 'name' | undefined,
    sort_by_desc: order !== 'asc',
    sort_by_feedback_source: query.sort_by_feedback_source?.toLowerCase() as 'run' | undefined,
  }).filter((record) => type === undefined || type.some((one) => one.toUpperCase() === typeOf(record)));
  return pageOf(found, query, (record) => {
    const json = experimentView(caches, record, query.include_stats ?? true);
    return sessionJson(json, record);
  });
};

function typeOf({ referenceDatasetId }: ExperimentRecord): 'EXPERIMENT' | 'PROJECT' {
  return referenceDatasetId === null ? 'PROJECT' : 'EXPERIMENT';
}

const TIERS: Readonly<Record<string, string>> = { longlived: 'LONG_LIVED', shortlived: 'SHORT_LIVED' };

/** The record of the first version in the words of the second. */
function sessionJson(json: Buffer, record: ExperimentRecord): Buffer {
  const fields = Object.fromEntries(
    [...memberMap(json, wholeValue(json))].map(([name, slice]) => [name, bytesOf(json, slice)]),
  );
  const statsOf = (name: string): unknown => {
    const stats = fields[name] === undefined ? null : parseJson(fields[name]);
    if (stats === null) return null;
    const typed: JsonObject = {};
    for (const [key, one] of Object.entries(asObject(stats))) setOwn(typed, key, { ...asObject(one), type: 'PRIMARY' });
    return typed;
  };
  return jsonObject({
    ...fields,
    type: typeOf(record),
    trace_tier: TIERS[record.traceTier],
    feedback_stats: statsOf('feedback_stats'),
    session_feedback_stats: statsOf('session_feedback_stats'),
  });
}

const listDatasets: QueryHandler<DatasetListV2Query> = (caches, caller, query) => {
  const { sort_order: order, ...same } = query;
  const found = selectDatasets(caches, caller, { ...same, sort_by_desc: order !== 'asc' });
  return pageOf(found, query, (dataset) => liveDatasetJson(caches, dataset));
};

const experimentRuns: QueryHandler<ExperimentRunsQuery & { dataset_id: string }> = (caches, caller, body) => {
  const selects = selectsOf(body.selects, 'body');
  const { experiments, examples, entries } = selectExamples(caches, caller, {
    dataset_id: body.dataset_id,
    session_ids: body.experiment_ids,
    example_ids: body.example_ids,
    filters: body.filters,
    sort_params:
      body.sort?.by == null
        ? null
        : {
            sort_by: body.sort.by.toLowerCase(),
            sort_order: body.sort.order?.toUpperCase() === 'DESC' ? 'DESC' : 'ASC',
          },
  });
  return pageOf(entries, body, (entry) =>
    jsonObject({
      ...examples.fields(entry),
      runs: jsonArray(
        experiments.flatMap((experiment) =>
          runsOf(caches, experiment, entry.exampleId).map((run) => runJson(caches, { run, experiment }, selects)),
        ),
      ),
    }),
  );
};

export const secondVersionReads = {
  'v2.runs.query': queryRuns,
  'v2.runs.get': getRun,
  'v2.runs.url': getRunUrl,
  'v2.sessions.list': listSessions,
  'v2.datasets.list': listDatasets,
  'v2.datasets.runs': experimentRuns,
};
