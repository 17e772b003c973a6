import type { Caller } from '../../domain/caller.js';
import { fail } from '../../base/errors.js';
import { LIMITS } from '../../base/limits.js';
import { cancelRun, type CancelAction } from './cancel-run.js';
import type { Services } from '../context.js';
import { getRun, seesRun } from './find-run.js';
import type { LiveRun } from './live.js';

/** Why a request ended a run; what follows the colon of `taken` is for people. */
export const BY_REQUEST = { cancelled: 'cancelled by request', taken: 'taken: its input was taken over' } as const;

/** Throws RUN_NOT_FOUND at once for a run that has ended: there is nothing to cancel. Resolves when the run has ended. */
export function cancelOne(
  services: Services,
  caller: Caller,
  threadId: string,
  runId: string,
  action: CancelAction,
  reason: string,
): Promise<void> {
  getRun(services, caller, threadId, runId);
  return cancelRun(services, aliveOn(services, threadId, runId), action, reason);
}

/** All of these runs, or none: throws RUN_NOT_FOUND when one is not there or has ended, THREAD_NOT_FOUND. */
export async function cancelNamed(
  services: Services,
  caller: Caller,
  threadId: string,
  runIds: readonly string[],
  action: CancelAction,
): Promise<void> {
  // Who sees one of a thread's runs sees all.
  getRun(services, caller, threadId, runIds[0]!);
  await cancelAll(
    services,
    [...new Set(runIds)].map((runId) => aliveOn(services, threadId, runId)),
    action,
  );
}

/** Every run of this status that the caller sees. Throws RUN_NOT_FOUND when there is none. */
export async function cancelByStatus(
  services: Services,
  caller: Caller,
  status: 'pending' | 'running' | 'all',
  action: CancelAction,
): Promise<void> {
  const found: LiveRun[] = [];
  let looked = 0;
  // What comes meanwhile is not meant.
  for (const run of [...services.scheduler.liveRuns()]) {
    if (++looked % LIMITS.cancelLookMax === 0) await nextTurn();
    if (run.settled || (status !== 'all' && run.record.status !== status)) continue;
    if (seesRun(caller, run)) found.push(run);
  }
  if (found.length === 0) throw fail('RUN_NOT_FOUND', { runId: status });
  await cancelAll(services, found, action);
}

/** In bounded turns. What waits goes first: else it would begin when what it waits for has ended. */
async function cancelAll(services: Services, runs: LiveRun[], action: CancelAction): Promise<void> {
  const waitingFirst = runs.toSorted((a, b) => Number(a.port !== null) - Number(b.port !== null));
  for (let at = 0; at < waitingFirst.length; at += LIMITS.cancelTurnMax) {
    await Promise.all(
      waitingFirst
        .slice(at, at + LIMITS.cancelTurnMax)
        .map((run) => cancelRun(services, run, action, BY_REQUEST.cancelled)),
    );
  }
}

function aliveOn({ scheduler }: Services, threadId: string, runId: string): LiveRun {
  const live = scheduler.get(runId);
  if (live === undefined || live.settled || live.record.threadId !== threadId) throw fail('RUN_NOT_FOUND', { runId });
  return live;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
