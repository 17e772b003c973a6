import type { AlertCondition, Measurement } from '../../domain/alert-condition.js';
import type { Caller } from '../../domain/caller.js';
import type { AlertParts } from './parts.js';

/** The time that a check looks at. */
export interface AlertWindow {
  fromMs: number;
  toMs: number;
}

export function windowOf({ windowSeconds }: AlertCondition, nowMs: number): AlertWindow {
  return { fromMs: nowMs - windowSeconds * 1_000, toMs: nowMs };
}

/** The present value, from what the caller may see. Throws EXPERIMENT_NOT_FOUND, INVALID_REQUEST for a filter. */
export async function measureAlert(
  { evaluation, clock }: Pick<AlertParts, 'evaluation' | 'clock'>,
  caller: Caller,
  condition: AlertCondition,
): Promise<Measurement> {
  const { fromMs, toMs } = windowOf(condition, clock.nowMs());
  const { body } = await evaluation.pool.read('alerts.measure', caller, {
    ...condition,
    fromUs: fromMs * 1_000,
    toUs: toMs * 1_000,
  });
  return JSON.parse(Buffer.from(body).toString()) as Measurement;
}
