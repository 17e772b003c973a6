import type { Caller } from '../../domain/caller.js';
import type { Clock } from '../../base/clock.js';
import { boundedError, fail, toErrorRecord } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import type { Spans } from '../../base/spans.js';
import type { GraphPool, GraphWorker } from '../../pool/graphs/graph-pool.js';
import { RunPort } from '../../pool/graphs/run-port.js';
import { Commit } from '../../store/env.js';
import type { Stores } from '../../store/stores.js';
import { jsonFrame, lostFrames, singleFrame, type FrameBatch } from '../../wire/runs/frame.js';
import type { FromWorker, RunJob } from '../../wire/runs/messages.js';
import { LISTENING, RUN_SIGNALS_BYTES } from '../../wire/runs/run-signals.js';
import type { FeedbackAddresses, RunAddresses } from '../evaluation/feedback-addresses.js';
import { listen, type LiveRun, type LiveThread, type Outcome } from './live.js';
import { rootBegin, rootEnd, speaksProtocol } from '../protocol/root.js';
import { storeRunEnd } from './run-end.js';
import { RunEvents, type EventMaker } from './run-events.js';
import { runJob, storedAnswer } from './run-job.js';
import type { Quotas } from '../access/quotas.js';
import type { RunCounts } from './run-counts.js';
import { LoggedLife } from './logging-observer.js';
import { TracedLife } from './run-observer.js';
import type { ThreadEvents } from '../threads/thread-events.js';
import type { ThreadTable } from '../threads/thread-table.js';
import type { Webhooks } from '../webhooks/webhooks.js';

export interface SchedulerOptions {
  stores: Stores;
  threads: ThreadTable;
  clock: Clock;
  log: Logger;
  runTimeoutMs: number;
  resumableTtlMs: number;
  quotas: Quotas;
  webhooks: Webhooks;
  feedback: FeedbackAddresses;
  counts: RunCounts;
  /** Null when nobody traces. */
  spans: Spans | null;
  threadEvents: ThreadEvents;
}

/**
 * Brings runs to workers and to their end. One run of a thread executes at a time, oldest first; graphs take turns, so
 * that no graph's queue holds up another's.
 */
