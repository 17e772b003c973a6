import { graphNamespace, parseProtocolName } from '../../wire/runs/protocol.js';
import type { EventFilter } from '../runs/stream-filter.js';

/** What a client asks for. */
export interface ChannelSubscription {
  channels: readonly string[];
  /** Namespace prefixes. Null or empty: everything. */
  namespaces: readonly (readonly string[])[] | null;
  /** Maximum depth below a prefix. Null: any. */
  depth: number | null;
}

/** How events are chosen and presented. */
export interface EventView {
  /** True if the client expects the events of tasks under the namespace of their graph. */
  usesGraphNamespaces: boolean;
  /** True if lifecycle events of nodes and subgraphs are left out. Evaluated for each event. */
  hidesNodeLifecycles: () => boolean;
}

/** Channels of the stream that each client keeps open to learn of questions and of the ends of runs. */
const WATCHED_CHANNELS = ['lifecycle', 'input'];

/**
 * True for the Python client's request for an event stream. Its body equals that of the JavaScript client. This
 * header is the only difference besides the names of the programs (docs/decisions/0027).
 */
export function isPythonStreamRequest({ 'cache-control': cacheControl }: Record<string, unknown>): boolean {
  return cacheControl === 'no-store';
}

/**
 * True if a client expects the events of tasks under the namespace of their graph. This applies to Python
 * clients, and to clients that request exactly the root namespace, where they would find no such events
 * otherwise.
 */
export function expectsGraphNamespaces({ namespaces, depth }: ChannelSubscription, isPython: boolean): boolean {
  return isPython || (depth === 0 && namespaces?.length === 1 && namespaces[0]!.length === 0);
}

/**
 * True for the stream by which a client follows its runs. For Python it must begin with the current run: the
 * client opens it before it starts a run, and would mistake the end of an older run for the end of the new one.
 * It must also be without the ends of nodes, which the Python client would take for the end of the run.
 */
export function isWatcher({ channels, namespaces, depth }: ChannelSubscription): boolean {
  return (
    channels.length === WATCHED_CHANNELS.length &&
    WATCHED_CHANNELS.every((channel) => channels.includes(channel)) &&
    (namespaces === null || namespaces.length === 0) &&
    depth === null
  );
}

/** Returns the event filter of a subscription (streaming-protocol-v2.md, section 10). */
export function protocolFilter(
  { channels, namespaces, depth }: ChannelSubscription,
  { usesGraphNamespaces, hidesNodeLifecycles }: EventView,
): EventFilter {
  const wanted = new Set(channels);
  const prefixes = namespaces === null || namespaces.length === 0 ? null : namespaces;
  return (name) => {
    const parsed = parseProtocolName(name);
    if (parsed === null) return false;
    const { channel } = parsed;
    const namespace = usesGraphNamespaces ? graphNamespace(channel, parsed.namespace) : parsed.namespace;
    if (!wanted.has(channel) && !(channel.startsWith('custom:') && wanted.has('custom'))) return false;
    if (channel === 'lifecycle' && namespace.length > 0 && hidesNodeLifecycles()) return false;
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
