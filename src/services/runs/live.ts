import type { Caller } from '../../domain/caller.js';
import type { ErrorRecord } from '../../base/errors.js';
import type { JsonBytes } from '../../base/json/json.js';
import { RunLog, type LoadOlderFrames } from '../../pool/graphs/run-log.js';
import type { RunPort } from '../../pool/graphs/run-port.js';
import type { RunWorker } from '../../pool/graphs/run-workers.js';
import type { RunKwargs } from '../../store/runs/kwargs.js';
import type { ActiveRunRecord, RunRecord, RunStatus } from '../../store/runs/runs.js';
import type { ThreadRecord, ThreadStatus } from '../../store/threads/threads.js';
import type { Stores } from '../../store/stores.js';
import type { FrameBatch } from '../../wire/runs/frame.js';
import type { ResumeRefusal } from '../../wire/runs/messages.js';
import type { RunObserver } from './run-observer.js';

/** How a run ended. `result` is the final values as JSON, if a client waits for them. */
export interface Outcome {
  status: RunStatus;
  error: ErrorRecord | null;
  result: JsonBytes | null;
  /** The run stopped at an interrupt. */
  hasInterrupt?: boolean;
  /** The events that tell clients about its interrupts, published with the end. */
  questions?: FrameBatch | null;
  /** The graph rejected the answers of the command, so the run did nothing. */
  refusal?: ResumeRefusal | null;
}

/**
 * A run that has not ended. This object decides every transition: it is checked and changed synchronously, and then the
 * writes are queued. The store is never read for it.
 */
export interface LiveRun {
  record: RunRecord;
  /**
   * The record as it is on disk, and so what clients see. Null before its creation is on disk, and for a run that is
   * not stored.
   */
  stored: RunRecord | null;
  thread: LiveThread;
  caller: Caller;
  kwargs: RunKwargs;
  /** Null for a run that is not stored. */
  alive: ActiveRunRecord | null;
  log: RunLog;
  /** Settles when the run's creation is on disk. */
  created: Promise<void>;
  /** When it may start: by the wall clock, for people, and by `Clock.elapsedMs`, which decides. */
  startAtMs: number;
  dueMs: number;
  port: RunPort | null;
  worker: RunWorker | null;
  /**
   * Set while the run waits for the node that executed it for an earlier owner of the cluster. Settles when the node
   * has offered the run, or when its next attempt waits for a worker.
   */
  returned: Promise<void> | null;
  dispatchedAtMs: number;
  /** The same by `Clock.elapsedMs`. */
  dispatchedElapsedMs: number;
  /** Null before the run is in the scheduler's table. */
  observer: RunObserver | null;
  /** Of the request that started the run; null when tracing is off, and after a restart. */
  traceparent: string | null;
  /** As what it counts for the limits of its caller (`Quotas`). */
  counted: 'waiting' | 'executing' | null;
  /** Its trace is kept for whoever started it, who stores it with the result. Only for a run that is not stored. */
  holdsTrace: boolean;
  queued: boolean;
  /** The run lost a worker, so it executes on a worker of its own from now on. */
  isolated: boolean;
  /** Newest checkpoint that the run has stored, and whether it has next nodes; null before the first. */
  headId: string | null;
  unfinished: boolean | null;
  /** The run has or had a listener, so the worker sends frames. */
  wantsFrames: boolean;
  wantsResult: boolean;
  settled: boolean;
  /** Set when the store has failed, so that it is unknown what of the run is on disk. */
  failure: Error | null;
  /** Feedback URLs of the run as JSON; null before they are on disk, and if the client did not ask for any. */
  feedback: string | null;
  /**
   * Number of events that RunEvents holds back, and when the last of them is published. Rejects when the store has
   * failed.
   */
  heldEvents: number;
  eventsPublished: Promise<void>;
  waiters: Waiter[];
}

/** The parts of a run that stay available for a few seconds after its end. */
export type RecentRun = Pick<LiveRun, 'record' | 'stored' | 'thread' | 'caller' | 'alive' | 'log'>;

/** A caller that waits for the end of a run. */
export interface Waiter {
  resolve: (outcome: Outcome) => void;
  /** It is unknown whether the end is on disk. */
  reject: (error: Error) => void;
}

/** Changes that hold a thread exclusively; no run of it starts meanwhile. */
export type Slot = 'edit' | 'create' | 'copy' | 'prune' | 'delete' | 'delete-run';

/** A thread that has runs or is being changed. */
export interface LiveThread {
  threadId: string;
  /** The newest record, which the next change starts from. Null for the thread of a run that is not stored. */
  record: ThreadRecord | null;
  /**
   * The record as it is on disk, and so what clients see. Null before the thread is created and after it is deleted.
   */
  stored: ThreadRecord | null;
  /** Not ended, oldest first. */
  runs: LiveRun[];
  executing: LiveRun | null;
  slot: Slot | null;
  /** Id of the next event. */
  seq: number;
  /** Number of commits and runs that need this object. */
  holds: number;
  deleted: boolean;
}

/** The part of a live run that differs between new and recovered runs. */
type NewRun = Pick<
  LiveRun,
  'record' | 'stored' | 'dueMs' | 'thread' | 'caller' | 'kwargs' | 'alive' | 'wantsFrames' | 'wantsResult'
>;

/** `continues`: the run has events from before a restart. */
export function liveRun(stores: Stores, run: NewRun, continues = false): LiveRun {
  return {
    ...run,
    log: new RunLog(run.kwargs.resumable ? storedFrames(stores, run.caller, run.record.runId) : null, continues),
    created: Promise.resolve(),
    startAtMs: run.record.createdAtMs,
    port: null,
    worker: null,
    returned: null,
    dispatchedAtMs: 0,
    dispatchedElapsedMs: 0,
    observer: null,
    traceparent: null,
    counted: null,
    holdsTrace: false,
    queued: false,
    isolated: run.alive?.suspect ?? false,
    headId: null,
    unfinished: null,
    settled: false,
    failure: null,
    feedback: null,
    heldEvents: 0,
    eventsPublished: Promise.resolve(),
    waiters: [],
  };
}

/** Reads the stored frames of a resumable run. */
export function storedFrames(stores: Stores, caller: Caller, runId: string): LoadOlderFrames {
  return async (afterSeq) => {
    await stores.store.settled();
    const [batch] = stores.events.read(caller, runId, afterSeq);
    return batch === undefined ? [] : [batch];
  };
}

/** True if another node of the cluster executes the run, so that the next owner can take it over. */
export function isElsewhere({ alive }: LiveRun): boolean {
  return (alive?.place?.node ?? null) !== null;
}

/** The worker sends frames from now on. */
export function startListening(run: LiveRun): void {
  if (run.wantsFrames) return;
  run.wantsFrames = true;
  run.port?.requestFrames();
}

/** The only function that decides a thread's status. */
export function threadStatus(record: Pick<ThreadRecord, 'failure' | 'unfinished'>, hasRuns: boolean): ThreadStatus {
  if (hasRuns) return 'busy';
  if (record.failure !== null) return 'error';
  return record.unfinished ? 'interrupted' : 'idle';
}
