import type { ProtocolSubscription } from '../../../schemas/compiled/types.js';
import type { Caller } from '../../domain/caller.js';
import type { Needs } from '../../services/context.js';
import { expectsGraphNamespaces, isWatcher, protocolFilter } from '../../services/protocol/filter.js';
import type { FeedSubscription } from '../../services/threads/thread-events.js';
import type { Frame } from '../../wire/runs/frame.js';
import { graphFrame } from '../../wire/runs/protocol.js';

export interface ThreadSubscription {
  request: ProtocolSubscription;
  /**
   * True if the request is one of the Python client, which expects other namespaces and fewer events. May turn
   * false later, when a connection carries more.
   */
  isPython: () => boolean;
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
  { request, isPython, onHidden }: ThreadSubscription,
): Promise<FeedSubscription> {
  const { channels, namespaces = null, depth = null, since = null } = request;
  const wanted = { channels, namespaces, depth };
  const watches = isWatcher(wanted);
  const usesGraphNamespaces = expectsGraphNamespaces(wanted, isPython());
  const fromCurrentRun = since === null && watches && isPython();
  const { subscription, unsubscribe } = await services.threadEvents.subscribe(caller, threadId, {
    lastEventId: fromCurrentRun ? null : (since ?? -1),
    fromCurrentRun,
    modes: [],
    awaitCreation: { hidden: onHidden },
    wants: protocolFilter(wanted, { usesGraphNamespaces, hidesNodeLifecycles: () => watches && isPython() }),
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
