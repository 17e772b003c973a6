import type { Caller } from '../../domain/caller.js';
import { fail, ThreadmillError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { Commit } from '../../store/store.js';
import { keys } from '../../store/keys.js';
import { getChangeableAssistant } from './assistants.js';
import { cancelRun } from '../runs/cancel-run.js';
import type { Needs } from '../context.js';
import type { LiveRun } from '../runs/live.js';
import { forEachInSlices } from '../time-slicer.js';
import { deleteThread } from '../threads/threads.js';

/**
 * Deletes an assistant and everything that depends on it. The assistant is hidden while this runs. After a
 * failure, or a crash before the commit, it is visible again and can be deleted again. Resolves when nothing is
 * left. Throws ASSISTANT_NOT_FOUND, FORBIDDEN, ASSISTANT_CONFIGURED, and THREAD_BUSY for a thread that is being
 * changed.
 */
export async function deleteAssistant(
  services: Needs<'crons' | 'graphIds' | 'scheduler' | 'stores' | 'threadEvents' | 'threads' | 'timeSlicer'>,
  caller: Caller,
  nameOrId: string,
  { deleteThreads }: { deleteThreads: boolean },
): Promise<void> {
  const { assistants, remover } = services.stores;
  const record = getChangeableAssistant(services, caller, nameOrId, 'assistants:delete');
  if (record.system) throw fail('ASSISTANT_CONFIGURED', { graphId: record.graphId });
  const { assistantId } = record;
  const unhide = assistants.hide(assistantId);
  try {
    await removeDependents(services, caller, assistantId, deleteThreads);
    const commit = new Commit();
    assistants.remove(commit, record);
    await assistants.write(commit);
    // Removes its versions and its index of runs.
    await remover.removeNow(keys.leftover('assistant', assistantId));
  } finally {
    unhide();
  }
}

/**
 * Removes everything that depends on the assistant, before the assistant itself. Crons come first, because they
 * start runs.
 */
async function removeDependents(
  services: Needs<'crons' | 'scheduler' | 'stores' | 'threadEvents' | 'threads' | 'timeSlicer'>,
  caller: Caller,
  assistantId: string,
  deleteThreads: boolean,
): Promise<void> {
  const commit = new Commit();
  services.crons.removeAllOf(commit, { assistantId });
  await services.stores.store.write(commit);
  await cancelRunsOf(services, assistantId);
  if (deleteThreads) await deleteThreadsOf(services, caller, assistantId);
}

/** Cancels its unfinished runs, on all threads. */
async function cancelRunsOf(services: Needs<'scheduler' | 'timeSlicer'>, assistantId: string): Promise<void> {
  const runs: LiveRun[] = [];
  await forEachInSlices(services, services.scheduler.liveRuns(), (run) => {
    if (run.record.assistantId === assistantId) runs.push(run);
  });
  // Newest first, because the end of a run starts the next one on its thread.
  runs.reverse();
  for (let at = 0; at < runs.length; at += LIMITS.cascadeDeleteMax) {
    await Promise.all(
      runs
        .slice(at, at + LIMITS.cascadeDeleteMax)
        .map((run) => cancelRun(services, run, 'interrupt', 'the assistant was deleted')),
    );
  }
}

/** Deletes the threads that name the assistant in their metadata and that the caller may delete. */
async function deleteThreadsOf(
  services: Needs<'crons' | 'scheduler' | 'stores' | 'threadEvents' | 'threads' | 'timeSlicer'>,
  caller: Caller,
  assistantId: string,
): Promise<void> {
  for (;;) {
    // The list contains only threads on disk.
    await services.stores.store.flushed();
    const { records } = await services.timeSlicer.run(
      services.stores.threadLists.list(caller, {
        metadata: { assistant_id: assistantId },
        sortBy: 'updated_at',
        sortOrder: 'desc',
        limit: LIMITS.cascadeDeleteMax,
        offset: 0,
      }),
      () => false,
    );
    const results = await Promise.allSettled(records.map(({ threadId }) => deleteThread(services, caller, threadId)));
    for (const result of results)
      if (result.status === 'rejected' && !isThreadNotFound(result.reason)) throw result.reason;
    if (!results.some(({ status }) => status === 'fulfilled')) return;
  }
}

/** True if someone else deleted the thread in the meantime. */
function isThreadNotFound(error: unknown): boolean {
  return error instanceof ThreadmillError && error.code === 'THREAD_NOT_FOUND';
}
