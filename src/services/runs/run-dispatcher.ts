import type { Clock } from '../../base/clock.js';
import { toErrorRecord } from '../../base/errors.js';
import type { Logger } from '../../base/log/log.js';
import type { OfferedRun } from '../../pool/graphs/offered-run.js';
import type { RunChannel } from '../../pool/graphs/run-channel.js';
import { RunPort, type PortBinding } from '../../pool/graphs/run-port.js';
import type { NeededCode, RunWorker, RunWorkers } from '../../pool/graphs/run-workers.js';
import type { Stores } from '../../store/stores.js';
import { singleFrame } from '../../wire/runs/frame.js';
import type { FromWorker } from '../../wire/runs/messages.js';
import { rootStartEvents, usesProtocolEvents } from '../protocol/root-events.js';
import type { CodeRegistry } from '../code/code-registry.js';
import type { TraceRecorder } from '../traces/trace-recorder.js';
import type { ThreadEvents } from '../threads/thread-events.js';
import type { ThreadTable } from '../threads/thread-table.js';
import { startListening, type LiveRun, type Outcome } from './live.js';
import type { EventFactory, RunEvents } from './run-events.js';
import { runJob, startOf, storedAnswer, type RunStart } from './run-job.js';
import { storeRunRecord } from './store-run-record.js';

export interface RunDispatcherOptions {
  stores: Stores;
  threads: ThreadTable;
  threadEvents: ThreadEvents;
  events: RunEvents;
  pool: RunWorkers;
  clock: Clock;
  /** See `SchedulerOptions`. */
  code: CodeRegistry | null;
  log: Logger;
  /** See `SchedulerOptions`. */
  traces: () => TraceRecorder | null;
}

/** What this process takes of an attempt, from its beginning or from where an earlier owner has left it. */
interface AttemptStart extends Pick<
  PortBinding,
  'nullResume' | 'namespaces' | 'newestPosition' | 'nextSeq' | 'framesSent'
> {
  channel: RunChannel;
}

/** How an attempt ended. `errorAlreadySent` is true when the worker has sent the `error` event itself. */
export type OnAttemptEnded = (run: LiveRun, outcome: Outcome, errorAlreadySent: boolean) => void;

/** Gives a run to a worker: builds the job, opens the port, and passes on what the worker sends. */
export class RunDispatcher {
  readonly #options: RunDispatcherOptions;
  readonly #onAttemptEnded: OnAttemptEnded;

  constructor(options: RunDispatcherOptions, onAttemptEnded: OnAttemptEnded) {
    this.#options = options;
    this.#onAttemptEnded = onAttemptEnded;
  }

