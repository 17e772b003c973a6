import {
  ConversationParams,
  ConversationQuery,
  ConversationTraceListQuery,
  DatasetListV2Query,
  DatasetParams,
  EvaluationRunParams,
  ExperimentRunsQuery,
  RunGetV2Query,
  RunQueryV2,
  RunUrlQuery,
  SessionListV2Query,
} from '../../../../schemas/compiled/validators.js';
import type { Needs } from '../../../services/context.js';
import { defineRoute } from '../../route.js';
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
  handle: ({ body, caller }, services) =>
    runQuery(services, caller, 'v2.runs.query', { ...body, share_base: shareBaseOf(services) }),
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
  handle: ({ body, caller }, services) => runQuery(services, caller, 'v2.threads.query', body),
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

export const secondVersionRoutes = [
  queryRunsV2Route,
  getRunV2Route,
  getRunUrlRoute,
  listSessionsV2Route,
  listDatasetsV2Route,
  queryExperimentRunsRoute,
  queryConversationsRoute,
  listConversationTracesRoute,
];
