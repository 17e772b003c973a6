import { DatasetParams, EvaluationRunParams } from '../../../../schemas/compiled/validators.js';
import { defineRoute, json } from '../../route.js';
import { ask } from './ask.js';

export const settings = defineRoute({
  method: 'get',
  path: '/settings',
  action: 'experiments:search',
  errors: 'evaluation',
  summary: 'The workspace: one stands for the whole server',
  handle: ({ caller }, services) => ask(services, caller, 'workspace.settings', null),
});

export const stats = defineRoute({
  method: 'get',
  path: '/workspaces/current/stats',
  action: 'experiments:search',
  errors: 'evaluation',
  summary: 'How many datasets and projects there are',
  handle: ({ caller }, services) => ask(services, caller, 'workspace.stats', null),
});

/** Nothing is shared in public: clients are told so, and not that the question is unknown. */
export const datasetShare = defineRoute({
  method: 'get',
  path: '/datasets/:dataset_id/share',
  action: 'datasets:read',
  errors: 'evaluation',
  summary: 'Always null: datasets are not shared in public',
  params: DatasetParams,
  schemas: { params: 'DatasetParams' },
  async handle({ params, caller }, services) {
    await ask(services, caller, 'datasets.get', params);
    return json('null');
  },
});

export const runShare = defineRoute({
  method: 'get',
  path: '/runs/:run_id/share',
  action: 'evaluation_runs:read',
  errors: 'evaluation',
  summary: 'Always null: runs are not shared in public',
  params: EvaluationRunParams,
  schemas: { params: 'EvaluationRunParams' },
  async handle({ params, caller }, services) {
    await ask(services, caller, 'runs.get', params);
    return json('null');
  },
});

export const workspaceRoutes = [settings, stats, datasetShare, runShare];
