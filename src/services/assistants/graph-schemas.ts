import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { assistantIdOf } from '../../base/ids.js';
import { asObject, parseJson, type JsonObject } from '../../base/json/json.js';
import type { AssistantRecord } from '../../store/assistants.js';
import { SCHEMA_KINDS, type GraphSchemas, type NamedSchemas } from '../../wire/user-code/graph-types.js';
import type { Services } from '../context.js';
import { factoryConfig } from './graph-facts.js';

/** A graph's schemas in the names of the wire; what cannot be told is absent. */
export interface SchemasView {
  input_schema?: JsonObject;
  output_schema?: JsonObject;
  state_schema?: JsonObject;
  config_schema?: JsonObject;
  context_schema?: JsonObject;
}

/** The assistant whose graph is asked about. Throws ASSISTANT_NOT_FOUND, GRAPH_NOT_FOUND (it is not configured any more). */
export function assistantOfGraph({ stores, graphIds }: Services, caller: Caller, nameOrId: string): AssistantRecord {
  const record = stores.assistants.get(caller, graphIds.has(nameOrId) ? assistantIdOf(nameOrId) : nameOrId);
  if (record === undefined) throw fail('ASSISTANT_NOT_FOUND', { assistantId: nameOrId });
  if (!graphIds.has(record.graphId)) throw fail('GRAPH_NOT_FOUND', { graphId: record.graphId });
  return record;
}

/** Nodes and edges as JSON text. `xray` opens subgraphs, down to a depth or all. Throws GRAPH_UNREADABLE, GRAPH_ROOT_NOT_FOUND. */
export async function drawGraph(
  { graphs }: Services,
  assistant: AssistantRecord,
  xray: boolean | number,
): Promise<string> {
  return (await graphs.ask('graph.draw', { ...asked(assistant), xray })).json;
}

/**
 * The schemas of an assistant's graph, as for tools: `input_schema` says what a run takes. Costs nothing but the first time
 * after a start, when the running code is asked and, where that says nothing, the types. Throws GRAPH_UNREADABLE, GRAPH_ROOT_NOT_FOUND.
 */
export async function graphSchemas(services: Services, assistant: AssistantRecord): Promise<SchemasView> {
  return view((await known(services, assistant, (namespace) => namespace === ''))[''] ?? {});
}

/** The same of its subgraphs, by namespace: those of the graph itself, or with `recurse` theirs too; only `namespace` when it is given. */
export async function subgraphSchemas(
  services: Services,
  assistant: AssistantRecord,
  { namespace, recurse }: { namespace: string | null; recurse: boolean },
): Promise<Record<string, SchemasView & GraphSchemas>> {
  const isWanted = (name: string): boolean =>
    name !== '' && (namespace === null || name === namespace) && (recurse || !name.includes('|'));
  const schemas = await known(services, assistant, isWanted);
  // Both sets of keys: the official server's, and those that the JavaScript development server shows.
  return Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, { ...view(one), ...one }]));
}

/** What the running code says, and the types where that says nothing. */
async function known(
  { graphs }: Services,
  assistant: AssistantRecord,
  isWanted: (namespace: string) => boolean,
): Promise<NamedSchemas> {
  const { schemas } = await graphs.ask('graph.schemas', asked(assistant));
  const wanted = Object.entries(schemas).filter(([namespace]) => isWanted(namespace));
  const isOpen = wanted.some(([, one]) => SCHEMA_KINDS.some((kind) => one[kind] === null));
  const types = isOpen ? await graphs.types(assistant.graphId) : {};
  return Object.fromEntries(wanted.map(([namespace, one]) => [namespace, joined(one, types[namespace] ?? {})]));
}

function joined(runtime: GraphSchemas, types: GraphSchemas): GraphSchemas {
  const found: GraphSchemas = {};
  for (const kind of SCHEMA_KINDS) {
    const schema = runtime[kind] === null ? types[kind] : runtime[kind];
    if (schema !== undefined && schema !== null) found[kind] = schema;
  }
  return found;
}

function view({ state, input, output, config }: GraphSchemas): SchemasView {
  return {
    ...(input ? { input_schema: input } : {}),
    ...(output ? { output_schema: output } : {}),
    ...(state ? { state_schema: state } : {}),
    ...(config ? { config_schema: config, context_schema: config } : {}),
  };
}

function asked({ assistantId, graphId, config, context }: AssistantRecord): { graphId: string; config: JsonObject } {
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
