import { DatasetParams, EvaluationRunParams } from '../../../../schemas/compiled/validators.js';
import { defineRoute, jsonReply } from '../../route.js';
import { runQuery } from './run-query.js';

export const getSettingsRoute = defineRoute({
  method: 'get',
  path: '/settings',
  action: 'experiments:search',
  errors: 'evaluation',
  summary: 'Get the workspace; the whole server is one workspace',
  handle: ({ caller }, services) => runQuery(services, caller, 'workspace.settings', null),
});

export const getWorkspaceStatsRoute = defineRoute({
  method: 'get',
  path: '/workspaces/current/stats',
  action: 'experiments:search',
  errors: 'evaluation',
  summary: 'Count datasets and projects',
  handle: ({ caller }, services) => runQuery(services, caller, 'workspace.stats', null),
});

/** Sharing is not supported. Clients get null, because a 404 would mean an unknown route. */
export const getDatasetShareRoute = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/share',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'Always null: datasets cannot be shared publicly',
  params: DatasetParams,
  schemas: { params: 'DatasetParams' },
  async handle({ params, caller }, services) {
    await runQuery(services, caller, 'datasets.get', params);
    return jsonReply('null');
  },
});

export const getRunShareRoute = defineRoute({
  method: 'get',
  path: '/runs/:run_id/share',
  action: 'evaluation_runs:read',
  errors: 'evaluation',
  summary: 'Always null: runs cannot be shared publicly',
  params: EvaluationRunParams,
  schemas: { params: 'EvaluationRunParams' },
  async handle({ params, caller }, services) {
    await runQuery(services, caller, 'runs.get', params);
    return jsonReply('null');
  },
});

export const workspaceRoutes = [getSettingsRoute, getWorkspaceStatsRoute, getDatasetShareRoute, getRunShareRoute];
