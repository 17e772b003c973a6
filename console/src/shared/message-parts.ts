import { contentFile, type ContentFile } from '../schema/content-files.js';

/** The displayed fields of a LangChain message, in any of its formats. */
export interface MessageLike {
  id?: string | null;
  type?: string;
  role?: string;
  name?: string | null;
  status?: string;
  content?: unknown;
  tool_calls?: unknown;
  tool_call_id?: string;
}

export type MessagePart =
  | { kind: 'text' | 'reasoning'; text: string }
  /** Files that follow each other. */
  | { kind: 'files'; files: ContentFile[] }
  | { kind: 'json'; value: unknown };
export interface ToolCall {
  id: string | null;
  name: string;
  args: unknown;
}

const ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  user: 'user',
  ai: 'assistant',
  AIMessageChunk: 'assistant',
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
  remove: 'removed',
};

export function messageRole({ type, role }: MessageLike): string {
  const name = type ?? role ?? '';
  return ROLES[name] ?? (name === '' ? 'message' : name);
}

/** Whether a value looks like a message: an object with a role and content. */
export function isMessage(value: unknown): value is MessageLike {
  if (typeof value !== 'object' || value === null) return false;
  const { type, role } = value as MessageLike;
  return typeof (type ?? role) === 'string' && 'content' in value;
}

export function messageParts({ content }: MessageLike): MessagePart[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  if (!Array.isArray(content))
    return content === undefined || content === null ? [] : [{ kind: 'json', value: content }];
  const parts: MessagePart[] = [];
  for (const block of content as unknown[]) {
    const file = contentFile(block);
    const last = parts.at(-1);
    if (file === null) parts.push(...blockParts(block));
    else if (last?.kind === 'files') last.files.push(file);
    else parts.push({ kind: 'files', files: [file] });
  }
  return parts;
}

function blockParts(block: unknown): MessagePart[] {
  if (typeof block === 'string') return [{ kind: 'text', text: block }];
  const { type, text, thinking, reasoning } = (block ?? {}) as {
    type?: string;
    text?: unknown;
    thinking?: unknown;
    reasoning?: unknown;
  };
  if (type === 'text' && typeof text === 'string') return [{ kind: 'text', text }];
  const thought = thinking ?? reasoning;
  if (typeof thought === 'string') return [{ kind: 'reasoning', text: thought }];
  // Also contained in `tool_calls`.
  if (type === 'tool_use' || type === 'tool_call') return [];
  return [{ kind: 'json', value: block }];
}

export function toolCalls({ tool_calls: calls }: MessageLike): ToolCall[] {
  if (!Array.isArray(calls)) return [];
  return calls.map((call: unknown): ToolCall => {
    const {
      id,
      name,
      args,
      function: called,
    } = (call ?? {}) as {
      id?: unknown;
      name?: unknown;
      args?: unknown;
      function?: { name?: unknown; arguments?: unknown };
    };
    return {
      id: typeof id === 'string' ? id : null,
      name: String(name ?? called?.name ?? 'a tool'),
      args: args ?? called?.arguments,
    };
  });
}
