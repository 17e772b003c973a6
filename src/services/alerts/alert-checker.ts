import { ThreadmillError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { stateOf } from '../../domain/alert-condition.js';
import type { Caller } from '../../domain/caller.js';
import { alertOf, type AlertRecord } from '../../store/evaluation/alerts.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import type { AlertCheck } from './alert-json.js';
import { putOutcome, type Outcome } from './alert-transition.js';
import { measureAlert } from './measure-alert.js';
import type { AlertParts } from './parts.js';

/** Checks enabled alerts about once a minute, one after another. */
export class AlertChecker {
  readonly #parts: AlertParts;
  /** When each alert is checked next, on the monotonic clock. */
  readonly #dueMs = new Map<string, number>();
  readonly #checks = new Map<string, AlertCheck>();
  #working: Promise<void> = Promise.resolve();
  #isWorking = false;
  #closed = false;
  #started = false;
  #cancelWake: () => void = () => undefined;

  constructor(parts: AlertParts) {
    this.#parts = parts;
  }

  /** Checks these alerts now, and then once a minute. */
  start(alertIds: Iterable<string>): void {
    this.#started = true;
    for (const id of alertIds) this.#dueMs.set(id, this.#parts.clock.elapsedMs());
    this.#work();
  }

  /** The alert is new or was changed. */
  checkSoon(alertId: string): void {
    this.#dueMs.set(alertId, this.#parts.clock.elapsedMs());
    this.#work();
  }

  /** The alert was disabled or deleted. */
  forget(alertId: string): void {
    this.#dueMs.delete(alertId);
    this.#checks.delete(alertId);
  }

  /** Undefined before the first check. */
  lastCheck(alertId: string): AlertCheck | undefined {
    return this.#checks.get(alertId);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelWake();
    await this.#working;
  }

  #work(): void {
    if (this.#isWorking || this.#closed || !this.#started) return;
    this.#cancelWake();
    this.#isWorking = true;
    this.#working = this.#checkDue();
  }

  async #checkDue(): Promise<void> {
    for (let id = this.#nextDue(); id !== undefined; id = this.#nextDue()) await this.#checkAndPlan(id);
    this.#isWorking = false;
    const nextMs = Math.min(...this.#dueMs.values());
    if (this.#closed || nextMs === Infinity) return;
    const { clock } = this.#parts;
    this.#cancelWake = clock.wakeAfter(nextMs - clock.elapsedMs(), () => this.#work());
  }

  /** The alert that has waited for the longest time. */
  #nextDue(): string | undefined {
    if (this.#closed) return undefined;
    const nowMs = this.#parts.clock.elapsedMs();
    const due = [...this.#dueMs].filter(([, atMs]) => atMs <= nowMs);
    return due.toSorted(([, one], [, other]) => one - other)[0]?.[0];
  }

  async #checkAndPlan(alertId: string): Promise<void> {
    const { clock, log } = this.#parts;
    const startedMs = clock.elapsedMs();
    const plannedMs = startedMs + LIMITS.alertCheckMs;
    this.#dueMs.set(alertId, plannedMs);
    try {
      await this.#check(alertId);
    } catch (error) {
      if (!this.#closed) log.error({ err: error, alertId }, 'an alert could not be checked');
    }
    const endedMs = clock.elapsedMs();
    const pauseMs = (endedMs - startedMs) * LIMITS.alertPauseFactor;
    // It may have been changed or deleted meanwhile.
    if (this.#dueMs.get(alertId) === plannedMs) this.#dueMs.set(alertId, Math.max(plannedMs, endedMs + pauseMs));
  }

  async #check(alertId: string): Promise<void> {
    const { evaluation, webhooks, clock, log } = this.#parts;
    const { latest } = evaluation;
    const checked = alertOf(latest, alertId);
    if (checked === undefined || !checked.isEnabled) return this.forget(alertId);
    const outcome = await this.#outcomeOf(checked);
    const record = alertOf(latest, alertId);
    // Changed meanwhile: it is checked again at once.
    if (this.#closed || record === undefined || record.modifiedAtUs !== checked.modifiedAtUs) return undefined;
    const { value, runCount } = outcome;
    this.#checks.set(alertId, { value, runCount, checkedAtMs: clock.nowMs() });
    const plan = new DraftCommit(latest);
    const message = putOutcome(this.#parts, plan, record, outcome);
    if (plan.operations.length === 0) return undefined;
    await latest.write(plan);
    if (message !== null) webhooks.scheduleDelivery(message);
    logOutcome(log, record, outcome);
    return undefined;
  }

  /** Throws what is not a fault of the alert, such as a lost evaluation thread. Its state then stays as it is. */
  async #outcomeOf(record: AlertRecord): Promise<Outcome> {
    const impossible = (error: string): Outcome => ({ state: 'error', error, value: null, runCount: 0 });
    const { stores, access } = this.#parts;
    const caller = stores.seal.open(record.sealed, record.alertId);
    if (caller === null)
      return impossible('The user who changed it last cannot be decrypted, because the sealing key is missing.');
    if (!access.isKeyValid(caller))
      return impossible('The API key with which it was changed last has expired or was revoked.');
    try {
      return await this.#measure(record, caller);
    } catch (error) {
      if (!(error instanceof ThreadmillError)) throw error;
      if (error.code === 'EXPERIMENT_NOT_FOUND') return impossible('Its project does not exist any more.');
      if (error.code === 'INVALID_REQUEST') return impossible(error.message);
      throw error;
    }
  }

  async #measure({ condition }: AlertRecord, caller: Caller): Promise<Outcome> {
    const measured = await measureAlert(this.#parts, caller, condition);
    return { ...measured, state: stateOf(condition, measured), error: null };
  }
}

/** Logs a change of the state. */
export function logOutcome(log: AlertParts['log'], record: AlertRecord, { state, value, error }: Outcome): void {
  const { alertId, name, state: before, condition } = record;
  if (before === state) return;
  const facts = { alertId, name, before, state, value, threshold: condition.threshold, error };
  if (state === 'firing' || state === 'error') log.warn(facts, 'the state of an alert has changed');
  else log.info(facts, 'the state of an alert has changed');
}
