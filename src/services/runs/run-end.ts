import { SERVER_CALLER } from '../../domain/caller.js';
import { Commit } from '../../store/store.js';
import type { Stores } from '../../store/stores.js';
import type { ThreadRecord } from '../../store/threads/threads.js';
import type { OutboxDelivery } from '../../store/webhooks.js';
import type { FrameBatch } from '../../wire/runs/frame.js';
import type { RunFeedbackUrls } from '../evaluation/feedback-urls.js';
import { threadStatus, type LiveRun, type Outcome } from './live.js';
import { rollBack } from './roll-back.js';
import { headIsUnfinished } from '../state/state.js';
import type { ThreadTable } from '../threads/thread-table.js';
import type { Webhooks } from '../webhooks/webhooks.js';

export interface RunEndStores {
  stores: Stores;
  threads: ThreadTable;
  webhooks: Webhooks;
  resumableTtlMs: number;
}

export interface RunEnd {
  outcome: Outcome;
  nowMs: number;
  /** The run is removed, with everything that it wrote. */
  rollback: boolean;
  /** Feedback URLs that are created with the end. */
  addresses: RunFeedbackUrls | null;
  /** Published when the end is on disk. */
  lastEvents: readonly FrameBatch[];
}

/**
 * Stores the end of a run: its status, its thread's status, its webhook delivery and its feedback URLs. Shares its
 * transaction with what the run wrote last, unless that has to be read. Resolves when all of it is on disk. Rejects
 * with STORE_FAILED when that is unknown; then the run has not ended.
 */
export async function storeRunEnd(parts: RunEndStores, run: LiveRun, end: RunEnd): Promise<void> {
  const { stores, threads, webhooks, resumableTtlMs } = parts;
  const { outcome, nowMs, rollback, addresses, lastEvents } = end;
  const { thread, alive } = run;
  const { runs, checkpoints, store, events, remover, feedbackTokens } = stores;
  const give = (to: Commit): void => {
    for (const token of addresses?.tokens ?? []) feedbackTokens.put(to, token);
  };
  if (alive === null) {
    const commit = new Commit();
    give(commit);
    if (addresses !== null) await store.write(commit);
    return;
  }
  // A run without a port may have written something for an earlier process.
  const wasRetried = run.record.lease > (run.port === null ? 0 : 1);
  // All of these read what the run wrote.
  if (run.port !== null && (rollback || wasRetried || run.kwargs.webhook !== null))
    await run.port.written.catch(() => undefined);
  const before = thread.record!;
  const record = { ...run.record, status: outcome.status, error: outcome.error, updatedAtMs: nowMs };
  const hasOtherRuns = (): boolean => thread.runs.some((other) => other !== run && !other.settled);
  // A temporary thread is deleted with its last run; more runs may have been started on it.
  const last = before.temporary && (thread.deleted || !hasOtherRuns());
  run.record = record;
  // A rolled back run sends no webhook.
  if (rollback) webhooks.onRunDropped(run);
  const owe = (to: Commit): OutboxDelivery | null => {
    if (rollback || run.kwargs.webhook === null) return null;
    const headId = checkpoints.get(SERVER_CALLER, before, '', null)?.id ?? null;
    return webhooks.putDelivery(to, run, { endedAtMs: nowMs, held: last, headId });
  };
  if (last) {
    const commit = new Commit();
    give(commit);
    const owed = owe(commit);
    // A run that ended before this one may have deleted it, and the id may be in use again.
    if (!thread.deleted) stores.threads.hide(commit, before);
    if (owed === null) {
      runs.remove(commit, before.uid, record);
      stores.threads.removeContent(commit, before);
    } else runs.hide(commit, before.uid, record);
    threads.remove(commit, thread);
    commit.onDurable(() => {
      run.stored = record;
    });
    await store.write(commit);
    if (owed === null) remover.wake();
    else webhooks.scheduleDelivery(owed);
    return;
  }
  if (rollback) {
    await rollBack(stores, { kind: 'rollback', changeId: record.runId, uid: before.uid }, false, (commit) => {
      runs.remove(commit, before.uid, record);
      threads.updateIndex(commit, thread);
    });
    remover.wake();
  }
  const commit = new Commit();
  give(commit);
  if (run.kwargs.resumable) for (const batch of lastEvents) events.append(commit, record.runId, batch);
  const owed = owe(commit);
  let leftover = false;
  if (!rollback) {
    runs.finish(commit, record);
    leftover = checkpoints.removeUndo(commit, record.runId, wasRetried ? null : (run.port?.undoKeys ?? []));
    if (run.kwargs.resumable) events.expireAt(commit, record.runId, nowMs + resumableTtlMs);
  }
  const unfinished = isUnfinishedAfter(stores, run, rollback);
  // Other runs may have ended during the rollback.
  const busy = hasOtherRuns();
  const failure = outcome.status === 'error' || outcome.status === 'timeout' ? outcome.error : null;
  threads.update(commit, thread, {
    unfinished,
    failure,
    parked: parkedAfter(run, { ...end, unfinished }),
    status: threadStatus({ failure, unfinished }, busy),
    updatedAtMs: nowMs,
    cancelReason: outcome.status === 'interrupted' && !rollback ? (outcome.error?.message ?? null) : null,
    stateUpdatedAtMs: run.unfinished === null ? thread.record!.stateUpdatedAtMs : nowMs,
    nextSeq: busy ? threads.reservedSeq(thread) : thread.seq,
  });
  commit.onDurable(() => {
    run.stored = record;
  });
  await store.write(commit);
  if (leftover) remover.wake();
  if (owed !== null) webhooks.scheduleDelivery(owed);
}

/** The code with which the thread waits at an interrupt when this run is over; null if it does not. */
function parkedAfter(
  run: LiveRun,
  { outcome, rollback, unfinished }: Pick<RunEnd, 'outcome' | 'rollback'> & { unfinished: boolean },
): ThreadRecord['parked'] {
  const { graphId, lease, code = null } = run.record;
  const hasChanged = lease > 0 && !rollback && (run.unfinished !== null || outcome.status === 'success');
  if (!hasChanged) return run.thread.record!.parked ?? null;
  return outcome.status === 'success' && unfinished && code !== null ? { graphId, hash: code } : null;
}

/** True if the thread has next steps when this run is over. */
function isUnfinishedAfter(stores: Stores, { record, thread, unfinished }: LiveRun, rollback: boolean): boolean {
  // A run that never started changes nothing. Another run of the thread may have ended just now, and its last state may
  // not be on disk yet.
  if (record.lease === 0) return thread.record!.unfinished;
  // A rollback has changed the newest state. So may have an attempt before a restart, which this one does not know.
  return rollback || unfinished === null ? headIsUnfinished(stores, thread.record!) : unfinished;
}
