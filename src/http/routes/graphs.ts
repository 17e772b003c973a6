import { AssistantParams, GraphQuery, SubgraphParams, SubgraphsQuery } from '../../../schemas/compiled/validators.js';
import {
  getAssistantWithGraph,
  drawGraph,
  graphSchemas,
  subgraphSchemas,
} from '../../services/assistants/graph-schemas.js';
import { defineRoute, jsonReply } from '../route.js';

const drawGraphRoute = defineRoute({
  method: 'get',
  path: '/assistants/:assistant_id/graph',
  action: 'assistants:read',
  summary: "Get the nodes and edges of an assistant's graph",
  params: AssistantParams,
  query: GraphQuery,
  schemas: { params: 'AssistantParams', query: 'GraphQuery' },
  async handle({ params, query, caller }, services) {
    return jsonReply(
      await drawGraph(services, getAssistantWithGraph(services, caller, params.assistant_id), query.xray ?? false),
    );
  },
});

const getSchemasRoute = defineRoute({
  method: 'get',
  path: '/assistants/:assistant_id/schemas',
  action: 'assistants:read',
  summary: "Get the JSON Schemas of an assistant's graph",
  params: AssistantParams,
  schemas: { params: 'AssistantParams' },
  async handle({ params, caller }, services) {
    const assistant = getAssistantWithGraph(services, caller, params.assistant_id);
    return jsonReply(JSON.stringify({ graph_id: assistant.graphId, ...(await graphSchemas(services, assistant)) }));
  },
});

const listSubgraphSchemasRoute = defineRoute({
  method: 'get',
  path: '/assistants/:assistant_id/subgraphs',
  action: 'assistants:read',
  summary: 'Get the JSON Schemas of the subgraphs, by namespace',
  params: AssistantParams,
  query: SubgraphsQuery,
  schemas: { params: 'AssistantParams', query: 'SubgraphsQuery' },
  async handle({ params, query, caller }, services) {
    const assistant = getAssistantWithGraph(services, caller, params.assistant_id);
    return jsonReply(
      JSON.stringify(await subgraphSchemas(services, assistant, { namespace: null, recurse: query.recurse ?? false })),
    );
  },
});

const getSubgraphSchemasRoute = defineRoute({
  method: 'get',
  path: '/assistants/:assistant_id/subgraphs/:namespace',
  action: 'assistants:read',
  summary: 'Get the JSON Schemas of one subgraph',
  params: SubgraphParams,
  query: SubgraphsQuery,
  schemas: { params: 'SubgraphParams', query: 'SubgraphsQuery' },
  async handle({ params, query, caller }, services) {
    const assistant = getAssistantWithGraph(services, caller, params.assistant_id);
    return jsonReply(
      JSON.stringify(
        await subgraphSchemas(services, assistant, { namespace: params.namespace, recurse: query.recurse ?? false }),
      ),
    );
  },
});

export const graphRoutes = [drawGraphRoute, getSchemasRoute, listSubgraphSchemasRoute, getSubgraphSchemasRoute];
