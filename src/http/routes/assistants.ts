import {
  AssistantCount,
  AssistantCreate,
  AssistantDeleteQuery,
  AssistantLatest,
  AssistantLatestQuery,
  AssistantParams,
  AssistantPatch,
  AssistantSearch,
  AssistantVersions,
} from '../../../schemas/compiled/validators.js';
import type { AssistantCount as Filter } from '../../../schemas/compiled/types.js';
import { fail } from '../../base/errors.js';
import { asObject } from '../../base/json/json.js';
import {
  createAssistant,
  getSettledAssistant,
  patchAssistant,
  setLatestVersion,
} from '../../services/assistants/assistants.js';
import { deleteAssistant } from '../../services/assistants/delete-assistant.js';
import {
  countAssistants,
  listVersions,
  searchAssistants,
  type AssistantFilter,
} from '../../services/assistants/search-assistants.js';
import { assistantJson } from '../../services/state/resource-json.js';
import { defineRoute, jsonReply } from '../route.js';

export const createAssistantRoute = defineRoute({
  method: 'post',
  path: '/assistants',
  action: 'assistants:create',
  summary: 'Create an assistant: a graph with a configuration',
  body: AssistantCreate,
  schemas: { body: 'AssistantCreate' },
  async handle({ body, caller }, services) {
    return jsonReply(
      assistantJson(
        await createAssistant(services, caller, {
          assistantId: body.assistant_id?.toLowerCase() ?? null,
          graphId: body.graph_id,
          name: body.name ?? 'Untitled',
          description: body.description ?? null,
          config: body.config ?? {},
          context: body.context ?? {},
          metadata: body.metadata ?? {},
          ifExists: body.if_exists ?? 'raise',
        }),
      ),
    );
  },
});

export const searchAssistantsRoute = defineRoute({
  method: 'post',
  path: '/assistants/search',
  action: 'assistants:search',
  summary: 'Search assistants',
  body: AssistantSearch,
  schemas: { body: 'AssistantSearch' },
  async handle({ body, caller }, services) {
    const limit = body.limit ?? 10;
    const offset = body.offset ?? 0;
    const { parts, more } = await searchAssistants(services, caller, {
      ...filterOf(body),
      limit,
      offset,
      sortBy: body.sort_by ?? 'created_at',
      descending: (body.sort_order ?? 'desc') === 'desc',
      select: body.select && body.select.length > 0 ? new Set<string>(body.select) : null,
    });
    const headers: Record<string, string> = { 'x-pagination-total': String(offset + parts.length + (more ? 1 : 0)) };
    if (more) headers['x-pagination-next'] = String(offset + limit);
    return jsonReply(`[${parts.join(',')}]`, headers);
  },
});

export const countAssistantsRoute = defineRoute({
  method: 'post',
  path: '/assistants/count',
  action: 'assistants:search',
  summary: 'Count assistants',
  body: AssistantCount,
  schemas: { body: 'AssistantCount' },
  async handle({ body, caller }, services) {
    return jsonReply(String(await countAssistants(services, caller, filterOf(body))));
  },
});

export const getAssistantRoute = defineRoute({
  method: 'get',
  path: '/assistants/:assistant_id',
  action: 'assistants:read',
  summary: 'Get an assistant by its id or by the name of its graph',
  params: AssistantParams,
  schemas: { params: 'AssistantParams' },
  async handle({ params, caller }, services) {
    return jsonReply(assistantJson(await getSettledAssistant(services, caller, params.assistant_id)));
  },
});

export const updateAssistantRoute = defineRoute({
  method: 'patch',
  path: '/assistants/:assistant_id',
  action: 'assistants:update',
  summary: 'Update an assistant, which creates a new version',
  params: AssistantParams,
  body: AssistantPatch,
  schemas: { params: 'AssistantParams', body: 'AssistantPatch' },
  async handle({ params, body, caller }, services) {
    return jsonReply(
      assistantJson(
        await patchAssistant(services, caller, params.assistant_id, {
          ...optional('graphId', body.graph_id),
          ...optional('name', body.name),
          ...optional('description', body.description),
          ...optional('config', body.config),
          ...optional('context', body.context),
          ...optional('metadata', body.metadata),
        }),
      ),
    );
  },
});

export const deleteAssistantRoute = defineRoute({
  method: 'delete',
  path: '/assistants/:assistant_id',
  action: 'assistants:delete',
  summary: 'Delete an assistant with its versions and runs',
  params: AssistantParams,
  query: AssistantDeleteQuery,
  schemas: { params: 'AssistantParams', query: 'AssistantDeleteQuery' },
  conditionalActions: ({ query }) => (asObject(query)['delete_threads'] === true ? ['threads:delete'] : []),
  async handle({ params, query, caller }, services) {
    await deleteAssistant(services, caller, params.assistant_id, { deleteThreads: query.delete_threads ?? false });
    return jsonReply('{}');
  },
});

export const listAssistantVersionsRoute = defineRoute({
  method: 'post',
  path: '/assistants/:assistant_id/versions',
  action: 'assistants:read',
  summary: 'List the versions of an assistant, newest first',
  params: AssistantParams,
  body: AssistantVersions,
  schemas: { params: 'AssistantParams', body: 'AssistantVersions' },
  async handle({ params, body, caller }, services) {
    const parts = await listVersions(services, caller, params.assistant_id, {
      ...optional('metadata', body.metadata),
      limit: body.limit ?? 10,
      offset: body.offset ?? 0,
    });
    return jsonReply(`[${parts.join(',')}]`);
  },
});

export const setLatestVersionRoute = defineRoute({
  method: 'post',
  path: '/assistants/:assistant_id/latest',
  action: 'assistants:update',
  summary: 'Set the active version of an assistant',
  params: AssistantParams,
  query: AssistantLatestQuery,
  body: AssistantLatest,
  schemas: { params: 'AssistantParams', query: 'AssistantLatestQuery', body: 'AssistantLatest' },
  // This route stores no metadata of the body, so metadata in it must not count as set by the auth handler.
  authView: {
    buildValue: ({ params, query, body }) => ({
      version: asObject(body)['version'] ?? asObject(query)['version'],
      ...params,
    }),
    applyChanges: (body, { version }) => (version === undefined ? body : { ...body, version }),
  },
  async handle({ params, query, body, caller }, services) {
    const version = body.version ?? query.version;
    if (version === undefined) throw fail('INVALID_REQUEST', { problems: 'body.version: is required' });
    return jsonReply(assistantJson(await setLatestVersion(services, caller, params.assistant_id, version)));
  },
});

export const assistantRoutes = [
  createAssistantRoute,
  searchAssistantsRoute,
  countAssistantsRoute,
  getAssistantRoute,
  updateAssistantRoute,
  deleteAssistantRoute,
  listAssistantVersionsRoute,
  setLatestVersionRoute,
];

function filterOf(body: Filter): AssistantFilter {
  return {
    ...optional('metadata', body.metadata),
    ...optional('graphId', body.graph_id),
    ...optional('name', body.name),
  };
}

/** Treats null like an absent member. */
function optional<K extends string, T>(name: K, value: T | null | undefined): { [P in K]?: T } {
  return (value === null || value === undefined ? {} : { [name]: value }) as { [P in K]?: T };
}
