import {
  EvaluationRunParams,
  RunGroupQuery,
  RunQuery,
  RunSeriesQuery,
  RunStatsQuery,
} from '../../../../schemas/compiled/validators.js';
import { LIMITS } from '../../../base/limits.js';
import { defineRoute } from '../../route.js';
import { runQuery } from './run-query.js';

export const queryRunsRoute = defineRoute({
  method: 'post',
  path: '/runs/query',
  action: 'evaluation_runs:search',
  errors: 'evaluation',
  summary: 'Query runs of traces',
  body: RunQuery,
  schemas: { body: 'RunQuery' },
  handle: ({ body, caller }, services) => runQuery(services, caller, 'runs.query', body),
});

export const getRunStatsRoute = defineRoute({
  method: 'post',
  path: '/runs/stats',
  action: 'evaluation_runs:search',
  errors: 'evaluation',
  summary: 'Get statistics of the runs that match a query',
  body: RunStatsQuery,
  schemas: { body: 'RunStatsQuery' },
  handle: ({ body, caller }, services) => runQuery(services, caller, 'runs.stats', body),
});

export const getRunSeriesRoute = defineRoute({
  method: 'post',
  path: '/runs/series',
  action: 'evaluation_runs:search',
  errors: 'evaluation',
  summary: 'Count runs over time, with latencies, tokens and costs',
  body: RunSeriesQuery,
  schemas: { body: 'RunSeriesQuery' },
  handle: ({ body, caller }, services) =>
    runQuery(services, caller, 'runs.series', {
      ...body,
      end_time: body.end_time ?? new Date(services.clock.nowMs()).toISOString(),
      work_ms: LIMITS.seriesMs,
    }),
});

export const groupRunsRoute = defineRoute({
  method: 'post',
  path: '/runs/group',
  action: 'evaluation_runs:search',
  errors: 'evaluation',
  summary: 'List the conversations of a project, with their first inputs and last outputs',
  body: RunGroupQuery,
  schemas: { body: 'RunGroupQuery' },
  handle: ({ body, caller }, services) => runQuery(services, caller, 'runs.group', body),
});

export const getRunGroupStatsRoute = defineRoute({
  method: 'post',
  path: '/runs/group/stats',
  action: 'evaluation_runs:search',
  errors: 'evaluation',
  summary: 'Get statistics of the conversations of a project',
  body: RunGroupQuery,
  schemas: { body: 'RunGroupQuery' },
  handle: ({ body, caller }, services) => runQuery(services, caller, 'runs.groupStats', body),
});

export const getTraceRunRoute = defineRoute({
  method: 'get',
  path: '/runs/:run_id',
  action: 'evaluation_runs:read',
  errors: 'evaluation',
  summary: 'Get a run of a trace',
  params: EvaluationRunParams,
  schemas: { params: 'EvaluationRunParams' },
  handle: ({ params, caller }, services) => runQuery(services, caller, 'runs.get', params),
});

export const evaluationRunRoutes = [
  queryRunsRoute,
  getRunStatsRoute,
  getRunSeriesRoute,
  groupRunsRoute,
  getRunGroupStatsRoute,
  getTraceRunRoute,
];
