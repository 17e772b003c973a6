import { fail, type Problem } from '../../base/errors.js';
import { isObject, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import { invalidRequest } from '../../base/request-problems.js';
import {
  ALERT_STATES,
  stateOf,
  type AlertCondition,
  type AlertState,
  type Measurement,
} from '../../domain/alert-condition.js';
import { seesStored, SERVER_CALLER, type Caller } from '../../domain/caller.js';
import { isHeaderName, isHeaderValue, isReservedHeader } from '../../domain/webhook-headers.js';
import {
  alertHistory,
  alertOf,
  putAlert,
  removeAlert,
  unpackAlert,
  type AlertRecord,
  type AlertWebhook,
} from '../../store/evaluation/alerts.js';
import { keys } from '../../store/keys.js';
import { DraftCommit } from '../../store/read-your-writes.js';
import type { MessageDelivery } from '../../store/webhooks.js';
import type { RequestObject } from '../../wire/evaluation/request-object.js';
import { stampMetadata } from '../evaluation/extra.js';
import { AlertChecker, logOutcome } from './alert-checker.js';
import { namesCondition, readCondition } from './alert-condition.js';
import { alertJson, changeJson } from './alert-json.js';
import { putNotice, putOutcome, type Outcome } from './alert-transition.js';
import { measureAlert } from './measure-alert.js';
import type { AlertParts } from './parts.js';

export interface AlertFilter {
  state: AlertState | null;
  projectId: string | null;
}

export interface AlertTestResult extends Measurement {
  /** The state that the value gives. */
  state: AlertState;
  /** Id of the webhook that was called; null if none was. */
  messageId: string | null;
}

const DISABLED: Outcome = { state: 'no_data', error: null, value: null, runCount: 0 };

/** Alerts as their users see and change them. */
export class Alerts {
  readonly #parts: AlertParts;
  readonly #checker: AlertChecker;

  constructor(parts: AlertParts) {
    this.#parts = parts;
    this.#checker = new AlertChecker(parts);
  }

  /** Checks all enabled alerts from now on. */
  start(): void {
    this.#checker.start(this.#all().flatMap(({ alertId, isEnabled }) => (isEnabled ? [alertId] : [])));
  }

  /** Ends the checks. They go on after the next start. */
  close(): Promise<void> {
    return this.#checker.close();
  }

  /** Number of alerts by state. */
  counts(): Map<AlertState | 'disabled', number> {
    const counts = new Map<AlertState | 'disabled', number>(
      [...ALERT_STATES, 'disabled' as const].map((one) => [one, 0]),
    );
    for (const { isEnabled, state } of this.#all()) {
      const counted = isEnabled ? state : 'disabled';
      counts.set(counted, counts.get(counted)! + 1);
    }
    return counts;
  }

  /** Those that the caller sees, oldest first. */
  list(caller: Caller, { state, projectId }: AlertFilter): JsonObject[] {
    return this.#all()
      .filter((record) => this.#isVisible(caller, record))
      .filter((record) => state === null || record.state === state)
      .filter(({ condition }) => projectId === null || condition.projectId === projectId)
      .toSorted((one, other) => one.createdAtUs - other.createdAtUs)
      .map((record) => this.#json(record));
  }

  /** Throws ALERT_NOT_FOUND. */
  get(caller: Caller, alertId: string): JsonObject {
    return this.#json(this.#require(caller, alertId));
  }

  /** Null if the alert was deleted, or the caller does not see it. */
  findName(caller: Caller, alertId: string): string | null {
    const record = alertOf(this.#parts.evaluation.latest, alertId);
    return record !== undefined && this.#isVisible(caller, record) ? record.name : null;
  }

  /** Newest first. Throws ALERT_NOT_FOUND. */
  history(caller: Caller, alertId: string): JsonObject[] {
    this.#require(caller, alertId);
    const { evaluation, stores } = this.#parts;
    return alertHistory(evaluation.latest, alertId).map((change) =>
      changeJson(change, change.messageId === null ? undefined : stores.webhooks.message(change.messageId)),
    );
  }

  /** Returns the id. Throws EXPERIMENT_NOT_FOUND, ALERTS_LIMITED, INVALID_REQUEST with the place. */
  async create(caller: Caller, read: RequestObject): Promise<string> {
    const { evaluation, stores } = this.#parts;
    const nowUs = evaluation.nowUs();
    const alertId = evaluation.ids.next();
    const condition = readCondition(read, null);
    const record: AlertRecord = {
      alertId,
      name: read.text('name')!,
      isEnabled: read.values['is_enabled'] !== false,
      metadata: stampMetadata(caller, read.freeForm('metadata')),
      condition,
      webhook: this.#readWebhook(read, null),
      repeatSeconds: (read.values['repeat_seconds'] ?? null) as number | null,
      sealed: stores.seal.seal(caller, alertId),
      createdAtUs: nowUs,
      modifiedAtUs: nowUs,
      state: 'no_data',
      sinceUs: nowUs,
      error: null,
      notifiedAtMs: null,
      messageIds: [],
    };
    read.finish();
    // The evaluation thread knows whether the filter and the project are right.
    await measureAlert(this.#parts, caller, condition);
    if (this.#all().length >= LIMITS.alertsMax) throw fail('ALERTS_LIMITED', { alertsMax: LIMITS.alertsMax });
    const plan = new DraftCommit(evaluation.latest);
    putAlert(plan, record);
    await evaluation.latest.write(plan);
    if (record.isEnabled) this.#checker.checkSoon(alertId);
    return alertId;
  }

  /** Changes the given fields. From now on the alert sees what this caller may see. Throws what `create` throws. */
  patch(caller: Caller, alertId: string, read: RequestObject): Promise<void> {
    return this.#parts.evaluation.locks.withLocks([`alert ${alertId}`], () => this.#patch(caller, alertId, read));
  }

  async #patch(caller: Caller, alertId: string, read: RequestObject): Promise<void> {
    const { evaluation, stores, webhooks, log } = this.#parts;
    const condition = readCondition(read, this.#require(caller, alertId).condition);
    const metadata = stampMetadata(caller, read.freeForm('metadata'));
    const name = read.text('name');
    const webhook = this.#readWebhook(read, this.#require(caller, alertId).webhook);
    read.finish();
    if (namesCondition(read)) await measureAlert(this.#parts, caller, condition);
    const before = this.#require(caller, alertId);
    const record: AlertRecord = {
      ...before,
      name: name ?? before.name,
      isEnabled: (read.values['is_enabled'] ?? before.isEnabled) as boolean,
      metadata: read.has('metadata') ? metadata : before.metadata,
      condition: namesCondition(read) ? condition : before.condition,
      webhook: read.has('webhook') ? webhook : before.webhook,
      repeatSeconds: (read.has('repeat_seconds') ? read.values['repeat_seconds'] : before.repeatSeconds) as
        | number
        | null,
      sealed: stores.seal.seal(caller, alertId),
      modifiedAtUs: evaluation.nowUs(),
    };
    // Prevents a change that would hide the alert from its own caller.
    if (!this.#isVisible(caller, record)) throw fail('FORBIDDEN', { action: 'experiments:update' });
    const plan = new DraftCommit(evaluation.latest);
    putAlert(plan, record);
    const message = record.isEnabled ? null : putOutcome(this.#parts, plan, record, DISABLED);
    await evaluation.latest.write(plan);
    if (record.isEnabled) this.#checker.checkSoon(alertId);
    else this.#checker.forget(alertId);
    if (message !== null) webhooks.scheduleDelivery(message);
    if (!record.isEnabled) logOutcome(log, record, DISABLED);
  }

  /** Throws ALERT_NOT_FOUND. */
  async delete(caller: Caller, alertId: string): Promise<void> {
    const { latest } = this.#parts.evaluation;
    this.#require(caller, alertId);
    const plan = new DraftCommit(latest);
    removeAlert(plan, alertId);
    await latest.write(plan);
    this.#checker.forget(alertId);
  }

  /** The present value of a condition that is not stored. Throws EXPERIMENT_NOT_FOUND, INVALID_REQUEST. */
  async tryCondition(caller: Caller, read: RequestObject): Promise<AlertTestResult> {
    const condition = readCondition(read, null);
    read.finish();
    return this.#resultOf(condition, await measureAlert(this.#parts, caller, condition), null);
  }

  /**
   * The present value of an alert, from what the caller may see. The state stays as it is. Throws ALERT_NOT_FOUND,
   * EXPERIMENT_NOT_FOUND, OVERLOADED, and INVALID_REQUEST if there is no webhook to call.
   */
  async test(caller: Caller, alertId: string, sendsWebhook: boolean): Promise<AlertTestResult> {
    const { webhooks } = this.#parts;
    const { condition, webhook } = this.#require(caller, alertId);
    if (sendsWebhook && (webhook === null || !webhooks.enabled))
      throw invalidRequest('body', [
        {
          loc: ['send_webhook'],
          msg: webhook === null ? 'is not possible: the alert has no webhook' : 'is not possible: webhooks are off',
          type: 'value_error',
        },
      ]);
    const measured = await measureAlert(this.#parts, caller, condition);
    return this.#resultOf(condition, measured, sendsWebhook ? await this.#sendTest(caller, alertId, measured) : null);
  }

  async #sendTest(caller: Caller, alertId: string, measured: Measurement): Promise<MessageDelivery> {
    const { evaluation, webhooks } = this.#parts;
    const record = this.#require(caller, alertId);
    const plan = new DraftCommit(evaluation.latest);
    const message = putNotice(this.#parts, plan, record, { ...measured, before: record.state, type: 'alert.test' });
    if (message === null)
      throw fail('OVERLOADED', { what: `${LIMITS.alertWebhooksMax} webhooks of this alert wait to be sent` });
    await evaluation.latest.write(plan);
    webhooks.scheduleDelivery(message);
    return message;
  }

  #resultOf(condition: AlertCondition, measured: Measurement, message: MessageDelivery | null): AlertTestResult {
    return { ...measured, state: stateOf(condition, measured), messageId: message?.runId ?? null };
  }

  #all(): AlertRecord[] {
    const { latest } = this.#parts.evaluation;
    return latest
      .keysUnder(keys.alerts())
      .map((key) => latest.get(key))
      .filter((bytes) => bytes !== undefined)
      .map(unpackAlert);
  }

  #require(caller: Caller, alertId: string): AlertRecord {
    const record = alertOf(this.#parts.evaluation.latest, alertId);
    if (record === undefined || !this.#isVisible(caller, record)) throw fail('ALERT_NOT_FOUND', { alertId });
    return record;
  }

  /** Its values show something of its project, so who may not see the project does not see the alert. */
  #isVisible(caller: Caller, record: AlertRecord): boolean {
    const { experiments } = this.#parts.evaluation;
    const { projectId } = record.condition;
    if (!seesStored(caller, 'experiments', record.metadata)) return false;
    return projectId === null || !experiments.exists(projectId) || experiments.get(caller, projectId) !== undefined;
  }

  #json(record: AlertRecord): JsonObject {
    const { projectId } = record.condition;
    const project = projectId === null ? undefined : this.#parts.evaluation.experiments.get(SERVER_CALLER, projectId);
    return alertJson(record, {
      check: this.#checker.lastCheck(record.alertId),
      projectName: project?.name ?? null,
    });
  }

  /** Headers of an earlier webhook stay only if the URL does: they must not be sent to somebody else. */
  #readWebhook(read: RequestObject, before: AlertWebhook | null): AlertWebhook | null {
    const given = read.values['webhook'];
    if (!isObject(given) || typeof given['url'] !== 'string') return null;
    const { url } = given;
    const { headers } = given as { headers?: Record<string, string> };
    const kept = before?.url === url ? before.headers : {};
    const urlProblem = this.#parts.webhooks.urlProblem(url);
    if (urlProblem !== null) read.problems.push({ loc: ['webhook', 'url'], msg: urlProblem, type: 'url' });
    read.problems.push(...headerProblems(headers ?? {}));
    return { url, headers: headers === undefined ? kept : lowerCased(headers) };
  }
}

function headerProblems(headers: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const msg = !isHeaderName(name)
      ? 'is not a valid header name'
      : isReservedHeader(name)
        ? 'is set by the server itself'
        : typeof value === 'string' && !isHeaderValue(value)
          ? 'contains characters that are not allowed in a header'
          : null;
    return msg === null ? [] : [{ loc: ['webhook', 'headers', name], msg, type: 'header' }];
  });
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
