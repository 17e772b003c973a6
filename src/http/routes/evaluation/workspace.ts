import { defineRoute } from '../../route.js';
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

export const workspaceRoutes = [getSettingsRoute, getWorkspaceStatsRoute];
