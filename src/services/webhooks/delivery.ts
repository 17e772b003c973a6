import type { Caller } from '../../domain/caller.js';
import { isoTime } from '../../base/clock.js';
import { fail } from '../../base/errors.js';
import { readKwargs } from '../../store/runs/kwargs.js';
import type { Delivery, FinishedDelivery } from '../../store/webhooks.js';
import type { Needs } from '../context.js';
import { getRun } from '../runs/find-run.js';

/** `waiting`: the run has not ended. `disabled`: this server sends no webhooks. */
type DeliveryStatus = Delivery['state'] | 'waiting' | 'disabled';

/**
 * Status of a run's webhook, as JSON. Throws THREAD_NOT_FOUND, RUN_NOT_FOUND, and WEBHOOK_NOT_FOUND for a run
 * without a webhook. The status of a stateless run is available after the run is deleted, to callers who could
 * see it.
 */
export function deliveryJson(
  services: Needs<'scheduler' | 'stores' | 'threads' | 'webhooks'>,
  caller: Caller,
  threadId: string,
  runId: string,
): string {
  const { delivery, status } = findDelivery(services, caller, threadId, runId);
  return JSON.stringify(deliveryMembers(delivery, status));
}

/**
 * Sends a failed delivery again, once. One in any other state is left as it is, so that the request can be repeated.
 * Returns the status and throws what `deliveryJson` does, and WEBHOOK_NOT_REPEATABLE, OVERLOADED.
 */
export async function sendAgain(
  services: Needs<'scheduler' | 'stores' | 'threads' | 'webhooks'>,
  caller: Caller,
  threadId: string,
  runId: string,
): Promise<string> {
  const { delivery, status } = findDelivery(services, caller, threadId, runId);
  if (status !== 'failed') return JSON.stringify(deliveryMembers(delivery, status));
  // A request at the same time has begun to send it.
  if (services.webhooks.isOpen(runId)) return JSON.stringify(deliveryMembers(delivery, 'pending'));
  const owed = await services.webhooks.retry(delivery);
  return JSON.stringify(deliveryMembers(owed, owed.state));
}

type ShownDelivery = Omit<FinishedDelivery, 'metadata' | 'state'>;

function findDelivery(
  services: Needs<'scheduler' | 'stores' | 'threads' | 'webhooks'>,
  caller: Caller,
  threadId: string,
  runId: string,
):
  | { delivery: FinishedDelivery; status: Delivery['state'] }
  | { delivery: ShownDelivery; status: 'waiting' | 'disabled' } {
  const delivery = services.webhooks.find(caller, runId);
  if (delivery !== null && delivery.threadId === threadId && delivery.metadata !== null)
    return { delivery, status: delivery.state };

  const { record, live } = getRun(services, caller, threadId, runId);
  if (delivery !== null) return { delivery, status: delivery.state };
  const { webhook } = live?.kwargs ?? readKwargs(services.stores.runs.kwargs(caller, runId), record);
  if (webhook === null || (live === undefined && services.webhooks.enabled)) throw fail('WEBHOOK_NOT_FOUND', { runId });
  return {
    delivery: { runId, threadId, url: webhook, attempts: [], dueAtMs: null },
    status: services.webhooks.enabled ? 'waiting' : 'disabled',
  };
}

/** The delivery of a run in the format of the API. */
export function deliveryMembers(delivery: ShownDelivery, status: DeliveryStatus): Record<string, unknown> {
  return { run_id: delivery.runId, thread_id: delivery.threadId, ...attemptMembers(delivery, status) };
}

/** What the deliveries of runs and of alerts have in common. */
export function attemptMembers(
  { url, attempts, dueAtMs }: Pick<Delivery, 'url' | 'attempts' | 'dueAtMs'>,
  status: DeliveryStatus,
): Record<string, unknown> {
  return {
    url,
    status,
    attempts: attempts.map(({ atMs, tookMs, status: code, error }) => ({
      sent_at: isoTime(atMs),
      duration_ms: tookMs,
      status_code: code,
      error,
    })),
    next_attempt_at: dueAtMs === null ? null : isoTime(dueAtMs),
  };
}
