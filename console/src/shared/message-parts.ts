/** What of a message of LangChain, in any of its forms, a person looks at. */
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

export type Part =
  | { kind: 'text' | 'reasoning'; text: string }
  | { kind: 'image'; data: string }
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

export function roleOf({ type, role }: MessageLike): string {
  const said = type ?? role ?? '';
  return ROLES[said] ?? (said === '' ? 'message' : said);
}

/** Whether it looks like a message: an object with a role, and something that it says. */
export function isMessage(value: unknown): value is MessageLike {
  if (typeof value !== 'object' || value === null) return false;
  const { type, role } = value as MessageLike;
  return typeof (type ?? role) === 'string' && 'content' in value;
}

export function partsOf({ content }: MessageLike): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  if (!Array.isArray(content))
    return content === undefined || content === null ? [] : [{ kind: 'json', value: content }];
  return content.flatMap((block: unknown): Part[] => {
    if (typeof block === 'string') return [{ kind: 'text', text: block }];
    const {
      type,
      text,
      thinking,
      reasoning,
      image_url: image,
    } = (block ?? {}) as {
      type?: string;
      text?: unknown;
      thinking?: unknown;
      reasoning?: unknown;
      image_url?: unknown;
    };
    if (type === 'text' && typeof text === 'string') return [{ kind: 'text', text }];
    const thought = thinking ?? reasoning;
    if (typeof thought === 'string') return [{ kind: 'reasoning', text: thought }];
    // Said again as a call of a tool.
    if (type === 'tool_use' || type === 'tool_call') return [];
    const address = typeof image === 'string' ? image : (image as { url?: unknown } | undefined)?.url;
    // Only what is in the message itself: nothing is fetched from elsewhere because a message says so.
    if (typeof address === 'string' && /^data:image\/(?:png|jpeg|gif|webp);base64,/.test(address))
      return [{ kind: 'image', data: address }];
    return [{ kind: 'json', value: block }];
  });
}

export function toolCallsOf({ tool_calls: calls }: MessageLike): ToolCall[] {
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
