import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import type { RunRecord } from '../../store/runs/runs.js';
import { cancelRun, type CancelAction } from './cancel-run.js';
import type { Needs } from '../context.js';
import { getRun, seesRun } from './find-run.js';
import type { LiveRun } from './live.js';

/** Reasons for which a request ends a run. The text after the colon is for people. */
export const BY_REQUEST = { cancelled: 'cancelled by request', taken: 'taken: its input was taken over' } as const;

/** Resolves when the run has ended. Throws RUN_NOT_FOUND for a run that had ended before. */
export function cancelOne(
  services: Needs<'scheduler' | 'stores' | 'threads'>,
  caller: Caller,
  { threadId, runId }: Pick<RunRecord, 'threadId' | 'runId'>,
  { action, reason }: { action: CancelAction; reason: string },
): Promise<void> {
  getRun(services, caller, threadId, runId);
  return cancelRun(services, liveRunOf(services, threadId, runId), action, reason);
}

/** Cancels all of these runs or none. Throws THREAD_NOT_FOUND, and RUN_NOT_FOUND when one is missing or has ended. */
export async function cancelNamed(
  services: Needs<'scheduler' | 'stores' | 'threads'>,
  caller: Caller,
  { threadId, runIds }: { threadId: string; runIds: readonly string[] },
  action: CancelAction,
): Promise<void> {
  // A caller who sees one run of a thread sees all of them.
  getRun(services, caller, threadId, runIds[0]!);
  await cancelAll(
    services,
    [...new Set(runIds)].map((runId) => liveRunOf(services, threadId, runId)),
    action,
  );
}

/** Cancels every run of this status that the caller sees. Throws RUN_NOT_FOUND when there is none. */
export async function cancelByStatus(
  services: Needs<'scheduler'>,
  caller: Caller,
  status: 'pending' | 'running' | 'all',
  action: CancelAction,
): Promise<void> {
  const found: LiveRun[] = [];
  let looked = 0;
  // A copy, because runs that start meanwhile are not meant.
  for (const run of [...services.scheduler.liveRuns()]) {
    if (++looked % LIMITS.cancelScanMax === 0) await nextTurn();
    if (run.settled || (status !== 'all' && run.record.status !== status)) continue;
    if (seesRun(caller, run)) found.push(run);
  }
  if (found.length === 0) throw fail('RUN_NOT_FOUND', { runId: status });
  await cancelAll(services, found, action);
}

/** Cancels waiting runs first, because one of them would start when an executing run ends. Works in slices. */
async function cancelAll(services: Needs<'scheduler'>, runs: LiveRun[], action: CancelAction): Promise<void> {
  const waitingFirst = runs.toSorted((a, b) => Number(a.port !== null) - Number(b.port !== null));
  for (let at = 0; at < waitingFirst.length; at += LIMITS.cancelSliceMax) {
    await Promise.all(
      waitingFirst
        .slice(at, at + LIMITS.cancelSliceMax)
        .map((run) => cancelRun(services, run, action, BY_REQUEST.cancelled)),
    );
  }
}

function liveRunOf({ scheduler }: Needs<'scheduler'>, threadId: string, runId: string): LiveRun {
  const live = scheduler.get(runId);
  if (live === undefined || live.settled || live.record.threadId !== threadId) throw fail('RUN_NOT_FOUND', { runId });
  return live;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
