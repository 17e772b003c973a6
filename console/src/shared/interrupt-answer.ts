import type { JsonSchema } from '../schema/model.js';

/** An answer that an interrupt offers. */
export interface AnswerChoice {
  name: string;
  description: string | null;
  /** The resume value. */
  value: unknown;
}

/** More choices than this are no buttons. */
const CHOICES_MAX = 20;
/** Properties in which graphs commonly put the possible answers. */
const CHOICE_PROPERTIES = ['options', 'choices', 'buttons'];
/** Properties in which graphs commonly put the schema of the answer; `requestedSchema` is that of MCP elicitation. */
const SCHEMA_PROPERTIES = [
  'schema',
  'json_schema',
  'jsonSchema',
  'response_schema',
  'responseSchema',
  'answer_schema',
  'answerSchema',
  'requested_schema',
  'requestedSchema',
];
const JSON_TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/** What an interrupt says about its answer. `property`: where it says that. */
export type AnswerShape =
  | { kind: 'choices'; property: string; choices: readonly AnswerChoice[] }
  | { kind: 'schema'; property: string; schema: JsonSchema };

/** Null if the interrupt accepts any answer. */
export function answerShapeOf(value: unknown): AnswerShape | null {
  const fields = fieldsOf(value);
  if (fields === null) return null;
  for (const property of CHOICE_PROPERTIES) {
    const choices = choicesOf(fields[property]);
    if (choices !== null) return { kind: 'choices', property, choices };
  }
  for (const property of SCHEMA_PROPERTIES) {
    const schema = fieldsOf(fields[property]);
    if (schema !== null && isSchema(schema)) return { kind: 'schema', property, schema };
  }
  return null;
}

function choicesOf(list: unknown): AnswerChoice[] | null {
  if (!Array.isArray(list) || list.length === 0 || list.length > CHOICES_MAX) return null;
  const choices = list.map(choiceOf);
  return choices.every((one) => one !== null) ? choices : null;
}

/** A text, number or boolean; or an object with a name. Its `value` or else its `id` is the answer, or else itself. */
function choiceOf(one: unknown): AnswerChoice | null {
  if (typeof one === 'string' && one.trim() !== '') return { name: one, description: null, value: one };
  if (typeof one === 'number' || typeof one === 'boolean') return { name: String(one), description: null, value: one };
  const fields = fieldsOf(one);
  if (fields === null) return null;
  const value = 'value' in fields ? fields['value'] : 'id' in fields ? fields['id'] : one;
  const name = [fields['label'], fields['name'], fields['title'], fields['text'], value].find(
    (text) => (typeof text === 'string' && text.trim() !== '') || typeof text === 'number',
  );
  if (name === undefined) return null;
  const { description } = fields;
  return { name: String(name), description: typeof description === 'string' ? description : null, value };
}

function isSchema({ type, properties, anyOf, oneOf, enum: values, $ref }: Record<string, unknown>): boolean {
  if (typeof type === 'string') return JSON_TYPES.has(type);
  if (Array.isArray(type)) return type.length > 0 && type.every((one) => JSON_TYPES.has(String(one)));
  return (
    fieldsOf(properties) !== null ||
    [anyOf, oneOf, values].some((list) => Array.isArray(list) && list.length > 0) ||
    typeof $ref === 'string'
  );
}

/** A schema for values like this one, so that it can be edited in fields. */
export function schemaOfValue(value: unknown, title?: string): JsonSchema {
  if (typeof value === 'string')
    return {
      type: 'string',
      ...(title === undefined ? {} : { title }),
      ...(value.includes('\n') ? { format: 'textarea' } : {}),
    };
  if (typeof value === 'number') return { type: 'number' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (Array.isArray(value))
    return value.length > 0 && value.every((one) => typeof one === 'string')
      ? { type: 'array', items: { type: 'string' } }
      : {};
  const fields = fieldsOf(value);
  if (fields === null || Object.keys(fields).length === 0) return {};
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, schemaOfValue(one, name)])),
    required: Object.keys(fields),
  };
}

function fieldsOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
