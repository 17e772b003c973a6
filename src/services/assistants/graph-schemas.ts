import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { assistantIdOf } from '../../base/ids.js';
import { asObject, parseJson, type JsonObject } from '../../base/json/json.js';
import type { AssistantRecord } from '../../store/assistants.js';
import { SCHEMA_KINDS, type GraphSchemas, type NamedSchemas } from '../../wire/user-code/graph-types.js';
import type { Needs } from '../context.js';
import { factoryConfig } from './graph-inspector.js';

/** Schemas of a graph, with the field names of the API. Unknown schemas are absent. */
export interface SchemasView {
  input_schema?: JsonObject;
  output_schema?: JsonObject;
  state_schema?: JsonObject;
  config_schema?: JsonObject;
  context_schema?: JsonObject;
}

/**
 * Finds an assistant and checks its graph. Throws ASSISTANT_NOT_FOUND, and GRAPH_NOT_FOUND if the graph is no
 * longer configured.
 */
export function getAssistantWithGraph(
  { stores, graphIds }: Needs<'graphIds' | 'stores'>,
  caller: Caller,
  nameOrId: string,
): AssistantRecord {
  const record = stores.assistants.get(caller, graphIds.has(nameOrId) ? assistantIdOf(nameOrId) : nameOrId);
  if (record === undefined) throw fail('ASSISTANT_NOT_FOUND', { assistantId: nameOrId });
  if (!graphIds.has(record.graphId)) throw fail('GRAPH_NOT_FOUND', { graphId: record.graphId });
  return record;
}

/**
 * Nodes and edges as JSON text. `xray` expands subgraphs, to a depth or completely. Throws GRAPH_UNREADABLE,
 * GRAPH_ROOT_NOT_FOUND.
 */
export async function drawGraph(
  { graphs }: Needs<'graphs'>,
  assistant: AssistantRecord,
  xray: boolean | number,
): Promise<string> {
  return (await graphs.inspect('graph.draw', { ...graphTarget(assistant), xray })).json;
}

/**
 * The schemas of an assistant's graph. `input_schema` describes the input of a run. Only the first call after a
 * start is slow: it queries the running code and, where that has no answer, the types. Throws GRAPH_UNREADABLE,
 * GRAPH_ROOT_NOT_FOUND.
 */
export async function graphSchemas(services: Needs<'graphs'>, assistant: AssistantRecord): Promise<SchemasView> {
  return schemasView((await readSchemas(services, assistant, (namespace) => namespace === ''))[''] ?? {});
}

/**
 * The schemas of its subgraphs, by namespace. Without `recurse`, only the direct subgraphs. With a `namespace`,
 * only that one.
 */
export async function subgraphSchemas(
  services: Needs<'graphs'>,
  assistant: AssistantRecord,
  { namespace, recurse }: { namespace: string | null; recurse: boolean },
): Promise<Record<string, SchemasView & GraphSchemas>> {
  const isWanted = (name: string): boolean =>
    name !== '' && (namespace === null || name === namespace) && (recurse || !name.includes('|'));
  const schemas = await readSchemas(services, assistant, isWanted);
  // Both sets of keys: those of the official server, and those of the JavaScript development server.
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, { ...schemasView(one), ...one }]));
}

/** The schemas that the running code reports, completed from the types. */
async function readSchemas(
  { graphs }: Needs<'graphs'>,
  assistant: AssistantRecord,
  isWanted: (namespace: string) => boolean,
): Promise<NamedSchemas> {
  const { schemas } = await graphs.inspect('graph.schemas', graphTarget(assistant));
  const wanted = Object.entries(schemas).filter(([namespace]) => isWanted(namespace));
  const needsTypes = wanted.some(([, one]) => SCHEMA_KINDS.some((kind) => one[kind] === null));
  const types = needsTypes ? await graphs.readTypes(assistant.graphId) : {};
  return Object.fromEntries(wanted.map(([namespace, one]) => [namespace, mergeSchemas(one, types[namespace] ?? {})]));
}

function mergeSchemas(runtime: GraphSchemas, types: GraphSchemas): GraphSchemas {
  const found: GraphSchemas = {};
  for (const kind of SCHEMA_KINDS) {
    const schema = runtime[kind] === null ? types[kind] : runtime[kind];
    if (schema !== undefined && schema !== null) found[kind] = schema;
  }
  return found;
}

function schemasView({ state, input, output, config }: GraphSchemas): SchemasView {
  return {
    ...(input ? { input_schema: input } : {}),
    ...(output ? { output_schema: output } : {}),
    ...(state ? { state_schema: state } : {}),
    ...(config ? { config_schema: config, context_schema: config } : {}),
  };
}

function graphTarget({ assistantId, graphId, config, context }: AssistantRecord): {
  graphId: string;
  config: JsonObject;
} {
  return {
    graphId,
    config: factoryConfig({
      assistantId,
      graphId,
      config: asObject(parseJson(config)),
      context: asObject(parseJson(context)),
    }),
  };
}
