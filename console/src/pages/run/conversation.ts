import { isMessage, messageRole, type MessageLike } from '../../shared/message-parts.js';

/** A message as far as a run has streamed it. */
export interface StreamedMessage {
  /** Id of the message, or its namespace and task if it has none. */
  key: string;
  message: MessageLike;
  /** Tool calls with partially streamed arguments, by index. */
  calls: Map<number, { id: string | null; name: string; args: string }>;
  /** Nodes that wrote it, outermost first. Empty for messages that come from the state. */
  from: readonly string[];
  /** Task that writes it. Null for messages that come from the state. */
  task: string | null;
  /** True if the state of the graph contains it. */
  inState: boolean;
  streaming: boolean;
  attempt: number;
  /** True for a message that this page has sent, until the state contains it. */
  isSent?: boolean;
}

/** Messages by key, in the order of the conversation. */
export type Conversation = Map<string, StreamedMessage>;

interface MessageChunk extends MessageLike {
  tool_call_chunks?: readonly { index?: number; id?: string | null; name?: string | null; args?: string | null }[];
  additional_kwargs?: { reasoning_content?: unknown };
}

/** Appends a chunk to its message. A message of an earlier attempt or a complete message starts again. */
export function appendChunk(
  conversation: Conversation,
  chunk: MessageChunk,
  from: readonly string[],
  task: string | null,
  attempt: number,
): void {
  const key = chunk.id ?? `${from.join('>')}:${task}`;
  const before = conversation.get(key);
  if (before === undefined || before.attempt !== attempt || !before.streaming) {
    const entry: StreamedMessage = {
      key,
      message: { ...chunk },
      calls: new Map(),
      from,
      task,
      inState: false,
      streaming: true,
      attempt,
    };
    appendToolCalls(entry, chunk);
    conversation.set(key, entry);
    return;
  }
  const { message } = before;
  const next: StreamedMessage = {
    ...before,
    message: {
      ...message,
      content: appendContent(message.content, chunk.content),
      ...appendReasoning(message as MessageChunk, chunk),
    },
    streaming: true,
  };
  appendToolCalls(next, chunk);
  conversation.set(key, next);
}

/** Replaces a message by its complete version. */
export function putMessage(
  conversation: Conversation,
  message: MessageLike,
  key: string,
  inState: boolean,
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
    inState: inState || (before?.inState ?? false),
    streaming,
    attempt,
  });
}

/**
 * Merges the messages of a state, which define content and order. Messages that the state does not contain (those of
 * subgraphs, or still streaming) stay behind the message that they followed.
 */
export function mergeState(conversation: Conversation, values: unknown, attempt: number): Conversation {
  const stateMessages = messagesOf(values);
  if (stateMessages === null) return conversation;
  const known = new Map(stateMessages.map((message, at) => [message.id ?? `#${at}`, message]));
  // The state has its own id for a message that was sent without one.
  const arrived = new Set(
    stateMessages
      .filter((message, at) => conversation.get(message.id ?? `#${at}`)?.inState !== true)
      .map((message) => sentText(message)),
  );
  const behind = new Map<string | null, StreamedMessage[]>();
  let anchor: string | null = null;
  for (const entry of conversation.values()) {
    if (known.has(entry.key)) anchor = entry.key;
    else if (!entry.inState && !(entry.isSent === true && arrived.has(sentText(entry.message))))
      behind.set(anchor, [...(behind.get(anchor) ?? []), entry]);
  }
  const after: Conversation = new Map((behind.get(null) ?? []).map((entry) => [entry.key, entry]));
  for (const [key, message] of known) {
    const before = conversation.get(key);
    after.set(
      key,
      before?.inState && same(before.message, message)
        ? { ...before, streaming: false }
        : {
            key,
            message,
            calls: new Map(),
            from: before?.from ?? [],
            task: before?.task ?? null,
            inState: true,
            streaming: false,
            attempt,
          },
    );
    for (const entry of behind.get(key) ?? []) after.set(entry.key, entry);
  }
  return after;
}

/** A conversation with messages that this page sends, so that they are visible at once. */
export function withSentMessages(conversation: Conversation, sent: readonly StreamedMessage[]): Conversation {
  return new Map([...conversation, ...sent.map((entry) => [entry.key, entry] as const)]);
}

/** A message of this page before the server has it. */
export function sentMessage(key: string, message: MessageLike): StreamedMessage {
  return {
    key,
    message,
    calls: new Map(),
    from: [],
    task: null,
    inState: false,
    streaming: false,
    attempt: 1,
    isSent: true,
  };
}

