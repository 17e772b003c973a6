import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { assistantIdOf, isUuid } from '../../base/ids.js';
import { jsonBytes, parseJson, type JsonObject } from '../../base/json/json.js';
import { Commit } from '../../store/store.js';
import { mayChange, type AssistantRecord } from '../../store/assistants.js';
import type { Needs } from '../context.js';

/** Finds an assistant for a run, by id or by the name of a configured graph. Throws RUN_ASSISTANT_NOT_FOUND. */
export function resolveAssistant(
  services: Needs<'graphIds' | 'stores'>,
  caller: Caller,
  nameOrId: string,
): AssistantRecord {
  const found = findAssistant(services, caller, nameOrId);
  // A graph that is no longer configured cannot run.
  if (found === undefined || !services.graphIds.has(found.graphId))
    throw fail('RUN_ASSISTANT_NOT_FOUND', { assistantId: nameOrId });
  return found;
}

/** Finds an assistant to read, even if its graph is no longer configured. Throws ASSISTANT_NOT_FOUND. */
export function getAssistant(
  services: Needs<'graphIds' | 'stores'>,
  caller: Caller,
  nameOrId: string,
): AssistantRecord {
  const found = findAssistant(services, caller, nameOrId);
  if (found === undefined) throw fail('ASSISTANT_NOT_FOUND', { assistantId: nameOrId });
  return found;
}

/** Like `getAssistant`, after the returned data is on disk. */
export async function getSettledAssistant(
  services: Needs<'graphIds' | 'stores'>,
  caller: Caller,
  nameOrId: string,
): Promise<AssistantRecord> {
  const record = getAssistant(services, caller, nameOrId);
  await services.stores.assistants.flushed(record.assistantId);
  return record;
}

/** Like `getAssistant`, but returns undefined if it is not found. */
export function findAssistant(
  { stores, graphIds }: Needs<'graphIds' | 'stores'>,
  caller: Caller,
  nameOrId: string,
): AssistantRecord | undefined {
  const assistantId = graphIds.has(nameOrId)
    ? assistantIdOf(nameOrId)
    : isUuid(nameOrId)
      ? nameOrId.toLowerCase()
      : null;
  const record = assistantId === null ? undefined : stores.assistants.get(caller, assistantId);
  return record === undefined || lacksGraph(graphIds, record) ? undefined : record;
}

/** True for the default assistant of a graph that is no longer configured. It reappears with its graph. */
export function lacksGraph(graphIds: ReadonlySet<string>, { system, graphId }: AssistantRecord): boolean {
  return system && !graphIds.has(graphId);
}

/**
 * Finds an assistant that the caller may change. Throws ASSISTANT_NOT_FOUND, and FORBIDDEN if the caller only
 * sees it because the default assistants of configured graphs are visible to everyone.
 */
export function getChangeableAssistant(
  services: Needs<'graphIds' | 'stores'>,
  caller: Caller,
  nameOrId: string,
  action: 'assistants:update' | 'assistants:delete',
): AssistantRecord {
  const record = getAssistant(services, caller, nameOrId);
  if (!mayChange(caller, record.metadata)) throw fail('FORBIDDEN', { action });
  return record;
}

export interface NewAssistant {
  assistantId: string | null;
  graphId: string;
  name: string;
  description: string | null;
  config: JsonObject;
  context: JsonObject;
  metadata: JsonObject;
  ifExists: 'raise' | 'do_nothing';
}

/**
 * Throws GRAPH_NOT_FOUND and ASSISTANT_EXISTS. With `ifExists: 'do_nothing'`, returns the existing assistant
 * unchanged if the caller sees it.
 */
export async function createAssistant(
  services: Needs<'clock' | 'graphIds' | 'ids' | 'scheduler' | 'stores'>,
  caller: Caller,
  wanted: NewAssistant,
): Promise<AssistantRecord> {
  const {
    stores: { assistants },
    graphIds,
    ids,
    clock,
  } = services;
  services.scheduler.checkIntake();
  refuseUnknownGraph(graphIds, wanted.graphId);
  const assistantId = wanted.assistantId ?? ids.next();
  if (assistants.exists(assistantId)) {
    const existing = findAssistant(services, caller, assistantId);
    if (wanted.ifExists === 'raise' || existing === undefined) throw fail('ASSISTANT_EXISTS', { assistantId });
    // The assistant may be very new, and a reported assistant must be on disk.
    await assistants.flushed(assistantId);
    return existing;
  }
  const now = clock.nowMs();
  const record: AssistantRecord = {
    assistantId,
    graphId: wanted.graphId,
    name: wanted.name,
    description: wanted.description,
    createdAtMs: now,
    updatedAtMs: now,
    version: 1,
    lastVersion: 1,
    config: jsonBytes(wanted.config),
    context: jsonBytes(wanted.context),
    metadata: jsonBytes(wanted.metadata),
    system: false,
    configured: jsonBytes(null),
  };
  const commit = new Commit();
  assistants.putVersion(commit, record, undefined);
  await assistants.write(commit);
  return record;
}

