import { LOCAL_CALLER, type Caller } from '../base/caller.js';
import { fail } from '../base/errors.js';
import { assistantIdOf } from '../base/ids.js';
import { isoTime, type Clock } from '../base/clock.js';
import { contains, jsonBytes, parseJson, type JsonObject } from '../base/json.js';
import { Commit } from '../store/env.js';
import type { AssistantRecord } from '../store/assistants.js';
import type { Nouns } from '../store/index.js';
import type { Services } from './context.js';

/** One assistant per configured graph, with the same id on every server; name and description follow the configuration. */
export async function syncSystemAssistants(nouns: Nouns, clock: Clock, graphs: readonly { graphId: string; description: string | null }[]): Promise<void> {
  const commit = new Commit();
  for (const { graphId, description } of graphs) {
    const assistantId = assistantIdOf(graphId);
    const known = nouns.assistants.get(LOCAL_CALLER, assistantId);
    if (known !== undefined && known.description === description) continue;
    const now = clock.nowMs();
    nouns.assistants.put(commit, known === undefined ? {
      assistantId, graphId, description,
      name: graphId,
      createdAtMs: now,
      updatedAtMs: now,
      version: 1,
      config: jsonBytes({}),
      context: jsonBytes({}),
      metadata: jsonBytes({ created_by: 'system' }),
      system: true,
    } : { ...known, description, updatedAtMs: now });
  }
  await nouns.store.write(commit);
}

/** An assistant by its id or by the name of a configured graph. Throws RUN_ASSISTANT_NOT_FOUND. */
export function resolveAssistant(services: Services, caller: Caller, nameOrId: string): AssistantRecord {
  const found = findAssistant(services, caller, nameOrId);
  if (found === undefined) throw fail('RUN_ASSISTANT_NOT_FOUND', { assistantId: nameOrId });
  return found;
}

/** The same for reading. Throws ASSISTANT_NOT_FOUND. */
export function getAssistant(services: Services, caller: Caller, nameOrId: string): AssistantRecord {
  const found = findAssistant(services, caller, nameOrId);
  if (found === undefined) throw fail('ASSISTANT_NOT_FOUND', { assistantId: nameOrId });
  return found;
}

/** The same, or undefined. */
export function findAssistant({ nouns, graphIds }: Services, caller: Caller, nameOrId: string): AssistantRecord | undefined {
  const record = nouns.assistants.get(caller, graphIds.has(nameOrId) ? assistantIdOf(nameOrId) : nameOrId);
  // A graph that is no longer configured has nothing to run.
  return record !== undefined && graphIds.has(record.graphId) ? record : undefined;
}

export interface AssistantQuery {
  metadata?: JsonObject | null | undefined;
  graph_id?: string | null | undefined;
  name?: string | null | undefined;
  limit: number;
  offset: number;
  sort_by?: 'assistant_id' | 'created_at' | 'updated_at' | 'name' | 'graph_id' | null | undefined;
  sort_order?: 'asc' | 'desc' | null | undefined;
}

export function searchAssistants({ nouns, graphIds }: Services, caller: Caller, query: AssistantQuery): { records: AssistantRecord[]; more: boolean } {
  const found = [...nouns.assistants.all(caller)].filter((record) => graphIds.has(record.graphId)
    && (query.graph_id === undefined || query.graph_id === null || record.graphId === query.graph_id)
    && (query.name === undefined || query.name === null || record.name.toLowerCase().includes(query.name.toLowerCase()))
    && (query.metadata === undefined || query.metadata === null || contains(parseJson(record.metadata), query.metadata)));
  const by = query.sort_by ?? 'created_at';
  const value = (record: AssistantRecord): string | number => ({ assistant_id: record.assistantId, created_at: record.createdAtMs, updated_at: record.updatedAtMs, name: record.name, graph_id: record.graphId })[by];
  const direction = (query.sort_order ?? 'desc') === 'desc' ? -1 : 1;
  found.sort((a, b) => (value(a) < value(b) ? -1 : value(a) > value(b) ? 1 : 0) * direction);
  return { records: found.slice(query.offset, query.offset + query.limit), more: found.length > query.offset + query.limit };
}

/** The assistant as clients see it. */
export function assistantView(record: AssistantRecord): JsonObject {
  return {
    assistant_id: record.assistantId,
    graph_id: record.graphId,
    config: parseJson(record.config),
    context: parseJson(record.context),
    created_at: isoTime(record.createdAtMs),
    updated_at: isoTime(record.updatedAtMs),
    metadata: parseJson(record.metadata),
    version: record.version,
    name: record.name,
    description: record.description,
  };
}
