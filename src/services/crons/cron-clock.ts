import { SERVER_CALLER, type Caller } from '../../domain/caller.js';
import { isoTime } from '../../base/clock.js';
import { fail, ThreadmillError, toErrorRecord } from '../../base/errors.js';
import { parseJson, type JsonObject } from '../../base/json/json.js';
import { LIMITS } from '../../base/limits.js';
import type { CronRecord } from '../../store/crons.js';
import { Commit } from '../../store/env.js';
import { NO_ORIGIN } from '../runs/request-context.js';
import type { Services } from '../context.js';
import { readSchedule } from './cron-schedule.js';
import { nextSlotOf, runBodyOf } from './crons.js';
import { startRun, startStatelessRun, type Joining } from '../runs/start-run.js';

/**
 * Fires crons when they are due. A firing is one commit: the run is made and the cron's next slot stands, or neither. So a
 * slot becomes one run at most, wherever the server is stopped; a slot that was missed meanwhile is still due afterwards.
 */
export class CronClock {
  readonly #services: Services;
  readonly #lateMs: number;
  #cancel: () => void = () => undefined;
  #wakesAtMs = Infinity;
  #turn: NodeJS.Immediate | null = null;
  #stopped = false;
  /** The wall clock at the last look. */
  #lookedAtMs = Infinity;

  constructor(services: Services, lateMs: number) {
    this.#services = services;
    this.#lateMs = lateMs;
  }

  /** What was missed while the server was down is due at once. */
  start(): void {
    this.#services.crons.onSlot = (atMs) => {
      if (atMs < this.#wakesAtMs && this.#turn === null) this.#sleep();
    };
    this.#look();
  }

  /** Nothing fires any more. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
    if (this.#turn !== null) clearImmediate(this.#turn);
  }

  #look(): void {
    this.#turn = null;
    if (this.#stopped) return;
    const { crons, clock } = this.#services;
    const until = performance.now() + LIMITS.cronTurnMs;
    const nowMs = clock.nowMs();
    if (nowMs < this.#lookedAtMs) this.#onClockBack();
    this.#lookedAtMs = nowMs;
    for (const cronId of crons.due(nowMs)) {
      if (!this.#takesIn()) break;
      this.#fire(cronId);
      if (performance.now() < until) continue;
      this.#turn = setImmediate(() => this.#look());
      return;
    }
    this.#sleep();
  }

  /**
   * The wall clock went back, or the server has just started: next slots may lie far ahead, of a clock that was wrong. A cron
   * that has fired not long ahead of the clock keeps its slot, so that none fires twice.
   */
  #onClockBack(): void {
    const cronIds = [...this.#services.crons.entries()].map(({ cronId }) => cronId);
    const look = (at: number): void => {
      const until = performance.now() + LIMITS.cronTurnMs;
      for (; at < cronIds.length && performance.now() < until; at += 1) this.#takeNearerSlot(cronIds[at]!);
      if (at < cronIds.length && !this.#stopped) setImmediate(() => look(at));
    };
    look(0);
  }

  #takeNearerSlot(cronId: string): void {
    const { crons, clock, log } = this.#services;
    try {
      const record = crons.find(SERVER_CALLER, cronId);
      if (record === undefined || record.nextAtMs === null || !this.#takesIn()) return;
      const nowMs = clock.nowMs();
      const aheadMs = (record.lastRunAtMs ?? nowMs) - nowMs;
      if (aheadMs > 0 && aheadMs <= LIMITS.cronClockBackMs) return;
      const nextAtMs = nextSlotOf(readSchedule(record.schedule, record.timezone), nowMs, record.endAtMs);
      if (nextAtMs !== null && nextAtMs < record.nextAtMs) this.#put({ ...record, nextAtMs }, record);
    } catch (error) {
      log.error({ err: error, cronId }, 'the next slot of a cron could not be looked at after the clock went back');
    }
  }

  #sleep(): void {
    if (this.#stopped) return;
    const { crons, clock } = this.#services;
    this.#cancel();
    const next = this.#takesIn() ? crons.nextSlot() : null;
    const nowMs = clock.nowMs();
    this.#wakesAtMs = Math.min(next ?? Infinity, nowMs + LIMITS.cronLookMs);
    this.#cancel = clock.wakeAfter(this.#wakesAtMs - nowMs, () => this.#look());
  }

  /** False when nothing more can be stored: what is due stays due for the next start. */
  #takesIn(): boolean {
    return this.#services.stores.store.failure === null;
  }

