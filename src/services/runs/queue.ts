import { isoTime } from '../../base/clock.js';
import { LIMITS } from '../../base/limits.js';
import type { Steps } from '../../base/steps.js';
import type { Needs } from '../context.js';
import type { LiveRun } from './live.js';
import { reasonOf, waiting, type Reason } from './why.js';

/** Runs per slice of work. */
const RUNS_PER_SLICE = 500;

/**
 * Runs that have not ended, as JSON: how many execute, how many wait for what, and the oldest of both. With very many
 * runs it is not a snapshot, because runs start and end between its slices.
 */
export function* queueState(services: Needs<'clock' | 'scheduler'>): Steps<string> {
  const running: LiveRun[] = [];
  const waits: LiveRun[] = [];
  const reasons: Partial<Record<Reason, number>> = {};
  let [runningCount, waitingCount, looked] = [0, 0, 0];
  for (const run of services.scheduler.liveRuns()) {
    looked += 1;
    if (looked % RUNS_PER_SLICE === 0) yield;
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
        .map((run) => ({
          ...namesOf(run),
          started_at: isoTime(run.dispatchedAtMs),
          worker: run.worker?.name ?? null,
          node: run.worker?.node ?? null,
        })),
    },
    waiting: {
      total: waitingCount,
      reasons,
      runs: waits
        .filter(({ port, settled }) => port === null && !settled)
        .map((run) => {
          const { reason, message, ahead } = waiting(services, run);
          return { ...namesOf(run), reason, message, ahead: ahead ?? null };
        }),
    },
    shown_max: LIMITS.queueShownMax,
  });
}

function namesOf({ record, alive }: LiveRun): Record<string, unknown> {
  // The thread of a run that is not stored cannot be read.
  return {
    run_id: record.runId,
    thread_id: alive === null ? null : record.threadId,
    graph_id: record.graphId,
    assistant_id: record.assistantId,
    attempt: record.attempt,
    created_at: isoTime(record.createdAtMs),
  };
}
