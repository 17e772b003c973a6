import { isMessage, type MessageLike } from '../../shared/message-parts.js';

/** A message as a run has written it so far. */
export interface Said {
  /** The message's id, or its place where it has none. */
  key: string;
  message: MessageLike;
  /** Text of the calls of tools as it fills, by their index. */
  calls: Map<number, { id: string | null; name: string; args: string }>;
  /** The nodes that it comes from, outermost first; empty for what the state holds. */
  from: readonly string[];
  /** The task that writes it; null for what the state holds. */
  task: string | null;
  /** It stands in the state of the graph. */
  kept: boolean;
  streaming: boolean;
  attempt: number;
}

/** Messages by their keys, in the order of the conversation. */
export type Conversation = Map<string, Said>;

interface Chunk extends MessageLike {
  tool_call_chunks?: readonly { index?: number; id?: string | null; name?: string | null; args?: string | null }[];
  additional_kwargs?: { reasoning_content?: unknown };
}

/** Adds what is new of a message to what was there. One of an earlier attempt, and one that was whole already, begins anew. */
export function append(
  conversation: Conversation,
  chunk: Chunk,
  from: readonly string[],
  task: string | null,
  attempt: number,
): void {
  const key = chunk.id ?? `${from.join('>')}:${task}`;
  const before = conversation.get(key);
  if (before === undefined || before.attempt !== attempt || !before.streaming) {
    const said: Said = {
      key,
      message: { ...chunk },
      calls: new Map(),
      from,
      task,
      kept: false,
      streaming: true,
      attempt,
    };
    addCalls(said, chunk);
    conversation.set(key, said);
    return;
  }
  const { message } = before;
  const next: Said = {
    ...before,
    message: { ...message, content: joined(message.content, chunk.content), ...reasoned(message as Chunk, chunk) },
    streaming: true,
  };
  addCalls(next, chunk);
  conversation.set(key, next);
}

/** Puts in the message as it is whole. */
export function put(
  conversation: Conversation,
  message: MessageLike,
  key: string,
  kept: boolean,
  attempt: number,
  streaming = false,
): void {
  const before = conversation.get(key);
  conversation.set(key, {
    key,
    message,
    calls: new Map(),
    from: before?.from ?? [],
    task: before?.task ?? null,
    kept: kept || (before?.kept ?? false),
    streaming,
    attempt,
  });
}

/**
 * The state has the last word about its messages and their order. What it does not hold (a subgraph's own, or one that is
 * being written) stays behind the message that it followed.
 */
export function settle(conversation: Conversation, values: unknown, attempt: number): Conversation {
  const held = messagesOf(values);
  if (held === null) return conversation;
  const known = new Map(held.map((message, at) => [message.id ?? `#${at}`, message]));
  const behind = new Map<string | null, Said[]>();
  let anchor: string | null = null;
  for (const said of conversation.values()) {
    if (known.has(said.key)) anchor = said.key;
    else if (!said.kept) behind.set(anchor, [...(behind.get(anchor) ?? []), said]);
  }
  const after: Conversation = new Map((behind.get(null) ?? []).map((said) => [said.key, said]));
  for (const [key, message] of known) {
    const before = conversation.get(key);
    after.set(
      key,
      before?.kept && same(before.message, message)
        ? { ...before, streaming: false }
        : {
            key,
            message,
            calls: new Map(),
            from: before?.from ?? [],
            task: before?.task ?? null,
            kept: true,
            streaming: false,
            attempt,
          },
    );
    for (const said of behind.get(key) ?? []) after.set(said.key, said);
  }
  return after;
}

/** The messages of a state: its list `messages`, or else the first list that holds nothing but messages. */
export function messagesOf(values: unknown): MessageLike[] | null {
  if (typeof values !== 'object' || values === null) return null;
  if (Array.isArray(values)) return isConversation(values) ? values : null;
  const { messages } = values as { messages?: unknown };
  if (isConversation(messages)) return messages;
  return Object.values(values).find(isConversation) ?? null;
}

function isConversation(value: unknown): value is MessageLike[] {
  return Array.isArray(value) && value.length > 0 && value.every(isMessage);
}

/** A message as it is shown: calls as far as they are written, thoughts before words. */
export function shown({ message, calls }: Said): MessageLike {
  const { additional_kwargs: more } = message as Chunk;
  const thought = more?.reasoning_content;
  const content =
    typeof thought === 'string' && thought !== ''
      ? [{ type: 'reasoning', reasoning: thought }, ...blocks(message.content)]
      : message.content;
  if (calls.size === 0) return content === message.content ? message : { ...message, content };
  return {
    ...message,
    content,
    tool_calls: [...calls.values()].map(({ id, name, args }) => ({ id, name, args: readArgs(args) })),
  };
}

function readArgs(args: string): unknown {
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

function addCalls(said: Said, { tool_call_chunks: chunks = [] }: Chunk): void {
  if (chunks.length === 0) return;
  said.calls = new Map(said.calls);
  for (const [at, { index = at, id, name, args }] of chunks.entries()) {
    const before = said.calls.get(index);
    said.calls.set(index, {
      id: before?.id ?? id ?? null,
      name: (before?.name ?? '') + (name ?? ''),
      args: (before?.args ?? '') + (args ?? ''),
    });
  }
}

function reasoned(message: Chunk, { additional_kwargs: more }: Chunk): object {
  const thought = more?.reasoning_content;
  if (typeof thought !== 'string') return {};
  const before = message.additional_kwargs?.reasoning_content;
  return {
    additional_kwargs: {
      ...message.additional_kwargs,
      reasoning_content: (typeof before === 'string' ? before : '') + thought,
    },
  };
}

interface Block {
  type?: string;
  index?: unknown;
  text?: string;
  thinking?: string;
  reasoning?: string;
}

/** Content with more of it behind: text to text, blocks to the block of their index. */
function joined(before: unknown, more: unknown): unknown {
  if (typeof before === 'string' && typeof more === 'string') return before + more;
  const all = blocks(before).map((block) => ({ ...block }));
  for (const block of blocks(more)) {
    const { text, thinking, reasoning } = block;
    const same = block.index === undefined ? all.at(-1) : all.find(({ index }) => index === block.index);
    if (same === undefined || same.type !== block.type) all.push({ ...block });
    else if (typeof text === 'string') same.text = (same.text ?? '') + text;
    else if (typeof thinking === 'string') same.thinking = (same.thinking ?? '') + thinking;
    else if (typeof reasoning === 'string') same.reasoning = (same.reasoning ?? '') + reasoning;
  }
  return all;
}

function blocks(content: unknown): Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content)
    ? content.filter((block): block is Block => typeof block === 'object' && block !== null)
    : [];
}

/** Cheap: an answer that has changed is told by its length nearly always, and the next state is a new one again. */
function same(before: MessageLike, after: MessageLike): boolean {
  return (
    before.content === after.content &&
    JSON.stringify(before.tool_calls) === JSON.stringify(after.tool_calls) &&
    before.status === after.status
  );
}
