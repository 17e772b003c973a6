import { graphNamespace, parseProtocolName } from '../../wire/runs/protocol.js';
import type { EventFilter } from '../runs/stream-filter.js';

export interface ChannelSubscription {
  channels: readonly string[];
  /** Namespace prefixes. Null or empty: everything. */
  namespaces: readonly (readonly string[])[] | null;
  /** Maximum depth below a prefix. Null: any. */
  depth: number | null;
  /** True if the client expects the events of tasks under the namespace of their graph. */
  usesGraphNamespaces: boolean;
}

/**
 * True if a client expects the events of tasks under the namespace of their graph. This applies to Python
 * clients, and to clients that request exactly the root namespace, where they would find no such events
 * otherwise.
 */
export function expectsGraphNamespaces(
  { namespaces, depth }: Pick<ChannelSubscription, 'namespaces' | 'depth'>,
  userAgent: string | undefined,
): boolean {
  return isPython(userAgent) || (depth === 0 && namespaces?.length === 1 && namespaces[0]!.length === 0);
}

/**
 * True if a stream without a cursor must start at the present. Before it starts a run, the Python client opens
 * a stream for lifecycle and input events. It would mistake the end of an older run for the end of the new one.
 */
export function startsWithoutReplay(
  { channels }: Pick<ChannelSubscription, 'channels'>,
  userAgent: string | undefined,
): boolean {
  return isPython(userAgent) && channels.every((channel) => channel === 'lifecycle' || channel === 'input');
}

function isPython(userAgent: string | undefined): boolean {
  return userAgent?.startsWith('langgraph-sdk-py/') === true;
}

/** Returns the event filter of a subscription (streaming-protocol-v2.md, section 10). */
export function protocolFilter({ channels, namespaces, depth, usesGraphNamespaces }: ChannelSubscription): EventFilter {
  const wanted = new Set(channels);
  const prefixes = namespaces === null || namespaces.length === 0 ? null : namespaces;
  return (name) => {
    const parsed = parseProtocolName(name);
    if (parsed === null) return false;
    const { channel } = parsed;
    const namespace = usesGraphNamespaces ? graphNamespace(channel, parsed.namespace) : parsed.namespace;
    if (!wanted.has(channel) && !(channel.startsWith('custom:') && wanted.has('custom'))) return false;
    return (
      prefixes === null ||
      prefixes.some(
        (prefix) => startsWith(namespace, prefix) && (depth === null || namespace.length - prefix.length <= depth),
      )
    );
  };
}

/** A segment without a task id matches every task of its node. */
function startsWith(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every(
    (segment, at) =>
      namespace[at] === segment || (!segment.includes(':') && namespace[at]?.split(':', 1)[0] === segment),
  );
}
