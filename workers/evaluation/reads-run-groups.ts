import type {
  ConversationAggregate,
  ConversationQuery,
  ConversationTraceListQuery,
  RunGroupQuery,
} from '../../schemas/compiled/types.js';
import type { Caller } from '../../src/domain/caller.js';
import { isoMicros } from '../../src/base/micros.js';
import type { ExperimentRecord } from '../../src/store/evaluation/experiments.js';
import type { Caches } from './caches.js';
import type { RunFilter } from './filter.js';
import type { KeptRun } from './list-facts.js';
import { listJson, parseId, parseTime, sliceOfPage } from './pages.js';
import { experimentOf } from './reads-experiments.js';
import { parseFilterParam, runFieldsOf, testOf } from './reads-runs.js';
import { runsInOrder, type Found } from './runs-in-order.js';
import { pageOf, refuseUnsupported, runValues, selectsOf } from './reads-v2.js';
import { jsonObject } from './records-json.js';
import type { QueryHandler } from './read.js';
import { RunSubject } from './run-subject.js';
import { feedbackStats } from './feedback-statistics.js';
import { experimentStats } from './run-statistics.js';

/** Page size of the API if the client does not choose one. */
const GROUPS = 10;

/** The root runs of one conversation, newest first. Never empty. */
export interface Group {
  threadId: string;
  runs: KeptRun[];
}

/** Conditions on conversations. */
export interface GroupQuery {
  /** Root runs that do not match are left out. */
  filters: readonly (RunFilter | null)[];
  /** A conversation is left out unless, for each of these, a trace of it matches. */
  traceTests?: readonly ((found: Found) => boolean)[];
  start_time?: string | null;
  end_time?: string | null;
}

/** The conversations of a project, the one with the newest run first. */
export function groupsOf(caches: Caches, experiment: ExperimentRecord, body: GroupQuery): Group[] {
  const fromUs = parseTime(body.start_time, 'start_time', 'body');
  const toUs = parseTime(body.end_time, 'end_time', 'body');
  const groups = new Map<string, Group>();
  for (const { run } of runsInOrder(caches, [experiment], { fromUs, toUs })) {
    if (!run.root) continue;
    const subject = new RunSubject(caches.reader, run, experiment);
    const threadId = subject.field('thread_id');
    if (typeof threadId !== 'string' || !body.filters.every((filter) => filter === null || filter(subject))) continue;
    const known = groups.get(threadId);
    if (known === undefined) groups.set(threadId, { threadId, runs: [run] });
    else known.runs.push(run);
  }
  const { traceTests = [] } = body;
  return [...groups.values()].filter(({ runs }) =>
    traceTests.every((test) => runs.some((run) => test({ run, experiment }))),
  );
}

interface TraceConditions {
  trace_filter?: string | null;
  tree_filter?: string | null;
}

/** Tests of a trace, by its root run. */
export function traceTestsOf(
  caches: Caches,
  { trace_filter: ofRoot, tree_filter: ofTree }: TraceConditions,
): ((found: Found) => boolean)[] {
  return [{ trace_filter: ofRoot }, { tree_filter: ofTree }]
    .filter((query) => Object.values(query).some((text) => text !== undefined && text !== null))
    .map((query) => testOf(caches, query));
}

interface Grouped {
  experiment: ExperimentRecord;
  groups: Group[];
}

function groupedRuns(caches: Caches, caller: Caller, body: RunGroupQuery): Grouped {
  const experiment = experimentOf(caches, caller, parseId(body.session_id, ['session_id'], 'body'));
  return {
    experiment,
    groups: groupsOf(caches, experiment, { ...body, filters: [parseFilterParam(body.filter, ['filter'])] }),
  };
}

/** What both versions of the API return about a conversation. */
function summaryOf(caches: Caches, experiment: ExperimentRecord, { threadId, runs }: Group): Record<string, unknown> {
  const preview = (run: KeptRun): Record<string, unknown> => runFieldsOf(caches, { run, experiment });
  const [newest, oldest] = [runs[0]!, runs.at(-1)!];
  const stats = experimentStats(runs);
  const failed = runs.find((run) => run.failed);
  return {
    thread_id: threadId,
    count: runs.length,
    total_tokens: stats.total_tokens ?? 0,
    total_cost: stats.total_cost,
    min_start_time: isoMicros(oldest.startUs),
    max_start_time: isoMicros(newest.startUs),
    latency_p50: stats.latency_p50,
    latency_p99: stats.latency_p99,
    feedback_stats: ownFeedbackStats(runs),
    first_inputs: preview(oldest)['inputs_preview'] ?? '',
    last_outputs: preview(newest)['outputs_preview'] ?? '',
    last_error: failed === undefined ? null : preview(failed)['error'],
  };
}

