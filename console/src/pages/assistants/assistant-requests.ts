import type { Assistant } from '@langchain/langgraph-sdk';
import { isEmptyValue } from '../../shared/empty-value.js';
import { snakeCaseKeys, type CopiedRequest } from '../../shared/request-snippets.js';

/** Requests to copy. Payloads have the names of the JavaScript SDK. */

export function createRequest(payload: object): CopiedRequest {
  const body = snakeCaseKeys(payload);
  return {
    method: 'POST',
    path: 'assistants',
    body,
    sdk: { library: 'langgraph', method: 'assistants.create', args: [], options: body },
  };
}

export function updateRequest(id: string, payload: object): CopiedRequest {
  const body = snakeCaseKeys(payload);
  return {
    method: 'PATCH',
    path: `assistants/${encodeURIComponent(id)}`,
    body,
    sdk: { library: 'langgraph', method: 'assistants.update', args: [id], options: body },
  };
}

/** Creates another assistant like this one. */
export function sameAssistantRequest(assistant: Assistant): CopiedRequest {
  const { graph_id: graphId, name, description, config, context, metadata } = assistant;
  const options = Object.entries({ config, context, metadata }).filter(([, value]) => !isEmptyValue(value));
  return createRequest({ graphId, name, ...(description ? { description } : {}), ...Object.fromEntries(options) });
}
