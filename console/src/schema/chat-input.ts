import { initialValue, fieldOf, resolveSchema, type JsonSchema } from './model.js';

/** Names of the properties that are lists of messages. */
export function messagePropertyNames(schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, one]) => fieldOf(resolveSchema(one, schema), schema).kind === 'messages')
    .map(([name]) => name);
}

/** Whether the input has a list of messages. */
export function isChat(schema: JsonSchema): boolean {
  return messagePropertyNames(schema).length > 0;
}

/** The input to send, without empty messages. Throws if nothing else is left. */
export function inputToSend(schema: JsonSchema, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input ?? null;
  const blank = messagePropertyNames(schema).filter((name) => isBlank((input as Record<string, unknown>)[name]));
  if (blank.length === 0) return input;
  const sent = Object.fromEntries(Object.entries(input).filter(([name]) => !blank.includes(name)));
  if (Object.keys(sent).length === 0) throw new Error('Enter a message first.');
  return sent;
}

/** The input for the next run: the same values with an empty message. */
export function nextInput(schema: JsonSchema, input: unknown): unknown {
  const empty = initialValue(schema, schema, true) as Record<string, unknown>;
  const before = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  return { ...before, ...Object.fromEntries(messagePropertyNames(schema).map((name) => [name, empty[name]])) };
}

function isBlank(messages: unknown): boolean {
  return Array.isArray(messages) && messages.every((one: { content?: unknown } | null) => one?.content === '');
}
