import type { Caller } from '../../domain/caller.js';
import { isObject, parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { AssistantRecord } from '../../store/assistants.js';
import type { Needs } from '../context.js';
import { graphSchemas } from '../assistants/graph-schemas.js';
import { searchAssistants } from '../assistants/search-assistants.js';

/** An MCP tool. There is one for each assistant. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject;
}

const SELECT: ReadonlySet<string> = new Set(['assistant_id']);
const ANY_OBJECT: JsonObject = { type: 'object' };
const ASSISTANT_ID_SUFFIX = /-([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

/** Lists tools in the creation order of their assistants, from an offset. `next` is null on the last page. */
export async function listTools(
  services: Needs<'graphIds' | 'graphs' | 'stores' | 'timeSlicer'>,
  caller: Caller,
  offset: number,
): Promise<{ tools: Tool[]; next: number | null }> {
  const limit = LIMITS.toolsPageMax;
  const { parts, more } = await searchAssistants(services, caller, {
    limit,
    offset,
    sortBy: 'created_at',
    descending: false,
    select: SELECT,
  });
  const records = parts.map((part) =>
    services.stores.assistants.get(caller, (parseJson(Buffer.from(part)) as { assistant_id: string }).assistant_id),
  );
  // An assistant whose graph is no longer configured cannot be called.
  const callable = records.filter(
    (record) => record !== undefined && services.graphIds.has(record.graphId),
  ) as AssistantRecord[];
  return {
    tools: await Promise.all(callable.map((record) => buildTool(services, record))),
    next: more ? offset + limit : null,
  };
}

/** Extracts the assistant from a tool name: the name of a graph, or the id after the name of a user's assistant. */
export function assistantIdOfTool(name: string): string {
  return ASSISTANT_ID_SUFFIX.exec(name)?.[1] ?? name;
}

/** The id makes the name unique, because users may give several assistants the same name. */
function toolName({ system, graphId, name, assistantId }: AssistantRecord): string {
  if (system) return graphId;
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, LIMITS.toolNameCharsMax)
    .replaceAll(/^_+|_+$/g, '');
  return `${words === '' ? 'assistant' : words}-${assistantId}`;
}

async function buildTool(services: Needs<'graphs'>, record: AssistantRecord): Promise<Tool> {
  // Read before any await: a record is a view of memory that may be reused in a later turn of the event loop.
  const { name, description, graphId } = record;
  const tool = {
    name: toolName(record),
    title: name,
    description: description === null || description === '' ? `Runs the graph ${graphId}.` : description,
  };
  return { ...tool, inputSchema: await toolInputSchema(services, record) };
}

/** The input schema of a run. Any object if the schema is unknown or takes too long to determine. */
export async function toolInputSchema(services: Needs<'graphs'>, record: AssistantRecord): Promise<JsonObject> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), LIMITS.toolSchemaMs);
  });
  const known = graphSchemas(services, record).then(
    ({ input_schema: schema }) => schema ?? null,
    () => null,
  );
  const schema = await Promise.race([known, timeout]);
  clearTimeout(timer);
  return schema === null ? ANY_OBJECT : asToolSchema(schema);
}

/**
 * MCP requires an object schema with a schema object for each property. Its clients reject the schemas `true`
 * and `false`.
 */
function asToolSchema(schema: JsonObject): JsonObject {
  if (schema['type'] !== undefined && schema['type'] !== 'object') return ANY_OBJECT;
  const { properties } = schema;
  return {
    ...schema,
    type: 'object',
    ...(isObject(properties)
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, one]) => [name, isObject(one) ? one : {}]),
          ),
        }
      : {}),
  };
}
