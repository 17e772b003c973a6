import type { ProtocolSubscription } from '../../../schemas/compiled/types.js';
import type { Caller } from '../../domain/caller.js';
import type { Services } from '../../services/context.js';
import { beginsNow, looksByGraph, protocolFilter } from '../../services/protocol/filter.js';
import type { Joined } from '../../services/threads/thread-events.js';
import { graphFrame } from '../../wire/runs/protocol.js';

/**
 * Joins a thread's events for a subscription of the second protocol; one that is not there yet is waited for. `hidden`: it was
 * made, and this caller does not see it. Throws THREAD_NOT_FOUND, OVERLOADED.
 */
export async function follow(
  services: Services,
  caller: Caller,
  threadId: string,
  body: ProtocolSubscription,
  userAgent: string | undefined,
  hidden: () => void,
): Promise<Joined> {
  const { channels, namespaces = null, depth = null, since = null } = body;
  const byGraph = looksByGraph({ namespaces, depth }, userAgent);
  const now = since === null && beginsNow({ channels }, userAgent);
  const { following, leave } = await services.threadEvents.join(caller, threadId, {
    lastEventId: now ? null : (since ?? -1),
    now,
    modes: [],
    unmade: { hidden },
    wants: protocolFilter({ channels, namespaces, depth, byGraph }),
  });
  return { following: { ...following, ...(byGraph ? { form: graphFrame } : {}) }, leave };
}
