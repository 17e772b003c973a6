import { isObject, type JsonObject } from '../../src/base/json/json.js';
import type { UserCodeCall, UserCodeCalls } from '../../src/wire/user-code/user-code.js';
import type { GraphSchemas, NamedSchemas, SchemaKind } from '../../src/wire/user-code/graph-types.js';
import { graphHost, type Graph } from '../graph/graph-host.js';
import type { Library } from '../graph/library.js';
import { boundedJson, openGraph, type RunUserCode } from './open-graph.js';

/**
 * Reads the schemas that a graph's builder knows. Null marks a schema that exists but is only described by the
 * types.
 */
export async function readSchemas(
  request: UserCodeCall<'graph.schemas'>,
  runUserCode: RunUserCode,
): Promise<UserCodeCalls['graph.schemas']['reply']> {
  const library = await graphHost.library;
  const { graph, factory } = await openGraph(request, runUserCode);
  const schemas: NamedSchemas = { '': runUserCode(() => schemasOf(graph, library)) };
  // The generator runs the graph's code at each step.
  const subgraphs = runUserCode(() => graph.getSubgraphsAsync(undefined, true));
  for (;;) {
    const { done, value } = await runUserCode(() => subgraphs.next());
    if (done === true) break;
    const [namespace, subgraph] = value as [string, Graph];
    schemas[namespace] = runUserCode(() => schemasOf(subgraph, library));
  }
  return { schemas: JSON.parse(runUserCode(() => boundedJson(schemas))) as NamedSchemas, factory };
}

/**
 * The builder's own definitions in StateGraph. They are internal, so another release may lack them; then the
 * types are used.
 */
interface Builder {
  _schemaRuntimeDefinition?: unknown;
  _inputRuntimeDefinition?: unknown;
  _outputRuntimeDefinition?: unknown;
  _configRuntimeSchema?: unknown;
  _metaRegistry?: { getExtendedChannelSchemas(schema: unknown, effects: Record<string, boolean>): unknown };
}

function schemasOf(graph: Graph, { schemas, jsonSchema }: Library): GraphSchemas {
  const builder: Builder = (graph as { builder?: Builder }).builder ?? {};
  // The registry of the LangGraph copy that built the graph: it finds the reducers' own schemas by identity.
  const registry = builder._metaRegistry as Parameters<typeof schemas.getStateTypeSchema>[1];
  /**
   * Allows any value where JSON Schema has no equivalent, such as Date. The library's own function rejects the
   * whole schema in that case.
   */
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
  // A context that is not a zod object is unknown here. Where the types are used anyway, they provide the
  // context too.
  if (config !== null || found.state === null) found.config = config;
  for (const [kind, schema] of Object.entries(found) as [SchemaKind, JsonObject | null][])
    if (schema !== null) found[kind] = withOneDialect(schema);
  return found;
}

/** Returns the first result that is an object. A function that throws counts as no result. */
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

/** Uses one dialect for the whole schema. LangGraph combines schemas of fields, each with its own `$schema`. */
function withOneDialect({ $schema, ...schema }: JsonObject): JsonObject {
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
