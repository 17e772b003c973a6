import { asObject, filterMembers, isObject, setOwn, type JsonObject } from '../../src/base/json/json.js';
import { resolveRef, type Schema, type Transformation } from '../../src/domain/json-schema.js';

/** The parts of an example that transformations change. */
export interface ExampleSides {
  inputs: unknown;
  outputs: unknown;
}

/** What a transformation can use besides the example. */
export interface TransformationContext {
  /** Schemas of the dataset; null without one. */
  schemas: { inputs: Schema | null; outputs: Schema | null };
  /** `extra` of the run that the example is made from; null without a run. */
  runExtra: unknown;
}

/** Applies the transformations of a dataset in order. Returns a new value where something changed. */
export function transformSides(
  sides: ExampleSides,
  transformations: readonly Transformation[],
  context: TransformationContext,
): ExampleSides {
  return transformations.reduce((changed, { path: [side, ...names], transformation_type: type }) => {
    const before = changed[side];
    if (before === null || before === undefined) return changed;
    const schema = context.schemas[side];
    const after = changeAt(before, names, (value) => {
      switch (type) {
        case 'remove_system_messages':
          return Array.isArray(value) ? value.filter((one) => roleOf(one) !== 'system') : value;
        case 'convert_to_openai_message':
          return Array.isArray(value) ? value.flat().map(toOpenAiMessage) : toOpenAiMessage(value);
        case 'convert_to_openai_tool':
          return Array.isArray(value) ? value.map(toOpenAiTool) : toOpenAiTool(value);
        case 'extract_tools_from_run':
          return toolsOfRun(context.runExtra) ?? value;
        case 'remove_extra_fields':
          return schema === null ? value : withoutExtraFields(value, partOf(schema, names), schema);
      }
    });
    return after === before ? changed : { ...changed, [side]: after };
  }, sides);
}

/** Replaces the value at a path. A missing last name is passed as undefined, and may stay missing. */
function changeAt(value: unknown, names: readonly string[], change: (value: unknown) => unknown): unknown {
  const [name, ...rest] = names;
  if (name === undefined) return change(value);
  if (!isObject(value)) return value;
  const before = Object.hasOwn(value, name) ? value[name] : undefined;
  if (before === undefined && rest.length > 0) return value;
  const after = changeAt(before, rest, change);
  if (after === before) return value;
  const copy: JsonObject = filterMembers(value, () => true);
  setOwn(copy, name, after);
  return copy;
}

/** The schema of the value at a path; undefined if it has none. */
function partOf(root: Schema, names: readonly string[]): Schema | undefined {
  let at: Schema | undefined = root;
  for (const name of names) {
    const properties = asObject(asObject(resolved(root, at))['properties']);
    at = Object.hasOwn(properties, name) ? (properties[name] as Schema) : undefined;
  }
  return at;
}

function resolved(root: Schema, schema: Schema | undefined): Schema | undefined {
  return typeof schema === 'object' && schema['$ref'] !== undefined ? resolveRef(root, schema['$ref']) : schema;
}

/** Without the names that the schema does not define, in this object or in the objects of this list. */
function withoutExtraFields(value: unknown, schema: Schema | undefined, root: Schema): unknown {
  const { properties, items } = asObject(resolved(root, schema));
  if (Array.isArray(value))
    return isObject(items) ? value.map((one: unknown) => withoutExtraFields(one, items, root)) : value;
  if (!isObject(value) || !isObject(properties)) return value;
  return Object.keys(value).every((name) => Object.hasOwn(properties, name))
    ? value
    : filterMembers(value, (name) => Object.hasOwn(properties, name));
}

const ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  user: 'user',
  ai: 'assistant',
  assistant: 'assistant',
  system: 'system',
  developer: 'developer',
  tool: 'tool',
  function: 'function',
};

/** The fields of a message in any of its forms; null if the value is no message. */
function fieldsOfMessage(value: unknown): { role: string; fields: JsonObject } | null {
  if (!isObject(value)) return null;
  const { role, type, id, kwargs, data } = value;
  if (typeof role === 'string') return { role: ROLES[role] ?? role, fields: value };
  // LangChain's serialized form: `{lc: 1, type: "constructor", id: [..., "HumanMessage"], kwargs}`.
  if (type === 'constructor' && Array.isArray(id) && isObject(kwargs)) {
    const name = /^(\w+?)Message(?:Chunk)?$/.exec(String(id.at(-1)))?.[1]?.toLowerCase();
    return name === undefined ? null : named(name, kwargs);
  }
  if (typeof type !== 'string') return null;
  // Stored messages: `{type: "human", data}`. Messages of a state: `{type: "human", content}`.
  if (isObject(data)) return named(type, data);
  return 'content' in value ? named(type, value) : null;
}

function named(type: string, fields: JsonObject): { role: string; fields: JsonObject } | null {
  const role = type === 'chat' ? fields['role'] : ROLES[type.replace(/messagechunk$/i, '').toLowerCase()];
  return typeof role === 'string' ? { role, fields } : null;
}

function roleOf(value: unknown): string | null {
  return fieldsOfMessage(value)?.role ?? null;
}

function toOpenAiMessage(value: unknown): unknown {
  const message = fieldsOfMessage(value);
  if (message === null || (isObject(value) && typeof value['role'] === 'string')) return value;
  const { role, fields } = message;
  const more = asObject(fields['additional_kwargs']);
  const calls = Array.isArray(fields['tool_calls']) && fields['tool_calls'].length > 0 ? fields['tool_calls'] : null;
  return {
    role,
    content: fields['content'] ?? '',
    ...(typeof fields['name'] === 'string' ? { name: fields['name'] } : {}),
    ...(role === 'tool' && typeof fields['tool_call_id'] === 'string' ? { tool_call_id: fields['tool_call_id'] } : {}),
    ...(calls === null
      ? Array.isArray(more['tool_calls'])
        ? { tool_calls: more['tool_calls'] }
        : {}
      : { tool_calls: calls.map(toOpenAiToolCall) }),
  };
}

function toOpenAiToolCall(call: unknown): unknown {
  const { id, name, args } = asObject(call);
  return typeof name === 'string'
    ? { id: id ?? null, type: 'function', function: { name, arguments: JSON.stringify(args ?? {}) } }
    : call;
}

/** Tools of OpenAI, functions of OpenAI, tools of Anthropic, and JSON schemas with a title. */
function toOpenAiTool(value: unknown): unknown {
  if (!isObject(value) || (value['type'] === 'function' && isObject(value['function']))) return value;
  const { name, title, description, parameters, input_schema: inputSchema, ...rest } = value;
  if (typeof name === 'string') {
    const given = parameters ?? inputSchema;
    return given === undefined && description === undefined
      ? value
      : { type: 'function', function: toFunction(name, description, given) };
  }
  return typeof title === 'string' && isObject(rest['properties'])
    ? { type: 'function', function: toFunction(title, description, rest) }
    : value;
}

function toFunction(name: string, description: unknown, parameters: unknown): JsonObject {
  return {
    name,
    ...(description === undefined ? {} : { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
  };
}

/** The tools that a traced model was called with; null if there are none. */
function toolsOfRun(extra: unknown): unknown[] | null {
  const { tools, functions } = asObject(asObject(extra)['invocation_params']);
  const found = Array.isArray(tools) ? tools : Array.isArray(functions) ? functions : [];
  return found.length === 0 ? null : found.map(toOpenAiTool);
}
