import { AssistantParams, AssistantSearch } from '../../../schemas/compiled/validators.js';
import { assistantView, getAssistant, searchAssistants } from '../../services/assistants.js';
import { page } from '../pages.js';
import { defineRoute, json } from '../route.js';

export const search = defineRoute({
  method: 'post', path: '/assistants/search', action: 'assistants:search',
  summary: 'Search assistants',
  body: AssistantSearch, schemas: { body: 'AssistantSearch' },
  handle({ body, caller }, services) {
    const query = { ...body, limit: body.limit ?? 10, offset: body.offset ?? 0 };
    return page(query, searchAssistants(services, caller, query), (record) => JSON.stringify(assistantView(record)));
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
