import type { Caller } from '../../domain/caller.js';
import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import type { RunStatus } from '../../store/runs/runs.js';
import { seesDelivery, type Delivery, type FinishedDelivery, type OutboxDelivery } from '../../store/webhooks.js';
import type { Needs } from '../context.js';
import { deliveryMembers } from './delivery.js';

const ROWS_PER_SLICE = 100;

type AnyDelivery = OutboxDelivery | FinishedDelivery;

/** `status` null: in any state. */
export interface DeliveryQuery {
  status: Delivery['state'] | null;
  limit: number;
}

/** The newest deliveries of runs that the caller sees, as JSON. */
export function* recentDeliveries(
  services: Needs<'stores' | 'threads'>,
  caller: Caller,
  { status, limit }: DeliveryQuery,
): Steps<string> {
  const { webhooks } = services.stores;
  const found: AnyDelivery[] = [];
  let hasMore = false;
  const sources = [
    ...(status === null || status === 'pending' ? [webhooks.unfinishedOfRuns()] : []),
    ...(status === 'pending' ? [] : [webhooks.finishedOfRuns()]),
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
      if ((status !== null && delivery.state !== status) || !isVisible(services, caller, delivery)) continue;
      found.push(delivery);
      taken += 1;
    }
  }
  const newest = found.toSorted((one, other) => lastMs(other) - lastMs(one));
  return JSON.stringify({
    deliveries: newest.slice(0, limit).map((delivery) => ({
      ...deliveryMembers(delivery, delivery.state),
      run_status: statusOfRun(services, caller, delivery),
      can_send_again: 'failed' in delivery,
    })),
    has_more: hasMore || newest.length > limit,
  });
}

/** Whoever sees the thread of the run, or could see it before it was deleted. */
function isVisible({ stores, threads }: Needs<'stores' | 'threads'>, caller: Caller, delivery: AnyDelivery): boolean {
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

function statusOfRun({ stores }: Needs<'stores'>, caller: Caller, delivery: AnyDelivery): RunStatus | null {
  if ('run' in delivery) return delivery.run.status;
  return delivery.runStatus ?? stores.runs.get(caller, delivery.runId)?.status ?? null;
}

/** Time of the last attempt; of a delivery without one the time when it is due. */
function lastMs({ attempts, dueAtMs }: AnyDelivery): number {
  return attempts.at(-1)?.atMs ?? dueAtMs ?? 0;
}