  /** `code`: what the run needs; null for the code that the worker has. */
  dispatch(run: LiveRun, worker: RunWorker, code: NeededCode | null): void {
    const { stores, clock, log, threadEvents } = this.#options;
    if (threadEvents.feedOf(run.thread.threadId) !== undefined) startListening(run);
    let start: RunStart;
    try {
      start = this.#begin(run, worker, code);
    } catch (error) {
      this.#onAttemptEnded(run, { status: 'error', error: toErrorRecord(error), result: null }, false);
      return;
    }
    if (run.alive !== null) {
      const { alive } = run;
      const hadPlace = Boolean(alive.place);
      alive.place = worker.node === null ? null : { node: worker.node, isLeft: false, memoryRequests: [] };
      const isMoved = hadPlace || alive.place !== null;
      // Not awaited: after a crash before this commit the run is still pending, which loses nothing. Clients see
      // `running` when it is on disk.
      storeRunRecord(stores, run, (commit) => {
        if (isMoved) stores.runs.updateActive(commit, alive);
      }).catch((error: unknown) => log.error({ err: error }, 'a run could not be marked running'));
    }
    run.worker = worker;
    run.dispatchedAtMs = clock.nowMs();
    run.dispatchedElapsedMs = clock.elapsedMs();
    const { job, newestPosition } = start;
    run.port = this.#openPort(run, worker, {
      channel: this.#options.pool.startRun(worker, job, run.wantsFrames),
      nullResume: storedAnswer(job.head),
      namespaces: job.namespaces,
      newestPosition,
      nextSeq: job.seq,
      framesSent: 0,
    });
  }

  /** Takes over a run that a worker has executed for an earlier owner of the cluster. It goes on with its attempt. */
  takeOver(run: LiveRun, offer: OfferedRun): void {
    const { stores, clock, log } = this.#options;
    const { thread, caller } = run;
    const { worker, nextSeq, framesSent } = offer;
    const alive = run.alive!;
    alive.place = { ...alive.place!, node: worker.node, isLeft: false };
    run.record = { ...run.record, lease: run.record.lease + 1 };
    storeRunRecord(stores, run, (commit) => stores.runs.updateActive(commit, alive)).catch((error: unknown) =>
      log.error({ err: error }, 'a run that was taken over could not be stored'),
    );
    thread.seq = nextSeq;
    // Readers may have cursors below: what they lack is in the store, or they get a gap.
    run.log.begin(nextSeq, 0);
    const { state, newestPosition } = startOf(stores, caller, thread.record, null);
    run.headId = state.head?.id ?? null;
    run.worker = worker;
    run.dispatchedElapsedMs = clock.elapsedMs() - Math.max(0, clock.nowMs() - run.dispatchedAtMs);
    run.observer?.dispatched(run.record.attempt);
    run.port = this.#openPort(run, worker, {
      channel: offer.take(run.record.lease),
      nullResume: storedAnswer(state.head),
      namespaces: state.namespaces,
      newestPosition,
      nextSeq,
      framesSent,
    });
    if (run.wantsFrames) run.port.requestFrames();
  }

  /** The run's record becomes `running` under a new lease, and its log begins. Throws when the job cannot be built. */
  #begin(run: LiveRun, worker: RunWorker, needed: NeededCode | null): RunStart {
    const { stores, clock, events, traces, code } = this.#options;
    const { thread } = run;
    const { graphId, lease } = run.record;
    const own = worker.codeOf(graphId);
    const hash = needed?.hash ?? own ?? null;
    run.record = { ...run.record, lease: lease + 1, status: 'running', updatedAtMs: clock.nowMs(), code: hash };
    run.log.begin(thread.seq);
    run.observer?.dispatched(run.record.attempt);
    for (const factory of startEvents(run, clock.nowMs())) events.emit(run, factory);
    const old = code === null || hash === null || hash === own ? null : code.sourceOf(hash, graphId);
    if (hash !== null) code?.onUsed(hash);
    return runJob(stores, run, {
      rememberedHead: this.#rememberedHead(run, worker),
      trace: traces()?.jobOf(run) ?? null,
      code: old,
    });
  }

  #openPort(run: LiveRun, worker: RunWorker, { channel, ...start }: AttemptStart): RunPort {
    const { stores, events } = this.#options;
    const { thread } = run;
    return new RunPort(
      channel,
      stores,
      {
        caller: run.caller,
        thread: thread.record,
        tag: { runId: run.record.runId, lease: run.record.lease },
        alive: run.alive,
        resumable: run.kwargs.resumable,
        hasCommand: run.kwargs.command !== null,
        ...start,
      },
      {
        onFrames: (batch, written) => events.publishFromWorker(run, batch, written),
        onHeadView: (id, view) => {
          run.headId = id;
          run.unfinished = view === null || view.next > 0;
        },
        onSteps: (steps, leftOut) => this.#options.traces()?.receive(run, steps, leftOut),
        onRecording: (recording) => this.#options.traces()?.receiveRecording(run, recording),
        onEnd: (end, failure) => this.#onEnd(run, worker, end, failure),
      },
    );
  }

  #onEnd(
    run: LiveRun,
    worker: RunWorker,
    { status, error, result, asks, questions, refusal }: Extract<FromWorker, { type: 'run.ended' }>,
    failure: Error | null,
  ): void {
    if (failure !== null) {
      this.#onAttemptEnded(run, { status: 'error', error: toErrorRecord(failure), result: null }, false);
      return;
    }
    const { threadId, record } = run.thread;
    if (status === 'success' && record !== null) this.#options.threads.rememberWorker(threadId, worker.id, run.headId);
    this.#onAttemptEnded(run, { status, error, result, hasInterrupt: asks, questions, refusal }, true);
  }

  /** Id of the head checkpoint that the worker has in memory, when it executed this thread's last run; else null. */
  #rememberedHead(run: LiveRun, worker: RunWorker): string | null {
    const last = this.#options.threads.lastWorker(run.record.threadId);
    return last?.workerId === worker.id ? last.headId : null;
  }
}

/** What readers get at the start of each attempt. The worker sends `metadata` only if the first reader comes later. */
function startEvents(run: LiveRun, nowMs: number): EventFactory[] {
  if (usesProtocolEvents(run)) return rootStartEvents(run, nowMs);
  if (!run.wantsFrames) return [];
  const { runId, attempt } = run.record;
  return [(seq) => singleFrame(seq, 'metadata', { run_id: runId, attempt })];
}
