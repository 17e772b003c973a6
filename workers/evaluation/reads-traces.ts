import type { RunQuery, TraceQuery, TraceRunListQuery } from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { isoMicros } from '../../src/base/micros.js';
import { LIMITS } from '../../src/base/limits.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import type { Caches } from './caches.js';
import { listJson, parseId, parseIds, parseTime } from './pages.js';
import { experimentOf } from './reads-experiments.js';
import { listsOfTrace, parseFilterParam, tracesOf } from './reads-runs.js';
import type { Found } from './runs-in-order.js';
import { pageJson, pageOfProjects, refuseUnsupported, runJson, selectsOf, type ShareBase } from './reads-v2.js';
import { isoOrNull, jsonObject } from './records-json.js';
import type { QueryHandler } from './read.js';
import { RunSubject } from './run-subject.js';

/** Traces of a project in the second version of the API. */

/** Fields of the whole trace. A root run has the sums of its children. */
const AGGREGATES: Readonly<Record<string, (root: Found['run']) => unknown>> = {
  TOTAL_TOKENS: (root) => root.totalTokens,
  TOTAL_COST: (root) => root.totalCost,
  FIRST_TOKEN_TIME: (root) => isoOrNull(root.firstTokenUs),
};

const query: QueryHandler<TraceQuery & ShareBase> = (caches, caller, body) => {
  refuseUnsupported(body, ['ai_search', 'min_feedback_modified_at', 'max_feedback_modified_at']);
  const selects = selectsOf(body.selects, 'body');
  const ofTrace = selects.filter((name) => Object.hasOwn(AGGREGATES, name));
  const ofRoot = selects.filter((name) => !Object.hasOwn(AGGREGATES, name));
  const project = experimentOf(caches, caller, parseId(body.project_id, ['project_id'], 'body')).experimentId;
  const toUs = parseTime(body.max_start_time, 'max_start_time', 'body');
  const conditions: RunQuery = {
    is_root: true,
    filter: body.trace_filter,
    tree_filter: body.tree_filter,
    start_time: body.min_start_time,
    // The upper bound is exclusive.
    end_time: toUs === null ? null : isoMicros(toUs - 1),
    cursor: body.cursor,
  };
  const page = pageOfProjects(caches, caller, conditions, {
    projects: [project],
    ids: parseIds(body.trace_ids, 'trace_ids', 'body'),
    size: body.page_size ?? LIMITS.pageRows,
  });
  const items = listJson(page.found, (one) =>
    jsonObject({
      root_run: runJson(caches, one, ofRoot, body.share_base),
      query_metadata: null,
      ...(ofTrace.length === 0
        ? {}
        : {
            trace_aggregates: jsonObject(
              Object.fromEntries(ofTrace.map((name) => [name.toLowerCase(), AGGREGATES[name]!(one.run)])),
            ),
          }),
    }),
  );
  return pageJson(items, page.next);
};

/** The runs of a trace in the order of their start. Empty if the project does not contain the trace. */
const listRuns: QueryHandler<TraceRunListQuery & ShareBase & { trace_id: string }> = (caches, caller, params) => {
  const selects = selectsOf(params.selects, 'query');
  const filter = parseFilterParam(params.filter, ['filter'], 'query');
  const [fromUs, toUs] = boundsOf(params);
  const found = runsOfTrace(caches, caller, params).filter(
    ({ run, experiment }) =>
      (fromUs === null || run.startUs >= fromUs) &&
      (toUs === null || run.startUs <= toUs) &&
      (filter === null || filter(new RunSubject(caches.reader, run, experiment))),
  );
  return jsonObject({ items: listJson(found, (one) => runJson(caches, one, selects, params.share_base)) });
};

function boundsOf({ min_start_time: min, max_start_time: max }: TraceRunListQuery): [number | null, number | null] {
  if ((min === undefined) !== (max === undefined))
    throw invalidRequest('query', [
      {
        loc: [min === undefined ? 'min_start_time' : 'max_start_time'],
        msg: 'is required together with the other bound',
        type: 'missing',
      },
    ]);
  return [parseTime(min, 'min_start_time'), parseTime(max, 'max_start_time')];
}

function runsOfTrace(
  caches: Caches,
  caller: Caller,
  { project_id: projectId, trace_id: traceId }: { project_id: string; trace_id: string },
): Found[] {
  const experiment = experimentOf(caches, caller, parseId(projectId, ['project_id']));
  const newestFirst = listsOfTrace(caches, traceId).flatMap((list) =>
    caches.experiments.ofList(caller, list)?.experimentId === experiment.experimentId
      ? (tracesOf(caches.facts(list).derived).get(traceId) ?? [])
      : [],
  );
  return newestFirst.toReversed().map((run) => ({ run, experiment }));
}

export const traceReads = { 'v2.traces.query': query, 'v2.traces.runs': listRuns };
