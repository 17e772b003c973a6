import { isoTime } from '../../base/clock.js';
import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import type { Services } from '../context.js';
import type { LiveRun } from './live.js';
import { reasonOf, waiting, type Reason } from './why.js';

/** Runs that are looked at between two turns of others. */
const LOOKED_AT_ONCE = 500;

/**
 * All runs that have not ended, as JSON: how many a worker has, how many wait for what, and the oldest of both with their
 * reasons. It is of no single moment when there are very many: runs come and go between its steps.
 */
export function* queueState(services: Services): Steps<string> {
  const running: LiveRun[] = [];
  const waits: LiveRun[] = [];
  const reasons: Partial<Record<Reason, number>> = {};
  let [runningCount, waitingCount, looked] = [0, 0, 0];
  for (const run of services.scheduler.liveRuns()) {
    looked += 1;
    if (looked % LOOKED_AT_ONCE === 0) yield;
    if (run.settled) continue;
    if (run.port !== null) {
      runningCount += 1;
      if (running.length < LIMITS.queueShownMax) running.push(run);
      continue;
    }
    const reason = reasonOf(services, run);
    reasons[reason] = (reasons[reason] ?? 0) + 1;
    waitingCount += 1;
    if (waits.length < LIMITS.queueShownMax) waits.push(run);
  }
  return JSON.stringify({
    running: {
      total: runningCount,
      runs: running
        .filter(({ port, settled }) => port !== null && !settled)
        .map((run) => ({ ...namesOf(run), started_at: isoTime(run.dispatchedAtMs), worker: run.worker?.name ?? null })),
    },
    waiting: {
      total: waitingCount,
      reasons,
      runs: waits
        .filter(({ port, settled }) => port === null && !settled)
        .map((run) => {
          const { reason, says, ahead } = waiting(services, run);
          return { ...namesOf(run), reason, message: says, ahead: ahead ?? null };
        }),
    },
    shown_max: LIMITS.queueShownMax,
  });
}

function namesOf({ record, alive }: LiveRun): Record<string, unknown> {
  // The thread of a run that keeps nothing is nowhere to be found.
  return {
    run_id: record.runId,
    thread_id: alive === null ? null : record.threadId,
    graph_id: record.graphId,
    assistant_id: record.assistantId,
    attempt: record.attempt,
    created_at: isoTime(record.createdAtMs),
  };
}
