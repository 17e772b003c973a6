import type { Clock } from '../../base/clock.js';
import { boundedError, fail, toErrorRecord } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { Logger } from '../../base/log/log.js';
import type { Spans } from '../../base/spans.js';
import type { OfferedRun } from '../../pool/graphs/offered-run.js';
import type { LossCause, NeededCode, RunWorker, RunWorkers } from '../../pool/graphs/run-workers.js';
import { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';
import { lostFrames } from '../../wire/runs/frame.js';
import type { Quotas } from '../access/quotas.js';
import type { CodeRegistry } from '../code/code-registry.js';
import type { FeedbackUrls } from '../evaluation/feedback-urls.js';
import type { TraceRecorder } from '../traces/trace-recorder.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { ThreadEvents } from '../threads/thread-events.js';
import type { ThreadTable } from '../threads/thread-table.js';
import type { Webhooks } from '../webhooks/webhooks.js';
import { isElsewhere, type LiveRun, type LiveThread, type Outcome, type RecentRun } from './live.js';
import { AwaitedRuns } from './awaited-runs.js';
import { LoggingObserver } from './logging-observer.js';
import { QuotaQueue } from './quota-queue.js';
import type { RunCounts } from './run-counts.js';
import { RunDispatcher } from './run-dispatcher.js';
import { RunEnder, type EndOptions } from './run-ender.js';
import { RunEvents } from './run-events.js';
import type { RunObserver } from './run-observer.js';
import { RunQueue } from './run-queue.js';
import { RunTable } from './run-table.js';
import { storeRunRecord } from './store-run-record.js';
import { TracingObserver } from './tracing-observer.js';

export interface SchedulerOptions {
  stores: Stores;
  threads: ThreadTable;
  pool: RunWorkers;
  clock: Clock;
  log: Logger;
  runTimeoutMs: number;
  resumableTtlMs: number;
  quotas: Quotas;
  webhooks: Webhooks;
  feedback: FeedbackUrls;
  /** Null: all runs execute on the newest code. */
  code: CodeRegistry | null;
  counts: RunCounts;
  /** Null when tracing is off. */
  spans: Spans | null;
  threadEvents: ThreadEvents;
  /** Not called before the first run starts. Null: no runs are recorded as traces. */
  traces: () => TraceRecorder | null;
  /** Called when a run of a thread has ended and is on disk. Null: nobody needs it. */
  onThreadChanged: ((record: ThreadRecord) => void) | null;
}

/**
 * Decides which run executes when. One run of a thread executes at a time, the oldest first; graphs take turns, so that
 * the queue of one graph does not delay another's. Each step is a part of its own: RunTable, RunQueue, RunDispatcher,
 * RunEnder.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #stores: Stores;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #runs = new RunTable();
  readonly #queue = new RunQueue();
  readonly #overQuota = new QuotaQueue();
  readonly #events: RunEvents;
  readonly #dispatcher: RunDispatcher;
  readonly #ender: RunEnder;
  readonly #awaited: AwaitedRuns;
  #stopping = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#stores = options.stores;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#events = new RunEvents(options.stores, options.threads, options.threadEvents);
    const parts = { ...options, events: this.#events };
    this.#dispatcher = new RunDispatcher(parts, (run, outcome, errorAlreadySent) =>
      this.#settleUnwatched(run, outcome, { errorAlreadySent }),
    );
    this.#ender = new RunEnder(parts);
    this.#awaited = new AwaitedRuns({
      clock: options.clock,
      onReturned: (run, offer) => this.#takeOver(run, offer),
      onLost: (run) => {
        if (run.settled || this.#stopping) return;
        const { runId, graphId, attempt } = run.record;
        const node = run.alive?.place?.node;
        this.#log.warn({ runId, graphId, attempt, node }, 'a run was lost with its node');
        void this.#retry(run, { attemptUsed: run.alive?.place?.isLeft !== true, isolated: false });
      },
    });
  }

  // --- looking up runs
  // ------------------------------------------------------------------------------------------------

  /** A run that has not ended. */
  get(runId: string): LiveRun | undefined {
    return this.#runs.get(runId);
  }

  /** A run that has not ended, or ended a moment ago. */
  recent(runId: string): RecentRun | undefined {
    return this.#runs.recent(runId);
  }

  /** Runs that have not ended, in the order in which they were accepted. */
  liveRuns(): Iterable<LiveRun> {
    return this.#runs.all();
  }

  /** See `RunTable.wait`. */
  wait(run: LiveRun): Promise<Outcome> {
    return this.#runs.wait(run);
  }

  /** See `RunTable.whenEnded`. */
  whenEnded(run: RecentRun): Promise<void> {
    return this.#runs.whenEnded(run);
  }

  /** See `RunQueue.positionOf`. */
  queuePositionOf(run: LiveRun): { before: number; graphs: number } | null {
    return this.#queue.positionOf(run);
  }

  /** True if the run waits until another run of its caller has ended. */
  waitsForQuota(run: LiveRun): boolean {
    return this.#overQuota.has(run);
  }

  // --- starting
  // -------------------------------------------------------------------------------------------------------

  /** Throws SHUTTING_DOWN, OVERLOADED or STORE_FAILED when no new run can be accepted. */
  checkIntake(): void {
    if (this.#stopping) throw fail('SHUTTING_DOWN', {});
    this.#stores.store.checkAcceptsWrites();
    const { size } = this.#queue;
    if (size >= LIMITS.queuedRunsMax) throw fail('OVERLOADED', { what: `${size} runs are waiting` });
  }

  /**
   * Adds a new run that is already in its thread's list. It starts when its creation is on disk, its time has come and
   * no other run of the thread executes. Before its creation is on disk a crash could undo the run, but not what it
   * did.
   */
  add(run: LiveRun): void {
    this.#register(run);
    if (run.dueMs > this.#clock.elapsedMs()) this.#scheduleLater(run);
    else this.scheduleNext(run.thread);
  }

  #register(run: LiveRun): void {
    this.#runs.add(run);
    this.#options.quotas.onRunCreated(run);
    this.#options.webhooks.onRunCreated(run);
    run.observer = this.#createObserver(run);
  }

  /**
   * Adds a run that another node executed for an earlier owner of the cluster. It holds its thread, and goes on when
   * `onRunsOffered` names it. If its node does not, its next attempt begins.
   */
  awaitNode(run: LiveRun): void {
    this.#register(run);
    this.#options.quotas.onRunStarted(run);
    run.thread.executing = run;
    this.#awaited.add(run);
  }

  /** A node offers the runs that it executes. */
  onRunsOffered(node: string, offers: readonly OfferedRun[]): void {
    // The next owner gets the same offers.
    if (!this.#stopping) this.#awaited.onOffered(node, offers);
  }

  /** Names of the nodes that live. Others offer no runs. */
  onNodesSeen(living: ReadonlySet<string>): void {
    this.#awaited.onNodesSeen(living);
  }

  #takeOver(run: LiveRun, offer: OfferedRun): void {
    const { runId, graphId, attempt } = run.record;
    const { worker } = offer;
    this.#dispatcher.takeOver(run, offer);
    this.#log.info({ runId, graphId, attempt, node: worker.node, worker: worker.id }, 'a run goes on at its worker');
    // Its code may have returned while there was no owner.
    if (!worker.runs.has(runId)) this.onRunReturned(worker, runId);
  }

  /** Queues the thread's oldest run that is due, unless something else holds the thread. */
  scheduleNext(thread: LiveThread): void {
    if (thread.executing !== null || thread.slot !== null || this.#stopping) return;
    const next = this.#nextDueRun(thread);
    if (next === null) return;
    const { quotas } = this.#options;
    if (!quotas.canExecute(next.caller)) {
      this.#overQuota.add(next.caller, thread);
      return;
    }
    quotas.onRunStarted(next);
    thread.executing = next;
    this.#enqueue(next);
    this.dispatchWaiting();
  }

  /** False while no worker that takes runs has the graph of the run, in the code that it needs. */
  canRun(run: LiveRun): boolean {
    return this.#options.pool.canRun(run.record.graphId, this.#neededCode(run));
  }

  #neededCode(run: LiveRun): NeededCode | null {
    return this.#options.code?.neededFor(run) ?? null;
  }

  /** Dispatches queued runs while a worker has room. */
  dispatchWaiting(): void {
    if (this.#stopping) return;
    const { pool } = this.#options;
    for (const run of this.#queue.isolatedCount === 0 ? [] : [...this.#queue.isolatedRuns]) {
      if (!run.queued) continue;
      const code = this.#neededCode(run);
      const worker = pool.pickSoloWorker(run.record.graphId, code);
      if (worker === null && pool.isUniform) break;
      if (worker === null) continue;
      this.#queue.takeIsolated(run);
      this.#dispatcher.dispatch(run, worker, code);
    }
    for (let run = this.#queue.peek(); run !== null; run = this.#queue.peek())
      if (!this.#tryDispatch(run) && (pool.isUniform || ![...this.#queue.nextOfGraphs()].some(this.#tryDispatch)))
        return;
    if (this.#queue.isolatedCount === 0 && pool.soloCount > 0) pool.closeIdleSoloWorkers();
  }

  /** False while no worker has room for the run. */
  readonly #tryDispatch = (run: LiveRun): boolean => {
    const { pool, threads } = this.#options;
    const { threadId, graphId } = run.record;
    const code = this.#neededCode(run);
    const worker = pool.pickWorker(threads.lastWorker(threadId)?.workerId ?? null, graphId, code);
    if (worker === null) return false;
    this.#queue.take(run);
    this.#dispatcher.dispatch(run, worker, code);
    return true;
  };

  #createObserver(run: LiveRun): RunObserver {
    const { counts, spans } = this.#options;
    const count = counts.begin(run.record.graphId);
    const observer = spans === null ? count : new TracingObserver(count, spans, run);
    return this.#log.isLevelEnabled('warn') ? new LoggingObserver(observer, this.#log, run) : observer;
  }

  #nextDueRun(thread: LiveThread): LiveRun | null {
    const nowMs = this.#clock.elapsedMs();
    let next: LiveRun | null = null;
    for (const run of thread.runs) {
      if (run.settled || run.dueMs > nowMs || !isStored(run)) continue;
      if (next === null || run.dueMs < next.dueMs) next = run;
    }
    return next;
  }

  #scheduleLater(run: LiveRun): void {
    this.#clock.wakeAfter(run.dueMs - this.#clock.elapsedMs(), () => {
      if (run.settled) return;
      if (run.dueMs > this.#clock.elapsedMs()) this.#scheduleLater(run);
      else this.scheduleNext(run.thread);
    });
  }

  #enqueue(run: LiveRun): void {
    this.#queue.push(run);
    run.observer?.queued();
  }

  // --- losing a worker
  // ------------------------------------------------------------------------------------------------

  /**
   * A worker was lost with these runs. Each is retried.
   * - It died alone: on a worker of its own. Only a run that was the worker's only one has used up an attempt, because
   *   any other run may have ended the worker (docs/decisions/0007-retries.md).
   * - Its node is lost: an attempt is used up, as after a crash of a single server.
   */
  onWorkerLost(
    worker: RunWorker,
    runIds: readonly string[],
    { reason, cause }: { reason: string; cause: LossCause },
  ): void {
    const runs = runIds
      .map((id) => this.#runs.get(id))
      .filter((run): run is LiveRun => run !== undefined && !run.settled && run.worker === worker);
    const alone = runIds.length === 1;
    const retry = { attemptUsed: cause === 'node' || (cause === 'worker' && alone), isolated: cause === 'worker' };
    for (const run of runs) {
      const { runId, graphId, attempt } = run.record;
      this.#log.warn({ runId, graphId, alone, attempt, reason }, 'a run lost its worker');
      void this.#retry(run, retry);
    }
    this.dispatchWaiting();
  }

  /**
   * A worker's code for a run has returned, or its port was closed. If no end follows, nothing else would end the run.
   */
  onRunReturned(worker: RunWorker, runId: string): void {
    const run = this.#runs.get(runId);
    const port = run?.port ?? null;
    if (run === undefined || port === null || port.isFinished || run.worker !== worker) return;
    setTimeout(() => {
      if (run.port !== port || port.isFinished || run.settled) return;
      this.#log.warn(
        { runId, graphId: run.record.graphId, worker: worker.id },
        'a run was left without an end: its code has closed its port or broken its worker, which is ended',
      );
      // This run is retried here. The other runs of the worker are retried when the pool reports the worker as lost.
      run.worker = null;
      void this.#retry(run, { attemptUsed: run.isolated, isolated: true });
      this.#options.pool.terminate(worker);
    }, LIMITS.workerSilentMs).unref();
  }

  async #retry(run: LiveRun, { attemptUsed, isolated }: { attemptUsed: boolean; isolated: boolean }): Promise<void> {
    run.port?.close();
    await run.port?.written.catch(() => undefined);
    if (run.settled || run.failure !== null) return;
    this.#emitLostFrames(run);
    run.port = null;
    run.worker = null;
    run.observer?.workerLost();
    this.#options.traces()?.onWorkerLost(run);
    const { runId, attempt } = run.record;
    if (attemptUsed && attempt >= LIMITS.attemptsMax) {
      const error = toErrorRecord(fail('ATTEMPTS_EXCEEDED', { runId, attempts: LIMITS.attemptsMax }));
      this.#settleUnwatched(run, { status: 'error', error, result: null });
      return;
    }
    run.record = { ...run.record, status: 'pending', attempt: attempt + (attemptUsed ? 1 : 0) };
    run.isolated ||= isolated;
    const { alive } = run;
    if (alive !== null) {
      alive.suspect = run.isolated;
      try {
        await storeRunRecord(this.#stores, run, (commit) => this.#stores.runs.updateActive(commit, alive));
      } catch (error) {
        this.#log.error({ err: error, runId }, 'a retry could not be stored');
        this.#runs.breakOff(run, error);
        return;
      }
      if (run.settled) return;
    }
    this.#enqueue(run);
    this.dispatchWaiting();
  }

  /**
   * A dead worker had created events and not sent them. Their ids are used up, so readers get a gap event (promise P3).
   */
  #emitLostFrames(run: LiveRun): void {
    const lost = run.port?.framesMissing ?? 0;
    if (lost > 0) this.#events.emit(run, (seq) => lostFrames(seq, seq + lost - 1));
  }

  // --- ending
  // ---------------------------------------------------------------------------------------------------------

  /** Ends runs that exceed their time with status `timeout`. A timer calls it. */
  checkTimeouts(): void {
    const timeoutMs = this.#options.runTimeoutMs;
    const dispatchedBefore = this.#clock.elapsedMs() - timeoutMs;
    for (const run of this.#runs.all()) {
      if (run.port === null || run.dispatchedElapsedMs > dispatchedBefore) continue;
      const error = toErrorRecord(fail('RUN_TIMEOUT', { runId: run.record.runId, timeoutMs }));
      run.port.cancel('the run took too long');
      this.#settleUnwatched(run, { status: 'timeout', error, result: null });
    }
  }

  /**
   * Ends a run, whatever state it is in. The worker is fenced off at once; readers and waiters get the end when it is
   * on disk. Resolves when all of that is done; a second call changes nothing. Rejects with STORE_FAILED when the store
   * cannot tell whether the end is on disk: then the run has not ended, and the next start of the server resumes it.
   */
  async settle(run: LiveRun, outcome: Outcome, options: EndOptions = {}): Promise<void> {
    if (run.settled) return;
    run.settled = true;
    // Errors come from workers, so their size is limited before they are stored and sent.
    if (outcome.error !== null) outcome = { ...outcome, error: boundedError(outcome.error) };
    // The worker of another node goes on until the end is on disk, so that the next owner can take the run over.
    run.port?.fence();
    this.#queue.remove(run);
    this.#awaited.onSettled(run);
    try {
      await this.#ender.end(run, outcome, options);
    } catch (error) {
      this.#log.error({ err: error, runId: run.record.runId }, 'the end of a run could not be stored');
      throw this.#runs.breakOff(run, error);
    }
    run.port?.close();
    this.#options.traces()?.onRunEnded(run, outcome, options.rollback === true);
    this.#runs.finish(run, outcome);
    this.#release(run, outcome);
  }

  /** For ends that no caller waits for. A failure of the store is logged elsewhere and stops the intake. */
  #settleUnwatched(run: LiveRun, outcome: Outcome, options: EndOptions = {}): void {
    this.settle(run, outcome, options).catch(() => undefined);
  }

  /** Gives what the run held to the runs that wait for it. */
  #release(run: LiveRun, { status, error }: Outcome): void {
    const { thread, caller } = run;
    const { quotas, threads, onThreadChanged } = this.#options;
    thread.runs = thread.runs.filter((other) => other !== run);
    if (thread.executing === run) thread.executing = null;
    quotas.onRunEnded(run);
    run.observer?.ended(status, error?.name ?? null);
    for (const waiting of this.#overQuota.drain(caller, () => quotas.canExecute(caller))) this.scheduleNext(waiting);
    this.scheduleNext(thread);
    threads.release(thread);
    if (onThreadChanged !== null && thread.record !== null && !thread.deleted) onThreadChanged(thread.record);
  }

  /**
   * Stops the intake and gives executing runs `graceMs`. The rest goes back to the queue without using up an attempt.
   * Runs that other nodes execute are left to the next owner.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    const untilMs = performance.now() + graceMs;
    const executing = (): LiveRun[] => [...this.#runs.all()].filter((run) => run.port !== null && !run.settled);
    while (!executing().every(isElsewhere) && performance.now() < untilMs)
      await new Promise((resolve) => setTimeout(resolve, 20));
    const commit = new Commit();
    for (const run of executing()) {
      if (isElsewhere(run)) {
        run.port!.fence();
        // It does not count as lost when the link to its node is closed.
        run.worker = null;
        run.alive!.place!.isLeft = true;
        this.#stores.runs.updateActive(commit, run.alive!);
        continue;
      }
      run.port!.close();
      if (run.alive === null) {
        await this.settle(run, { status: 'error', error: toErrorRecord(fail('SHUTTING_DOWN', {})), result: null });
        continue;
      }
      run.record = { ...run.record, status: 'pending' };
      this.#stores.runs.update(commit, run.record);
    }
    // A failed store has reported its failure, and the next start resumes these runs in any case.
    await this.#stores.store.write(commit).catch(() => undefined);
    // These runs go on after the next start. A stream that ended normally would tell clients that they had ended.
    for (const run of this.#runs.all()) run.log.abort();
  }
}

/** True if the run's creation is on disk, or the run is never stored. */
function isStored(run: LiveRun): boolean {
  return run.alive === null || run.stored !== null;
}
