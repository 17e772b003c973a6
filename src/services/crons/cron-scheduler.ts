import { SERVER_CALLER, type Caller } from '../../domain/caller.js';
import { isoTime } from '../../base/clock.js';
import { fail, ThreadmillError, toErrorRecord } from '../../base/errors.js';
import { parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { CronRecord } from '../../store/crons.js';
import { Commit } from '../../store/store.js';
import { NO_REQUEST } from '../runs/request-context.js';
import type { Needs } from '../context.js';
import { parseSchedule } from './cron-schedule.js';
import { nextSlot, cronRunBody } from './crons.js';
import type { ExtraWrites, NewRunRequest } from '../runs/run-request.js';
import { startRun, startStatelessRun } from '../runs/start-run.js';

/**
 * Fires crons when they are due. A firing is one commit, which creates the run and stores the cron's next slot.
 * A slot therefore starts at most one run, even after a crash, and a missed slot is still due after a restart.
 */
export class CronScheduler {
  readonly #services: Needs<
    | 'access'
    | 'clock'
    | 'crons'
    | 'defaultTtl'
    | 'graphIds'
    | 'ids'
    | 'log'
    | 'quotas'
    | 'scheduler'
    | 'stateBudgets'
    | 'stores'
    | 'threads'
    | 'webhooks'
  >;
  readonly #lateMs: number;
  #cancel: () => void = () => undefined;
  #wakesAtMs = Infinity;
  #continuation: NodeJS.Immediate | null = null;
  #stopped = false;
  /** Wall clock time of the last check. */
  #checkedAtMs = Infinity;

  constructor(
    services: Needs<
      | 'access'
      | 'clock'
      | 'crons'
      | 'defaultTtl'
      | 'graphIds'
      | 'ids'
      | 'log'
      | 'quotas'
      | 'scheduler'
      | 'stateBudgets'
      | 'stores'
      | 'threads'
      | 'webhooks'
    >,
    lateMs: number,
  ) {
    this.#services = services;
    this.#lateMs = lateMs;
  }

  /** Slots that were missed while the server was down are due immediately. */
  start(): void {
    this.#services.crons.onNewSlot = (atMs) => {
      if (atMs < this.#wakesAtMs && this.#continuation === null) this.#scheduleWake();
    };
    this.#fireDue();
  }

  /** Stops firing. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
    if (this.#continuation !== null) clearImmediate(this.#continuation);
  }

  #fireDue(): void {
    this.#continuation = null;
    if (this.#stopped) return;
    const { crons, clock } = this.#services;
    const until = performance.now() + LIMITS.cronSliceMs;
    const nowMs = clock.nowMs();
    if (nowMs < this.#checkedAtMs) this.#onClockSetBack();
    this.#checkedAtMs = nowMs;
    for (const cronId of crons.due(nowMs)) {
      if (!this.#canWrite()) break;
      this.#fire(cronId);
      if (performance.now() < until) continue;
      this.#continuation = setImmediate(() => this.#fireDue());
      return;
    }
    this.#scheduleWake();
  }

  /**
   * Called when the wall clock was set back or the server has just started: next slots may be far in the
   * future, computed with a wrong clock. A cron that fired shortly ahead of the current time keeps its slot, so
   * that it does not fire twice.
   */
  #onClockSetBack(): void {
    const cronIds = [...this.#services.crons.entries()].map(({ cronId }) => cronId);
    const recomputeFrom = (at: number): void => {
      const until = performance.now() + LIMITS.cronSliceMs;
      for (; at < cronIds.length && performance.now() < until; at += 1) this.#recomputeSlot(cronIds[at]!);
      if (at < cronIds.length && !this.#stopped) setImmediate(() => recomputeFrom(at));
    };
    recomputeFrom(0);
  }

  #recomputeSlot(cronId: string): void {
    const { crons, clock, log } = this.#services;
    try {
      const record = crons.current(SERVER_CALLER, cronId);
      if (record === undefined || record.nextAtMs === null || !this.#canWrite()) return;
      const nowMs = clock.nowMs();
      const aheadMs = (record.lastRunAtMs ?? nowMs) - nowMs;
      if (aheadMs > 0 && aheadMs <= LIMITS.cronClockBackMs) return;
      const nextAtMs = nextSlot(parseSchedule(record.schedule, record.timezone), nowMs, record.endAtMs);
      if (nextAtMs !== null && nextAtMs < record.nextAtMs) this.#put({ ...record, nextAtMs }, record);
    } catch (error) {
      log.error({ err: error, cronId }, 'the next slot of a cron could not be recomputed after the clock was set back');
    }
  }

  #scheduleWake(): void {
    if (this.#stopped) return;
    const { crons, clock } = this.#services;
    this.#cancel();
    const next = this.#canWrite() ? crons.nextSlot() : null;
    const nowMs = clock.nowMs();
    this.#wakesAtMs = Math.min(next ?? Infinity, nowMs + LIMITS.cronCheckMs);
    this.#cancel = clock.wakeAfter(this.#wakesAtMs - nowMs, () => this.#fireDue());
  }

  /** False after the store has failed. Due crons then fire after the next start. */
  #canWrite(): boolean {
    return this.#services.stores.store.failure === null;
  }

  #fire(cronId: string): void {
    const { crons, log } = this.#services;
    try {
      const record = crons.current(SERVER_CALLER, cronId);
      if (record === undefined || record.nextAtMs === null) crons.suspend(cronId);
      else this.#claim(record, record.nextAtMs);
    } catch (error) {
      // For example a damaged record: a retry would fail again.
      crons.suspend(cronId);
      log.error(
        { err: error, cronId },
        'a cron could not fire and is suspended until it is changed or the server restarts',
      );
    }
  }

  #claim(record: CronRecord, slotMs: number): void {
    const { crons, clock, threads, log } = this.#services;
    const now = clock.nowMs();
    const schedule = parseSchedule(record.schedule, record.timezone);
    const claimed: CronRecord = { ...record, nextAtMs: nextSlot(schedule, now, record.endAtMs) };
    if (record.endAtMs !== null && now > record.endAtMs) {
      this.#put(claimed, record);
      return;
    }
    try {
      if (now - slotMs > this.#lateMs) {
        // Of several missed slots, only the last one counts.
        const lastMs = schedule.lastUpTo(now) ?? slotMs;
        if (now - lastMs > this.#lateMs)
          throw fail('CRON_MISSED', { slot: isoTime(lastMs), lateS: this.#lateMs / 1_000 });
      }
      this.#start(record, { ...claimed, lastRunAtMs: now, lastError: null });
    } catch (error) {
      if (!(error instanceof ThreadmillError)) throw error;
      log.warn({ cronId: record.cronId, code: error.code, reason: error.message }, 'a cron did not fire');
      if (error.code === 'THREAD_NOT_FOUND' && !threads.isTaken(record.threadId!)) {
        const commit = new Commit();
        crons.remove(commit, record);
        this.#write(commit);
      } else this.#put({ ...claimed, lastError: { ...toErrorRecord(error), atMs: now } }, record);
    }
  }

  /** Throws the same errors as a run started by a client. */
  #start(record: CronRecord, claimed: CronRecord): void {
    const { crons } = this.#services;
    const caller = this.#creatorOf(record);
    const body = cronRunBody(record, parseJson(crons.currentPayload(caller, record.cronId)) as JsonObject);
    const claim = new Commit();
    const extraWrites: ExtraWrites = (commit, run) => {
      crons.put(claim, { ...claimed, lastRunId: run.record.runId }, record);
      commit.operations.push(...claim.operations);
    };
    const request: NewRunRequest = { caller, body, purpose: 'background', context: NO_REQUEST, extraWrites };
    const run =
      record.threadId === null
        ? startStatelessRun(this.#services, request)
        : startRun(this.#services, record.threadId, request);
    crons.trackWrite(claim, run.created).catch(() => undefined);
  }

  /** The creator of the cron. Throws CRON_CALLER_GONE. */
  #creatorOf({ sealed, cronId }: CronRecord): Caller {
    const { stores, access } = this.#services;
    const caller = stores.seal.open(sealed, cronId);
    if (caller === null)
      throw fail('CRON_CALLER_GONE', {
        reason: 'its creator cannot be decrypted, because the sealing key is missing.',
      });
    if (!access.isKeyValid(caller))
      throw fail('CRON_CALLER_GONE', { reason: 'the API key that created it has expired or was revoked.' });
    return caller;
  }

  #put(record: CronRecord, previous: CronRecord): void {
    const commit = new Commit();
    this.#services.crons.put(commit, record, previous);
    this.#write(commit);
  }

  #write(commit: Commit): void {
    this.#services.crons
      .write(commit)
      .catch((error: unknown) => this.#services.log.error({ err: error }, 'a change of a cron could not be stored'));
  }
}
