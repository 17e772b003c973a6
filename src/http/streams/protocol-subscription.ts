import type { ProtocolSubscription } from '../../../schemas/compiled/types.js';
import type { Caller } from '../../domain/caller.js';
import type { Needs } from '../../services/context.js';
import { startsWithoutReplay, expectsGraphNamespaces, protocolFilter } from '../../services/protocol/filter.js';
import type { FeedSubscription } from '../../services/threads/thread-events.js';
import type { Frame } from '../../wire/runs/frame.js';
import { graphFrame } from '../../wire/runs/protocol.js';

export interface ThreadSubscription {
  request: ProtocolSubscription;
  /** Header of the client, whose release decides which namespaces it expects. */
  userAgent: string | undefined;
  /** Called if the thread is created but not visible to this caller. */
  onHidden: () => void;
}

/**
 * Subscribes to a thread's events for the second protocol. If the thread does not exist yet, waits for it to be
 * created. Throws THREAD_NOT_FOUND, OVERLOADED.
 */
export async function subscribeToThread(
  services: Needs<'threadEvents'>,
  caller: Caller,
  threadId: string,
  { request, userAgent, onHidden }: ThreadSubscription,
): Promise<FeedSubscription> {
  const { channels, namespaces = null, depth = null, since = null } = request;
  const usesGraphNamespaces = expectsGraphNamespaces({ namespaces, depth }, userAgent);
  const fromCurrentRun = since === null && startsWithoutReplay({ channels }, userAgent);
  const { subscription, unsubscribe } = await services.threadEvents.subscribe(caller, threadId, {
    lastEventId: fromCurrentRun ? null : (since ?? -1),
    fromCurrentRun,
    modes: [],
    awaitCreation: { hidden: onHidden },
    wants: protocolFilter({ channels, namespaces, depth, usesGraphNamespaces }),
  });
  return {
    subscription: { ...subscription, ...(usesGraphNamespaces ? { encode: encodeGraphFrame } : {}) },
    unsubscribe,
  };
}

/** One function for all subscriptions, so that equal encodings are recognized. */
function encodeGraphFrame(frame: Frame): readonly Uint8Array[] {
  return [graphFrame(frame)];
}
