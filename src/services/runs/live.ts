import type { Caller } from '../../domain/caller.js';
import type { ErrorRecord } from '../../base/errors.js';
import type { JsonBytes } from '../../base/json/json.js';
import type { GraphWorker } from '../../pool/graphs/graph-pool.js';
import { RunLog, type LoadOlderFrames } from '../../pool/graphs/run-log.js';
import type { RunPort } from '../../pool/graphs/run-port.js';
import type { RunKwargs } from '../../store/runs/kwargs.js';
import type { AliveRecord, RunRecord, RunStatus } from '../../store/runs/runs.js';
import type { ThreadRecord, ThreadStatus } from '../../store/threads/threads.js';
import type { Stores } from '../../store/stores.js';
import type { ResumeRefusal } from '../../wire/runs/messages.js';
import type { RunObserver } from './run-observer.js';

/** How a run ended, for whoever waits. `result` is the final values as JSON when someone asked for them. */
export interface Outcome {
  status: RunStatus;
  error: ErrorRecord | null;
  result: JsonBytes | null;
  /** It stopped at an interrupt. */
  hasInterrupt?: boolean;
  /** It did nothing, because of whom its answers were for. */
  refusal?: ResumeRefusal | null;
}

/**
 * A run that has not ended. These objects are the truth about what is alive (DESIGN, section 2): a transition checks and
 * changes them synchronously, then queues its puts.
 */
export interface LiveRun {
  record: RunRecord;
  /** The record as it is on disk; null before its creation is, and for a run that keeps nothing. This is what clients see. */
  stored: RunRecord | null;
  thread: LiveThread;
  caller: Caller;
  kwargs: RunKwargs;
  /** Null for a run that keeps nothing. */
  alive: AliveRecord | null;
  log: RunLog;
  /** Settles when the run's creation is on disk. */
  created: Promise<void>;
  /** When it may start: on the wall clock, as people see it, and by `Clock.elapsedMs`, which counts. */
  startAtMs: number;
  dueMs: number;
  port: RunPort | null;
  worker: GraphWorker | null;
  dispatchedAtMs: number;
  /** The same by `Clock.elapsedMs`. */
  dispatchedElapsedMs: number;
  /** Null before it is in the scheduler's table. */
  observer: RunObserver | null;
  /** `traceparent` of what started it; null when nobody traces, and after a restart. */
  traceparent: string | null;
  queued: boolean;
  /** Lost its worker: runs on a worker of its own from now on. */
  isolated: boolean;
  /** Head checkpoint that this run has stored, and whether it has next steps; null before its first. */
  headId: string | null;
  unfinished: boolean | null;
  /** Someone is there who wants frames, now or from the start. */
  wantsFrames: boolean;
  wantsResult: boolean;
  settled: boolean;
  /** Why it is not known what of it is on disk, after the store has failed. */
  failure: Error | null;
  /** Addresses that it gave out with its end, JSON; null before they are on disk, and when it was asked for none. */
  feedback: string | null;
  /** Events that wait until they may be told (RunEvents), and when the last of them is. Rejects when the store has failed. */
  heldEvents: number;
  eventsPublished: Promise<void>;
  waiters: Waiter[];
}

/** Someone who waits for the end of a run. */
export interface Waiter {
  resolve: (outcome: Outcome) => void;
  /** It is not known whether the end is on disk. */
  reject: (error: Error) => void;
}

/** What holds a thread's slot besides runs. */
export type Slot = 'edit' | 'create' | 'copy' | 'prune' | 'delete' | 'delete-run';

/** A thread that has runs, or is being changed. Its record here may be newer than the one in the store. */
export interface LiveThread {
  threadId: string;
  /** What the next change starts from. Null for the thread of a run that keeps nothing. */
  record: ThreadRecord | null;
  /** The record as it is on disk, and so what clients see; null when the thread is not there yet or not any more. */
  stored: ThreadRecord | null;
  /** Not ended, oldest first. */
  runs: LiveRun[];
  executing: LiveRun | null;
  slot: Slot | null;
  /** Id of the next event that is taken from a worker or made here. */
  seq: number;
  /** How many commits and runs need this entry. */
  holds: number;
  deleted: boolean;
}

/** What a run that has just been made, or found again at start-up, brings; the rest is the same for every run at first. */
type NewRun = Pick<
  LiveRun,
  'record' | 'stored' | 'dueMs' | 'thread' | 'caller' | 'kwargs' | 'alive' | 'wantsFrames' | 'wantsResult'
>;

/** `continues`: it has events from before a restart. */
export function liveRun(stores: Stores, run: NewRun, continues = false): LiveRun {
  return {
    ...run,
    log: new RunLog(run.kwargs.resumable ? storedFrames(stores, run.caller, run.record.runId) : null, continues),
    created: Promise.resolve(),
    startAtMs: run.record.createdAtMs,
    port: null,
    worker: null,
    dispatchedAtMs: 0,
    dispatchedElapsedMs: 0,
    observer: null,
    traceparent: null,
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

/** Frames of a resumable run that memory no longer holds. */
export function storedFrames(stores: Stores, caller: Caller, runId: string): LoadOlderFrames {
  return async (afterSeq) => {
    await stores.store.settled();
    const [batch] = stores.events.read(caller, runId, afterSeq);
    return batch === undefined ? [] : [batch];
  };
}

/** Whatever the run says from now on is heard. */
export function startListening(run: LiveRun): void {
  if (run.wantsFrames) return;
  run.wantsFrames = true;
  run.port?.requestFrames();
}

/** Thread status, the one function that says it (DESIGN, section 6). */
export function threadStatus(record: Pick<ThreadRecord, 'failure' | 'unfinished'>, hasRuns: boolean): ThreadStatus {
  if (hasRuns) return 'busy';
  if (record.failure !== null) return 'error';
  return record.unfinished ? 'interrupted' : 'idle';
}