const group: QueryHandler<RunGroupQuery> = (caches, caller, body) => {
  const { experiment, groups } = groupedRuns(caches, caller, body);
  return jsonObject({
    groups: listJson(sliceOfPage(groups, body, GROUPS), (one) =>
      jsonObject({
        filter: `eq(thread_id, ${JSON.stringify(one.threadId)})`,
        group_key: one.threadId,
        ...summaryOf(caches, experiment, one),
      }),
    ),
    total: groups.length,
  });
};

const stats: QueryHandler<RunGroupQuery> = (caches, caller, body) => {
  const { groups } = groupedRuns(caches, caller, body);
  const { last_run_start_us: lastUs, ...rest } = experimentStats(groups.flatMap(({ runs }) => runs));
  return jsonObject({
    ...rest,
    last_run_start_time: lastUs === null ? null : isoMicros(lastUs),
    run_facets: [],
    group_count: groups.length,
  });
};

/** The conversations of a project that a request of the second version selects. */
export function conversationsOf(
  caches: Caches,
  caller: Caller,
  body: ConversationQuery | ConversationAggregate,
): { experiment: ExperimentRecord; groups: Group[] } {
  const experiment = experimentOf(caches, caller, parseId(body.project_id, ['project_id'], 'body'));
  const groups = groupsOf(caches, experiment, {
    filters: [parseFilterParam(body.filter, ['filter'])],
    traceTests: traceTestsOf(caches, body),
    start_time: body.min_start_time,
    end_time: body.max_start_time,
  });
  return { experiment, groups };
}

/** Statistics of the feedback that runs got on their own, not in comparisons. */
export function ownFeedbackStats(runs: readonly KeptRun[]): ReturnType<typeof feedbackStats> {
  return feedbackStats(runs.flatMap(({ feedback }) => feedback).filter(({ comparative }) => !comparative));
}

/** The same in the second version. */
const query: QueryHandler<ConversationQuery> = (caches, caller, body) => {
  refuseUnsupported(body, ['ai_search', 'thread_filter']);
  const { experiment, groups } = conversationsOf(caches, caller, body);
  return pageOf(groups, body, (one) => {
    const { runs } = one;
    return jsonObject({
      ...summaryOf(caches, experiment, one),
      start_time: isoMicros(runs.at(-1)!.startUs),
      trace_id: runs[0]!.traceId,
      first_trace_id: runs.at(-1)!.traceId,
      last_trace_id: runs[0]!.traceId,
      num_errored_turns: runs.filter(({ failed }) => failed).length,
    });
  });
};

/** Fields of a trace in a conversation that runs have under another name. */
const TRACE_FIELDS: Readonly<Record<string, string>> = { LATENCY: 'LATENCY_SECONDS' };

/** The traces of a conversation, oldest first. */
const traces: QueryHandler<ConversationTraceListQuery & { thread_id: string }> = (caches, caller, params) => {
  const experiment = experimentOf(caches, caller, parseId(params.project_id, ['project_id']));
  const filters = [
    parseFilterParam(params.filter, ['filter'], 'query'),
    parseFilterParam(params.trace_filter, ['trace_filter'], 'query'),
  ];
  const names = [...new Set(['TRACE_ID', ...(params.selects ?? []).map((name) => name.toUpperCase())])];
  const own = new Set(['TURN_NUMBER', 'OP', ...Object.keys(TRACE_FIELDS)]);
  const selects = selectsOf(
    [...names.filter((name) => !own.has(name)), ...names.flatMap((name) => TRACE_FIELDS[name] ?? [])],
    'query',
  );
  const found = groupsOf(caches, experiment, { filters }).find(({ threadId }) => threadId === params.thread_id);
  const inTree = traceTestsOf(caches, { tree_filter: params.tree_filter });
  const runs = (found?.runs ?? [])
    .toReversed()
    .map((run, at) => ({ run, turn: at + 1 }))
    .filter(({ run }) => inTree.every((test) => test({ run, experiment })));
  return pageOf(runs, params, ({ run, turn }) => {
    const { latency_seconds: latency, id: _, ...fields } = runValues(caches, { run, experiment }, selects);
    return jsonObject({
      ...fields,
      ...(names.includes('LATENCY') ? { latency } : {}),
      ...(names.includes('TURN_NUMBER') ? { turn_number: turn } : {}),
    });
  });
};

export const runGroupReads = {
  'runs.group': group,
  'runs.groupStats': stats,
  'v2.threads.query': query,
  'v2.threads.traces': traces,
};
