import type { Caller } from '../../domain/caller.js';
import { fail, ThreadmillError } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { Commit } from '../../store/env.js';
import { keys } from '../../store/keys.js';
import { changeableAssistant } from './assistants.js';
import { cancelRun } from '../runs/cancel-run.js';
import type { Services } from '../context.js';
import type { LiveRun } from '../runs/live.js';
import { inSlices } from '../in-slices.js';
import { deleteThread } from '../threads/threads.js';

/**
 * Deletes an assistant with all that goes with it. While it lasts nobody finds the assistant; when it fails or the server
 * dies before the commit, the assistant is there again and can be deleted again. Resolves when nothing of it is left.
 * Throws ASSISTANT_NOT_FOUND, FORBIDDEN, ASSISTANT_CONFIGURED, and THREAD_BUSY for a thread that is being changed.
 */
export async function deleteAssistant(
  services: Services,
  caller: Caller,
  nameOrId: string,
  { deleteThreads }: { deleteThreads: boolean },
): Promise<void> {
  const { assistants, remover } = services.stores;
  const record = changeableAssistant(services, caller, nameOrId, 'assistants:delete');
  if (record.system) throw fail('ASSISTANT_CONFIGURED', { graphId: record.graphId });
  const { assistantId } = record;
  const left = assistants.leave(assistantId);
  try {
    await endWhatGoesWith(services, caller, assistantId, deleteThreads);
    const commit = new Commit();
    assistants.remove(commit, record);
    await assistants.write(commit);
    // Its versions, and the rows of its runs.
    await remover.now(keys.leftover('assistant', assistantId));
  } finally {
    left();
  }
}

/** The one place that knows what goes with an assistant, before it is gone itself. What starts runs comes before the runs. */
async function endWhatGoesWith(
  services: Services,
  caller: Caller,
  assistantId: string,
  deleteThreads: boolean,
): Promise<void> {
  const commit = new Commit();
  services.crons.removeOf(commit, { assistantId });
  await services.stores.store.write(commit);
  await cancelRunsOf(services, assistantId);
  if (deleteThreads) await deleteThreadsOf(services, caller, assistantId);
}

/** Runs that have not ended, on whosever threads. */
async function cancelRunsOf(services: Services, assistantId: string): Promise<void> {
  const runs: LiveRun[] = [];
  await inSlices(services, services.scheduler.alive(), (run) => {
    if (run.record.assistantId === assistantId) runs.push(run);
  });
  // The newest first: the end of a run lets the next one of its thread begin.
  runs.reverse();
  for (let at = 0; at < runs.length; at += LIMITS.goesWithMax) {
    await Promise.all(
      runs
        .slice(at, at + LIMITS.goesWithMax)
        .map((run) => cancelRun(services, run, 'interrupt', 'the assistant was deleted')),
    );
  }
}

/** Threads that name it in their metadata, as far as the caller may delete them. */
async function deleteThreadsOf(services: Services, caller: Caller, assistantId: string): Promise<void> {
  for (;;) {
    // The list is of what is on disk.
    await services.stores.store.flushed();
    const { records } = await services.turns.run(
      services.stores.threadLists.list(caller, {
        metadata: { assistant_id: assistantId },
        sortBy: 'updated_at',
        sortOrder: 'desc',
        limit: LIMITS.goesWithMax,
        offset: 0,
      }),
      () => false,
    );
    const ends = await Promise.allSettled(records.map(({ threadId }) => deleteThread(services, caller, threadId)));
    for (const end of ends) if (end.status === 'rejected' && !isGone(end.reason)) throw end.reason;
    if (!ends.some(({ status }) => status === 'fulfilled')) return;
  }
}

/** Someone else has deleted it meanwhile. */
function isGone(error: unknown): boolean {
  return error instanceof ThreadmillError && error.code === 'THREAD_NOT_FOUND';
}
