export interface MessageLike {
  toDict(): { type: string; data: Record<string, unknown> };
  lc_kwargs: Record<string, unknown>;
  content: unknown;
  id?: string;
  constructor: { name: string };
}

/**
 * True for a LangChain message of any copy. Values with `toDict()` are flattened on the wire (agent-server.md,
 * section 1).
 */
export function isMessage(value: object): value is MessageLike {
  return typeof (value as Partial<MessageLike>).toDict === 'function' && 'lc_kwargs' in value;
}
