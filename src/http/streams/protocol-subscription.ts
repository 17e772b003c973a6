import type { ProtocolSubscription } from '../../../schemas/compiled/types.js';
import type { Caller } from '../../domain/caller.js';
import type { Needs } from '../../services/context.js';
import { startsWithoutReplay, expectsGraphNamespaces, protocolFilter } from '../../services/protocol/filter.js';
import type { FeedSubscription } from '../../services/threads/thread-events.js';
import { graphFrame } from '../../wire/runs/protocol.js';

/**
 * Subscribes to a thread's events for the second protocol. If the thread does not exist yet, waits for it to be
 * created. `hidden` is called if it is created but not visible to this caller. Throws THREAD_NOT_FOUND,
 * OVERLOADED.
 */
export async function subscribeToThread(
  services: Needs<'threadEvents'>,
  caller: Caller,
  threadId: string,
  body: ProtocolSubscription,
  userAgent: string | undefined,
  hidden: () => void,
): Promise<FeedSubscription> {
  const { channels, namespaces = null, depth = null, since = null } = body;
  const usesGraphNamespaces = expectsGraphNamespaces({ namespaces, depth }, userAgent);
  const fromCurrentRun = since === null && startsWithoutReplay({ channels }, userAgent);
  const { subscription, unsubscribe } = await services.threadEvents.subscribe(caller, threadId, {
    lastEventId: fromCurrentRun ? null : (since ?? -1),
    fromCurrentRun,
    modes: [],
    awaitCreation: { hidden },
    wants: protocolFilter({ channels, namespaces, depth, usesGraphNamespaces }),
  });
  return { subscription: { ...subscription, ...(usesGraphNamespaces ? { form: graphFrame } : {}) }, unsubscribe };
}
