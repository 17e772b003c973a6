import { isMessage, type MessageLike } from './message-parts.js';

/**
 * The messages of a run's inputs or outputs, if it has nothing else: those of a state, of a model's prompt or of its
 * answer. Null for any other value.
 */
export function messagesOf(value: unknown): MessageLike[] | null {
  if (typeof value !== 'object' || value === null) return null;
  if (isMessage(value)) return [value];
  const { messages, generations, output, ...others } = value as Record<string, unknown>;
  if (generations !== undefined) return messagesIn(answersOf(generations));
  if (Object.keys(others).length > 0) return null;
  if (output !== undefined) return messages === undefined && isMessage(output) ? [output] : null;
  return messagesIn(messages);
}

function answersOf(generations: unknown): unknown {
  return Array.isArray(generations)
    ? generations.flat().map((one: unknown) => (one as { message?: unknown } | null)?.message)
    : null;
}

/** Prompts are lists of lists. */
function messagesIn(list: unknown): MessageLike[] | null {
  if (!Array.isArray(list)) return null;
  const messages = list.flat() as unknown[];
  return messages.length > 0 && messages.every(isMessage) ? messages : null;
}
