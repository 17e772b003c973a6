import { AssistantParams, AssistantSearch } from '../../../schemas/compiled/validators.js';
import { assistantView, getAssistant, searchAssistants } from '../../services/assistants.js';
import { defineRoute, json } from '../route.js';

export const search = defineRoute({
  method: 'post', path: '/assistants/search', action: 'assistants:search',
  summary: 'Search assistants',
  body: AssistantSearch, schemas: { body: 'AssistantSearch' },
  handle({ body, caller }, services) {
    const limit = body.limit ?? 10;
    const offset = body.offset ?? 0;
    const { records, more } = searchAssistants(services, caller, { ...body, limit, offset });
    const headers: Record<string, string> = { 'x-pagination-total': String(offset + records.length + (more ? 1 : 0)) };
    if (more) headers['x-pagination-next'] = String(offset + limit);
    return json(JSON.stringify(records.map(assistantView)), headers);
  },
});

export const get = defineRoute({
  method: 'get', path: '/assistants/:assistant_id', action: 'assistants:read',
  summary: 'One assistant, by id or by the name of a graph',
  params: AssistantParams, schemas: { params: 'AssistantParams' },
  handle({ params, caller }, services) {
    return json(JSON.stringify(assistantView(getAssistant(services, caller, params.assistant_id))));
  },
});

export const assistantRoutes = [search, get];
