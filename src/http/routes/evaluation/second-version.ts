import {
  ConversationAggregate,
  ConversationParams,
  ConversationQuery,
  ConversationStatsQuery,
  ConversationTraceListQuery,
  DatasetListV2Query,
  DatasetParams,
  EvaluationRunParams,
  ExperimentRunsQuery,
  RunGetV2Query,
  RunQueryV2,
  RunUrlQuery,
  SessionListV2Query,
  TraceParams,
  TraceQuery,
  TraceRunListQuery,
} from '../../../../schemas/compiled/validators.js';
import type { Needs } from '../../../services/context.js';
import { defineRoute } from '../../route.js';
import { runPageQuery } from './query-page.js';
import { runQuery } from './run-query.js';

/** Reads of the second version of the API: pages with cursors, and only the selected fields of runs. */

/** Address of the server in share links; null while they are off. */
function shareBaseOf({ evaluation, feedback }: Needs<'evaluation' | 'feedback'>): string | null {
  return evaluation.allowsShares ? feedback.baseUrl : null;
}

export const queryRunsV2Route = defineRoute({
  method: 'post',
  path: '/runs/query',
  action: 'evaluation_runs:search',
  errors: 'problem',
  summary: 'Query runs of traces',
  body: RunQueryV2,
  schemas: { body: 'RunQueryV2' },
  handle: (context, services) =>
    runPageQuery(services, context, 'v2.runs.query', { ...context.body, share_base: shareBaseOf(services) }),
});

export const getRunV2Route = defineRoute({
  method: 'get',
  path: '/runs/:run_id',
  action: 'evaluation_runs:read',
  errors: 'problem',
  summary: 'Get a run of a trace',
  params: EvaluationRunParams,
  query: RunGetV2Query,
  schemas: { params: 'EvaluationRunParams', query: 'RunGetV2Query' },
  handle: ({ params, query, caller }, services) =>
    runQuery(services, caller, 'v2.runs.get', { ...query, ...params, share_base: shareBaseOf(services) }),
});

export const getRunUrlRoute = defineRoute({
  method: 'get',
  path: '/runs/:run_id/url',
  action: 'evaluation_runs:read',
  errors: 'problem',
  summary: 'Get the URL of a run in the console',
  params: EvaluationRunParams,
  query: RunUrlQuery,
  schemas: { params: 'EvaluationRunParams', query: 'RunUrlQuery' },
  handle: ({ params, query, caller }, services) =>
    runQuery(services, caller, 'v2.runs.url', { ...query, ...params, base_url: services.feedback.baseUrl }),
});

export const listSessionsV2Route = defineRoute({
  method: 'get',
  path: '/sessions',
  action: 'experiments:search',
  errors: 'problem',
  summary: 'List experiments and projects',
  query: SessionListV2Query,
  schemas: { query: 'SessionListV2Query' },
  handle: ({ query, caller }, services) => runQuery(services, caller, 'v2.sessions.list', query),
});

export const listDatasetsV2Route = defineRoute({
  method: 'get',
  path: '/datasets',
  action: 'datasets:search',
  errors: 'problem',
  summary: 'List datasets',
  query: DatasetListV2Query,
  schemas: { query: 'DatasetListV2Query' },
  handle: ({ query, caller }, services) => runQuery(services, caller, 'v2.datasets.list', query),
});

export const queryExperimentRunsRoute = defineRoute({
  method: 'post',
  path: '/datasets/:dataset_id/experiment-runs',
  action: 'experiments:read',
  errors: 'problem',
  summary: 'List examples with their runs in several experiments',
  params: DatasetParams,
  body: ExperimentRunsQuery,
  schemas: { params: 'DatasetParams', body: 'ExperimentRunsQuery' },
  handle: ({ params, body, caller }, services) =>
    runQuery(services, caller, 'v2.datasets.runs', { ...body, ...params }),
});

export const queryConversationsRoute = defineRoute({
  method: 'post',
  path: '/threads/query',
  action: 'evaluation_runs:search',
  errors: 'problem',
  summary: 'List the conversations of a project',
  body: ConversationQuery,
  schemas: { body: 'ConversationQuery' },
  handle: (context, services) => runPageQuery(services, context, 'v2.threads.query', context.body),
});

export const listConversationTracesRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/traces',
  action: 'evaluation_runs:search',
  errors: 'problem',
  summary: 'List the traces of a conversation, oldest first',
  params: ConversationParams,
  query: ConversationTraceListQuery,
  schemas: { params: 'ConversationParams', query: 'ConversationTraceListQuery' },
  handle: ({ params, query, caller }, services) =>
    runQuery(services, caller, 'v2.threads.traces', { ...query, ...params }),
});

export const aggregateConversationsRoute = defineRoute({
  method: 'post',
  path: '/threads/stats',
  action: 'evaluation_runs:search',
  errors: 'problem',
  summary: 'Get statistics of the conversations of a project',
  body: ConversationAggregate,
  schemas: { body: 'ConversationAggregate' },
  handle: ({ body, caller }, services) => runQuery(services, caller, 'v2.threads.aggregate', body),
});

export const getConversationStatsRoute = defineRoute({
  method: 'get',
  path: '/threads/:thread_id/stats',
  action: 'evaluation_runs:search',
  errors: 'problem',
  summary: 'Get statistics of a conversation',
  params: ConversationParams,
  query: ConversationStatsQuery,
  schemas: { params: 'ConversationParams', query: 'ConversationStatsQuery' },
  handle: ({ params, query, caller }, services) =>
    runQuery(services, caller, 'v2.threads.stats', { ...query, ...params }),
});

export const queryTracesRoute = defineRoute({
  method: 'post',
  path: '/traces/query',
  action: 'evaluation_runs:search',
  errors: 'problem',
  summary: 'Query the traces of a project',
  body: TraceQuery,
  schemas: { body: 'TraceQuery' },
  handle: (context, services) =>
    runPageQuery(services, context, 'v2.traces.query', { ...context.body, share_base: shareBaseOf(services) }),
});

export const listTraceRunsRoute = defineRoute({
  method: 'get',
  path: '/traces/:trace_id/runs',
  action: 'evaluation_runs:search',
  errors: 'problem',
  summary: 'List the runs of a trace, oldest first',
  params: TraceParams,
  query: TraceRunListQuery,
  schemas: { params: 'TraceParams', query: 'TraceRunListQuery' },
  handle: ({ params, query, caller }, services) =>
    runQuery(services, caller, 'v2.traces.runs', { ...query, ...params, share_base: shareBaseOf(services) }),
});

export const secondVersionRoutes = [
  queryRunsV2Route,
  getRunV2Route,
  getRunUrlRoute,
  listSessionsV2Route,
  listDatasetsV2Route,
  queryExperimentRunsRoute,
  queryConversationsRoute,
  listConversationTracesRoute,
  aggregateConversationsRoute,
  getConversationStatsRoute,
  queryTracesRoute,
  listTraceRunsRoute,
];
