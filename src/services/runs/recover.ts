import { LOCAL_CALLER, type Caller } from '../../domain/caller.js';
import type { Clock } from '../../base/clock.js';
import { fail, toErrorRecord } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { Commit } from '../../store/store.js';
import { readKwargs } from '../../store/runs/kwargs.js';
import type { ActiveRunRecord, RunRecord } from '../../store/runs/runs.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { Needs } from '../context.js';
import { undoUnfinishedChanges } from '../state/edit-state.js';
import { liveRun, type LiveRun, type LiveThread } from './live.js';
import { repairBusyThreads } from '../threads/threads.js';

export interface Recovery {
  /** Runs that may execute at other nodes. */
  awaited: number;
  /** Runs that continue. */
  resumed: number;
  /** Runs that ended with an error. */
  failed: number;
  /** Threads that were busy without a run. */
  repaired: number;
}

/**
 * Brings every run that has not ended back into memory (promise P2). A run that was executing starts its next attempt,
 * or fails when it has no attempt left. A run that waited waits again. Runs before the port opens. `streamsContinue`:
 * readers of running runs may be waiting at other nodes of the cluster, so their events are wanted from the first one.
 * `nodes`: names of the nodes. Runs that execute there go on when their node offers them.
 */
export async function recoverRuns(
  services: Needs<'clock' | 'scheduler' | 'stores' | 'threads'>,
  {
    streamsContinue = false,
    nodes = new Set(),
  }: { streamsContinue?: boolean; nodes?: ReadonlySet<string> | undefined } = {},
): Promise<Recovery> {
  const { stores, threads, scheduler } = services;
  await stores.threads.buildCreatedIndex(stores.store);
  const recovery: Recovery = { awaited: 0, resumed: 0, failed: 0, repaired: 0 };
  const commit = new Commit();
  await undoUnfinishedChanges(services);
  const ready: LiveRun[] = [];
  const executing: LiveRun[] = [];
  const broken: [LiveRun, Error][] = [];
  /** Threads that lost a run here, by id. */
  const withoutRun = new Map<string, ThreadRecord>();
  for (const { alive, run: record } of stores.runs.active()) {
    const thread = stores.threads.get(LOCAL_CALLER, alive.threadId);
    if (record === undefined || thread === undefined || thread.uid !== alive.uid) {
      stores.runs.removeActive(commit, alive.runId);
      if (thread !== undefined) withoutRun.set(thread.threadId, thread);
      continue;
    }
    stores.threads.addOutdated(thread);
    const caller = stores.seal.open(alive.sealed, alive.runId);
    // Only a run whose input was an answer stores that the graph took it; others have stored a checkpoint then.
    const inputConsumed =
      alive.inputConsumed || stores.checkpoints.newest(LOCAL_CALLER, thread)?.runId === record.runId;
    const run = restoreRun(services, {
      alive: { ...alive, inputConsumed },
      record,
      caller,
      thread: threads.hold(thread),
    });
    if (streamsContinue && record.status === 'running') run.wantsFrames = true;
    run.thread.runs.push(run);
    run.thread.runs.sort(byOrder);
    if (caller === null) broken.push([run, fail('CALLER_UNAVAILABLE', { runId: record.runId })]);
    else if (record.status === 'running' && nodes.has(alive.place?.node ?? '')) executing.push(run);
    else if (record.status === 'running' && record.attempt >= LIMITS.attemptsMax)
      broken.push([run, fail('ATTEMPTS_EXCEEDED', { runId: record.runId, attempts: LIMITS.attemptsMax })]);
    else {
      if (record.status === 'running') {
        run.record = { ...record, status: 'pending', attempt: record.attempt + 1 };
        stores.runs.update(commit, run.record);
      }
      ready.push(run);
    }
  }
  await stores.store.write(commit);
  recovery.repaired = await repairBusyThreads(services, withoutRun.values());
  for (const [run, error] of broken) {
    recovery.failed += 1;
    await scheduler.settle(run, { status: 'error', error: toErrorRecord(error), result: null });
  }
  for (const run of executing) {
    recovery.awaited += 1;
    scheduler.awaitNode(run);
  }
  for (const run of ready) {
    recovery.resumed += 1;
    scheduler.add(run);
  }
  stores.remover.wake();
  return recovery;
}

/** An unfinished run as it was stored, and its thread. */
interface StoredRun {
  alive: ActiveRunRecord;
  record: RunRecord;
  /** Null if it cannot be decrypted. */
  caller: Caller | null;
  thread: LiveThread;
}

function restoreRun(
  { stores, clock }: Needs<'clock' | 'stores'>,
  { alive, record, caller, thread }: StoredRun,
): LiveRun {
  const runId = record.runId;
  const kwargs = readKwargs(stores.runs.kwargs(LOCAL_CALLER, runId), record);
  const run = liveRun(
    stores,
    {
      record,
      stored: record,
      dueMs: dueMs(record, clock),
      thread,
      kwargs,
      alive,
      caller: caller ?? LOCAL_CALLER,
      wantsFrames: kwargs.resumable,
      wantsResult: false,
    },
    true,
  );
  // The record became `running` when the run was dispatched.
  if (record.status === 'running') run.dispatchedAtMs = record.updatedAtMs;
  return run;
}

/**
 * When a run is due, by `Clock.elapsedMs`: at once, unless the client delayed it and it has not started yet. Then it
 * waits at most its full delay again, even if the wall clock has jumped. A run that has started goes before all others
 * of its thread, because it continues from the thread's state.
 */
function dueMs({ lease, createdAtMs, updatedAtMs }: RunRecord, clock: Clock): number {
  if (lease > 0) return -Infinity;
  const delayMs = createdAtMs - updatedAtMs;
  if (delayMs <= 0) return 0;
  return clock.elapsedMs() + Math.min(Math.max(0, createdAtMs - clock.nowMs()), delayMs);
}

/** The order in which the thread accepted them. Runs of releases that did not store it come first, by time. */
function byOrder(a: LiveRun, b: LiveRun): number {
  return (a.alive?.order ?? 0) - (b.alive?.order ?? 0) || a.startAtMs - b.startAtMs;
}
