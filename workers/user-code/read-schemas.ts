import { isObject, type JsonObject } from '../../src/base/json/json.js';
import type { DeskAsk, DeskKinds } from '../../src/wire/user-code/user-code.js';
import type { GraphSchemas, NamedSchemas, SchemaKind } from '../../src/wire/user-code/graph-types.js';
import { host, type Graph } from '../graph/graph-host.js';
import type { Library } from '../graph/library.js';
import type { Call } from './call.js';
import { boundedJson, openGraph } from './open-graph.js';

/** What a graph's builder knows of its schemas; null where it knows that there is one, and only the types say which. */
export async function readSchemas(
  ask: DeskAsk<'graph.schemas'>,
  call: Call,
): Promise<DeskKinds['graph.schemas']['answer']> {
  const library = await host.library;
  const { graph, factory } = await openGraph(ask, call);
  const schemas: NamedSchemas = { '': call(() => schemasOf(graph, library)) };
  // A generator runs the graph's code at each step.
  const subgraphs = call(() => graph.getSubgraphsAsync(undefined, true));
  for (;;) {
    const { done, value } = await call(() => subgraphs.next());
    if (done === true) break;
    const [namespace, subgraph] = value as [string, Graph];
    schemas[namespace] = call(() => schemasOf(subgraph, library));
  }
  return { schemas: JSON.parse(call(() => boundedJson(schemas))) as NamedSchemas, factory };
}

/** What StateGraph keeps of how it was made. All internal: another release may not have it, then the types are asked. */
interface Builder {
  _schemaRuntimeDefinition?: unknown;
  _inputRuntimeDefinition?: unknown;
  _outputRuntimeDefinition?: unknown;
  _configRuntimeSchema?: unknown;
  _metaRegistry?: { getExtendedChannelSchemas(schema: unknown, effects: Record<string, boolean>): unknown };
}

function schemasOf(graph: Graph, { schemas, jsonSchema }: Library): GraphSchemas {
  const builder: Builder = (graph as { builder?: Builder }).builder ?? {};
  // The registry of the copy that the graph was built with: reducers' own schemas are found by identity.
  const registry = builder._metaRegistry as Parameters<typeof schemas.getStateTypeSchema>[1];
  /** What JSON Schema has no word for, as a Date, may be anything; the library's own way refuses the whole schema then. */
  const loosely = (definition: unknown, effects: Record<string, boolean>): unknown => {
    if (!isObject(definition) || builder._metaRegistry === undefined) return undefined;
    return jsonSchema.toJsonSchema(
      builder._metaRegistry.getExtendedChannelSchemas(definition, effects) as never,
      { unrepresentable: 'any' } as never,
    );
  };
  const inputOf = isObject(builder._inputRuntimeDefinition)
    ? builder._inputRuntimeDefinition
    : builder._schemaRuntimeDefinition;
  const found: GraphSchemas = {
    state: firstObject(
      () => schemas.getStateTypeSchema(graph, registry),
      () => loosely(builder._schemaRuntimeDefinition, {}),
    ),
    input: firstObject(
      () => schemas.getInputTypeSchema(graph, registry),
      () => loosely(inputOf, { withReducerSchema: true, asPartial: true }),
    ),
    output: firstObject(
      () => schemas.getOutputTypeSchema(graph, registry),
      () => loosely(builder._outputRuntimeDefinition, {}),
    ),
  };
  const config = firstObject(
    () => schemas.getConfigTypeSchema(graph, registry),
    () => loosely(builder._configRuntimeSchema, {}),
  );
  // A context that is no zod object leaves no trace here; where the types are asked anyway, they are asked for it too.
  if (config !== null || found.state === null) found.config = config;
  for (const [kind, schema] of Object.entries(found) as [SchemaKind, JsonObject | null][])
    if (schema !== null) found[kind] = plain(schema);
  return found;
}

/** The first that makes a schema; one that throws makes none. */
function firstObject(...makers: (() => unknown)[]): JsonObject | null {
  for (const make of makers) {
    try {
      const made = make();
      if (isObject(made)) return made;
    } catch {
      continue;
    }
  }
  return null;
}

/** One dialect for the whole schema: LangGraph puts schemas of fields together, each with its own `$schema`. */
function plain({ $schema, ...schema }: JsonObject): JsonObject {
  const strip = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(strip);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, one]) =>
        name === '$schema' && typeof one === 'string' ? [] : [[name, strip(one)]],
      ),
    );
  };
  return {
    $schema: typeof $schema === 'string' ? $schema : 'http://json-schema.org/draft-07/schema#',
    ...(strip(schema) as JsonObject),
  };
}
