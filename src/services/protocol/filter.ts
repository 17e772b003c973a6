import { graphNamespace, readProtocolName } from '../../wire/runs/protocol.js';
import type { EventFilter } from '../runs/stream-filter.js';

export interface Subscription {
  channels: readonly string[];
  /** Prefixes; null or none: everything. */
  namespaces: readonly (readonly string[])[] | null;
  /** How far below a prefix; null: any. */
  depth: number | null;
  /** The client looks for what tasks tell under their graph. */
  byGraph: boolean;
}

/**
 * Whether a client looks for what tasks tell under their graph: Python's, and whoever asks for exactly the root, where there
 * is nothing else of it.
 */
export function looksByGraph(
  { namespaces, depth }: Pick<Subscription, 'namespaces' | 'depth'>,
  userAgent: string | undefined,
): boolean {
  return isPython(userAgent) || (depth === 0 && namespaces?.length === 1 && namespaces[0]!.length === 0);
}

/**
 * Where a stream without a cursor begins. Python's client opens one for beginnings, ends and questions before it starts a run, and
 * takes an older run's end for that run's: it gets what is of now.
 */
export function beginsNow({ channels }: Pick<Subscription, 'channels'>, userAgent: string | undefined): boolean {
  return isPython(userAgent) && channels.every((channel) => channel === 'lifecycle' || channel === 'input');
}

function isPython(userAgent: string | undefined): boolean {
  return userAgent?.startsWith('langgraph-sdk-py/') === true;
}

/** Which events of the second protocol a subscription gets (streaming-protocol-v2.md, section 10). */
export function protocolFilter({ channels, namespaces, depth, byGraph }: Subscription): EventFilter {
  const wanted = new Set(channels);
  const prefixes = namespaces === null || namespaces.length === 0 ? null : namespaces;
  return (name) => {
    const found = readProtocolName(name);
    if (found === null) return false;
    const { channel } = found;
    const namespace = byGraph ? graphNamespace(channel, found.namespace) : found.namespace;
    if (!wanted.has(channel) && !(channel.startsWith('custom:') && wanted.has('custom'))) return false;
    return (
      prefixes === null ||
      prefixes.some(
        (prefix) => startsWith(namespace, prefix) && (depth === null || namespace.length - prefix.length <= depth),
      )
    );
  };
}

/** A segment without a task's id stands for every task of its node. */
function startsWith(namespace: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every(
    (segment, at) =>
      namespace[at] === segment || (!segment.includes(':') && namespace[at]?.split(':', 1)[0] === segment),
  );
}
