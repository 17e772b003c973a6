import type { JsonObject } from '../base/json/json.js';

/**
 * The two schemas that datasets of LangSmith refer to by address, written for this server: a message and a tool in
 * the format of OpenAI. References to them are resolved here, and nothing is ever downloaded. Fields that providers add
 * are allowed.
 */

const text = { type: 'string' };
const named = { type: 'object', properties: { name: { ...text, minLength: 1 } }, required: ['name'] };

/** The schema applies to values in which `name` has one of these values. `else`, as an object must have no `then`. */
const when = (name: string, values: string[], schema: JsonObject): JsonObject => ({
  if: { not: { properties: { [name]: { enum: values } }, required: [name] } },
  else: schema,
});

/** A part of a content list, by its type. Parts of other types may have any fields. */
const contentPart: JsonObject = {
  type: 'object',
  properties: { type: text },
  required: ['type'],
  allOf: [
    when('type', ['text'], { properties: { text }, required: ['text'] }),
    when('type', ['refusal'], { properties: { refusal: text }, required: ['refusal'] }),
    when('type', ['image_url'], {
      properties: {
        image_url: { anyOf: [text, { type: 'object', properties: { url: text }, required: ['url'] }] },
      },
      required: ['image_url'],
    }),
    when('type', ['input_audio'], { properties: { input_audio: { type: 'object' } }, required: ['input_audio'] }),
    when('type', ['file'], { properties: { file: { type: 'object' } }, required: ['file'] }),
  ],
};

const toolCall: JsonObject = {
  type: 'object',
  properties: { id: { type: ['string', 'null'] }, type: text },
  required: ['type'],
  allOf: [
    when('type', ['function'], {
      properties: { function: { ...named, properties: { ...named.properties, arguments: text } } },
      required: ['function'],
    }),
  ],
};

const someContent: JsonObject = { type: ['string', 'array'] };

const message: JsonObject = {
  title: 'Message',
  type: 'object',
  properties: {
    role: { enum: ['system', 'developer', 'user', 'assistant', 'tool', 'function'] },
    content: { items: contentPart },
    name: { type: ['string', 'null'] },
    tool_calls: { type: ['array', 'null'], items: toolCall },
    function_call: {
      type: ['object', 'null'],
      properties: { name: text, arguments: text },
      required: ['name', 'arguments'],
    },
    tool_call_id: {},
    refusal: { type: ['string', 'null'] },
    audio: {},
    annotations: {},
  },
  required: ['role'],
  allOf: [
    when('role', ['system', 'developer', 'user'], { properties: { content: someContent }, required: ['content'] }),
    when('role', ['assistant'], { properties: { content: { type: ['string', 'array', 'null'] } } }),
    when('role', ['tool'], {
      properties: { content: someContent, tool_call_id: text },
      required: ['content', 'tool_call_id'],
    }),
    when('role', ['function'], {
      properties: { content: { type: ['string', 'null'] }, name: text },
      required: ['name', 'content'],
    }),
  ],
};

const tool: JsonObject = {
  title: 'Tool',
  type: 'object',
  // Named for remove_extra_fields, which keeps only properties.
  properties: { type: text, function: {} },
  required: ['type'],
  allOf: [
    when('type', ['function'], {
      properties: {
        function: {
          ...named,
          properties: {
            ...named.properties,
            description: { type: ['string', 'null'] },
            parameters: { type: ['object', 'null'] },
            strict: { type: ['boolean', 'null'] },
          },
        },
      },
      required: ['function'],
    }),
  ],
};

const FOLDERS = ['https://api.smith.langchain.com', 'https://eu.api.smith.langchain.com'].map(
  (host) => `${host}/public/schemas/v1`,
);

/** By their address. */
export const PREBUILT_SCHEMAS: ReadonlyMap<string, JsonObject> = new Map(
  FOLDERS.flatMap((folder): [string, JsonObject][] => [
    [`${folder}/message.json`, message],
    [`${folder}/tooldef.json`, tool],
  ]),
);
