import { sees, type Caller } from '../base/caller.js';
import { fail } from '../base/errors.js';
import { parseJson, type JsonObject } from '../base/json.js';
import { Commit } from '../store/env.js';
import { readKwargs } from '../store/kwargs.js';
import { runJson, type Select } from '../store/run-json.js';
import type { RunRecord, RunStatus } from '../store/runs.js';
import { cancelRun } from './cancel-run.js';
import type { Services } from './context.js';
import type { LiveRun } from './live.js';
import { headUnfinished } from './state.js';
import { threadStatus } from './live.js';
import { withSlot } from './slot.js';
import { getThread } from './threads.js';

/** The run, alive or ended. Throws THREAD_NOT_FOUND or RUN_NOT_FOUND. */
export function getRun(services: Services, caller: Caller, threadId: string, runId: string): { record: RunRecord; live: LiveRun | undefined } {
  const live = services.scheduler.get(runId);
  if (live !== undefined && live.record.threadId === threadId && live.alive === null) {
    // Its thread is in no store; what the access handler stamped stands in the run's own metadata.
    const { metadata } = live.record;
    if (live.caller.identity !== caller.identity && !sees(caller, 'threads', () => parseJson(metadata) as JsonObject)) throw fail('RUN_NOT_FOUND', { runId });
    return { record: live.record, live };
  }
  getThread(services, caller, threadId);
  const record = live?.record ?? services.nouns.runs.get(caller, runId);
  if (record === undefined || record.threadId !== threadId) throw fail('RUN_NOT_FOUND', { runId });
  return { record, live };
}

export function runView(services: Services, caller: Caller, record: RunRecord, select: Select = null): string {
  const live = services.scheduler.get(record.runId);
  const wantsKwargs = select === null || select.has('kwargs');
  const kwargs = !wantsKwargs ? {} : (live?.kwargs ?? readKwargs(services.nouns.runs.kwargs(caller, record.runId), record));
  return runJson(live?.record ?? record, JSON.stringify(kwargs), select);
}

/** Newest first. Throws THREAD_NOT_FOUND. */
export function listRuns(services: Services, caller: Caller, threadId: string, query: { status?: RunStatus; limit: number; offset: number }): RunRecord[] {
  const thread = getThread(services, caller, threadId);
  return services.nouns.runs.list(caller, thread, query).map((record) => services.scheduler.get(record.runId)?.record ?? record);
}

/** Throws RUN_NOT_FOUND at once for a run that has ended: there is nothing to cancel. Resolves when the run has ended. */
export function cancelOne(services: Services, caller: Caller, threadId: string, runId: string, action: 'interrupt' | 'rollback'): Promise<void> {
  const { live } = getRun(services, caller, threadId, runId);
  if (live === undefined || live.settled) throw fail('RUN_NOT_FOUND', { runId });
  return cancelRun(services, live, action, 'cancelled by request');
}

/** Ends the run when it has not ended, then removes its row and what it stored. */
export async function deleteRun(services: Services, caller: Caller, threadId: string, runId: string): Promise<void> {
  const { nouns, threads } = services;
  const { live } = getRun(services, caller, threadId, runId);
  if (live !== undefined && !live.settled) {
    await cancelRun(services, live, 'rollback', 'the run was deleted');
    return;
  }
  const thread = getThread(services, caller, threadId);
  const record = nouns.runs.get(caller, runId);
  if (record === undefined) throw fail('RUN_NOT_FOUND', { runId });
  await withSlot(services, thread, 'delete-run', 'waiting runs', async (held) => {
    const commit = new Commit();
    nouns.checkpoints.removeOf(commit, thread, runId);
    nouns.runs.remove(commit, thread.uid, record);
    await nouns.store.write(commit);
    const after = new Commit();
    const unfinished = headUnfinished(nouns, held.record!);
    threads.update(after, held, { unfinished, status: threadStatus({ ...held.record!, unfinished }, held.runs.length > 0) });
    await nouns.store.write(after);
    nouns.remover.wake();
  });
}
