import type { Caller } from '../../domain/caller.js';
import { isObject, parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { AssistantRecord } from '../../store/assistants.js';
import type { Services } from '../context.js';
import { graphSchemas } from '../assistants/graph-schemas.js';
import { searchAssistants } from '../assistants/search-assistants.js';

/** A tool as MCP clients see it: one for every assistant. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObject;
}

const SELECT: ReadonlySet<string> = new Set(['assistant_id']);
const ANYTHING: JsonObject = { type: 'object' };
const NAMED = /-([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/;

/** Tools in the order in which their assistants were made, from an offset on; `next` is null when there are no more. */
export async function listTools(
  services: Services,
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
  // One whose graph is no longer configured cannot be called.
  const callable = records.filter(
    (record) => record !== undefined && services.graphIds.has(record.graphId),
  ) as AssistantRecord[];
  return {
    tools: await Promise.all(callable.map((record) => toolOf(services, record))),
    next: more ? offset + limit : null,
  };
}

/** The assistant that a tool stands for: the name of a graph, or what comes after a name of the user's. */
export function assistantOfTool(name: string): string {
  return NAMED.exec(name)?.[1] ?? name;
}

/** Names of users' own are not unique; their ids are. */
function nameOf({ system, graphId, name, assistantId }: AssistantRecord): string {
  if (system) return graphId;
  const words = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .slice(0, LIMITS.toolNameCharsMax)
    .replaceAll(/^_+|_+$/g, '');
  return `${words === '' ? 'assistant' : words}-${assistantId}`;
}

async function toolOf(services: Services, record: AssistantRecord): Promise<Tool> {
  // Taken out first: a record is a view of memory that a later turn may use for something else.
  const { name, description, graphId } = record;
  const tool = {
    name: nameOf(record),
    title: name,
    description: description === null || description === '' ? `Runs the graph ${graphId}.` : description,
  };
  return { ...tool, inputSchema: await inputSchema(services, record) };
}

/** What a run takes; anything where that cannot be told, or not in time. */
export async function inputSchema(services: Services, record: AssistantRecord): Promise<JsonObject> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), LIMITS.toolSchemaMs);
  });
  const known = graphSchemas(services, record).then(
    ({ input_schema: schema }) => schema ?? null,
    () => null,
  );
  const schema = await Promise.race([known, late]);
  clearTimeout(timer);
  return schema === null ? ANYTHING : asToolSchema(schema);
}

/** MCP wants an object, with a schema for each property: `true` and `false` are schemas, but none that its clients take. */
function asToolSchema(schema: JsonObject): JsonObject {
  if (schema['type'] !== undefined && schema['type'] !== 'object') return ANYTHING;
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
