import {
  SessionListQuery,
  SessionMetadataQuery,
  SessionParams,
  SessionQuery,
  SessionResolveQuery,
} from '../../../../schemas/compiled/validators.js';
import { defineRoute } from '../../route.js';
import { runQuery } from './run-query.js';

export const listExperimentsRoute = defineRoute({
  method: 'get',
  path: '/sessions',
  action: 'experiments:search',
  errors: 'evaluation',
  summary: 'List experiments and projects',
  query: SessionListQuery,
  schemas: { query: 'SessionListQuery' },
  handle: ({ query, caller }, services) => runQuery(services, caller, 'experiments.list', query),
});

export const getExperimentRoute = defineRoute({
  method: 'get',
  path: '/sessions/:session_id',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'Get an experiment with its statistics',
  params: SessionParams,
  query: SessionQuery,
  schemas: { params: 'SessionParams', query: 'SessionQuery' },
  handle: ({ params, query, caller }, services) =>
    runQuery(services, caller, 'experiments.get', { ...query, ...params }),
});

export const listRunMetadataRoute = defineRoute({
  method: 'get',
  path: '/sessions/:session_id/metadata',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: "List the most frequent metadata values of an experiment's runs",
  params: SessionParams,
  query: SessionMetadataQuery,
  schemas: { params: 'SessionParams', query: 'SessionMetadataQuery' },
  handle: ({ params, query, caller }, services) =>
    runQuery(services, caller, 'experiments.metadata', { ...query, ...params }),
});

export const resolveExperimentRoute = defineRoute({
  method: 'get',
  path: '/sessions/resolutions',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'Find the experiment that an address of the clients names',
  query: SessionResolveQuery,
  schemas: { query: 'SessionResolveQuery' },
  handle: ({ query, caller }, services) => runQuery(services, caller, 'experiments.resolve', query),
});

export const experimentRoutes = [
  listExperimentsRoute,
  resolveExperimentRoute,
  getExperimentRoute,
  listRunMetadataRoute,
];
