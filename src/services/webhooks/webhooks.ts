import { SERVER_CALLER, type Caller } from '../../domain/caller.js';
import type { Clock } from '../../base/clock.js';
import { fail } from '../../base/errors.js';
import type { JsonBytes } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import { webhookTarget, type WebhookRules } from '../../domain/webhook-url.js';
import { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';
import {
  isMessage,
  type DeliveryAttempt,
  type FinishedDelivery,
  type MessageDelivery,
  type OutboxDelivery,
  type UnfinishedDelivery,
} from '../../store/webhooks.js';
import type { AppDelivery, WebhookResult, WebhookTask } from '../../wire/webhook.js';
import { DeliveryQueue } from './delivery-queue.js';
import type { LiveRun } from '../runs/live.js';

/** Result of an attempt, for any kind of receiver. */
export type AttemptResult = Exclude<WebhookResult, AppDelivery>;

export interface WebhooksOptions {
  stores: Stores;
  clock: Clock;
  log: Logger;
  /** False: runs may name a webhook, but none is sent. */
  enabled: boolean;
  rules: WebhookRules;
  /** Delays before each retry. Their number limits the retries. */
  retryMs: readonly number[];
  send(task: WebhookTask): Promise<AttemptResult>;
  /** From 0 (inclusive) to 1 (exclusive). */
  random(): number;
}

/** The end of a run, as far as its delivery needs it. */
export interface DeliveredEnd {
  endedAtMs: number;
  /** The thread is deleted with the run. */
  held: boolean;
  /** The newest checkpoint of the thread. Null if there is none. */
  headId: string | null;
}

/** A call that no run causes, but an alert. */
export interface WebhookMessage {
  messageId: string;
  alertId: string;
  url: string;
  headers: Readonly<Record<string, string>>;
  body: JsonBytes;
}

/** Status 410: the receiver wants no further attempts. */
const STATUS_GONE = 410;
/** Longest delay that setTimeout supports. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/**
 * Outbox of webhooks. The commit that ends a run stores its delivery, and the commit with the result deletes
 * it. A crash neither loses nor invents a delivery, but may repeat an attempt.
 */
export class Webhooks {
  readonly #options: WebhooksOptions;
  readonly #queue: DeliveryQueue;
  /** Hosts of all open and expected deliveries, by run. */
  readonly #hosts = new Map<string, string>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #sending = new Set<Promise<void>>();
  #closed = false;

  constructor(options: WebhooksOptions) {
    this.#options = options;
    this.#queue = new DeliveryQueue((runId) => this.#attempt(runId));
  }

  /**
   * Checks a webhook before its run is created. Throws INVALID_REQUEST for a URL that the rules refuse,
   * OVERLOADED.
   */
  admit(url: string | null | undefined): void {
    if (url === null || url === undefined || !this.#options.enabled) return;
    const problem = this.urlProblem(url);
    if (problem !== null) throw fail('INVALID_REQUEST', { problems: `body.webhook: ${problem}` });
    this.#checkRoom(hostOf(url));
  }

  #checkRoom(host: string): void {
    if (this.#hosts.size >= LIMITS.webhooksMax)
      throw fail('OVERLOADED', { what: `${this.#hosts.size} webhooks wait to be sent` });
    if (this.#queue.countOf(host) >= LIMITS.webhooksPerHostMax)
      throw fail('OVERLOADED', {
        what: `${LIMITS.webhooksPerHostMax} webhooks wait to be sent to ${host || 'the HTTP app'}`,
      });
  }

  /** Why the rules refuse a URL; null if they do not, or if this server sends no webhooks. */
  urlProblem(url: string): string | null {
    if (!this.#options.enabled) return null;
    const target = webhookTarget(url, this.#options.rules);
    return target.kind === 'refused' ? target.why : null;
  }

  /** Counts the delivery that the run will owe at its end. */
  onRunCreated(run: LiveRun): void {
    if (run.kwargs.webhook !== null && this.#options.enabled) this.#expect(run.record.runId, run.kwargs.webhook);
  }

  /** The run has ended without a delivery. */
  onRunDropped(run: LiveRun): void {
    this.#forget(run.record.runId);
  }

  /**
   * Stores the delivery for the end of a run, in the same commit. Null if there is none. Call `scheduleDelivery`
   * when the commit is on disk.
   */
  putDelivery(commit: Commit, run: LiveRun, { endedAtMs, held, headId }: DeliveredEnd): OutboxDelivery | null {
    const { webhook } = run.kwargs;
    if (webhook === null || !this.#options.enabled) return null;
    const { record } = run;
    const thread = run.thread.record!;
    const owed: OutboxDelivery = {
      runId: record.runId,
      threadId: record.threadId,
      url: webhook,
      metadata: held ? thread.metadata : null,
      state: 'pending',
      attempts: [],
      dueAtMs: endedAtMs,
      run: record,
      startedAtMs: run.dispatchedAtMs === 0 ? null : run.dispatchedAtMs,
      endedAtMs,
      uid: thread.uid,
      held,
      checkpointId: headId,
    };
    this.#options.stores.webhooks.put(commit, owed);
    return owed;
  }

  /**
   * Stores a message that is due at once. Null if this server sends no webhooks. Call `scheduleDelivery` when the
   * commit is on disk.
   */
  putMessage(commit: Commit, { messageId, alertId, url, headers, body }: WebhookMessage): MessageDelivery | null {
    if (!this.#options.enabled) return null;
    const owed: MessageDelivery = {
      runId: messageId,
      threadId: '',
      url,
      metadata: null,
      state: 'pending',
      attempts: [],
      dueAtMs: this.#options.clock.nowMs(),
      headers,
      body,
      alertId,
    };
    this.#options.stores.webhooks.put(commit, owed);
    return owed;
  }

  /** Sends the delivery when it is due. */
  scheduleDelivery({ runId, url, dueAtMs }: UnfinishedDelivery): void {
    this.#expect(runId, url);
    const { clock, retryMs } = this.#options;
    // After the wall clock was set back, no delivery waits longer than the longest retry delay.
    const waitMsMax = Math.max(LIMITS.webhookRetryAfterMsMax, ...retryMs.map((ms) => ms * (1 + LIMITS.webhookJitter)));
    this.#schedule(runId, Math.min((dueAtMs ?? 0) - clock.nowMs(), waitMsMax));
  }

  /** Startup: schedules the deliveries of an earlier process. */
  recover(): void {
    if (this.#options.enabled)
      for (const owed of this.#options.stores.webhooks.outboxEntries()) this.scheduleDelivery(owed);
  }

  /**
   * Makes one more attempt of a failed delivery. Resolves when that is on disk. Throws WEBHOOK_NOT_REPEATABLE,
   * OVERLOADED.
   */
  async retry(delivery: FinishedDelivery): Promise<OutboxDelivery> {
    const { runId, url, failed } = delivery;
    if (failed === undefined)
      throw fail('WEBHOOK_NOT_REPEATABLE', { why: 'it failed under an earlier release, which did not keep its data' });
    if (!this.#options.enabled) throw fail('WEBHOOK_NOT_REPEATABLE', { why: 'webhooks are disabled on this server' });
    this.#checkRoom(hostOf(url));
    const { stores, clock } = this.#options;
    const commit = new Commit();
    const owed = stores.webhooks.retry(commit, delivery, clock.nowMs());
    // From now on a second request finds it in progress.
    this.#expect(runId, url);
    await stores.store.write(commit);
    this.scheduleDelivery(owed);
    return owed;
  }

  /** True while a delivery of the run is open or expected. */
  isOpen(runId: string): boolean {
    return this.#hosts.has(runId);
  }

  /** Null if the run has no delivery, or if its status has expired. */
  find(caller: Caller, runId: string): FinishedDelivery | null {
    return this.#options.stores.webhooks.get(caller, runId) ?? null;
  }

  get enabled(): boolean {
    return this.#options.enabled;
  }

  /** Stops sending. Running attempts get `graceMs` to finish. Open deliveries are sent after the next start. */
  async close(graceMs: number): Promise<void> {
    this.#closed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    if (this.#sending.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([
      Promise.all(this.#sending),
      new Promise((resolve) => {
        timer = setTimeout(resolve, graceMs);
      }),
    ]);
    clearTimeout(timer);
  }

  #expect(runId: string, url: string): void {
    if (this.#hosts.has(runId)) return;
    const host = hostOf(url);
    this.#hosts.set(runId, host);
    this.#queue.expect(host);
  }

  #forget(runId: string): void {
    const host = this.#hosts.get(runId);
    if (host === undefined) return;
    this.#hosts.delete(runId);
    this.#queue.forget(host);
  }

  #schedule(runId: string, waitMs: number): void {
    if (this.#closed) return;
    if (waitMs <= 0) {
      this.#timers.delete(runId);
      this.#queue.add(this.#hosts.get(runId)!, runId);
      return;
    }
    const timerMs = Math.min(waitMs, TIMER_MS_MAX);
    this.#timers.set(runId, setTimeout(() => this.#schedule(runId, waitMs - timerMs), timerMs).unref());
  }

  /** Makes one attempt. Resolves to true if the host answered. */
  async #attempt(runId: string): Promise<boolean> {
    if (this.#closed) return false;
    const done = this.#sendAndStore(runId).catch((error: unknown) => {
      // The store failed, so the server accepts no more requests. Stored deliveries are sent after the next
      // start.
      this.#options.log.error({ err: error, runId }, 'the result of a webhook delivery could not be stored');
      return false;
    });
    const sending = done.then(() => undefined);
    this.#sending.add(sending);
    void sending.then(() => this.#sending.delete(sending));
    return done;
  }

  async #sendAndStore(runId: string): Promise<boolean> {
    const { clock, stores, log, send } = this.#options;
    const atMs = clock.nowMs();
    const result = await send({ runId });
    // The thread ended because the server stops. This attempt is repeated after the next start.
    if (this.#closed && result.kind === 'failed') return false;
    if (result.kind === 'failed' && result.stack !== undefined)
      log.error({ runId, stack: result.stack }, 'the body of a webhook could not be created');
    const owed = stores.webhooks.outboxEntry(runId);
    if (result.kind === 'gone' || owed === undefined) {
      this.#forget(runId);
      return false;
    }
    const attempt: DeliveryAttempt = {
      atMs,
      tookMs: clock.nowMs() - atMs,
      status: result.kind === 'answered' ? result.status : null,
      error:
        result.kind === 'answered'
          ? isDelivered(result.status)
            ? null
            : `the answer was ${result.status}`
          : result.why,
    };
    await this.#storeResult(
      { ...owed, attempts: [...owed.attempts, attempt].slice(-LIMITS.webhookAttemptsKept) },
      attempt,
      result,
    );
    return result.kind === 'answered';
  }

  async #storeResult(owed: UnfinishedDelivery, attempt: DeliveryAttempt, result: AttemptResult): Promise<void> {
    const { clock, stores, log } = this.#options;
    const now = clock.nowMs();
    const delivered = attempt.error === null;
    const delayMs =
      delivered || result.kind === 'refused' || attempt.status === STATUS_GONE
        ? null
        : this.#retryDelayMs(owed.attempts.length, result);
    const commit = new Commit();
    if (delayMs !== null) {
      const next: UnfinishedDelivery = { ...owed, dueAtMs: now + delayMs };
      stores.webhooks.put(commit, next);
      await stores.store.write(commit);
      this.#schedule(owed.runId, delayMs);
      return;
    }
    if (!delivered)
      log.warn(
        { runId: owed.runId, host: this.#hosts.get(owed.runId), attempts: owed.attempts.length, why: attempt.error },
        'a webhook delivery failed permanently',
      );
    const isHeld = !isMessage(owed) && owed.held;
    // No status is kept for deleted runs.
    const isStatusKept =
      isMessage(owed) || owed.metadata !== null || stores.runs.get(SERVER_CALLER, owed.runId) !== undefined;
    stores.webhooks.finish(
      commit,
      { ...owed, state: delivered ? 'delivered' : 'failed' },
      isStatusKept ? now + LIMITS.webhookLogTtlMs : null,
    );
    // Before the result can be read, because it can be sent again from then on.
    this.#forget(owed.runId);
    await stores.store.write(commit);
    if (isHeld) stores.remover.wake();
  }

  /** Delay after this number of attempts. Null if there are no more retries. */
  #retryDelayMs(attempts: number, result: AttemptResult): number | null {
    const { retryMs, random } = this.#options;
    const delayMs = retryMs[attempts - 1];
    if (delayMs === undefined) return null;
    const requestedMs = result.kind === 'answered' ? (result.retryAfterMs ?? 0) : 0;
    return Math.max(delayMs * (1 + random() * LIMITS.webhookJitter), requestedMs);
  }
}

/** Empty for a route of the project's app. The URL was validated in `admit`. */
function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

function isDelivered(status: number): boolean {
  return status >= 200 && status < 300;
}
