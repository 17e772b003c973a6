import { isMessage, type MessageLike } from '../../shared/message-parts.js';

/** Change of one channel between two states. */
export interface ChannelChange {
  name: string;
  kind: 'added' | 'removed' | 'changed';
  /** The differing values. Lists are shown without their common prefix and suffix. */
  before: unknown;
  after: unknown;
  /** Number of list items in the common prefix and suffix. */
  unchangedItems: number;
  messages: MessageChanges | null;
}

export interface MessageChanges {
  added: MessageLike[];
  removed: MessageLike[];
  changed: [before: MessageLike, after: MessageLike][];
}

/** Changed channels, in the order of the newer state. A state that is not an object counts as one channel. */
export function diffStates(before: unknown, after: unknown): ChannelChange[] {
  const [left, right] = [toChannels(before), toChannels(after)];
  const names = [...Object.keys(right), ...Object.keys(left).filter((name) => !Object.hasOwn(right, name))];
  return names.flatMap((name): ChannelChange[] => {
    if (!Object.hasOwn(left, name))
      return [
        {
          name,
          kind: 'added',
          before: undefined,
          after: right[name],
          unchangedItems: 0,
          messages: messageChanges([], right[name]),
        },
      ];
    if (!Object.hasOwn(right, name))
      return [
        {
          name,
          kind: 'removed',
          before: left[name],
          after: undefined,
          unchangedItems: 0,
          messages: messageChanges(left[name], []),
        },
      ];
    return isSameJson(left[name], right[name])
      ? []
      : [
          {
            name,
            kind: 'changed',
            ...withoutCommonEnds(left[name], right[name]),
            messages: messageChanges(left[name], right[name]),
          },
        ];
  });
}

function toChannels(values: unknown): Record<string, unknown> {
  return typeof values === 'object' && values !== null && !Array.isArray(values)
    ? (values as Record<string, unknown>)
    : { values };
}

function withoutCommonEnds(
  before: unknown,
  after: unknown,
): { before: unknown; after: unknown; unchangedItems: number } {
  if (!Array.isArray(before) || !Array.isArray(after)) return { before, after, unchangedItems: 0 };
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isSameJson(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isSameJson(before[before.length - 1 - end], after[after.length - 1 - end])) end += 1;
  return {
    before: before.slice(start, before.length - end),
    after: after.slice(start, after.length - end),
    unchangedItems: start + end,
  };
}

/** Returns null if the values are not messages. Messages are matched by id, or by content without an id. */
function messageChanges(before: unknown, after: unknown): MessageChanges | null {
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
      return old === undefined || isSameJson(old, message) ? [] : [[old, message]];
    }),
  };
}

function isSameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
