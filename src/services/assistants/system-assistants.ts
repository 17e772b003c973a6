import { SERVER_CALLER } from '../../domain/caller.js';
import type { Clock } from '../../base/clock.js';
import { assistantIdOf } from '../../base/ids.js';
import { asText, jsonBytes, type JsonObject } from '../../base/json/json.js';
import type { AssistantRecord } from '../../store/assistants.js';
import { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';

/** Settings of LANGGRAPH_CONFIG for a graph's default assistant. */
export interface AssistantDefaults {
  config: JsonObject;
  context: JsonObject;
}

/**
 * Creates one default assistant per configured graph, with the same id on every server. Changes of the
 * configuration become a new version. Until then, changes by clients stay.
 */
export async function syncSystemAssistants(
  stores: Stores,
  clock: Clock,
  graphs: readonly { graphId: string; description: string | null }[],
  defaults: ReadonlyMap<string, AssistantDefaults>,
): Promise<void> {
  const { assistants } = stores;
  const commit = new Commit();
  for (const { graphId, description } of graphs) {
    const assistantId = assistantIdOf(graphId);
    const { config, context } = defaults.get(graphId) ?? { config: {}, context: {} };
    const configured = jsonBytes({ description, config, context });
    const known = assistants.get(SERVER_CALLER, assistantId);
    if (known !== undefined && asText(known.configured) === asText(configured)) continue;
    const now = clock.nowMs();
    const version = (known?.lastVersion ?? 0) + 1;
    const record: AssistantRecord = {
      assistantId,
      graphId,
      description,
      configured,
      version,
      name: graphId,
      createdAtMs: known?.createdAtMs ?? now,
      updatedAtMs: now,
      lastVersion: version,
      config: jsonBytes(config),
      context: jsonBytes(context),
      metadata: known?.metadata ?? jsonBytes({ created_by: 'system' }),
      system: true,
    };
    assistants.putVersion(commit, record, known);
  }
  await assistants.write(commit);
}