/** Removes sent messages that never became part of the state, such as the message of a run that was canceled early. */
export function dropSentMessages(conversation: Conversation): void {
  for (const { key, isSent } of [...conversation.values()]) if (isSent === true) conversation.delete(key);
}

function sentText(message: MessageLike): string {
  return `${messageRole(message)} ${JSON.stringify(message.content)}`;
}

/** The messages of a state: the list `messages`, or else the first list that contains only messages. */
export function messagesOf(values: unknown): MessageLike[] | null {
  if (typeof values !== 'object' || values === null) return null;
  if (Array.isArray(values)) return isConversation(values) ? values : null;
  const { messages } = values as { messages?: unknown };
  if (isConversation(messages)) return messages;
  return Object.values(values).find(isConversation) ?? null;
}

/** The property of a state that has its messages; null if there is none, or if the state is the list. */
export function messagesProperty(values: unknown): string | null {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return null;
  if (isConversation((values as { messages?: unknown }).messages)) return 'messages';
  return Object.entries(values).find(([, value]) => isConversation(value))?.[0] ?? null;
}

function isConversation(value: unknown): value is MessageLike[] {
  return Array.isArray(value) && value.length > 0 && value.every(isMessage);
}

/** A message for display: reasoning first, and tool calls as far as they have streamed. */
export function displayMessage({ message, calls }: StreamedMessage): MessageLike {
  const { additional_kwargs: more } = message as MessageChunk;
  const thought = more?.reasoning_content;
  const content =
    typeof thought === 'string' && thought !== ''
      ? [{ type: 'reasoning', reasoning: thought }, ...toBlocks(message.content)]
      : message.content;
  if (calls.size === 0) return content === message.content ? message : { ...message, content };
  return {
    ...message,
    content,
    tool_calls: [...calls.values()].map(({ id, name, args }) => ({ id, name, args: parseArgs(args) })),
  };
}

function parseArgs(args: string): unknown {
  try {
    return JSON.parse(args);
  } catch {
    return args;
  }
}

function appendToolCalls(entry: StreamedMessage, { tool_call_chunks: chunks = [] }: MessageChunk): void {
  if (chunks.length === 0) return;
  entry.calls = new Map(entry.calls);
  for (const [at, { index = at, id, name, args }] of chunks.entries()) {
    const before = entry.calls.get(index);
    entry.calls.set(index, {
      id: before?.id ?? id ?? null,
      name: (before?.name ?? '') + (name ?? ''),
      args: (before?.args ?? '') + (args ?? ''),
    });
  }
}

function appendReasoning(message: MessageChunk, { additional_kwargs: more }: MessageChunk): object {
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

/** Appends content: text to text, and blocks to the block with the same index. */
function appendContent(before: unknown, more: unknown): unknown {
  if (typeof before === 'string' && typeof more === 'string') return before + more;
  const all = toBlocks(before).map((block) => ({ ...block }));
  for (const block of toBlocks(more)) {
    const { text, thinking, reasoning } = block;
    const same = block.index === undefined ? all.at(-1) : all.find(({ index }) => index === block.index);
    if (same === undefined || same.type !== block.type) all.push({ ...block });
    else if (typeof text === 'string') same.text = (same.text ?? '') + text;
    else if (typeof thinking === 'string') same.thinking = (same.thinking ?? '') + thinking;
    else if (typeof reasoning === 'string') same.reasoning = (same.reasoning ?? '') + reasoning;
  }
  return all;
}

function toBlocks(content: unknown): Block[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content)
    ? content.filter((block): block is Block => typeof block === 'object' && block !== null)
    : [];
}

/** Content of blocks, with files of many MB, is compared without serializing it. */
function sameContent(before: unknown, after: unknown): boolean {
  if (before === after) return true;
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null) return false;
  const names = Object.keys(before);
  return (
    names.length === Object.keys(after).length &&
    names.every((name) =>
      sameContent((before as Record<string, unknown>)[name], (after as Record<string, unknown>)[name]),
    )
  );
}

/** A cheap comparison. A missed change is corrected by the next state. */
function same(before: MessageLike, after: MessageLike): boolean {
  return (
    sameContent(before.content, after.content) &&
    JSON.stringify(before.tool_calls) === JSON.stringify(after.tool_calls) &&
    before.status === after.status
  );
}
