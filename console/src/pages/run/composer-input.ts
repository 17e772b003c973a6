import { messagePropertyNames, nextInput } from '../../schema/chat-input.js';
import { withWrittenContent, writtenContent, type WrittenContent } from '../../schema/content-files.js';
import type { JsonSchema } from '../../schema/model.js';
import { isMessage, messageRole, type MessageLike } from '../../shared/message-parts.js';

/**
 * The text and files of an input with a single message of the user. Null if the input needs a form, because it has
 * several messages, another role, other content, or another required property.
 */
export function composerContent(schema: JsonSchema, input: unknown): WrittenContent | null {
  const [name, ...others] = messagePropertyNames(schema);
  if (name === undefined || others.length > 0 || schema.required?.some((one) => one !== name)) return null;
  const messages = (input as Record<string, unknown> | null | undefined)?.[name];
  const [message, ...more] = Array.isArray(messages) ? (messages as unknown[]) : [];
  if (!isMessage(message) || more.length > 0 || messageRole(message) !== 'user') return null;
  return editableContent(message);
}

/** The text and the files of a message that a person can edit. Null for content that has anything else. */
export function editableContent({ content }: MessageLike): WrittenContent | null {
  const written = writtenContent(content);
  // Text in blocks stays as it is.
  return typeof content === 'string' || (written?.files.length ?? 0) > 0 ? written : null;
}

/** The same input with other content of its only message. */
export function withComposerContent(schema: JsonSchema, input: unknown, content: WrittenContent): unknown {
  const [name] = messagePropertyNames(schema);
  const before = input as Record<string, readonly MessageLike[]>;
  return { ...before, [name!]: [withWrittenContent(before[name!]![0]!, content)] };
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
export function inputWithMessage(schema: JsonSchema, input: unknown, content: WrittenContent): Record<string, unknown> {
  const [name = 'messages'] = messagePropertyNames(schema);
  const before = nextInput(schema, input) as Record<string, unknown>;
  return { ...before, [name]: [withWrittenContent({ role: 'user' }, content)] };
}
