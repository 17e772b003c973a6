import {
  SessionListQuery,
  SessionMetadataQuery,
  SessionParams,
  SessionQuery,
} from '../../../../schemas/compiled/validators.js';
import { defineRoute } from '../../route.js';
import { ask } from './ask.js';

export const list = defineRoute({
  method: 'get',
  path: '/sessions',
  action: 'experiments:search',
  errors: 'evaluation',
  summary: 'List experiments and projects',
  query: SessionListQuery,
  schemas: { query: 'SessionListQuery' },
  handle: ({ query, caller }, services) => ask(services, caller, 'experiments.list', query),
});

export const get = defineRoute({
  method: 'get',
  path: '/sessions/:session_id',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'One experiment with its statistics',
  params: SessionParams,
  query: SessionQuery,
  schemas: { params: 'SessionParams', query: 'SessionQuery' },
  handle: ({ params, query, caller }, services) => ask(services, caller, 'experiments.get', { ...query, ...params }),
});

export const metadata = defineRoute({
  method: 'get',
  path: '/sessions/:session_id/metadata',
  action: 'experiments:read',
  errors: 'evaluation',
  summary: 'Most frequent metadata values of the runs of an experiment',
  params: SessionParams,
  query: SessionMetadataQuery,
  schemas: { params: 'SessionParams', query: 'SessionMetadataQuery' },
  handle: ({ params, query, caller }, services) =>
    ask(services, caller, 'experiments.metadata', { ...query, ...params }),
});

export const experimentRoutes = [list, get, metadata];
