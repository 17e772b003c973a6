import { readProtocolName } from '../wire/protocol.js';
import type { EventFilter } from './stream-filter.js';

export interface Subscription {
  channels: readonly string[];
  /** Prefixes; null or none: everything. */
  namespaces: readonly (readonly string[])[] | null;
  /** How far below a prefix; null: any. */
  depth: number | null;
}

/** Which events of the second protocol a subscription gets (streaming-protocol-v2.md, section 10). */
export function protocolFilter({ channels, namespaces, depth }: Subscription): EventFilter {
  const wanted = new Set(channels);
  const prefixes = namespaces === null || namespaces.length === 0 ? null : namespaces;
  return (name) => {
    const found = readProtocolName(name);
    if (found === null) return false;
    const { channel, namespace } = found;
    if (!wanted.has(channel) && !(channel.startsWith('custom:') && wanted.has('custom'))) return false;
    return prefixes === null || prefixes.some((prefix) => startsWith(namespace, prefix) && (depth === null || namespace.length - prefix.length <= depth));
  };
}

/** A segment without a task's id stands for every task of its node. */
function startsWith(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((segment, at) => namespace[at] === segment || (!segment.includes(':') && namespace[at]?.split(':', 1)[0] === segment));
}