export interface AssistantChanges {
  graphId?: string;
  name?: string;
  description?: string;
  config?: JsonObject;
  context?: JsonObject;
  metadata?: JsonObject;
}

/**
 * Creates a new version with the changes, even if nothing changes, and makes it the current one. Metadata is
 * merged. Throws ASSISTANT_NOT_FOUND, FORBIDDEN, GRAPH_NOT_FOUND, ASSISTANT_CONFIGURED.
 */
export async function patchAssistant(
  services: Needs<'clock' | 'graphIds' | 'stores'>,
  caller: Caller,
  nameOrId: string,
  changes: AssistantChanges,
): Promise<AssistantRecord> {
  const {
    stores: { assistants },
    graphIds,
    clock,
  } = services;
  const record = getChangeableAssistant(services, caller, nameOrId, 'assistants:update');
  const {
    graphId = record.graphId,
    name = record.name,
    description = record.description,
    config,
    context,
    metadata,
  } = changes;
  if (changes.graphId !== undefined) refuseUnknownGraph(graphIds, graphId);
  if (record.system && graphId !== record.graphId) throw fail('ASSISTANT_CONFIGURED', { graphId: record.graphId });
  const version = record.lastVersion + 1;
  const changed: AssistantRecord = {
    ...record,
    graphId,
    name,
    description,
    version,
    lastVersion: version,
    updatedAtMs: clock.nowMs(),
    config: config === undefined ? record.config : jsonBytes(config),
    context: context === undefined ? record.context : jsonBytes(context),
    metadata:
      metadata === undefined
        ? record.metadata
        : jsonBytes({ ...(parseJson(record.metadata) as JsonObject), ...metadata }),
  };
  refuseLosingAccess(caller, changed);
  const commit = new Commit();
  assistants.putVersion(commit, changed, record);
  await assistants.write(commit);
  return changed;
}

/**
 * Makes an existing version current, with all fields of that version. Throws ASSISTANT_NOT_FOUND,
 * ASSISTANT_VERSION_NOT_FOUND, FORBIDDEN, GRAPH_NOT_FOUND.
 */
export async function setLatestVersion(
  services: Needs<'clock' | 'graphIds' | 'stores'>,
  caller: Caller,
  nameOrId: string,
  version: number,
): Promise<AssistantRecord> {
  const {
    stores: { assistants },
    graphIds,
    clock,
  } = services;
  const record = getChangeableAssistant(services, caller, nameOrId, 'assistants:update');
  const found = assistants.version(caller, record, version);
  if (found === undefined) throw fail('ASSISTANT_VERSION_NOT_FOUND', { assistantId: record.assistantId, version });
  refuseUnknownGraph(graphIds, found.graphId);
  const changed: AssistantRecord = {
    ...record,
    ...found,
    createdAtMs: record.createdAtMs,
    updatedAtMs: clock.nowMs(),
    // The older version may have another owner in its metadata.
    metadata:
      caller.stamp === null
        ? found.metadata
        : jsonBytes({ ...(parseJson(found.metadata) as JsonObject), ...caller.stamp }),
  };
  refuseLosingAccess(caller, changed);
  const commit = new Commit();
  assistants.put(commit, changed, record);
  await assistants.write(commit);
  return changed;
}

function refuseUnknownGraph(graphIds: ReadonlySet<string>, graphId: string): void {
  if (!graphIds.has(graphId)) throw fail('GRAPH_NOT_FOUND', { graphId });
}

/** Prevents a change that would hide the assistant from its own caller. */
function refuseLosingAccess(caller: Caller, { metadata }: AssistantRecord): void {
  if (!mayChange(caller, metadata)) throw fail('FORBIDDEN', { action: 'assistants:update' });
}
