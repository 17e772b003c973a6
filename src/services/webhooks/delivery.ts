import type { Caller } from '../../domain/caller.js';
import { isoTime } from '../../base/clock.js';
import { fail } from '../../base/errors.js';
import { readKwargs } from '../../store/runs/kwargs.js';
import type { Delivery } from '../../store/webhooks.js';
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
  const delivery = services.webhooks.find(caller, runId);
  if (delivery !== null && delivery.threadId === threadId && delivery.metadata !== null)
    return statusJson(delivery, delivery.state);

  const { record, live } = getRun(services, caller, threadId, runId);
  if (delivery !== null) return statusJson(delivery, delivery.state);
  const { webhook } = live?.kwargs ?? readKwargs(services.stores.runs.kwargs(caller, runId), record);
  if (webhook === null || (live === undefined && services.webhooks.enabled)) throw fail('WEBHOOK_NOT_FOUND', { runId });
  return statusJson(
    { runId, threadId, url: webhook, attempts: [], dueAtMs: null },
    services.webhooks.enabled ? 'waiting' : 'disabled',
  );
}

function statusJson(
  { runId, threadId, url, attempts, dueAtMs }: Omit<Delivery, 'metadata' | 'state'>,
  state: DeliveryStatus,
): string {
  return JSON.stringify({
    run_id: runId,
    thread_id: threadId,
    url,
    status: state,
    attempts: attempts.map(({ atMs, tookMs, status, error }) => ({
      sent_at: isoTime(atMs),
      duration_ms: tookMs,
      status_code: status,
      error,
    })),
    next_attempt_at: dueAtMs === null ? null : isoTime(dueAtMs),
  });
}