export class Scheduler {
  readonly #stores: Stores;
  readonly #threads: ThreadTable;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #options: SchedulerOptions;
  readonly #events: RunEvents;
  #pool: GraphPool | null = null;
  /** Runs by id, until they have ended and a while longer for late readers. */
  readonly #runs = new Map<string, LiveRun>();
  readonly #finished = new Map<string, LiveRun>();
  /** Ready runs by graph; the map's order is the graphs' turn. */
  readonly #ready = new Map<string, LiveRun[]>();
  readonly #suspects: LiveRun[] = [];
  /** Threads whose next run waits until another one of its caller has ended. */
  readonly #overQuota = new Map<string, Set<LiveThread>>();
  #queued = 0;
  #stopping = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#stores = options.stores;
    this.#threads = options.threads;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#events = new RunEvents(options.stores, options.threads, options.threadEvents);
  }

  attach(pool: GraphPool): void {
    this.#pool = pool;
  }

  /** Throws when no new run can be taken now. */
  checkIntake(): void {
    if (this.#stopping) throw fail('SHUTTING_DOWN', {});
    this.#stores.store.checkIntake();
    if (this.#queued >= LIMITS.queuedRunsMax) throw fail('OVERLOADED', { what: `${this.#queued} runs are waiting` });
  }

  get(runId: string): LiveRun | undefined {
    return this.#runs.get(runId);
  }

  /** Runs that have not ended, in the order in which they were taken. */
  alive(): Iterable<LiveRun> {
    return this.#runs.values();
  }

  /** The log of a run that is alive or has just ended. */
  recent(runId: string): LiveRun | undefined {
    return this.#runs.get(runId) ?? this.#finished.get(runId);
  }

  /**
   * Resolves when the end of the run is on disk: one that is settled may still be on its way there. Rejects with STORE_FAILED
   * when that is not known.
   */
  async ended(run: LiveRun): Promise<void> {
    if (this.#runs.get(run.record.runId) === run) await this.wait(run);
  }

  /** The same with how it ended. Only for a run that `get` finds. */
  wait(run: LiveRun): Promise<Outcome> {
    const ended =
      run.failure !== null
        ? Promise.reject<Outcome>(run.failure)
        : new Promise<Outcome>((resolve, reject) => {
            run.waiters.push({ resolve, reject });
          });
    // Who waits may still be busy with something else when it fails.
    ended.catch(() => undefined);
    return ended;
  }

  /**
   * A new run, already in its thread's list. It starts when its creation is on disk, and it is its turn and its time. Until
   * then nothing that it does could be taken back by a crash.
   */
  add(run: LiveRun): void {
    this.#runs.set(run.record.runId, run);
    this.#options.quotas.began(run);
    this.#options.webhooks.began(run);
    const { counts, spans } = this.#options;
    const count = counts.begin(run.record.graphId);
    const life = spans === null ? count : new TracedLife(count, spans, run);
    run.life = this.#log.isLevelEnabled('warn') ? new LoggedLife(life, this.#log, run) : life;
    if (run.dueMs > this.#clock.elapsedMs()) this.#later(run);
    else this.turn(run.thread);
  }

  /** Where a run that is ready stands; null for one that is not, or that a worker has. `before`: runs of its graph ahead of it. */
  placeOf(run: LiveRun): { before: number; graphs: number } | null {
    if (!run.queued) return null;
    const line = run.suspect ? this.#suspects : (this.#ready.get(run.record.graphId) ?? []);
    return { before: Math.max(0, line.indexOf(run)), graphs: this.#ready.size };
  }

  /** The run waits until another one of its caller has ended. */
  waitsForQuota({ caller, thread }: LiveRun): boolean {
    return this.#overQuota.get(caller.identity)?.has(thread) === true;
  }

  /** Gives the thread's slot to its oldest run whose time has come, when nothing holds it. */
  turn(thread: LiveThread): void {
    if (thread.executing !== null || thread.slot !== null || this.#stopping) return;
    const nowMs = this.#clock.elapsedMs();
    let next: LiveRun | null = null;
    for (const run of thread.runs) {
      if (run.settled || run.dueMs > nowMs || !isStored(run)) continue;
      if (next === null || run.dueMs < next.dueMs) next = run;
    }
    if (next === null) return;
    const { quotas } = this.#options;
    if (!quotas.mayExecute(next.caller)) {
      const { identity } = next.caller;
      this.#overQuota.set(identity, (this.#overQuota.get(identity) ?? new Set()).add(thread));
      return;
    }
    quotas.executes(next);
    thread.executing = next;
    this.#enqueue(next);
    this.pump();
  }

  /** Hands out what is ready as long as a worker has room. */
  pump(): void {
    const pool = this.#pool;
    if (pool === null || this.#stopping) return;
    while (this.#suspects.length > 0) {
      const worker = pool.pickSolo();
      if (worker === null) break;
      this.#dispatch(this.#suspects.shift()!, worker);
    }
    for (;;) {
      const first = this.#ready.entries().next();
      if (first.done === true) break;
      const [graphId, runs] = first.value;
      const run = runs[0]!;
      const last = this.#threads.lastWorker(run.record.threadId);
      const worker = pool.pick(last?.workerId ?? null);
      if (worker === null) return;
      runs.shift();
      this.#ready.delete(graphId);
      if (runs.length > 0) this.#ready.set(graphId, runs);
      if (run.settled) continue;
      this.#dispatch(run, worker);
    }
    if (this.#suspects.length === 0 && pool.soloCount > 0) pool.closeIdleSolos();
  }

  /** A worker is gone. What it held is retried alone; only a run lost while alone has used up an attempt (DESIGN, section 3). */
  lost(worker: GraphWorker, runIds: readonly string[], reason: string): void {
    const runs = runIds
      .map((id) => this.#runs.get(id))
      .filter((run): run is LiveRun => run !== undefined && !run.settled && run.worker === worker);
    const alone = runIds.length === 1;
    for (const run of runs) {
      this.#log.warn(
        { runId: run.record.runId, graphId: run.record.graphId, alone, attempt: run.record.attempt, reason },
        'a run lost its worker',
      );
      void this.#retry(run, alone);
    }
    this.pump();
  }

  /** A worker's code for a run has returned, or its port is closed. If its end is never told, nothing else would ever end the run. */
  returned(worker: GraphWorker, runId: string): void {
    const run = this.#runs.get(runId);
    const port = run?.port ?? null;
    if (run === undefined || port === null || port.isOver || run.worker !== worker) return;
    setTimeout(() => {
      if (run.port !== port || port.isOver || run.settled) return;
      this.#log.warn(
        { runId, graphId: run.record.graphId, worker: worker.id },
        'a run was left without an end: its code has closed its port or broken its worker, which is ended',
      );
      // It is retried here; what else the worker holds is retried when it is gone.
      run.worker = null;
      void this.#retry(run, run.suspect);
      this.#pool?.terminate(worker);
    }, LIMITS.silentMs).unref();
  }

  /** Runs past their time end as `timeout`; call it from a timer. */
  checkTimeouts(): void {
    const before = this.#clock.elapsedMs() - this.#options.runTimeoutMs;
    for (const run of this.#runs.values()) {
      if (run.port === null || run.dispatchedMs > before) continue;
      const error = toErrorRecord(
        fail('RUN_TIMEOUT', { runId: run.record.runId, timeoutMs: this.#options.runTimeoutMs }),
      );
      run.port.cancel('the run took too long');
      this.#settleUnwatched(run, { status: 'timeout', error, result: null });
    }
  }

  /**
   * Ends a run, whatever it does. The worker is fenced off at once; readers and waiters learn of the end when it is on disk.
   * Resolves when all of that is done; a second call changes nothing. Rejects with STORE_FAILED when it is not known whether
   * the end is on disk: then the run has not ended, and the next start takes it up again. `errorAlreadySent`: the worker has
   * sent the `error` event.
   */
  async settle(run: LiveRun, outcome: Outcome, { rollback = false, errorAlreadySent = false } = {}): Promise<void> {
    if (run.settled) return;
    run.settled = true;
    // A worker made it: what is stored and shown is bounded here too.
    if (outcome.error !== null) outcome = { ...outcome, error: boundedError(outcome.error) };
    const { thread, port } = run;
    const { threadEvents } = this.#options;
    port?.close();
    this.#dequeue(run);
    const nowMs = this.#clock.nowMs();
    const failed = outcome.error !== null && outcome.status !== 'interrupted';
    try {
      if (port !== null) await port.pending.catch(() => undefined);
      await run.told;
      const addresses = outcome.status === 'success' ? await this.#addressesOf(run) : null;
      const lastEvent = this.#lastEvent(run, outcome, nowMs, {
        addresses: addresses?.json ?? null,
        errorToSend: failed && !errorAlreadySent,
      });
      const end = threadEvents.reserveEnd(run);
      await storeRunEnd(this.#options, run, { outcome, nowMs, rollback, addresses, lastEvent });
      if (failed) run.log.failure = outcome.error;
      if (addresses !== null) run.feedback = addresses.json;
      if (lastEvent !== null) this.#events.tellLast(run, lastEvent);
      if (end !== null) threadEvents.ended(run, end, rollback ? 'rollback' : outcome.status);
    } catch (error) {
      this.#log.error({ err: error, runId: run.record.runId }, 'the end of a run could not be stored');
      throw this.#breakOff(run, error);
    }
    run.log.end();
    this.#runs.delete(run.record.runId);
    this.#finished.set(run.record.runId, run);
    setTimeout(() => this.#finished.delete(run.record.runId), LIMITS.finishedLogTtlMs).unref();
    for (const { resolve } of run.waiters.splice(0)) resolve(outcome);
    remove(thread.runs, run);
    if (thread.executing === run) thread.executing = null;
    this.#options.quotas.ended(run);
    run.life?.ended(outcome.status, outcome.error?.name ?? null);
    this.#nextOf(run.caller);
    this.turn(thread);
    this.#threads.release(thread);
  }

  /** Intake stops; running work gets its grace, the rest goes back to the queue without using up an attempt. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const until = performance.now() + graceMs;
    const executing = (): LiveRun[] => [...this.#runs.values()].filter((run) => run.port !== null && !run.settled);
    while (executing().length > 0 && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
    const commit = new Commit();
    for (const run of executing()) {
      run.port!.close();
      if (run.alive === null) {
        await this.settle(run, { status: 'error', error: toErrorRecord(fail('SHUTTING_DOWN', {})), result: null });
        continue;
      }
      run.record = { ...run.record, status: 'pending' };
      this.#stores.runs.update(commit, run.record);
    }
    // A store that has failed has said so; the next start takes these runs up in any case.
    await this.#stores.store.write(commit).catch(() => undefined);
    // They have not ended, and go on at the next start: a stream that ends in order would say that they had.
    for (const run of this.#runs.values()) run.log.breakOff();
  }

  /** Gives what a run's end freed to the caller's threads that wait for it, the longest waiting first. */
  #nextOf(caller: Caller): void {
    const waiting = this.#overQuota.get(caller.identity);
    if (waiting === undefined) return;
    for (const thread of waiting) {
      if (!this.#options.quotas.mayExecute(caller)) return;
      waiting.delete(thread);
      this.turn(thread);
    }
    if (waiting.size === 0) this.#overQuota.delete(caller.identity);
  }

  // --- dispatch -------------------------------------------------------------------------------------------------------

  #dispatch(run: LiveRun, worker: GraphWorker): void {
    run.queued = false;
    this.#queued -= 1;
    const { thread } = run;
    let job: RunJob;
    try {
      run.record = { ...run.record, lease: run.record.lease + 1, status: 'running', updatedAtMs: this.#clock.nowMs() };
      // Its clients take 0 for "nothing yet".
      if (speaksProtocol(run)) thread.seq = Math.max(1, thread.seq);
      run.log.begin(thread.seq);
      run.life?.dispatched(run.record.attempt);
      if (speaksProtocol(run)) for (const maker of rootBegin(run, this.#clock.nowMs())) this.#events.emit(run, maker);
      job = runJob(this.#stores, run, this.#isWarm(run, worker));
    } catch (error) {
      this.#settleUnwatched(run, { status: 'error', error: toErrorRecord(error), result: null });
      return;
    }
    if (run.alive !== null) {
      // Not awaited: a crash before it is on disk costs the run nothing, it is still pending then. Clients see it afterwards.
      this.#storeRecord(run).catch((error: unknown) =>
        this.#log.error({ err: error }, 'a run could not be marked running'),
      );
    }
    run.worker = worker;
    run.dispatchedAtMs = this.#clock.nowMs();
    run.dispatchedMs = this.#clock.elapsedMs();
    if (this.#options.threadEvents.of(thread.threadId) !== undefined) listen(run);
    const signals = new SharedArrayBuffer(RUN_SIGNALS_BYTES);
    // Set before the worker can look.
    if (run.wantsFrames) new Int32Array(signals)[LISTENING] = 1;
    const port = this.#pool!.start(worker, job, signals);
    run.port = new RunPort(
      port,
      signals,
      this.#stores,
      {
        caller: run.caller,
        thread: thread.record,
        tag: { runId: run.record.runId, lease: run.record.lease },
        alive: run.alive,
        resumable: run.kwargs.resumable,
        hasCommand: run.kwargs.command !== null,
        nullResume: storedAnswer(thread.record, job.head),
      },
      {
        frames: (batch, written) => this.#events.take(run, batch, written),
        headView: (id, view) => {
          run.headId = id;
          run.unfinished = view === null || view.next > 0;
        },
        ended: (end, pending) => {
          void this.#ended(run, worker, end, pending);
        },
      },
    );
  }

  async #ended(
    run: LiveRun,
    worker: GraphWorker,
    end: Extract<FromWorker, { type: 'run.ended' }>,
    pending: Promise<void>,
  ): Promise<void> {
    let outcome: Outcome = {
      status: end.status,
      error: end.error,
      result: end.result,
      asks: end.asks,
      refusal: end.refusal,
    };
    let errorAlreadySent = true;
    try {
      await pending;
    } catch (error) {
      errorAlreadySent = false;
      outcome = { status: 'error', error: toErrorRecord(error), result: null };
    }
    if (outcome.status === 'success') this.#threads.remember(run.record.threadId, worker.id, run.headId);
    this.#settleUnwatched(run, outcome, { errorAlreadySent });
  }

  /** The id of the head that the worker remembers, when this thread's last run was there. */
  #isWarm(run: LiveRun, worker: GraphWorker): string | null {
    const last = this.#threads.lastWorker(run.record.threadId);
    return last?.workerId === worker.id ? last.headId : null;
  }

  // --- the end of an attempt ------------------------------------------------------------------------------------------

  async #retry(run: LiveRun, attemptUsed: boolean): Promise<void> {
    run.port?.close();
    await run.port?.pending.catch(() => undefined);
    if (run.settled || run.failure !== null) return;
    this.#emitLostFrames(run);
    run.port = null;
    run.worker = null;
    run.life?.lost();
    if (attemptUsed && run.record.attempt >= LIMITS.attemptsMax) {
      const error = toErrorRecord(fail('ATTEMPTS_EXCEEDED', { runId: run.record.runId, attempts: LIMITS.attemptsMax }));
      this.#settleUnwatched(run, { status: 'error', error, result: null });
      return;
    }
    run.record = { ...run.record, status: 'pending', attempt: run.record.attempt + (attemptUsed ? 1 : 0) };
    run.suspect = true;
    if (run.alive !== null) {
      run.alive.suspect = true;
      try {
        await this.#storeRecord(run, (commit) => this.#stores.runs.updateAlive(commit, run.alive!));
      } catch (error) {
        this.#log.error({ err: error, runId: run.record.runId }, 'a retry could not be stored');
        this.#breakOff(run, error);
        return;
      }
      if (run.settled) return;
    }
    this.#enqueue(run);
    this.pump();
  }

  /** For what nobody waits for. A failure of the store has been logged, and has stopped intake. */
  #settleUnwatched(run: LiveRun, outcome: Outcome, options: { errorAlreadySent?: boolean } = {}): void {
    this.settle(run, outcome, options).catch(() => undefined);
  }

  /**
   * The store has failed, so it is unknown what of this run is on disk. The run stays in the table as it is: nothing is
   * settled, and the thread's next run does not start. Waiters get the error. Streams break off, so that clients reconnect.
   */
  #breakOff(run: LiveRun, cause: unknown): Error {
    const error = cause instanceof Error ? cause : new Error(String(cause));
    run.failure ??= error;
    run.port?.close();
    run.log.breakOff();
    for (const { reject } of run.waiters.splice(0)) reject(error);
    return error;
  }

  /** Stores the run's record as it is now, and what else belongs into that commit. */
  #storeRecord(run: LiveRun, more: (commit: Commit) => void = () => undefined): Promise<void> {
    const { record } = run;
    const commit = new Commit();
    this.#stores.runs.update(commit, record);
    more(commit);
    commit.onDurable(() => {
      run.stored = record;
    });
    return this.#stores.store.write(commit);
  }

  /** What readers get last, with the end of the run; null for nothing. */
  #lastEvent(
    run: LiveRun,
    outcome: Outcome,
    nowMs: number,
    { addresses, errorToSend }: { addresses: string | null; errorToSend: boolean },
  ): FrameBatch | null {
    let maker: EventMaker | null = null;
    if (speaksProtocol(run)) maker = rootEnd(run, outcome, nowMs);
    else if (errorToSend)
      maker = (seq) => singleFrame(seq, 'error', { error: outcome.error!.name, message: outcome.error!.message });
    else if (addresses !== null) maker = (seq) => jsonFrame(seq, 'feedback', addresses);
    return maker === null ? null : this.#events.makeLast(run, maker);
  }

  /** Whatever goes wrong with them, the run ends. */
  async #addressesOf(run: LiveRun): Promise<RunAddresses | null> {
    try {
      return await this.#options.feedback.madeFor(run);
    } catch (error) {
      this.#log.error({ err: error, runId: run.record.runId }, 'the addresses for feedback of a run could not be made');
      return null;
    }
  }

  /** Events that a dead worker had made and not sent: their ids are used up, and readers are told of the gap (P3). */
  #emitLostFrames(run: LiveRun): void {
    const lost = run.port?.framesMissing ?? 0;
    if (lost > 0) this.#events.emit(run, (seq) => lostFrames(seq, seq + lost - 1));
  }

  #enqueue(run: LiveRun): void {
    run.queued = true;
    run.life?.queued();
    this.#queued += 1;
    if (run.suspect) {
      this.#suspects.push(run);
      return;
    }
    const runs = this.#ready.get(run.record.graphId);
    if (runs === undefined) this.#ready.set(run.record.graphId, [run]);
    else runs.push(run);
  }

  #dequeue(run: LiveRun): void {
    if (!run.queued) return;
    run.queued = false;
    this.#queued -= 1;
    remove(this.#suspects, run);
    const runs = this.#ready.get(run.record.graphId);
    if (runs === undefined) return;
    remove(runs, run);
    if (runs.length === 0) this.#ready.delete(run.record.graphId);
  }

  #later(run: LiveRun): void {
    this.#clock.wakeAfter(run.dueMs - this.#clock.elapsedMs(), () => {
      if (run.settled) return;
      if (run.dueMs > this.#clock.elapsedMs()) this.#later(run);
      else this.turn(run.thread);
    });
  }
}

function remove<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
}

/** Its creation is on disk, or it keeps nothing. */
function isStored(run: LiveRun): boolean {
  return run.alive === null || run.stored !== null;
}