  #fire(cronId: string): void {
    const { crons, log } = this.#services;
    try {
      const record = crons.find(SERVER_CALLER, cronId);
      if (record === undefined || record.nextAtMs === null) crons.park(cronId);
      else this.#claim(record, record.nextAtMs);
    } catch (error) {
      // Such as a record that is damaged: it would be as damaged a moment later.
      crons.park(cronId);
      log.error(
        { err: error, cronId },
        'a cron could not fire, and is left alone until it is changed or the server starts again',
      );
    }
  }

  #claim(record: CronRecord, slotMs: number): void {
    const { crons, clock, threads, log } = this.#services;
    const now = clock.nowMs();
    const schedule = readSchedule(record.schedule, record.timezone);
    const claimed: CronRecord = { ...record, nextAtMs: nextSlotOf(schedule, now, record.endAtMs) };
    if (record.endAtMs !== null && now > record.endAtMs) {
      this.#put(claimed, record);
      return;
    }
    try {
      if (now - slotMs > this.#lateMs) {
        // Of several that were missed the last one counts.
        const lastMs = schedule.upTo(now) ?? slotMs;
        if (now - lastMs > this.#lateMs)
          throw fail('CRON_MISSED', { slot: isoTime(lastMs), lateS: this.#lateMs / 1_000 });
      }
      this.#start(record, { ...claimed, lastRunAtMs: now, lastError: null });
    } catch (error) {
      if (!(error instanceof ThreadmillError)) throw error;
      log.warn({ cronId: record.cronId, code: error.code, reason: error.message }, 'a cron did not fire');
      if (error.code === 'THREAD_NOT_FOUND' && !threads.taken(record.threadId!)) {
        const commit = new Commit();
        crons.remove(commit, record);
        this.#write(commit);
      } else this.#put({ ...claimed, lastError: { ...toErrorRecord(error), atMs: now } }, record);
    }
  }

  /** Throws what a client's run would be refused with. */
  #start(record: CronRecord, claimed: CronRecord): void {
    const { crons } = this.#services;
    const caller = this.#callerOf(record);
    const body = runBodyOf(record, parseJson(crons.payload(caller, record.cronId)) as JsonObject);
    const claim = new Commit();
    const joining: Joining = (commit, run) => {
      crons.put(claim, { ...claimed, lastRunId: run.record.runId }, record);
      commit.operations.push(...claim.operations);
    };
    const run =
      record.threadId === null
        ? startStatelessRun(this.#services, caller, body, 'background', NO_ORIGIN, joining)
        : startRun(this.#services, caller, record.threadId, body, 'background', NO_ORIGIN, joining);
    crons.follow(claim, run.created).catch(() => undefined);
  }

  /** Whoever made the cron. Throws CRON_CALLER_GONE. */
  #callerOf({ sealed, cronId }: CronRecord): Caller {
    const { stores, access } = this.#services;
    const caller = stores.seal.open(sealed, cronId);
    if (caller === null)
      throw fail('CRON_CALLER_GONE', { reason: 'who made it cannot be read (the key that sealed it is missing).' });
    if (!access.stands(caller))
      throw fail('CRON_CALLER_GONE', { reason: 'the API key that made it has expired or was revoked.' });
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
      .catch((error: unknown) => this.#services.log.error({ err: error }, 'what a cron did could not be stored'));
  }
}
