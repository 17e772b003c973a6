import { isMessage, type MessageLike } from '../../shared/message-parts.js';

/** What became of one channel between two states. */
export interface ChannelChange {
  name: string;
  kind: 'added' | 'removed' | 'changed';
  /** What differs of it: of lists without what both have at their beginning and end. */
  before: unknown;
  after: unknown;
  /** Items at both ends of a list that are the same. */
  same: number;
  messages: MessageChanges | null;
}

export interface MessageChanges {
  added: MessageLike[];
  removed: MessageLike[];
  changed: [before: MessageLike, after: MessageLike][];
}

/** Channels that differ, in the order of the newer state. A state that is one value is one channel. */
export function changesOf(before: unknown, after: unknown): ChannelChange[] {
  const [left, right] = [channelsOf(before), channelsOf(after)];
  const names = [...Object.keys(right), ...Object.keys(left).filter((name) => !Object.hasOwn(right, name))];
  return names.flatMap((name): ChannelChange[] => {
    if (!Object.hasOwn(left, name))
      return [
        { name, kind: 'added', before: undefined, after: right[name], same: 0, messages: messagesOf([], right[name]) },
      ];
    if (!Object.hasOwn(right, name))
      return [
        { name, kind: 'removed', before: left[name], after: undefined, same: 0, messages: messagesOf(left[name], []) },
      ];
    return same(left[name], right[name])
      ? []
      : [{ name, kind: 'changed', ...trimmed(left[name], right[name]), messages: messagesOf(left[name], right[name]) }];
  });
}

function channelsOf(values: unknown): Record<string, unknown> {
  return typeof values === 'object' && values !== null && !Array.isArray(values)
    ? (values as Record<string, unknown>)
    : { values };
}

function trimmed(before: unknown, after: unknown): { before: unknown; after: unknown; same: number } {
  if (!Array.isArray(before) || !Array.isArray(after)) return { before, after, same: 0 };
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && same(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && same(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  return {
    before: before.slice(start, before.length - end),
    after: after.slice(start, after.length - end),
    same: start + end,
  };
}

/** Null: these are no messages. A message is known by its id, or by what it says. */
function messagesOf(before: unknown, after: unknown): MessageChanges | null {
  if (
    !Array.isArray(before) ||
    !Array.isArray(after) ||
    before.length + after.length === 0 ||
    ![...before, ...after].every(isMessage)
  )
    return null;
  const keyed = (list: readonly MessageLike[]): Map<string, MessageLike> =>
    new Map(list.map((message) => [typeof message.id === 'string' ? message.id : JSON.stringify(message), message]));
  const [left, right] = [keyed(before as MessageLike[]), keyed(after as MessageLike[])];
  return {
    added: [...right].filter(([key]) => !left.has(key)).map(([, message]) => message),
    removed: [...left].filter(([key]) => !right.has(key)).map(([, message]) => message),
    changed: [...right].flatMap(([key, message]): [MessageLike, MessageLike][] => {
      const old = left.get(key);
      return old === undefined || same(old, message) ? [] : [[old, message]];
    }),
  };
}

function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
