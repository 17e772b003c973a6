import { messagePropertyNames, nextInput } from '../../schema/chat-input.js';
import type { JsonSchema } from '../../schema/model.js';
import { isMessage, messageRole, type MessageLike } from '../../shared/message-parts.js';

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

/** The input with one message of the user in place of its messages. */
export function inputWithMessage(schema: JsonSchema, input: unknown, content: string): Record<string, unknown> {
  const [name = 'messages'] = messagePropertyNames(schema);
  const before = nextInput(schema, input) as Record<string, unknown>;
  return { ...before, [name]: [{ role: 'user', content }] };
}
