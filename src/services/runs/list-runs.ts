import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { Commit } from '../../store/store.js';
import { readKwargs } from '../../store/runs/kwargs.js';
import { runJson, type FieldSelection } from '../../store/runs/run-json.js';
import type { RunRecord, RunStatus } from '../../store/runs/runs.js';
import { cancelRun } from './cancel-run.js';
import type { Needs } from '../context.js';
import { getRun } from './find-run.js';
import { headIsUnfinished } from '../state/state.js';
import { threadStatus } from './live.js';
import { withSlot } from '../threads/thread-slot.js';
import { getThread } from '../threads/threads.js';

/** The run as JSON; `select` names the parts to include, null means all. */
export function runView(
  services: Needs<'scheduler' | 'stores'>,
  caller: Caller,
  record: RunRecord,
  select: FieldSelection = null,
): string {
  const live = services.scheduler.get(record.runId);
  const wantsKwargs = select === null || select.has('kwargs');
  const kwargs = !wantsKwargs
    ? {}
    : (live?.kwargs ?? readKwargs(services.stores.runs.kwargs(caller, record.runId), record));
  return runJson(record, JSON.stringify(kwargs), select);
}

/** Runs of a thread, newest first, and whether another page exists. Throws THREAD_NOT_FOUND. */
export function listRuns(
  services: Needs<'stores' | 'threads'>,
  caller: Caller,
  threadId: string,
  query: { status?: RunStatus; limit: number; offset: number },
): { records: RunRecord[]; more: boolean } {
  const thread = getThread(services, caller, threadId);
  const records = services.stores.runs.list(caller, thread, { ...query, limit: query.limit + 1 });
  return { records: records.slice(0, query.limit), more: records.length > query.limit };
}

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

/**
 * Deletes a run and what it stored. A run that has not ended is rolled back. Throws THREAD_NOT_FOUND, RUN_NOT_FOUND.
 */
export async function deleteRun(
  services: Needs<'scheduler' | 'stores' | 'threads'>,
  caller: Caller,
  threadId: string,
  runId: string,
): Promise<void> {
  const { stores, threads } = services;
  const { live } = getRun(services, caller, threadId, runId);
  if (live !== undefined && !live.settled) {
    await cancelRun(services, live, 'rollback', 'the run was deleted');
    return;
  }
  const thread = getThread(services, caller, threadId);
  const record = stores.runs.get(caller, runId);
  if (record === undefined) throw fail('RUN_NOT_FOUND', { runId });
  await withSlot(services, thread, { slot: 'delete-run', allowedRuns: 'waiting' }, async (held) => {
    let commit = new Commit();
    for (const slice of stores.checkpoints.removeRunWrites(caller, thread, runId)) {
      // The run's record is removed with the last slice. After a crash before that, the deletion can be repeated.
      if (commit.operations.length > 0) await stores.store.write(commit);
      commit = slice;
      await nextTurn();
    }
    stores.runs.remove(commit, thread.uid, record);
    await stores.store.write(commit);
    const after = new Commit();
    const unfinished = headIsUnfinished(stores, held.record!);
    threads.update(after, held, {
      unfinished,
      // The end of a settled run may be on its way to the disk.
      status: threadStatus(
        { ...held.record!, unfinished },
        held.runs.some(({ settled }) => !settled),
      ),
    });
    await stores.store.write(after);
    stores.remover.wake();
  });
}
