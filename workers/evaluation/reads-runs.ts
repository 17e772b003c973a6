import type { RunQuery, RunStatsQuery } from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { fail } from '../../src/base/errors.js';
import { LIMITS } from '../../src/base/limits.js';
import { isoMicros } from '../../src/base/micros.js';
import { invalidRequest } from '../../src/base/request-problems.js';
import { runAt } from '../../src/store/evaluation/run-blocks.js';
import { findEvaluationRun, listOfTrace } from '../../src/store/evaluation/evaluation-runs.js';
import { experimentIdsOf, type ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import { datasetOfList, versionsOf } from '../../src/store/evaluation/examples.js';
import { attachmentUrls } from './attachment-urls.js';
import type { Caches } from './caches.js';
import { FilterSyntaxError, parseFilter, type RunFilter } from './filter.js';
import { dottedOrderIn, rootOf, type KeptRun, type ListFacts } from './list-facts.js';
import { parseCursor, cursorText, parseId, parseIds, listJson, parseTime } from './pages.js';
import { jsonObject } from './records-json.js';
import type { QueryHandler } from './read.js';
import { selectFields, runFields } from './run-json.js';
import { isPosition, runsInOrder, type Found, type Position, type RunOrder } from './runs-in-order.js';
import { RunSubject } from './run-subject.js';
import { experimentStats } from './run-statistics.js';

/** Finds a run by its id in memory. */
export function findRun(caches: Caches, caller: Caller, runId: string): Found | undefined {
  const place = findEvaluationRun(caches.reader, runId)?.place;
  const experiment = place === undefined ? undefined : caches.experiments.ofList(caller, place.list);
  const run = experiment === undefined ? undefined : caches.facts(place!.list).derived.byId.get(runId);
  return run === undefined ? undefined : { run, experiment: experiment! };
}

export function runFieldsOf(caches: Caches, { run, experiment }: Found, preview = false): Record<string, unknown> {
  const stored = runAt(caches.reader, run.place)!;
  // The sender of a span does not know its ancestors.
  if (stored.dottedOrder === null && run.parentRunId !== null)
    stored.dottedOrder = dottedOrderIn(caches.facts(run.place.list).derived, run);
  return {
    ...runFields(stored, run, experiment, preview),
    s3_urls: attachmentUrls(
      caches.links,
      { owner: 'run', ownerId: run.runId, versionUs: 0, live: true },
      stored.attachments,
    ),
  };
}

const get: QueryHandler<{ run_id: string }> = (caches, caller, { run_id }) => {
  const found = findRun(caches, caller, run_id);
  if (found === undefined) throw fail('EVALUATION_RUN_NOT_FOUND', { runId: run_id });
  return jsonObject(runFieldsOf(caches, found));
};

/** The experiments that a query can match: the named ones, or those that contain its trace, parent or example. */
function experimentsFor(caches: Caches, caller: Caller, query: RunStatsQuery): ExperimentRecord[] {
  const sessions = parseIds(query.session, 'session', 'body');
  if (sessions !== null)
    return sessions.map((id) => caches.experiments.get(caller, id)).filter((one) => one !== undefined);
  const lists = listsNamed(caches, query) ?? [];
  const examples = examplesIn(query) ?? [];
  const datasets = new Set(
    examples.flatMap((id) =>
      [...versionsOf(caches.reader, id)].map(({ place }) => datasetOfList(caches.reader, place.list)!),
    ),
  );
  const byExample = [...datasets]
    .flatMap((id) => [...experimentIdsOf(caches.reader, id)])
    .map(({ experimentId }) => caches.experiments.get(caller, experimentId));
  if (query.trace == null && query.parent_run == null && query.reference_example == null) {
    throw invalidRequest('body', [
      {
        loc: ['session'],
        msg: 'is required when none of id, trace, parent_run and reference_example is given',
        type: 'missing',
      },
    ]);
  }
  return [
    ...new Map(
      [...lists.map((list) => caches.experiments.ofList(caller, list)), ...byExample]
        .filter((one) => one !== undefined)
        .map((one) => [one.experimentId, one]),
    ).values(),
  ];
}

/** The lists that contain the trace or the parent of a query. Null if it names neither, or nothing is known of them. */
function listsNamed(caches: Caches, { trace, parent_run: parent }: RunStatsQuery): number[] | null {
  if (trace == null && parent == null) return null;
  const lists = [
    ...(trace == null ? [] : listsOfTrace(caches, parseId(trace, ['trace'], 'body'))),
    ...(parent == null ? [] : listsOfTrace(caches, parseId(parent, ['parent_run'], 'body'))),
  ];
  // The parent may not have arrived.
  return lists.length === 0 ? null : [...new Set(lists)];
}

/** The list that has the trace, and the list that has the run with the same id: a root, or the parent of runs. */
export function listsOfTrace(caches: Caches, id: string): number[] {
  const lists = [findEvaluationRun(caches.reader, id)?.place.list, listOfTrace(caches.reader, id)];
  return [...new Set(lists.filter((list) => list !== undefined))];
}

/** Throws INVALID_REQUEST with the place in the filter. */
export function parseFilterParam(
  text: string | null | undefined,
  loc: (string | number)[],
  where: 'query' | 'body' = 'body',
): RunFilter | null {
  if (text === null || text === undefined || text.trim() === '') return null;
  try {
    return parseFilter(text);
  } catch (error) {
    if (error instanceof FilterSyntaxError)
      throw invalidRequest(where, [{ loc, msg: error.message, type: 'filter' }], error);
    throw error;
  }
}

const traces = new WeakMap<object, Map<string, KeptRun[]>>();

/** The runs of each trace, computed once for every state of the list. */
export function tracesOf(derived: ListFacts['derived']): Map<string, KeptRun[]> {
  let byTrace = traces.get(derived);
  if (byTrace === undefined) {
    byTrace = new Map();
    for (const run of derived.runs) {
      const others = byTrace.get(run.traceId);
      if (others === undefined) byTrace.set(run.traceId, [run]);
      else others.push(run);
    }
    traces.set(derived, byTrace);
  }
  return byTrace;
}

/** Compiles the conditions of a query on a run and its trace into one test. */
export function testOf(caches: Caches, query: RunStatsQuery): (found: Found) => boolean {
  const filter = parseFilterParam(query.filter, ['filter']);
  const ofTrace = parseFilterParam(query.trace_filter, ['trace_filter']);
  const ofTree = parseFilterParam(query.tree_filter, ['tree_filter']);
  const fromUs = parseTime(query.start_time, 'start_time', 'body');
  const toUs = parseTime(query.end_time, 'end_time', 'body');
  const trace = query.trace == null ? null : parseId(query.trace, ['trace'], 'body');
  const parent = query.parent_run == null ? null : parseId(query.parent_run, ['parent_run'], 'body');
  const examples = examplesIn(query);
  const exampleSet = examples === null ? null : new Set(examples);
  const rootsOnly = query.is_root ?? (query.execution_order === 1 ? true : null);
  const needle = query.query == null || query.query === '' ? null : query.query.toLowerCase();
  const subject = (run: KeptRun, experiment: ExperimentRecord): RunSubject =>
    new RunSubject(caches.reader, run, experiment);
  const trees = new Map<string, boolean>();
  return ({ run, experiment }) => {
    if (rootsOnly !== null && run.root !== rootsOnly) return false;
    if (trace !== null && run.traceId !== trace) return false;
    if (parent !== null && run.parentRunId !== parent) return false;
    if (exampleSet !== null && (run.exampleId === null || !exampleSet.has(run.exampleId))) return false;
    if (query.run_type != null && run.runType !== query.run_type) return false;
    if (query.error != null && run.failed !== query.error) return false;
    if ((fromUs !== null && run.startUs < fromUs) || (toUs !== null && run.startUs > toUs)) return false;
    if (filter !== null && !filter(subject(run, experiment))) return false;
    if (needle !== null && !subject(run, experiment).text().toLowerCase().includes(needle)) return false;
    if (ofTrace === null && ofTree === null) return true;
    const { derived } = caches.facts(run.place.list);
    if (ofTrace !== null) {
      const root = rootOf(run, derived);
      if (root === undefined || !ofTrace(subject(root, experiment))) return false;
    }
    if (ofTree !== null) {
      let holds = trees.get(run.traceId);
      if (holds === undefined) {
        holds = (tracesOf(derived).get(run.traceId) ?? []).some((other) => ofTree(subject(other, experiment)));
        trees.set(run.traceId, holds);
      }
      if (!holds) return false;
    }
    return true;
  };
}

/** A cursor that is the number of earlier items. */
export const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function orderOf(caches: Caches, query: RunStatsQuery): RunOrder {
  return {
    lists: listsNamed(caches, query),
    examples: examplesIn(query),
    fromUs: parseTime(query.start_time, 'start_time', 'body'),
    toUs: parseTime(query.end_time, 'end_time', 'body'),
  };
}

function examplesIn(query: RunStatsQuery): string[] | null {
  return parseIds(query.reference_example, 'reference_example', 'body');
}

const query: QueryHandler<RunQuery> = (caches, caller, body) => {
  const { found, next } = pageOfRuns(caches, caller, body, Math.min(body.limit ?? LIMITS.pageRows, LIMITS.pageRows));
  const runs = listJson(found, (one) => jsonObject(selectFields(runFieldsOf(caches, one), body.select)));
  return jsonObject({ runs, cursors: { next, prev: null }, search_cursors: null, parsed_query: null });
};

export interface RunPage {
  found: Found[];
  /** Cursor of the next page. */
  next: string | null;
}

/** Ids replace all other conditions. */
export function pageOfRuns(caches: Caches, caller: Caller, body: RunQuery, limit: number): RunPage {
  const ids = parseIds(body.id, 'id', 'body');
  if (ids !== null) {
    const from = parseCursor(body.cursor, isOffset) ?? 0;
    const unique = [...new Set(ids)];
    return {
      found: unique
        .slice(from, from + limit)
        .map((id) => findRun(caches, caller, id))
        .filter((one) => one !== undefined),
      next: from + limit < unique.length ? cursorText(from + limit) : null,
    };
  }
  const test = testOf(caches, body);
  const order = {
    ...orderOf(caches, body),
    after: parseCursor(body.cursor, isPosition),
    ascending: body.order === 'asc',
  };
  const found: Found[] = [];
  let looked = 0;
  let last: Position | null = null;
  for (const one of runsInOrder(caches, experimentsFor(caches, caller, body), order)) {
    // A page may be short, or even empty, and still have a cursor at which the next page continues.
    if (found.length >= limit || looked >= LIMITS.scanRowsMax) return { found, next: cursorText(last) };
    looked += 1;
    last = [one.run.startUs, one.run.runId];
    if (test(one)) found.push(one);
  }
  return { found, next: null };
}

/** All selected runs count, including children, because the query defines which runs to count. */
function* countedRuns(all: Iterable<Found>, test: (one: Found) => boolean): Generator<KeptRun> {
  for (const one of all) if (test(one)) yield { ...one.run, root: true };
}

const stats: QueryHandler<RunStatsQuery> = (caches, caller, body) => {
  const ids = parseIds(body.id, 'id', 'body');
  const test = ids === null ? testOf(caches, body) : () => true;
  const all =
    ids === null
      ? runsInOrder(caches, experimentsFor(caches, caller, body), orderOf(caches, body))
      : ids.map((id) => findRun(caches, caller, id)).filter((one) => one !== undefined);
  const { last_run_start_us: lastUs, ...rest } = experimentStats(countedRuns(all, test));
  return jsonObject({ ...rest, last_run_start_time: lastUs === null ? null : isoMicros(lastUs), run_facets: [] });
};

export const runReads = { 'runs.get': get, 'runs.query': query, 'runs.stats': stats };
