import { initialValue, fieldOf, resolveSchema, type JsonSchema } from '../../schema/model.js';
import { isMessage, messageRole, type MessageLike } from '../../shared/message-parts.js';

function messagePropertyNames(schema: JsonSchema): string[] {
  return Object.entries(schema.properties ?? {})
    .filter(([, one]) => fieldOf(resolveSchema(one, schema), schema).kind === 'messages')
    .map(([name]) => name);
}

/** Whether the input has a list of messages. */
export function isChat(schema: JsonSchema): boolean {
  return messagePropertyNames(schema).length > 0;
}

/**
 * The text of the message in an input that consists of one message of the user. Null if the input needs a form: it has
 * several messages, another role, or another required property.
 */
export function composerText(schema: JsonSchema, input: unknown): string | null {
  const [name, ...others] = messagePropertyNames(schema);
  if (name === undefined || others.length > 0 || schema.required?.some((one) => one !== name)) return null;
  const messages = (input as Record<string, unknown> | null | undefined)?.[name];
  const [message, ...more] = Array.isArray(messages) ? (messages as unknown[]) : [];
  if (!isMessage(message) || more.length > 0 || messageRole(message) !== 'user') return null;
  return typeof message.content === 'string' ? message.content : null;
}

/** The same input with another text of its only message. */
export function withComposerText(schema: JsonSchema, input: unknown, content: string): unknown {
  const [name] = messagePropertyNames(schema);
  const before = input as Record<string, readonly MessageLike[]>;
  return { ...before, [name!]: [{ ...before[name!]![0], content }] };
}

/** The messages of an input that is sent. */
export function messagesToSend(schema: JsonSchema, input: unknown): MessageLike[] {
  if (typeof input !== 'object' || input === null) return [];
  return messagePropertyNames(schema).flatMap((name) => {
    const messages = (input as Record<string, unknown>)[name];
    return Array.isArray(messages) ? messages.filter(isMessage) : [];
  });
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
  const empty = (initialValue(schema, schema, true) ?? {}) as Record<string, unknown>;
  const before = typeof input === 'object' && input !== null ? (input as Record<string, unknown>) : {};
  return { ...before, ...Object.fromEntries(messagePropertyNames(schema).map((name) => [name, empty[name]])) };
}

/** The input with one message of the user in place of its messages. */
export function inputWithMessage(schema: JsonSchema, input: unknown, content: string): Record<string, unknown> {
  const [name = 'messages'] = messagePropertyNames(schema);
  const before = nextInput(schema, input) as Record<string, unknown>;
  return { ...before, [name]: [{ role: 'user', content }] };
}

function isBlank(messages: unknown): boolean {
  return Array.isArray(messages) && messages.every((one: { content?: unknown } | null) => one?.content === '');
}
