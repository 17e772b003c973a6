import type { Caller } from '../../domain/caller.js';
import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import type { RunStatus } from '../../store/runs/runs.js';
import {
  seesDelivery,
  type Delivery,
  type FinishedDelivery,
  type MessageDelivery,
  type OutboxDelivery,
} from '../../store/webhooks.js';
import type { Needs } from '../context.js';
import { attemptMembers, deliveryMembers } from './delivery.js';

const ROWS_PER_SLICE = 100;

type RunDelivery = OutboxDelivery | FinishedDelivery;
type AlertDelivery = MessageDelivery | FinishedDelivery;

/** `status` null: in any state. */
export interface DeliveryQuery {
  status: Delivery['state'] | null;
  limit: number;
}

interface Found<T> {
  deliveries: T[];
  hasMore: boolean;
}

/** The newest deliveries of runs that the caller sees, as JSON. */
export function* recentDeliveries(
  services: Needs<'stores' | 'threads'>,
  caller: Caller,
  query: DeliveryQuery,
): Steps<string> {
  const { webhooks } = services.stores;
  const { deliveries, hasMore } = yield* findNewest<RunDelivery>(
    query,
    { unfinished: webhooks.unfinishedOfRuns(), finished: webhooks.finished('runs') },
    (delivery) => isVisible(services, caller, delivery),
  );
  return JSON.stringify({
    deliveries: deliveries.map((delivery) => ({
      ...deliveryMembers(delivery, delivery.state),
      run_status: statusOfRun(services, caller, delivery),
      can_send_again: 'failed' in delivery,
    })),
    has_more: hasMore,
  });
}

/** The newest deliveries of alerts that the caller sees, as JSON. Those of a deleted alert are not shown. */
export function* recentAlertDeliveries(
  services: Needs<'stores' | 'alerts'>,
  caller: Caller,
  query: DeliveryQuery,
): Steps<string> {
  const { webhooks } = services.stores;
  const names = new Map<string, string | null>();
  const nameOf = ({ alertId }: AlertDelivery): string | null => {
    if (alertId === undefined) return null;
    if (!names.has(alertId)) names.set(alertId, services.alerts.findName(caller, alertId));
    return names.get(alertId)!;
  };
  const { deliveries, hasMore } = yield* findNewest<AlertDelivery>(
    query,
    { unfinished: webhooks.unfinishedMessages(), finished: webhooks.finished('messages') },
    (delivery) => nameOf(delivery) !== null,
  );
  return JSON.stringify({
    deliveries: deliveries.map((delivery) => ({
      webhook_id: delivery.runId,
      alert_id: delivery.alertId,
      alert_name: nameOf(delivery),
      ...attemptMembers(delivery, delivery.state),
    })),
    has_more: hasMore,
  });
}

function* findNewest<T extends Delivery>(
  { status, limit }: DeliveryQuery,
  { unfinished, finished }: { unfinished: Iterable<T>; finished: Iterable<T> },
  isShown: (delivery: T) => boolean,
): Steps<Found<T>> {
  const found: T[] = [];
  let hasMore = false;
  const sources = [
    ...(status === null || status === 'pending' ? [unfinished] : []),
    ...(status === 'pending' ? [] : [finished]),
  ];
  for (const source of sources) {
    let [looked, taken] = [0, 0];
    for (const delivery of source) {
      looked += 1;
      if (looked % ROWS_PER_SLICE === 0) yield;
      if (taken === limit || looked > LIMITS.deliveriesReadMax) {
        hasMore = true;
        break;
      }
      if ((status !== null && delivery.state !== status) || !isShown(delivery)) continue;
      found.push(delivery);
      taken += 1;
    }
  }
  const newest = found.toSorted((one, other) => lastMs(other) - lastMs(one));
  return { deliveries: newest.slice(0, limit), hasMore: hasMore || newest.length > limit };
}

/** Whoever sees the thread of the run, or could see it before it was deleted. */
function isVisible({ stores, threads }: Needs<'stores' | 'threads'>, caller: Caller, delivery: RunDelivery): boolean {
  const { metadata, threadId, runId, uid } = delivery;
  if (metadata !== null) return seesDelivery(caller, delivery);
  const thread = threads.find(caller, threadId);
  // The thread may be a new one of the same id.
  return (
    thread !== undefined &&
    (uid === undefined || thread.uid === uid) &&
    stores.runs.get(caller, runId)?.threadId === threadId
  );
}

function statusOfRun({ stores }: Needs<'stores'>, caller: Caller, delivery: RunDelivery): RunStatus | null {
  if ('run' in delivery) return delivery.run.status;
  return delivery.runStatus ?? stores.runs.get(caller, delivery.runId)?.status ?? null;
}

/** Time of the last attempt; of a delivery without one the time when it is due. */
function lastMs({ attempts, dueAtMs }: Delivery): number {
  return attempts.at(-1)?.atMs ?? dueAtMs ?? 0;
}
