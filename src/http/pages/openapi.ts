import { schemas } from '../../../schemas/compiled/schemas.js';
import { VERSION } from '../../base/version.js';
import type { Route } from '../route.js';

/** Builds the OpenAPI 3.1 description from the route table and the schemas of the validators. */
export function openApiDocument(routes: readonly Route[], mountPrefix: string): string {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    // Files for browsers are not part of the API.
    if (route.alias || /^\/(?:docs\/|console)/.test(route.path)) continue;
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method] = {
      summary: route.summary,
      ...(route.path.startsWith('/api/')
        ? { description: `Also without the prefix ${route.path.startsWith('/api/v1/platform') ? '/api' : '/api/v1'}.` }
        : {}),
      tags: [tagOf(route.path)],
      parameters: [...parameters('path', route.schemas.params), ...parameters('query', route.schemas.query)],
      ...(route.schemas.body === null
        ? {}
        : {
            requestBody: {
              content: { 'application/json': { schema: { $ref: `#/components/schemas/${route.schemas.body}` } } },
            },
          }),
      responses: responses(route),
    };
  }
  return JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Threadmill', version: VERSION, description: 'Self-hosted serving of LangGraph graphs.' },
    ...(mountPrefix === '' ? {} : { servers: [{ url: mountPrefix }] }),
    paths,
    components: {
      schemas: {
        ...schemas,
        Error: { type: 'object', required: ['detail'], properties: { detail: { type: 'string' } } },
      },
    },
  });
}

function parameters(place: 'path' | 'query', name: string | null): unknown[] {
  if (name === null) return [];
  const { properties = {}, required = [] } = schemas[name] as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  return Object.entries(properties).map(([key, schema]) => ({
    name: key,
    in: place,
    required: place === 'path' || required.includes(key),
    schema,
  }));
}

function responses(route: Route): Record<string, unknown> {
  const error = (description: string): unknown => ({
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  });
  return {
    200: route.path.endsWith('/stream')
      ? { description: 'Server-sent events', content: { 'text/event-stream': {} } }
      : { description: 'Success', content: { 'application/json': {} } },
    ...(route.params === null ? {} : { 404: error('Not found') }),
    ...(route.body === null ? {} : { 400: error('The body is not JSON'), 413: error('The body is too large') }),
    ...(route.body === null && route.params === null && route.query === null
      ? {}
      : { 422: error('The request is invalid; the message names the place') }),
  };
}

function tagOf(path: string): string {
  if (path.startsWith('/api/')) return 'evaluation';
  if (path.includes('/runs/crons')) return 'crons';
  if (path.includes('/runs')) return 'runs';
  const first = path.split('/')[1]!;
  return ['threads', 'assistants', 'store', 'mcp', 'a2a'].includes(first) ? first : 'server';
}
