import {
  ExampleCountQuery,
  ExampleListQuery,
  ExampleParams,
  ExampleQuery,
} from '../../../../schemas/compiled/validators.js';
import { defineRoute } from '../../route.js';
import { runQuery } from './run-query.js';

export const listExamplesRoute = defineRoute({
  method: 'get',
  path: '/examples',
  action: 'examples:search',
  errors: 'evaluation',
  summary: 'List the examples of a dataset, optionally at a point in time',
  query: ExampleListQuery,
  schemas: { query: 'ExampleListQuery' },
  handle: ({ query, caller }, services) => runQuery(services, caller, 'examples.list', query),
});

export const countExamplesRoute = defineRoute({
  method: 'get',
  path: '/examples/count',
  action: 'examples:search',
  errors: 'evaluation',
  summary: 'Count examples',
  query: ExampleCountQuery,
  schemas: { query: 'ExampleCountQuery' },
  handle: ({ query, caller }, services) => runQuery(services, caller, 'examples.count', query),
});

export const getExampleRoute = defineRoute({
  method: 'get',
  path: '/examples/:example_id',
  action: 'examples:read',
  errors: 'evaluation',
  summary: 'Get an example, optionally at a point in time',
  params: ExampleParams,
  query: ExampleQuery,
  schemas: { params: 'ExampleParams', query: 'ExampleQuery' },
  handle: ({ params, query, caller }, services) => runQuery(services, caller, 'examples.get', { ...query, ...params }),
});

export const exampleRoutes = [listExamplesRoute, countExamplesRoute, getExampleRoute];
